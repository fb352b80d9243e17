/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-rows.h"

#include "base/pd-distribution.h"
#include "reports/run/pd-sensitivity-private.h"
#include "reports/hints/pd-what-ifs.h"

#include <math.h>

#define RUN    "INTEGER NOT NULL REFERENCES run (id)"
#define REPORT "INTEGER NOT NULL REFERENCES report (id)"
#define OTHERS (PD_IN_XML | PD_IN_JSON | PD_IN_CSV)

/* Keys in front of the columns of a table. */
#define KEY_REPORT PD_FIELD ("report", PD_FIELD_KEY, PD_KEY_REPORT, .in = PD_IN_DB, .sql = REPORT)

/* ---- inputs, messages */

static const PdField input_fields[] = {
  KEY_REPORT,
  { "name", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdReportInput, name) },
  { "sha256", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdReportInput, sha256) },
  PD_FIELDS_END,
};
const PdRecord pd_report_inputs =
    PD_RECORD (.table = "input", .element = "input", .list = "inputs",
               .meaning = "a file that was read", .fields = input_fields);

#define MESSAGE(field) .offset = G_STRUCT_OFFSET (PdMessageRow, message.field)

static const PdField message_fields[] = {
  KEY_REPORT,
  { "run", PD_FIELD_KEY, .offset = PD_KEY_RUN, "NULL: of the inputs", PD_IN_DB,
    "INTEGER REFERENCES run (id)" },
  { "severity", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdMessageRow, severity),
    "'warning' or 'note'", PD_IN_DB },
  { "id", PD_FIELD_TEXT, MESSAGE (id) },
  { "severity", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdMessageRow, severity),
    .in = PD_IN_JSON },
  { "subject", PD_FIELD_TEXT, MESSAGE (subject) },
  { "text", PD_FIELD_CONTENT, MESSAGE (text) },
  { "place", PD_FIELD_TEXT, MESSAGE (place), "the first one" },
  { "count", PD_FIELD_COUNT, MESSAGE (count) },
  PD_FIELDS_END,
};
const PdRecord pd_report_messages =
    PD_RECORD (.table = "warning", .list = "warnings",
               .meaning = "of one run, or of reading the inputs", .fields = message_fields);

PdMessageRow
pd_report_message_row (const PdMessage *message)
{
  return (PdMessageRow){ message->severity == PD_SEVERITY_WARNING ? "warning" : "note", *message };
}

/* ---- runs */

#define OF_RUN(field) .offset = G_STRUCT_OFFSET (PdRunRow, field)

static const PdField run_fields[] = {
  { "id", PD_FIELD_KEY, .offset = PD_KEY_RUN, .in = PD_IN_DB, .sql = "INTEGER PRIMARY KEY" },
  KEY_REPORT,
  { "run", PD_FIELD_INTEGER, OF_RUN (number), .in = PD_IN_CSV },
  { "processors", PD_FIELD_NUMBER, OF_RUN (n_processors) },
  { "grid", PD_FIELD_TEXT, OF_RUN (grid) },
  { "execution_time", PD_FIELD_SUM, OF_RUN (execution_time), .in = PD_IN_XML },
  { "execution_time_ps", PD_FIELD_PS, OF_RUN (longest), "picoseconds", PD_IN_DB },
  { "total_time", PD_FIELD_SUM, OF_RUN (total_time), "seconds", PD_IN_XML | PD_IN_DB },
  { "efficiency", PD_FIELD_REAL, OF_RUN (efficiency), "0 to 1", PD_IN_XML | PD_IN_DB },
  { "messages", PD_FIELD_COUNT, OF_RUN (n_messages), .in = PD_IN_DB },
  { "bytes", PD_FIELD_WIDE, OF_RUN (n_bytes), .in = PD_IN_DB },
  { "messages", PD_FIELD_WIDE, OF_RUN (known_messages), .in = PD_IN_XML | PD_IN_CSV },
  { "bytes", PD_FIELD_WIDE, OF_RUN (known_bytes), .in = PD_IN_XML | PD_IN_CSV },
  { "events", PD_FIELD_COUNT, OF_RUN (n_events), "steps of the simulation", PD_IN_XML | PD_IN_DB },
  { "elapsed", PD_FIELD_REAL, OF_RUN (seconds),
    "seconds the simulation itself took; NULL if suppressed", PD_IN_DB, "REAL" },
  { "incomplete", PD_FIELD_BOOLEAN, OF_RUN (incomplete), "1: the trace ends early",
    PD_IN_XML | PD_IN_DB },
  { "recorded_share", PD_FIELD_REAL, OF_RUN (recorded_share), .in = PD_IN_XML, .format = "%.6f" },
  { "recorded_time", PD_FIELD_SUM, OF_RUN (recorded_time), "of the recorded run, seconds",
    PD_IN_XML },
  { "elapsed", PD_FIELD_REAL, OF_RUN (seconds), .in = PD_IN_XML, .format = "%.6f" },
  { "kind", PD_FIELD_TEXT, OF_RUN (kind), "of program: 'dvm' or 'mpi'", PD_IN_DB,
    "TEXT NOT NULL DEFAULT 'dvm'" },
  PD_FIELDS_END,
};
const PdRecord pd_report_runs =
    PD_RECORD (.table = "run", .meaning = "one prediction: one number of processors",
               .fields = run_fields);

PdRunRow
pd_report_run_row (const PdReport *self, const PdReportRun *run, guint number)
{
  const PdIntervalResult *root = pd_report_result (run, 0);

  return (PdRunRow){ .number = number,
                     .n_processors = run->n_processors,
                     .grid = run->grid,
                     .execution_time = root->values[PD_C_EXECUTION_TIME].sum,
                     .longest = root->values[PD_C_EXECUTION_TIME].max,
                     .total_time = root->total_time,
                     .efficiency = root->efficiency,
                     .n_messages = run->n_messages,
                     .n_bytes = run->n_bytes,
                     .known_messages = run->is_recorded ? PD_FIELD_NO_SUM
                                                        : (PdTimeSum){ (PdWide) run->n_messages },
                     .known_bytes = run->is_recorded ? PD_FIELD_NO_SUM : run->n_bytes,
                     .n_events = run->n_events,
                     .seconds = self->date != NULL ? run->seconds : NAN,
                     .incomplete = run->incomplete,
                     .recorded_share = run->recorded_share > 0 ? run->recorded_share : NAN,
                     .recorded_time = run->recorded_time.ps > 0
                                          ? (PdTimeSum){ run->recorded_time.ps }
                                          : PD_FIELD_NO_SUM,
                     .kind = run->model == PD_MODEL_MPI ? "mpi" : "dvm" };
}

/* ---- intervals: characteristics and counters, of some models only */

/* Columns of result files, by the version that came with them: those of version 1, which DVM
 * programs have; those of version 2, which they do not have; those of version 7. */
enum
{
  FIRST = PD_N_MODELS,
  ADDED,
  LATEST,
};

gint64
pd_report_characteristic_version (PdCharacteristic characteristic)
{
  if (characteristic == PD_C_LIBRARY_TIME || characteristic == PD_C_PRODUCTIVE_CPU_TIME)
    return 7;
  /* of DVM programs two of them were unknown then */
  if (characteristic == PD_C_REAL_SYNC || characteristic == PD_C_TIME_VARIATION)
    return 2;
  return pd_characteristic_applies (characteristic, PD_MODEL_DVM) ? 1 : 2;
}

gint64
pd_report_counter_version (PdQuantity counter)
{
  if (counter >= PD_Q_N_PIPELINES && counter <= PD_Q_N_OTHER)
    return 7;
  return pd_counter_applies (counter, PD_MODEL_DVM) ? 1 : 2;
}

/* Whether @version is that of the columns @which. */
static gboolean
is_of_version (guint which, gint64 version)
{
  return version == (which == FIRST ? 1 : which == ADDED ? 2 : 7);
}

static gboolean
find_characteristic (guint which, guint i, const char **name, const char **meaning)
{
  *name = pd_characteristic_row (i)->id;
  *meaning = pd_characteristic_row (i)->meaning;
  if (which < PD_N_MODELS)
    return pd_characteristic_applies (i, (PdIntervalModel) which);
  return is_of_version (which, pd_report_characteristic_version (i));
}

static gboolean
find_counter (guint which, guint i, const char **name, const char **meaning)
{
  *name = pd_counter_row (PD_N_TIMES + i)->id;
  *meaning = pd_counter_row (PD_N_TIMES + i)->meaning;
  return which < PD_N_MODELS ? pd_counter_applies (PD_N_TIMES + i, (PdIntervalModel) which)
                             : is_of_version (which, pd_report_counter_version (PD_N_TIMES + i));
}

#define OF_INTERVAL(field) .offset = G_STRUCT_OFFSET (PdIntervalRow, field)
#define EACH(whose, count, of, step)                                                               \
  .added = (guint) (whose) > FIRST, .n = (count), .size = sizeof (step), .which = (whose),         \
  .item = of
#define SUMS(whose)                                                                                \
  PD_FIELD (.type = PD_FIELD_SUM, OF_INTERVAL (result.values),                                     \
            EACH (whose, PD_N_CHARACTERISTICS, find_characteristic, PdSummary))
#define COUNTERS(whose)                                                                            \
  PD_FIELD (.type = PD_FIELD_COUNT, OF_INTERVAL (result.counts),                                   \
            EACH (whose, PD_N_COUNTERS, find_counter, guint64))
#define SUMMARIES(whose)                                                                           \
  PD_FIELD (.type = PD_FIELD_PART, OF_INTERVAL (result.values), .fields = summary_fields,          \
            EACH (whose, PD_N_CHARACTERISTICS, find_characteristic, PdSummary))
#define PROCESSOR_VALUES(whose)                                                                    \
  PD_FIELD (.type = PD_FIELD_PART, .fields = processor_value,                                      \
            EACH (whose, PD_N_CHARACTERISTICS, find_characteristic, PdTime))

G_STATIC_ASSERT (G_STRUCT_OFFSET (PdSummary, sum) == 0);

const PdField pd_report_sums[PD_N_MODELS][2] = {
  [PD_MODEL_DVM] = { SUMS (PD_MODEL_DVM), PD_FIELDS_END },
  [PD_MODEL_MPI] = { SUMS (PD_MODEL_MPI), PD_FIELDS_END },
};
const PdField pd_report_counters[PD_N_MODELS][2] = {
  [PD_MODEL_DVM] = { COUNTERS (PD_MODEL_DVM), PD_FIELDS_END },
  [PD_MODEL_MPI] = { COUNTERS (PD_MODEL_MPI), PD_FIELDS_END },
};

/* Columns of a characteristic, behind its name. */
static const PdField summary_fields[] = {
  { "", PD_FIELD_SUM, .offset = G_STRUCT_OFFSET (PdSummary, sum) },
  { "_min_ps", PD_FIELD_PS, .offset = G_STRUCT_OFFSET (PdSummary, min) },
  { "_min_at", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (PdSummary, min_at) },
  { "_max_ps", PD_FIELD_PS, .offset = G_STRUCT_OFFSET (PdSummary, max) },
  { "_max_at", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (PdSummary, max_at) },
  PD_FIELDS_END,
};
const PdField pd_report_added_values[] = {
  { "name", PD_FIELD_TEXT, OF_INTERVAL (result.name), "its name in the program", PD_IN_DB,
    "TEXT NOT NULL DEFAULT ''" },
  COUNTERS (ADDED),
  SUMMARIES (ADDED),
  PD_FIELDS_END,
};
const PdField pd_report_latest_values[] = { COUNTERS (LATEST), SUMMARIES (LATEST), PD_FIELDS_END };
static const PdField all_values[] = {
  COUNTERS (FIRST),
  SUMMARIES (FIRST),
  PD_FIELD (.type = PD_FIELD_PART, .fields = pd_report_added_values),
  PD_FIELD (.type = PD_FIELD_PART, .fields = pd_report_latest_values),
  PD_FIELDS_END,
};

static const PdField interval_fields[] = {
  { "run", PD_FIELD_KEY, .offset = PD_KEY_RUN, .in = PD_IN_DB, .sql = RUN },
  { "node", PD_FIELD_INTEGER, OF_INTERVAL (node),
    "number within the run, in preorder; 0 = the whole program", PD_IN_DB },
  { "interval", PD_FIELD_INTEGER, OF_INTERVAL (node), .in = PD_IN_CSV },
  { "parent", PD_FIELD_ID, OF_INTERVAL (parent), "a node; NULL for node 0", PD_IN_CSV | PD_IN_DB },
  { "depth", PD_FIELD_NUMBER, OF_INTERVAL (result.depth), .in = PD_IN_CSV | PD_IN_DB },
  { "type", PD_FIELD_TEXT, OF_INTERVAL (type), "MAIN, SEQ, PAR or USER" },
  { "file", PD_FIELD_TEXT, OF_INTERVAL (result.file) },
  { "line", PD_FIELD_INTEGER, OF_INTERVAL (result.line), "0 = unknown" },
  { "idx", PD_FIELD_INDEX, OF_INTERVAL (result.index), "the user's number; NULL = none", PD_IN_DB },
  { "index", PD_FIELD_INDEX, OF_INTERVAL (result.index), .in = OTHERS },
  { "name", PD_FIELD_LABEL, OF_INTERVAL (label), .in = ELEMENTS },
  { "processors", PD_FIELD_NUMBER, OF_INTERVAL (result.n_processors), "that executed it",
    ELEMENTS | PD_IN_DB },
  { "interval_processors", PD_FIELD_NUMBER, OF_INTERVAL (result.n_processors), .in = PD_IN_CSV },
  { "total_time", PD_FIELD_SUM, OF_INTERVAL (result.total_time),
    "processors * execution_time, seconds", PD_IN_XML | PD_IN_CSV | PD_IN_DB },
  { "efficiency", PD_FIELD_REAL, OF_INTERVAL (result.efficiency), "productive_time / total_time",
    PD_IN_XML | PD_IN_CSV | PD_IN_DB },
  PD_FIELD (.type = PD_FIELD_PART, .in = PD_IN_DB, .fields = all_values),
  PD_FIELDS_END,
};
const PdRecord pd_report_intervals =
    PD_RECORD (.table = "interval",
               .meaning = "sums over processors in seconds, extremes in picoseconds",
               .key = "run, node", .fields = interval_fields);

PdIntervalRow
pd_report_interval_row (const PdReportRun *run, guint i, const guint *positions)
{
  const PdIntervalResult *r = pd_report_result (run, i);
  PdIntervalRow row = { i, i > 0 && positions != NULL ? (gint64) positions[r->parent] : -1,
                        pd_interval_type_name (r->type),
                        run->model == PD_MODEL_MPI ? r->name : NULL, *r };

  return row;
}

#define OF_SUMMARY(field) .offset = G_STRUCT_OFFSET (PdExtremesRow, field)

const PdField pd_report_extremes[] = {
  { "id", PD_FIELD_KIND, OF_SUMMARY (id), .in = PD_IN_XML },
  { "sum", PD_FIELD_SUM, OF_SUMMARY (summary.sum), .in = PD_IN_XML },
  { "mean", PD_FIELD_SUM, OF_SUMMARY (mean) },
  { "min", PD_FIELD_TIME, OF_SUMMARY (summary.min) },
  { "min_at", PD_FIELD_NUMBER, OF_SUMMARY (summary.min_at) },
  { "max", PD_FIELD_TIME, OF_SUMMARY (summary.max) },
  { "max_at", PD_FIELD_NUMBER, OF_SUMMARY (summary.max_at) },
  PD_FIELDS_END,
};

/* ---- processors */

static const PdField processor_value[] = { { "_ps", PD_FIELD_PS, .in = 0 }, PD_FIELDS_END };

const PdField pd_report_added_processor_values[] = { PROCESSOR_VALUES (ADDED), PD_FIELDS_END };
const PdField pd_report_latest_processor_values[] = { PROCESSOR_VALUES (LATEST), PD_FIELDS_END };

static const PdField processor_fields[] = {
  KEY_RUN,
  KEY_NODE,
  { "processor", PD_FIELD_KEY, .offset = PD_KEY_NUMBER,
    "from 0; only those that executed the interval" },
  PROCESSOR_VALUES (FIRST),
  PROCESSOR_VALUES (ADDED),
  PROCESSOR_VALUES (LATEST),
  PD_FIELDS_END,
};
const PdRecord pd_report_processors =
    PD_RECORD (.table = "processor",
               .meaning = "values of each processor, where they were asked for; picoseconds",
               .key = "run, node, processor", .fields = processor_fields);

/* ---- recorded times */

const PdField pd_report_recorded[] = { { "recorded_time", PD_FIELD_SUM, .in = 0 }, PD_FIELDS_END };

static const PdField recorded_fields[] = {
  KEY_RUN,
  KEY_NODE,
  { "execution_time", PD_FIELD_SUM, .meaning = "seconds" },
  PD_FIELDS_END,
};
const PdRecord pd_report_recorded_times =
    PD_RECORD (.table = "recorded_interval", .with = "--reproduce",
               .meaning = "the recorded time of an interval", .key = "run, node",
               .fields = recorded_fields);

static const PdField end_fields[] = {
  KEY_RUN,
  { "rank", PD_FIELD_KEY, .offset = PD_KEY_NUMBER },
  { "recorded_ps", PD_FIELD_PS, .offset = G_STRUCT_OFFSET (PdEndRow, recorded) },
  { "predicted_ps", PD_FIELD_PS, .offset = G_STRUCT_OFFSET (PdEndRow, predicted) },
  PD_FIELDS_END,
};
const PdRecord pd_report_recorded_ends = PD_RECORD (.table = "recorded_end", .with = "--reproduce",
                                                    .meaning = "when the ranks end; picoseconds",
                                                    .key = "run, rank", .fields = end_fields);

static const PdField part_fields[] = {
  { "run", PD_FIELD_KEY, .offset = PD_KEY_RUN, .sql = "INTEGER PRIMARY KEY REFERENCES run (id)" },
  { "recorded_share", PD_FIELD_REAL, OF_RUN (recorded_share), "0 to 1; NULL: all, or not known",
    .sql = "REAL" },
  { "recorded_time", PD_FIELD_SUM, OF_RUN (recorded_time),
    "of a message-passing program, seconds; NULL: not known", .sql = "REAL" },
  PD_FIELDS_END,
};
const PdRecord pd_report_recorded_parts =
    PD_RECORD (.table = "recorded_part",
               .meaning = "of the recorded run: how much of it the trace has, and how long it took",
               .key = "", .fields = part_fields);

/* ---- times outside the totals */

#define OF_OUTSIDE(kind, field)                                                                    \
  .offset = G_STRUCT_OFFSET (PdOutside, times[PD_OUTSIDE_##kind].field)
#define OUTSIDE_SUM(id, kind) PD_FIELD (.name = id, .type = PD_FIELD_SUM, OF_OUTSIDE (kind, sum))
#define OUTSIDE_TIME(id, kind, field)                                                              \
  PD_FIELD (.name = id, .type = PD_FIELD_TIME, OF_OUTSIDE (kind, field))
#define OUTSIDE_RANK(id, kind, field)                                                              \
  PD_FIELD (.name = id, .type = PD_FIELD_NUMBER, OF_OUTSIDE (kind, field))
#define OUTSIDE(id, kind)                                                                          \
  OUTSIDE_SUM (id, kind), OUTSIDE_TIME (id "_min", kind, min),                                     \
      OUTSIDE_RANK (id "_min_at", kind, min_at), OUTSIDE_TIME (id "_max", kind, max),              \
      OUTSIDE_RANK (id "_max_at", kind, max_at)

const PdField pd_report_outside_sums[] = {
  OUTSIDE_SUM ("mpi_init", INIT),
  OUTSIDE_SUM ("mpi_finalize", FINALIZE),
  OUTSIDE_SUM ("paused", PAUSED),
  PD_FIELDS_END,
};

static const PdField outside_fields[] = {
  { "run", PD_FIELD_KEY, .offset = PD_KEY_RUN, .in = PD_IN_DB,
    .sql = "INTEGER PRIMARY KEY REFERENCES run (id)" },
  OUTSIDE ("mpi_init", INIT),
  OUTSIDE ("mpi_finalize", FINALIZE),
  OUTSIDE ("paused", PAUSED),
  PD_FIELDS_END,
};
const PdRecord pd_report_outside =
    PD_RECORD (.table = "outside", .element = "outside", .list = "outside", .single = TRUE,
               .meaning = "of recorded runs: times that are in no total", .key = "",
               .fields = outside_fields);

/* ---- efficiencies, samples */

static gboolean
get_efficiency (guint which G_GNUC_UNUSED, guint i, const char **name, const char **meaning)
{
  *name = pd_efficiency_row (i)->id;
  *meaning = pd_efficiency_row (i)->meaning;
  return TRUE;
}

static const PdField efficiency_fields[] = {
  KEY_RUN,
  KEY_NODE,
  PD_FIELD (.type = PD_FIELD_REAL, .sql = "REAL", .n = PD_N_EFFICIENCIES, .size = sizeof (gdouble),
            .item = get_efficiency),
  PD_FIELDS_END,
};
const PdRecord pd_report_efficiency_rows =
    PD_RECORD (.table = "efficiency", .element = "efficiencies", .list = "efficiencies",
               .single = TRUE, .with = "--pop", .meaning = "1 is best; NULL = not known",
               .key = "run, node", .fields = efficiency_fields);

static const PdField sample_fields[] = {
  KEY_RUN,
  { "number", PD_FIELD_KEY, .offset = PD_KEY_NUMBER, "from 0" },
  { "seed", PD_FIELD_COUNT, .offset = G_STRUCT_OFFSET (PdSampleRow, seed) },
  { "execution_time_ps", PD_FIELD_PS, .offset = G_STRUCT_OFFSET (PdSampleRow, time) },
  PD_FIELDS_END,
};
const PdRecord pd_report_samples = PD_RECORD (.table = "sample", .with = "--samples",
                                              .key = "run, number", .fields = sample_fields);

/* In documents: their distribution. */
typedef struct
{
  PdDistribution d;
  guint64 first_seed;
} Samples;

typedef struct
{
  gdouble share;
  PdTime time;
} Quantile;

static const PdField distribution_fields[] = {
  { "count", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (Samples, d.n) },
  { "seed", PD_FIELD_COUNT, .offset = G_STRUCT_OFFSET (Samples, first_seed) },
  { "mean", PD_FIELD_REAL, .offset = G_STRUCT_OFFSET (Samples, d.mean) },
  { "deviation", PD_FIELD_REAL, .offset = G_STRUCT_OFFSET (Samples, d.deviation) },
  PD_FIELDS_END,
};
static const PdRecord distributions = PD_RECORD (.element = "samples", .list = "samples",
                                                 .single = TRUE, .fields = distribution_fields);

static const PdField quantile_fields[] = {
  { "share", PD_FIELD_REAL, .offset = G_STRUCT_OFFSET (Quantile, share), .format = "%g" },
  { "time", PD_FIELD_TIME, .offset = G_STRUCT_OFFSET (Quantile, time) },
  PD_FIELDS_END,
};
static const PdRecord quantiles =
    PD_RECORD (.element = "quantile", .list = "quantiles", .fields = quantile_fields);

static const PdField bar_fields[] = {
  { "from", PD_FIELD_TIME, .offset = G_STRUCT_OFFSET (PdHistogramBar, from) },
  { "to", PD_FIELD_TIME, .offset = G_STRUCT_OFFSET (PdHistogramBar, to) },
  { "count", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (PdHistogramBar, count) },
  PD_FIELDS_END,
};
static const PdRecord bars =
    PD_RECORD (.element = "bar", .list = "histogram", .fields = bar_fields);

void
pd_emit_times (PdEmit *to, const char *name, const PdTime *times, guint32 n)
{
  GString *out = to->json != NULL ? to->json->out : to->xml;

  if (to->json != NULL)
    pd_json_begin (to->json, name);
  g_string_append_printf (out, to->json != NULL ? "[" : "  <%s>", name);
  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (out, "%s%" G_GINT64_FORMAT,
                            i == 0             ? ""
                            : to->json != NULL ? ", "
                                               : " ",
                            times[i].ps);
  g_string_append_printf (out, to->json != NULL ? "]" : "</%s>\n", name);
}

static void
emit_samples (PdEmit *to, const PdReportRun *run)
{
  Samples samples = { .first_seed = run->first_seed };

  pd_distribution_compute (run->samples, &samples.d);
  pd_emit_open (to, &distributions, &samples);
  pd_emit_open_list (to, &quantiles);
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    pd_emit_row (to, &quantiles, &(Quantile){ pd_distribution_shares[i], samples.d.quantiles[i] });
  pd_emit_close_list (to);
  pd_emit_open_list (to, &bars);
  for (guint i = 0; i < samples.d.n_bars; i++)
    pd_emit_row (to, &bars, &samples.d.bars[i]);
  pd_emit_close_list (to);
  pd_emit_times (to, "times_ps", (const PdTime *) (gconstpointer) run->samples->data, samples.d.n);
  pd_emit_close (to, &distributions);
}

/* XML: the ends are attributes */
static void
emit_range (PdEmit *to, const PdTimeRange *range)
{
  PdTimeRangeEnds ends = pd_time_range_get (range);
  g_autoptr (GArray) rows = pd_time_range_get_rows (range);

  if (to->json != NULL)
    pd_json_add_fields (to->json, pd_report_range_ends, &ends);
  pd_emit_rows (to, &pd_report_range_rows, rows);
}

void
pd_emit_run_parts (PdEmit *to, const PdReport *self, const PdReportRun *run)
{
  if (self->per_processor || run->recorded_ends != NULL)
    pd_emit_times (to, "end_times_ps", run->end_times, run->n_processors);
  if (run->recorded_ends != NULL)
    pd_emit_times (to, "recorded_end_times_ps", run->recorded_ends, run->n_processors);
  if (run->analysis != NULL && to->json != NULL) /* XML: attributes */
    pd_json_add_fields (to->json, pd_analysed_runs.fields, run->analysis);
  if (run->outside != NULL)
    pd_emit_row (to, &pd_report_outside, run->outside);
  if (run->files != NULL)
    pd_emit_files (to, run->files);
  if (run->pairs != NULL)
    pd_emit_pairs (to, run);
  if (run->range != NULL)
    emit_range (to, run->range);
  if (run->samples != NULL)
    emit_samples (to, run);
  if (run->sensitivity != NULL)
    pd_emit_sensitivity (to, run->sensitivity);
  if (run->what_ifs != NULL)
    pd_emit_rows (to, &pd_report_what_ifs, run->what_ifs);
}
