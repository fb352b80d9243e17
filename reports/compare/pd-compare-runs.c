/* SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-runs.h"

#include "base/pd-text.h"
#include "reports/emit/pd-emit.h"
#include "reports/run/pd-report-common.h"

static GArray *
make_lines (const PdCompareSide *sides, guint n)
{
  GArray *lines = pd_comparison_new ();

  for (guint i = 0; i < n; i++)
    pd_comparison_append (lines, sides[i].run, i + 1);
  return lines;
}

void
pd_compare_runs_write_text (const PdCompareSide *sides, guint n, guint width, GString *out)
{
  g_autoptr (GArray) lines = make_lines (sides, n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = pd_compare_side_describe (&sides[i]);
      g_autofree char *clean = pd_text_show (text);
      g_string_append_printf (out, "%-3u %s\n", i + 1, clean);
    }
  g_string_append_c (out, '\n');
  pd_comparison_write (lines, width == 0 ? 80 : width, out);
}

/* ---- JSON */

typedef struct
{
  const char *name;
  gint64 id; /* -1: it is the only one of the file */
  gboolean measured;
  const char *machine;
  guint32 processors;
  gboolean incomplete;
  gdouble seconds;
  gdouble processor_seconds;
  gdouble speed_up;
  gdouble efficiency;
  gdouble losses[PD_N_LOSSES];
} Row;

#define ROW(field) .offset = G_STRUCT_OFFSET (Row, field)

static const PdField fields[] = {
  { "name", PD_FIELD_TEXT, ROW (name) },
  { "run", PD_FIELD_ID, ROW (id) },
  { "measured", PD_FIELD_BOOLEAN, ROW (measured) },
  { "machine", PD_FIELD_TEXT, ROW (machine) },
  { "processors", PD_FIELD_NUMBER, ROW (processors) },
  { "incomplete", PD_FIELD_BOOLEAN, ROW (incomplete) },
  { "execution_time", PD_FIELD_REAL, ROW (seconds) },
  { "processor_time", PD_FIELD_REAL, ROW (processor_seconds) },
  { "speed_up", PD_FIELD_REAL, ROW (speed_up) },
  { "efficiency", PD_FIELD_REAL, ROW (efficiency) },
  { "insufficient_parallelism", PD_FIELD_REAL, ROW (losses[0]) },
  { "communication", PD_FIELD_REAL, ROW (losses[1]) },
  { "idle", PD_FIELD_REAL, ROW (losses[2]) },
  PD_FIELDS_END,
};

static Row
make_row (const PdCompareSide *side, const GArray *lines, guint i)
{
  const PdComparedRun *line = &g_array_index (lines, PdComparedRun, i);
  gboolean measured = side->machine[0] == '\0';
  Row row = { .name = side->name,
              .id = side->id > 0 ? side->id : -1,
              .measured = measured,
              .machine = measured ? NULL : side->machine,
              .processors = line->n_processors,
              .incomplete = side->run->incomplete,
              .seconds = line->seconds,
              .processor_seconds = line->seconds * line->n_processors,
              .speed_up = pd_comparison_speed_up (lines, i, pd_comparison_base (lines)),
              .efficiency = line->efficiency };

  for (guint k = 0; k < PD_N_LOSSES; k++)
    row.losses[k] = line->losses[k];
  return row;
}

void
pd_compare_runs_write_json (const PdCompareSide *sides, guint n, const char *command_line,
                            GString *out)
{
  PdJson json = { .out = out, .first = TRUE };
  g_autoptr (GArray) lines = make_lines (sides, n);

  pd_json_open (&json, NULL, '{');
  pd_json_begin (&json, "format");
  g_string_append (out, PD_REPORT_FORMAT);
  pd_json_add_string (&json, "program", "predictor");
  pd_json_add_string (&json, "version", PD_VERSION);
  pd_json_add_string (&json, "command_line", command_line);
  pd_json_open (&json, "runs", '[');
  for (guint i = 0; i < n; i++)
    {
      Row row = make_row (&sides[i], lines, i);
      pd_json_open (&json, NULL, '{');
      pd_json_add_fields (&json, fields, &row);
      pd_json_close (&json, '}');
    }
  pd_json_close (&json, ']');
  pd_json_close (&json, '}');
  g_string_append_c (out, '\n');
}
