/* The sensitivity of a run for people.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-sensitivity.h"
#include "reports/emit/pd-table.h"

/* Rows of the path in brief. */
#define BRIEF_SEGMENTS 12

static char *
seconds (PdTime t)
{
  char buffer[64];

  return g_strdup (pd_time_format (t, buffer));
}

static char *
percent (gdouble share)
{
  return g_strdup_printf ("%.2f %%", 100 * share);
}

static void
write_parts (const PdSensitivity *self, guint width, GString *out)
{
  static const char *const headings[] = { "<On the critical path", "s", "share", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);

  for (guint i = 0; i < self->parts->len; i++)
    {
      const PdSensitivityPart *part = &g_array_index (self->parts, PdSensitivityPart, i);
      pd_table_add (table, part->kind);
      pd_table_take (table, seconds (part->time));
      pd_table_take (table, percent (self->makespan.ps > 0
                                         ? (gdouble) part->time.ps / (gdouble) self->makespan.ps
                                         : 0));
    }
  pd_table_write (table, width, out);
}

static void
write_parameters (const PdSensitivity *self, guint width, GString *out)
{
  static const char *const headings[] = { "<If this grows",   "<kind",      "is now",
                                          "the run grows by", "of 1 %, by", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);

  for (guint i = 0; i < self->parameters->len; i++)
    {
      const PdSensitivityParameter *p =
          &g_array_index (self->parameters, PdSensitivityParameter, i);
      if (p->derivative == 0)
        continue;
      pd_table_add (table, p->path);
      pd_table_add (table, p->kind);
      pd_table_take (
          table, g_strdup_printf ("%.6g%s%s", p->value, p->unit[0] != '\0' ? " " : "", p->unit));
      pd_table_take (table, g_strdup_printf ("%.9g %s", p->derivative,
                                             p->unit[0] == '\0'           ? "s"
                                             : g_str_equal (p->unit, "s") ? "times"
                                                                          : "B"));
      pd_table_take (table, g_strdup_printf ("%.4f %%", p->elasticity));
    }
  pd_table_write (table, width, out);
}

static void
write_intervals (const PdSensitivity *self, guint width, GString *out)
{
  static const char *const headings[] = { "<Computation in", "on the path, s", "of 1 %, by", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);

  for (guint i = 0; i < self->intervals->len; i++)
    {
      const PdSensitivityInterval *row = &g_array_index (self->intervals, PdSensitivityInterval, i);
      pd_table_add (table, row->label);
      pd_table_take (table, seconds (row->on_path));
      pd_table_take (table, g_strdup_printf ("%.4f %%", row->elasticity));
    }
  pd_table_write (table, width, out);
}

static void
write_tolerances (const PdSensitivity *self, guint width, GString *out)
{
  static const char *const headings[] = { "<Slower by", "<when this",     "grows to, s",
                                          "by, s",      "<linear so far", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);

  if (self->tolerances->len == 0)
    return;
  for (guint i = 0; i < self->tolerances->len; i++)
    {
      const PdSensitivityTolerance *t =
          &g_array_index (self->tolerances, PdSensitivityTolerance, i);
      pd_table_take (table, g_strdup_printf ("%g %%", 100 * t->slowdown));
      pd_table_add (table, t->path);
      pd_table_take (table, seconds (t->value));
      pd_table_take (table, seconds (t->growth));
      pd_table_take (
          table, t->is_linear ? g_strdup ("yes")
                              : g_strdup_printf ("no: %.3f %% at its border", 100 * t->at_linear));
    }
  g_string_append_c (out, '\n');
  pd_table_write (table, width, out);
}

static void
write_path (const PdSensitivity *self, const char *all_with, guint width, GString *out)
{
  static const char *const headings[] = { "<The path", "<does", "times", "from, s", "to, s", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);
  guint n = self->segments->len;
  guint shown = all_with == NULL ? n : MIN (n, BRIEF_SEGMENTS);

  for (guint i = n - shown; i < n; i++)
    {
      const PdSensitivitySegment *s = &g_array_index (self->segments, PdSensitivitySegment, i);
      pd_table_take (table, s->rank == s->peer ? g_strdup_printf ("%u", s->rank)
                                               : g_strdup_printf ("%u -> %u", s->rank, s->peer));
      pd_table_add (table, s->kind);
      pd_table_take (table, g_strdup_printf ("%u", s->count));
      pd_table_take (table, seconds (s->begin));
      pd_table_take (table, seconds (s->end));
    }
  g_string_append_c (out, '\n');
  pd_table_write (table, width, out);
  if (shown < n)
    g_string_append_printf (out, "The last of %u pieces; all with %s\n", n, all_with);
}

/* A file of an older version does not say how many messages there are. */
static void
write_head (const PdSensitivity *self, GString *out)
{
  g_string_append (out, "Sensitivity: the critical path ");
  if (self->n_messages != PD_SENSITIVITY_UNKNOWN)
    g_string_append_printf (out, "has %" G_GUINT64_FORMAT " message%s and ", self->n_messages,
                            self->n_messages == 1 ? "" : "s");
  g_string_append_printf (out, "ends on rank %u\n\n", self->rank);
}

void
pd_sensitivity_write_text (const PdSensitivity *self, guint width, const char *all_with,
                           GString *out)
{
  write_head (self, out);
  write_parts (self, width, out);
  g_string_append_c (out, '\n');
  write_parameters (self, width, out);
  g_string_append_c (out, '\n');
  write_intervals (self, width, out);
  write_tolerances (self, width, out);
  write_path (self, all_with, width, out);
}
