/* The rows of reports: one description of each row drives XML, JSON, CSV and the
 * tables of result files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_ROWS_H
#define PD_REPORT_ROWS_H

#include "reports/run/pd-efficiency.h"
#include "reports/run/pd-report-types.h"
#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-emit.h"
#include "reports/emit/pd-keys.h"

#define ELEMENTS (PD_IN_XML | PD_IN_JSON)

/* ---- rows; texts are borrowed */

typedef struct
{
  const char *program;
  const char *version;
  const char *command_line;
  const char *machine;
  const char *machine_text;
  const char *date;
} PdReportRow;

typedef struct
{
  gint64 number; /* from 1 */
  guint32 n_processors;
  const char *grid;
  PdTimeSum execution_time;
  PdTime longest;
  PdTimeSum total_time;
  gdouble efficiency;
  guint64 n_messages;
  PdTimeSum n_bytes;
  PdTimeSum known_messages; /* the same; PD_FIELD_NO_SUM: not known, which databases have as 0 */
  PdTimeSum known_bytes;
  guint64 n_events;
  gdouble seconds; /* of our own; NaN: suppressed */
  gboolean incomplete;
  gdouble recorded_share;  /* NaN: not known, or all */
  PdTimeSum recorded_time; /* PD_FIELD_NO_SUM: not known */
  const char *kind;
} PdRunRow;

typedef struct
{
  gint64 node;
  gint64 parent; /* -1: none */
  const char *type;
  const char *label; /* (nullable): its name where the model has names */
  PdIntervalResult result;
} PdIntervalRow;

typedef struct
{
  const char *id;
  PdSummary summary;
  PdTimeSum mean;
} PdExtremesRow;

typedef struct
{
  const char *severity;
  PdMessage message;
} PdMessageRow;

typedef struct
{
  guint64 seed;
  PdTime time;
} PdSampleRow;

typedef struct
{
  PdTime recorded;
  PdTime predicted;
} PdEndRow;

/**
 * pd_report_characteristic_version:
 * Returns: the version of result files that came with the columns of @characteristic.
 */
gint64 pd_report_characteristic_version (PdCharacteristic characteristic);

/**
 * pd_report_counter_version:
 * Returns: the version of result files that came with the column of @counter.
 */
gint64 pd_report_counter_version (PdQuantity counter);

/**
 * pd_report_run_row:
 * @number: of the run, from 1
 *
 * Returns: the row of @run, whose texts are borrowed.
 */
PdRunRow pd_report_run_row (const PdReport *self, const PdReportRun *run, guint number);

/**
 * pd_report_interval_row:
 * @positions: (nullable): from pd_report_positions()
 */
PdIntervalRow pd_report_interval_row (const PdReportRun *run, guint i, const guint *positions);

/**
 * pd_report_message_row:
 * Returns: the row of @message, whose texts are borrowed.
 */
PdMessageRow pd_report_message_row (const PdMessage *message);

/* ---- their fields */

extern const PdRecord pd_report_heads;          /* PdReportRow; in pd-report-schema.c */
extern const PdRecord pd_report_inputs;         /* PdReportInput */
extern const PdRecord pd_report_runs;           /* PdRunRow */
extern const PdRecord pd_report_messages;       /* PdMessageRow */
extern const PdRecord pd_report_intervals;      /* PdIntervalRow */
extern const PdRecord pd_report_processors;     /* (array): PdTime, by characteristic */
extern const PdRecord pd_report_recorded_times; /* PdTimeSum */
extern const PdRecord pd_report_recorded_ends;  /* PdEndRow */
extern const PdRecord pd_report_recorded_parts; /* PdRunRow */
extern const PdRecord pd_report_outside;        /* PdOutside */
extern const PdRecord pd_report_files;          /* in pd-files-rows.c */
extern const PdRecord pd_report_pairs;          /* likewise */
extern const PdRecord pd_report_operations;     /* of an interval; in pd-report-operations.c */
extern const PdRecord pd_report_processor_operations; /* of a processor in it; likewise */
extern const PdRecord pd_report_efficiency_rows;      /* (array): gdouble, by efficiency */
extern const PdRecord pd_report_samples;              /* PdSampleRow */
extern const PdField pd_report_extremes[];            /* PdExtremesRow */

extern const PdField pd_report_recorded[]; /* PdTimeSum, in documents */
/* PdIntervalResult, in CSV: times of operations of all kinds; in pd-report-operations.c. */
extern const PdField pd_report_operation_times[];
extern const PdField pd_report_outside_sums[]; /* PdOutside, in CSV */

/* Of PdIntervalRow, by model: sums, and counters. */
extern const PdField pd_report_sums[PD_N_MODELS][2];
extern const PdField pd_report_counters[PD_N_MODELS][2];
/* The values that version 2 of result files added to intervals and processors. */
extern const PdField pd_report_added_values[];
extern const PdField pd_report_added_processor_values[];
/* The values that version 7 added. */
extern const PdField pd_report_latest_values[];
extern const PdField pd_report_latest_processor_values[];

/* ---- parts of XML and JSON */

/**
 * pd_emit_times:
 * Times of ranks, in picoseconds.
 */
void pd_emit_times (PdEmit *to, const char *name, const PdTime *times, guint32 n);

/**
 * pd_emit_run_parts:
 * The parts of a run besides its own fields and its intervals.
 */
void pd_emit_run_parts (PdEmit *to, const PdReport *self, const PdReportRun *run);

/* ---- parts of JSON, in pd-report-json.c */

/**
 * pd_json_add_head:
 * The head before the results: format, version, inputs, machine.
 */
void pd_json_add_head (PdJson *json, const PdReport *self);

/**
 * pd_json_add_run:
 * The keys of a run as a whole, without its intervals.
 */
void pd_json_add_run (PdJson *json, const PdReport *self, const PdReportRun *run);

/**
 * pd_json_add_messages:
 * Adds the list of @messages.
 */
void pd_json_add_messages (PdJson *json, const PdMessages *messages);

/* ---- in pd-files-rows.c */

/**
 * pd_emit_files:
 * @files: (element-type PdFileUse): a row of each
 */
void pd_emit_files (PdEmit *to, const GArray *files);

/**
 * pd_csv_append_files:
 * @files: (nullable) (element-type PdFileUse): their sums; %NULL: the headings
 */
void pd_csv_append_files (GString *out, const GArray *files);

/**
 * pd_emit_pairs:
 * @run: with pairs of ranks
 *
 * A row of each.
 */
void pd_emit_pairs (PdEmit *to, const PdReportRun *run);

/* ---- in pd-report-operations.c */

/**
 * pd_operations_has_any:
 * Returns: whether interval @r has an operation of @kind, or time of one.
 */
gboolean pd_operations_has_any (const PdIntervalResult *r, PdOperationKind kind);

/**
 * pd_emit_operations:
 * @run: of a DVM program
 * @r: one of its intervals
 * @per_processor: what each processor has of them, too
 *
 * A row of each kind that the interval has operations of; in a database the keys are those of the
 * interval.
 */
void pd_emit_operations (PdEmit *to, const PdReportRun *run, const PdIntervalResult *r,
                         gboolean per_processor);

/**
 * pd_report_add_operations:
 * The table of interval @r, with the sums of its columns; no table if it has no operations.
 */
void pd_report_add_operations (PdColumns *to, const PdIntervalResult *r);

/**
 * pd_report_add_processor_operations:
 * Likewise a row of each processor that took part in operations of a kind.
 */
void pd_report_add_processor_operations (PdColumns *to, const PdReportRun *run,
                                         const PdIntervalResult *r);

/* ---- in pd-analysis-rows.c */

extern const PdRecord pd_analysed_runs; /* PdAnalysis */

/**
 * pd_emit_interval_analysis:
 * @ranks: also the values of each rank at a call site
 *
 * The analysis of interval @i of an analysed run, or the diagnosis of a predicted DVM run. The
 * whole program of another prediction has the call sites, if they are known.
 */
void pd_emit_interval_analysis (PdEmit *to, const PdReportRun *run, guint i, gboolean ranks);

/**
 * pd_analysis_append_schema:
 * Appends the statements that make the tables of analyses.
 */
void pd_analysis_append_schema (GString *sql);

/**
 * pd_analysis_append_added:
 * Appends the statements that add the columns that came with version 7.
 */
void pd_analysis_append_added (GString *sql);

/**
 * pd_analysis_append_later_schema:
 * Likewise of those that came with version 7.
 */
void pd_analysis_append_later_schema (GString *sql);

#endif
