/* The table of operations of DVM programs: its rows in files, and the table for people.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-rows.h"

#include <string.h>

/* ---- rows */

/* Operations of one kind. */
typedef struct
{
  const char *kind;
  guint64 count;
  PdTimeSum times[PD_N_OPERATION_TIMES];
} Row;

typedef struct
{
  const char *kind;
  gint64 processor;
  guint64 count;
  PdTime times[PD_N_OPERATION_TIMES];
} ProcessorRow;

static gboolean
get_time (guint which G_GNUC_UNUSED, guint i, const char **name, const char **meaning)
{
  *name = pd_characteristic_row (pd_operation_characteristic (i))->id;
  *meaning = NULL;
  return TRUE;
}

static gboolean
get_processor_time (guint which, guint i, const char **name, const char **meaning)
{
  get_time (which, i, name, meaning);
  g_autofree char *column = g_strconcat (*name, "_ps", NULL);
  *name = g_intern_string (column);
  return TRUE;
}

static const PdField fields[] = {
  KEY_RUN,
  KEY_NODE,
  { "kind", PD_FIELD_KIND, .offset = G_STRUCT_OFFSET (Row, kind),
    .meaning = "io, reduction, shadow, remote_access, redistribution, pipeline, task or other" },
  { "count", PD_FIELD_COUNT, .offset = G_STRUCT_OFFSET (Row, count),
    .meaning = "of the program, each once" },
  PD_FIELD (.type = PD_FIELD_SUM, .offset = G_STRUCT_OFFSET (Row, times), .n = PD_N_OPERATION_TIMES,
            .size = sizeof (PdTimeSum), .item = get_time),
  PD_FIELDS_END,
};
const PdRecord pd_report_operations =
    PD_RECORD (.table = "operation", .element = "operation", .list = "operations",
               .meaning = "operations of DVM programs in an interval, by kind; sums over "
                          "processors in seconds",
               .key = "run, node, kind", .fields = fields);

static const PdField processor_fields[] = {
  KEY_RUN,
  KEY_NODE,
  { "kind", PD_FIELD_KIND, .offset = G_STRUCT_OFFSET (ProcessorRow, kind), .in = PD_IN_DB },
  { "processor", PD_FIELD_INTEGER, .offset = G_STRUCT_OFFSET (ProcessorRow, processor) },
  { "count", PD_FIELD_COUNT, .offset = G_STRUCT_OFFSET (ProcessorRow, count),
    .meaning = "in which it took part" },
  PD_FIELD (.type = PD_FIELD_PS, .offset = G_STRUCT_OFFSET (ProcessorRow, times),
            .n = PD_N_OPERATION_TIMES, .size = sizeof (PdTime), .item = get_processor_time),
  PD_FIELDS_END,
};
const PdRecord pd_report_processor_operations =
    PD_RECORD (.table = "processor_operation", .element = "processor", .list = "processors",
               .with = "--per-processor", .meaning = "of each processor; picoseconds",
               .key = "run, node, kind, processor", .fields = processor_fields);

/* Kind by kind, and of each time by time. */
static gboolean
get_column (guint which, guint i, const char **name, const char **meaning)
{
  get_time (which, i % PD_N_OPERATION_TIMES, name, meaning);
  g_autofree char *column =
      g_strconcat (pd_operation_row (i / PD_N_OPERATION_TIMES)->id, "_", *name, NULL);
  *name = g_intern_string (column);
  return TRUE;
}

const PdField pd_report_operation_times[] = {
  PD_FIELD (.type = PD_FIELD_SUM, .offset = G_STRUCT_OFFSET (PdIntervalResult, operations),
            .n = PD_N_OPERATIONS * PD_N_OPERATION_TIMES, .size = sizeof (PdTimeSum),
            .item = get_column),
  PD_FIELDS_END,
};

/* ---- the operations of a run */

static Row
get_row (const PdIntervalResult *r, PdOperationKind kind)
{
  Row row = { .kind = pd_operation_row (kind)->id,
              .count = r->counts[pd_operation_counter (kind) - PD_N_TIMES] };

  memcpy (row.times, r->operations[kind], sizeof row.times);
  return row;
}

gboolean
pd_operations_has_any (const PdIntervalResult *r, PdOperationKind kind)
{
  gboolean any = r->counts[pd_operation_counter (kind) - PD_N_TIMES] > 0;

  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    any = any || r->operations[kind][t].ps != 0;
  return any;
}

/* FALSE: the processor has nothing of that kind. */
static gboolean
get_processor_row (const PdProcessorOperations *all, guint32 processor, PdOperationKind kind,
                   ProcessorRow *row)
{
  const PdProcessorOperations *own = &all[processor];
  gboolean any = own->counts[kind] > 0;

  *row = (ProcessorRow){ .kind = pd_operation_row (kind)->id,
                         .processor = processor,
                         .count = own->counts[kind] };
  memcpy (row->times, own->times[kind], sizeof row->times);
  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    any = any || row->times[t].ps != 0;
  return any;
}

/* ---- files */

static void
emit_processors (PdEmit *to, const PdProcessorOperations *all, guint32 n, PdOperationKind kind)
{
  ProcessorRow row;

  pd_emit_open_list (to, &pd_report_processor_operations);
  for (guint32 p = 0; p < n; p++)
    if (get_processor_row (all, p, kind, &row))
      pd_emit_row (to, &pd_report_processor_operations, &row);
  pd_emit_close_list (to);
}

void
pd_emit_operations (PdEmit *to, const PdReportRun *run, const PdIntervalResult *r,
                    gboolean per_processor)
{
  g_autofree PdProcessorOperations *all = NULL;

  if (run->model != PD_MODEL_DVM)
    return;
  if (per_processor)
    {
      all = g_new (PdProcessorOperations, run->n_processors);
      pd_interval_tree_get_operations (run->tree, r->node, all);
    }
  pd_emit_open_list (to, &pd_report_operations);
  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    {
      if (!pd_operations_has_any (r, kind))
        continue;
      Row row = get_row (r, kind);
      if (all == NULL)
        {
          pd_emit_row (to, &pd_report_operations, &row);
          continue;
        }
      pd_emit_open (to, &pd_report_operations, &row);
      emit_processors (to, all, run->n_processors, kind);
      pd_emit_close (to, &pd_report_operations);
    }
  pd_emit_close_list (to);
}

/* ---- tables for people */

static const PdColumn columns[] = {
  { "<Operation", "<Operation" },        { "Count", "Count" },
  { "Comm_time", "Communication, s" },   { "Real_sync", "Real synchronization, s" },
  { "Synchron.", "Synchronization, s" }, { "Variation", "Time variation, s" },
  { "Overlap", "Overlap, s" },
};

static void
add_row (PdColumns *to, const char *name, const Row *row, int decimals)
{
  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_label (to, name, 0);
  pd_columns_add_count (to, row->count);
  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    pd_columns_add_fixed (to, pd_time_sum_to_seconds (row->times[t]), decimals);
}

void
pd_report_add_operations (PdColumns *to, const PdIntervalResult *r)
{
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  Row total = { .count = 0 };
  gboolean any = FALSE;

  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    {
      Row row = get_row (r, kind);
      if (!pd_operations_has_any (r, kind))
        continue;
      any = TRUE;
      total.count += row.count;
      for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
        total.times[t].ps += row.times[t].ps;
      add_row (to, pd_operation_row (kind)->name, &row, decimals);
    }
  if (any)
    add_row (to, "Total", &total, decimals);
  pd_columns_end (to);
}

void
pd_report_add_processor_operations (PdColumns *to, const PdReportRun *run,
                                    const PdIntervalResult *r)
{
  g_autofree PdProcessorOperations *all = g_new (PdProcessorOperations, run->n_processors);
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  ProcessorRow own;

  pd_interval_tree_get_operations (run->tree, r->node, all);
  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    for (guint32 p = 0; p < run->n_processors; p++)
      {
        if (!get_processor_row (all, p, kind, &own))
          continue;
        Row row = { .count = own.count };
        for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
          row.times[t].ps = own.times[t].ps;
        g_autofree char *name = g_strdup_printf ("%s, %u", pd_operation_row (kind)->name, p);
        add_row (to, name, &row, decimals);
      }
  pd_columns_end (to);
}
