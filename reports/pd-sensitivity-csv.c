/* The sensitivity of a run as CSV: one table that can be loaded as it is.
 * SPDX-License-Identifier: MIT */
#include "reports/pd-sensitivity-private.h"

#include <string.h>

/* Of all tables: more than there are names. */
#define MAX_COLUMNS (8 * PD_SENSITIVITY_MAX_COLUMNS)

/* Columns in front, and those of the first row, of the path as a whole. */
static const char *const first[] = { "run", "table", "position", "makespan", "messages", "ties" };

/* Each name of a column once, in the order of the tables. Returns: how many. */
static guint
collect (const char **names)
{
  const PdSensitivityTable *table;
  guint n = 0;

  for (guint t = 0; (table = pd_sensitivity_get_table (t)) != NULL; t++)
    for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
      {
        guint i = 0;
        while (i < n && strcmp (names[i], c->name) != 0)
          i++;
        if (i == n && n < MAX_COLUMNS)
          names[n++] = c->name;
      }
  return n;
}

static void
append_value (GString *out, const PdSensitivityColumn *column, gconstpointer row)
{
  switch (column->type)
    {
    case PD_COLUMN_TEXT:
    case PD_COLUMN_KIND:
      pd_report_append_csv (out, G_STRUCT_MEMBER (const char *, row, column->offset));
      break;
    case PD_COLUMN_NUMBER:
      g_string_append_printf (out, "%u", G_STRUCT_MEMBER (guint32, row, column->offset));
      break;
    case PD_COLUMN_BOOLEAN:
      g_string_append (out, G_STRUCT_MEMBER (gboolean, row, column->offset) ? "1" : "0");
      break;
    case PD_COLUMN_TIME:
      pd_report_append_seconds (out, pd_sensitivity_time (row, column));
      break;
    case PD_COLUMN_REAL:
    default:
      pd_report_append_double (out, "%.12g", G_STRUCT_MEMBER (gdouble, row, column->offset));
    }
}

static const PdSensitivityColumn *
find_column (const PdSensitivityTable *table, const char *name)
{
  const PdSensitivityColumn *c = table->columns;

  while (c->name != NULL && strcmp (c->name, name) != 0)
    c++;
  return c->name != NULL ? c : NULL;
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
        g_string_append_printf (out, "%" G_GINT64_FORMAT ",%s,%u,,,", run, table->name, row);
        for (guint i = 0; i < n; i++)
          {
            const PdSensitivityColumn *column = find_column (table, names[i]);
            g_string_append_c (out, ',');
            if (column != NULL)
              append_value (out, column, pd_sensitivity_row (self, table, row));
          }
        g_string_append (out, "\r\n");
      }
}
