/* The sensitivity of a run as CSV: one table that can be loaded as it is.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-sensitivity-private.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-sensitivity.h"

#include <string.h>

/* Of all tables: more than there are names. */
#define MAX_COLUMNS 64

/* Columns in front, and those of the first row, of the path as a whole. */
static const char *const first[] = { "run", "table", "position", "makespan", "messages", "ties" };

/* Each name of a column once, in the order of the tables. Returns: how many. */
static guint
collect (const char **names)
{
  const PdSensitivityTable *table;
  guint n = 0;

  for (guint t = 0; (table = pd_sensitivity_get_table (t)) != NULL; t++)
    for (const PdField *c = pd_sensitivity_fields (table); c->type != PD_FIELD_END; c++)
      {
        guint i = 0;
        while (i < n && strcmp (names[i], c->name) != 0)
          i++;
        if (i == n && n < MAX_COLUMNS)
          names[n++] = c->name;
      }
  return n;
}

static const PdField *
find_column (const PdSensitivityTable *table, const char *name)
{
  const PdField *c = pd_sensitivity_fields (table);

  while (c->type != PD_FIELD_END && strcmp (c->name, name) != 0)
    c++;
  return c->type != PD_FIELD_END ? c : NULL;
}

void
pd_sensitivity_append_csv_heading (GString *out)
{
  const char *names[MAX_COLUMNS];
  guint n = collect (names);

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    g_string_append_printf (out, "%s%s", i > 0 ? "," : "", first[i]);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, ",%s", names[i]);
  g_string_append (out, "\r\n");
}

static void
append_count (GString *out, guint64 count)
{
  g_string_append_c (out, ',');
  if (count != PD_SENSITIVITY_UNKNOWN)
    g_string_append_printf (out, "%" G_GUINT64_FORMAT, count);
}

/* The path as a whole. */
static void
append_head (const PdSensitivity *self, gint64 run, const char *const *names, guint n, GString *out)
{
  g_string_append_printf (out, "%" G_GINT64_FORMAT ",critical_path,0,", run);
  pd_report_append_seconds (out, (PdTimeSum){ self->makespan.ps });
  append_count (out, self->n_messages);
  append_count (out, self->n_ties);
  for (guint i = 0; i < n; i++)
    {
      g_string_append_c (out, ',');
      if (strcmp (names[i], "rank") == 0)
        g_string_append_printf (out, "%u", self->rank);
    }
  g_string_append (out, "\r\n");
}

void
pd_sensitivity_append_csv (const PdSensitivity *self, gint64 run, GString *out)
{
  const char *names[MAX_COLUMNS];
  const PdSensitivityTable *table;
  guint n = collect (names);

  append_head (self, run, names, n, out);
  for (guint t = 0; (table = pd_sensitivity_get_table (t)) != NULL; t++)
    for (guint row = 0; row < pd_sensitivity_rows (self, table)->len; row++)
      {
        g_string_append_printf (out, "%" G_GINT64_FORMAT ",%s,%u,,,", run, table->record.table,
                                row);
        for (guint i = 0; i < n; i++)
          {
            const PdField *column = find_column (table, names[i]);
            g_string_append_c (out, ',');
            if (column != NULL)
              pd_field_append_csv (out, column,
                                   (const char *) pd_sensitivity_row (self, table, row)
                                       + column->offset);
          }
        g_string_append (out, "\r\n");
      }
}
