/* SPDX-License-Identifier: MIT */
#include "reports/hints/pd-what-ifs.h"

#include "reports/emit/pd-format.h"
#include "reports/emit/pd-keys.h"

/* Per cent of the run's time: less is no gain. */
#define WORTH 0.1

#define WHAT_IF(field) .offset = G_STRUCT_OFFSET (PdWhatIf, field)

static const PdField fields[] = {
  KEY_RUN,
  { "position", PD_FIELD_KEY, .offset = PD_KEY_POSITION, "from 0, by falling gain", PD_IN_DB },
  { "id", PD_FIELD_KIND, WHAT_IF (id) },
  { "value", PD_FIELD_TEXT, WHAT_IF (value), "the grid, the number of portions; else empty" },
  { "time", PD_FIELD_TIME, WHAT_IF (time), "execution_time with the change, seconds" },
  { "gain", PD_FIELD_SUM, WHAT_IF (gain), "by how much that is less; negative: more" },
  { "percent", PD_FIELD_REAL, WHAT_IF (percent), "of the time without it" },
  { "change", PD_FIELD_TEXT, WHAT_IF (change), "what to change" },
  { "how", PD_FIELD_TEXT, WHAT_IF (how), "how it was simulated" },
  PD_FIELDS_END,
};
const PdRecord pd_report_what_ifs =
    PD_RECORD (.table = "what_if", .element = "what_if", .list = "what_ifs", .with = "--what-if",
               .meaning = "how long a run takes with one change", .key = "run, position",
               .fields = fields);

static void
what_if_clear (gpointer data)
{
  PdWhatIf *self = data;

  g_free (self->value);
  g_free (self->change);
  g_free (self->how);
}

GArray *
pd_what_ifs_new (void)
{
  GArray *what_ifs = g_array_new (FALSE, TRUE, sizeof (PdWhatIf));

  g_array_set_clear_func (what_ifs, what_if_clear);
  return what_ifs;
}

static gint
compare_gains (gconstpointer a, gconstpointer b)
{
  const PdWhatIf *x = a, *y = b;

  return (x->gain.ps < y->gain.ps) - (x->gain.ps > y->gain.ps);
}

void
pd_what_ifs_sort (GArray *what_ifs)
{
  g_array_sort (what_ifs, compare_gains);
}

/* ---- text */

/* "network-2", "grid 2x8". */
static char *
get_name (const PdWhatIf *self)
{
  return g_strconcat (self->id, self->value[0] != '\0' ? " " : "", self->value, NULL);
}

static void
write_gain (const PdWhatIf *self, guint rank, int decimals, guint width, GString *out)
{
  g_autofree char *gain = pd_report_fixed (pd_time_sum_to_seconds (self->gain), decimals);
  g_autofree char *time = pd_report_fixed (pd_time_to_seconds (self->time), decimals);
  g_autofree char *percent = pd_report_fixed (self->percent, 1);
  g_autofree char *name = get_name (self);
  g_autofree char *text =
      g_strdup_printf ("%s: %s s (%s %%) less, %s s. %c%s Simulated: %s", name, gain, percent, time,
                       g_ascii_toupper (self->change[0]), self->change + 1, self->how);
  g_autofree char *number = g_strdup_printf ("%2u.", rank);
  gsize begin = out->len;

  pd_report_append_wrapped (out, text, "    ", width);
  for (guint i = 0; number[i] != '\0' && i < 4; i++)
    out->str[begin + i] = number[i];
}

void
pd_what_ifs_write (const GArray *what_ifs, PdTimeSum time, guint width, GString *out)
{
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (time));
  g_autofree char *now = pd_report_fixed (pd_time_sum_to_seconds (time), decimals);
  g_autoptr (GString) rest = g_string_new (NULL);
  guint rank = 0;

  g_string_append_printf (
      out, "What-if analysis: the run takes %s s; each change predicted by itself\n", now);
  for (guint i = 0; i < what_ifs->len; i++)
    {
      const PdWhatIf *what_if = &g_array_index (what_ifs, PdWhatIf, i);
      g_autofree char *percent = pd_report_fixed (MAX (-what_if->percent, 0), 1);
      g_autofree char *name = get_name (what_if);
      if (what_if->percent >= WORTH)
        write_gain (what_if, ++rank, decimals, width, out);
      else
        g_string_append_printf (rest, "%s %s (%s %%)", rest->len > 0 ? "," : "", name, percent);
    }
  g_autofree char *line = g_strdup_printf ("No gain, by how much slower:%s", rest->str);
  if (rest->len > 0)
    pd_report_append_wrapped (out, line, "", width);
  g_string_append_c (out, '\n');
}

/* ---- CSV */

static const PdField run_field[] = {
  { "run", PD_FIELD_NUMBER, .in = PD_IN_CSV },
  PD_FIELDS_END,
};

void
pd_what_ifs_append_csv (const GArray *what_ifs, guint32 n, GString *out)
{
  if (what_ifs->len > 0 && out->len == 0)
    {
      pd_csv_append_fields (out, run_field, NULL);
      pd_csv_append_fields (out, fields, NULL);
      pd_csv_end_line (out);
    }
  for (guint i = 0; i < what_ifs->len; i++)
    {
      pd_csv_append_fields (out, run_field, &n);
      pd_csv_append_fields (out, fields, &g_array_index (what_ifs, PdWhatIf, i));
      pd_csv_end_line (out);
    }
}
