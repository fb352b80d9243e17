/* The sensitivity of the run time: the tables of pd_sensitivity_get_table().
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-sensitivity-private.h"
#include "reports/emit/pd-format.h"

#define MAX_ROWS 500 /* of a table: a critical path may have millions of segments */
#define MAX_BARS 40  /* parameters and intervals in the chart, by their weight */

/* ---- tables, whatever columns they have */

static gboolean
is_text (const PdField *column)
{
  return column->type == PD_FIELD_TEXT || column->type == PD_FIELD_KIND;
}

static void
add_value (PdColumns *to, const PdField *column, gconstpointer row)
{
  gconstpointer field = (const char *) row + column->offset;
  g_autoptr (GString) text = g_string_new (NULL);

  if (is_text (column))
    {
      pd_columns_add_text (to, *(char *const *) field);
      return;
    }
  if (column->type == PD_FIELD_NUMBER)
    g_string_append_printf (text, "%u", *(const guint32 *) field);
  else if (column->type == PD_FIELD_BOOLEAN)
    g_string_append (text, *(const gboolean *) field ? "yes" : "no");
  else if (column->type == PD_FIELD_TIME)
    pd_report_append_double (text, "%.6g", pd_time_to_seconds (*(const PdTime *) field));
  else
    pd_report_append_double (text, "%.6g", *(const gdouble *) field);
  pd_columns_add_text (to, text->str);
}

static void
add_column (PdColumns *to, const PdField *column)
{
  g_autofree char *words = g_strdelimit (g_strdup (column->name), "_", ' ');
  g_autofree char *title = g_strconcat (is_text (column) ? "<" : "", words,
                                        column->type == PD_FIELD_TIME ? ", s" : "", NULL);

  pd_columns_add_column (to, NULL, title);
}

static void
append_table (PdPage *self, const PdSensitivityTable *table, const GArray *rows)
{
  PdColumns to = { .out = self->body };
  guint size = g_array_get_element_size ((GArray *) rows), i;

  g_autofree char *heading = g_strdelimit (g_strdup (table->record.table), "_", ' ');
  g_autofree char *summary =
      g_strdup_printf ("Table: %s (%u); %s", heading, rows->len, table->record.meaning);
  pd_page_begin_details (self, summary);
  pd_columns_begin (&to, NULL, 0);
  for (const PdField *c = pd_sensitivity_fields (table); c->type != PD_FIELD_END; c++)
    add_column (&to, c);
  for (i = 0; i < MIN (rows->len, MAX_ROWS) && pd_page_has_room (self); i++)
    for (const PdField *c = pd_sensitivity_fields (table); c->type != PD_FIELD_END; c++)
      add_value (&to, c, rows->data + (gsize) i * size);
  pd_columns_end (&to);
  pd_page_add_cut (self, rows->len - i, "rows", "--json and --db write all of them");
  pd_page_end_details (self);
}

/* ---- data of the chart */

static void
add_parts (PdPage *self, const PdSensitivity *s)
{
  g_autofree gdouble *seconds = g_new (gdouble, s->parts->len + 1);

  pd_page_data_open (self, "part", '[');
  for (guint i = 0; i < s->parts->len; i++)
    {
      const PdSensitivityPart *part = &g_array_index (s->parts, PdSensitivityPart, i);
      pd_page_data_string (self, NULL, part->kind);
      seconds[i] = pd_time_to_seconds (part->time);
    }
  pd_page_data_close (self, ']');
  pd_page_data_numbers (self, "seconds", seconds, s->parts->len);
}

/* The elasticities, each with its name; what weighs nothing is left out. */
static void
add_elasticities (PdPage *self, const char *key, const GArray *rows, gsize name, gsize elasticity)
{
  guint size = g_array_get_element_size ((GArray *) rows), n = 0;
  gdouble values[MAX_BARS];

  pd_page_data_open (self, key, '{');
  pd_page_data_open (self, "name", '[');
  for (guint i = 0; i < rows->len && n < MAX_BARS; i++)
    {
      const char *row = rows->data + (gsize) i * size;
      gdouble value = *(const gdouble *) (gconstpointer) (row + elasticity);
      if (!(value > 0 || value < 0))
        continue;
      values[n++] = value;
      pd_page_data_string (self, NULL, *(char *const *) (gconstpointer) (row + name));
    }
  pd_page_data_close (self, ']');
  pd_page_data_numbers (self, "elasticity", values, n);
  pd_page_data_close (self, '}');
}

static void
add_tolerances (PdPage *self, const PdSensitivity *s)
{
  guint n = s->tolerances->len;
  g_autofree gdouble *slowdown = g_new (gdouble, n + 1), *growth = g_new (gdouble, n + 1);

  pd_page_data_open (self, "tolerance", '{');
  pd_page_data_open (self, "name", '[');
  for (guint i = 0; i < n; i++)
    {
      const PdSensitivityTolerance *t = &g_array_index (s->tolerances, PdSensitivityTolerance, i);
      pd_page_data_string (self, NULL, t->path);
      slowdown[i] = t->slowdown;
      growth[i] = pd_time_to_seconds (t->growth);
    }
  pd_page_data_close (self, ']');
  pd_page_data_numbers (self, "slowdown", slowdown, n);
  pd_page_data_numbers (self, "growth", growth, n);
  pd_page_data_close (self, '}');
}

void
pd_page_add_sensitivity (PdPage *self, const PdReportRun *run, const char *prefix)
{
  const PdSensitivity *s = run->sensitivity;
  g_autofree char *key = pd_page_key (prefix, "sensitivity");
  const PdSensitivityTable *table;

  if (s == NULL)
    return;
  pd_page_add_heading (self, key, "Sensitivity of the run time",
                       "Growth of the run time in per cent if a parameter, or the computation "
                       "of an interval, grows by one per cent.");
  pd_page_data_open (self, key, '{');
  add_parts (self, s);
  add_elasticities (self, "parameters", s->parameters,
                    G_STRUCT_OFFSET (PdSensitivityParameter, path),
                    G_STRUCT_OFFSET (PdSensitivityParameter, elasticity));
  add_elasticities (self, "intervals", s->intervals, G_STRUCT_OFFSET (PdSensitivityInterval, label),
                    G_STRUCT_OFFSET (PdSensitivityInterval, elasticity));
  add_tolerances (self, s);
  pd_page_data_close (self, '}');
  pd_page_add_chart (self, "sensitivity", key, "Growth of the run time, % for 1 %");
  pd_page_add_chart (self, "path", key, "Parts of the critical path");
  if (s->tolerances->len > 0)
    pd_page_add_chart (self, "tolerance", key, "Growth of the latency for a slowdown");
  for (guint i = 0; (table = pd_sensitivity_get_table (i)) != NULL; i++)
    {
      const GArray *rows = *(GArray *const *) (gconstpointer) ((const char *) s + table->rows);
      if (rows->len > 0)
        append_table (self, table, rows);
    }
}
