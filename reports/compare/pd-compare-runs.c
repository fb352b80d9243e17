/* SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-runs.h"

#include "base/pd-text.h"
#include "reports/emit/pd-emit.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-efficiency.h"
#include "reports/run/pd-report-common.h"

static GArray *
make_lines (const PdCompareSide *sides, guint n)
{
  GArray *lines = pd_comparison_new ();

  for (guint i = 0; i < n; i++)
    pd_comparison_append (lines, sides[i].run, i + 1);
  return lines;
}

/* ---- scaling: efficiencies, and how time x processors grows */

/* Those that need no simulation of an ideal run. */
static const PdEfficiency shown[] = { PD_E_PARALLEL, PD_E_LOAD_BALANCE, PD_E_COMMUNICATION,
                                      PD_E_SCALING, PD_E_GLOBAL };

static gdouble
get_processor_seconds (const GArray *lines, guint i)
{
  const PdComparedRun *line = &g_array_index (lines, PdComparedRun, i);

  return line->seconds * line->n_processors;
}

/* Of time x processors against the run that speed-up is against. */
static gdouble
get_growth (const GArray *lines, guint i)
{
  gdouble base = get_processor_seconds (lines, pd_comparison_base (lines));

  return base > 0 ? get_processor_seconds (lines, i) / base : NAN;
}

static void
write_scaling (const PdCompareSide *sides, guint n, const GArray *lines, guint width, GString *out)
{
  static const PdColumn columns[] = {
    { "Run", NULL }, { "Proc.", NULL }, { "Time x proc. s", NULL }, { "Growth", NULL }
  };
  g_auto (PdColumns) to = { .out = out, .width = width };
  gdouble values[PD_N_EFFICIENCIES], largest = 0;

  for (guint i = 0; i < n; i++)
    largest = MAX (largest, get_processor_seconds (lines, i));
  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (gsize k = 0; k < G_N_ELEMENTS (shown); k++)
    pd_columns_add_column (&to, pd_efficiency_row (shown[k])->heading, NULL);
  for (guint i = 0; i < n; i++)
    {
      pd_efficiencies_of_run (sides[i].run, sides[pd_comparison_base (lines)].run, values);
      pd_columns_add_count (&to, i + 1);
      pd_columns_add_count (&to, sides[i].run->n_processors);
      pd_columns_add_fixed (&to, get_processor_seconds (lines, i), pd_report_decimals (largest));
      pd_columns_add_fixed (&to, get_growth (lines, i), 2);
      for (gsize k = 0; k < G_N_ELEMENTS (shown); k++)
        pd_columns_add_fixed (&to, 100 * values[shown[k]], 1);
    }
  pd_columns_end (&to);
  g_string_append (out, "Efficiencies in per cent; Parallel = Load bal. x Comm., Global = Parallel "
                        "x Scaling.\n");
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
  g_string_append_c (out, '\n');
  write_scaling (sides, n, lines, width == 0 ? 80 : width, out);
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
  gdouble growth;
  gdouble speed_up;
  gdouble efficiency;
  gdouble efficiencies[PD_N_EFFICIENCIES];
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
  { "processor_time_growth", PD_FIELD_REAL, ROW (growth) },
  { "speed_up", PD_FIELD_REAL, ROW (speed_up) },
  { "efficiency", PD_FIELD_REAL, ROW (efficiency) },
  { "insufficient_parallelism", PD_FIELD_REAL, ROW (losses[0]) },
  { "communication", PD_FIELD_REAL, ROW (losses[1]) },
  { "idle", PD_FIELD_REAL, ROW (losses[2]) },
  PD_FIELDS_END,
};

static Row
make_row (const PdCompareSide *sides, const GArray *lines, guint i)
{
  const PdCompareSide *side = &sides[i];
  const PdComparedRun *line = &g_array_index (lines, PdComparedRun, i);
  gboolean measured = side->machine[0] == '\0';
  Row row = { .name = side->name,
              .id = side->id > 0 ? side->id : -1,
              .measured = measured,
              .machine = measured ? NULL : side->machine,
              .processors = line->n_processors,
              .incomplete = side->run->incomplete,
              .seconds = line->seconds,
              .processor_seconds = get_processor_seconds (lines, i),
              .growth = get_growth (lines, i),
              .speed_up = pd_comparison_speed_up (lines, i, pd_comparison_base (lines)),
              .efficiency = line->efficiency };

  for (guint k = 0; k < PD_N_LOSSES; k++)
    row.losses[k] = line->losses[k];
  pd_efficiencies_of_run (side->run, sides[pd_comparison_base (lines)].run, row.efficiencies);
  return row;
}

/* Values that are not computed are null: all of them for a run without computation. */
static void
add_efficiencies (PdJson *json, const gdouble *values)
{
  for (gsize k = 0; k < G_N_ELEMENTS (shown); k++)
    {
      const PdField field[] = { { pd_efficiency_row (shown[k])->id, PD_FIELD_REAL, .offset = 0 },
                                PD_FIELDS_END };
      pd_json_add_fields (json, field, &values[shown[k]]);
    }
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
      Row row = make_row (sides, lines, i);
      pd_json_open (&json, NULL, '{');
      pd_json_add_fields (&json, fields, &row);
      add_efficiencies (&json, row.efficiencies);
      pd_json_close (&json, '}');
    }
  pd_json_close (&json, ']');
  pd_json_close (&json, '}');
  g_string_append_c (out, '\n');
}
