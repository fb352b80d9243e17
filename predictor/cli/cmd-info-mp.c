/* predictor info, of traces of message-passing programs.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-info-private.h"
#include "predictor/scaled/pd-scaled.h"
#include "predictor/options/cmd-tools.h"

#include "base/pd-verdict.h"
#include "traces/graph/pd-graph.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/open/pd-trace-read.h"
#include "traces/program/pd-program-sharing.h"

#include <stdio.h>

/* The counted actions. */
typedef struct
{
  guint64 n_actions;
  guint64 by_kind[PD_N_ACTS];
  guint64 by_op[PD_N_COLLS];
  guint64 n_messages; /* sent point to point */
  PdTimeSum bytes;
  PdTimeSum time; /* of computation */
  PdTimeSum lost; /* between calls, without a processor */
  gdouble flops;
  gboolean any_recorded;
  GHashTable *others; /* names of calls outside the model, borrowed -> how often */
} Counts;

static gboolean
is_send (PdActionKind kind)
{
  return (kind >= PD_ACT_SEND && kind <= PD_ACT_IRSEND) || kind == PD_ACT_SENDRECV;
}

static void
count_amount (Counts *counts, PdAmountUnit unit, const PdAction *action)
{
  if (action->kind == PD_ACT_DELAY || unit == PD_AMOUNT_TIME)
    pd_time_sum_add (&counts->time, action->amount.time);
  else
    counts->flops += action->amount.flops;
}

static void
count_action (Counts *counts, const PdProgram *program, const PdAction *action)
{
  counts->by_kind[action->kind]++;
  counts->n_actions++;
  counts->any_recorded |= action->recorded >= 0;
  switch (action->kind)
    {
    case PD_ACT_COMPUTE:
    case PD_ACT_DELAY:
      count_amount (counts, pd_program_get_unit (program), action);
      return;
    case PD_ACT_COLLECTIVE:
    case PD_ACT_ICOLLECTIVE:
      counts->by_op[action->op]++;
      count_amount (counts, pd_program_get_unit (program), action);
      return;
    case PD_ACT_OTHER:
    case PD_ACT_LOCAL:
      {
        const char *name = pd_program_get_string (program, action->name);
        guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts->others, name));
        if (g_str_equal (name, PD_PROGRAM_LOST))
          {
            pd_time_sum_add (&counts->lost, PD_TIME (MAX (action->recorded, 0)));
            return;
          }
        g_hash_table_insert (counts->others, (gpointer) name, GUINT_TO_POINTER (n + 1));
        return;
      }
    default:
      break;
    }
  if (!is_send (action->kind) || action->peer == PD_PROGRAM_PROC_NULL)
    return;
  counts->n_messages++;
  counts->bytes.ps += action->bytes;
}

static void
count_program (Counts *counts, const PdProgram *program)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      pd_action_reader_begin (&reader, rank);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        count_action (counts, program, action);
    }
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (a, b);
}

static void
show_kinds (const Counts *counts)
{
  const char *label = "actions by kind";
  PdAction action;

  for (guint kind = 0; kind < PD_N_ACTS; kind++)
    {
      if (counts->by_kind[kind] == 0 || kind == PD_ACT_COLLECTIVE || kind == PD_ACT_ICOLLECTIVE
          || kind == PD_ACT_OTHER || kind == PD_ACT_LOCAL)
        continue;
      pd_action_init (&action, (PdActionKind) kind);
      pd_cmd_show (label, "%-18s %12" G_GUINT64_FORMAT, pd_action_name (&action),
                   counts->by_kind[kind]);
      label = "";
    }
  for (guint op = 0; op < PD_N_COLLS; op++)
    {
      if (counts->by_op[op] == 0)
        continue;
      pd_action_init (&action, PD_ACT_COLLECTIVE);
      action.op = (PdCollKind) op;
      pd_cmd_show (label, "%-18s %12" G_GUINT64_FORMAT, pd_action_name (&action),
                   counts->by_op[op]);
      label = "";
    }
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (counts->others), compare_names);
  for (GList *at = names; at != NULL; at = at->next)
    pd_cmd_show (at == names ? "not modelled" : "", "%-18s %12u", (const char *) at->data,
                 GPOINTER_TO_UINT (g_hash_table_lookup (counts->others, at->data)));
}

/* The latest end of a rank in the recorded run; PENDING if none is known. */
static PdTime
get_recorded_duration (const PdProgram *program)
{
  PdTime latest = PD_TIME_PENDING;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    latest.ps = MAX (latest.ps, pd_program_get_recorded_end (program, rank).ps);
  return latest;
}

static void
show_program (const PdProgram *program, const Counts *counts)
{
  PdTime duration = get_recorded_duration (program);
  guint32 n_comms = pd_program_get_n_comms (program);

  pd_cmd_show ("ranks", "%u", pd_program_get_n_ranks (program));
  pd_cmd_show ("actions", "%" G_GUINT64_FORMAT, counts->n_actions);
  pd_cmd_show ("messages", "%" G_GUINT64_FORMAT " point to point, %.0f bytes in all",
               counts->n_messages, (gdouble) counts->bytes.ps);
  if (pd_program_get_unit (program) == PD_AMOUNT_FLOPS)
    pd_cmd_show ("computation", "%.6g operations (--flops says how many a second)", counts->flops);
  if (pd_program_get_unit (program) == PD_AMOUNT_TIME || counts->time.ps > 0)
    pd_cmd_show (pd_program_get_unit (program) == PD_AMOUNT_TIME ? "computation" : "delays",
                 "%.6f s on all ranks", pd_time_sum_to_seconds (counts->time));
  pd_cmd_show ("communicators", "%u besides the world", n_comms - 1);
  if (pd_program_get_n_intervals (program) > 0)
    pd_cmd_show ("intervals", "%u, entered %" G_GUINT64_FORMAT " times",
                 pd_program_get_n_intervals (program), counts->by_kind[PD_ACT_ENTER]);
  else
    pd_cmd_show ("intervals", "none");
  if (!pd_time_is_pending (duration))
    pd_cmd_show ("recorded run", "%.6f s%s", pd_time_to_seconds (duration),
                 counts->any_recorded ? ", and how long each call took" : "");
  else
    pd_cmd_show ("recorded run", "%s",
                 counts->any_recorded ? "how long each call took"
                                      : "its times are not in the trace");
}

/* The resources of their hosts that ranks had and used, and the clock of their computation. */
static void
show_usage (const PdProgram *program, const Counts *counts)
{
  guint32 n_ranks = pd_program_get_n_ranks (program), most_switched = 0, largest = 0;
  gdouble seconds = pd_time_sum_to_seconds (counts->time), n_switches = 0, memory = 0;
  PdRecordedUsage most = { .n_switches = -1, .memory = -1 };
  PdSharing sharing;

  if (pd_program_get_recorded_clock (program) != PD_CLOCK_UNKNOWN)
    pd_cmd_show ("clock", "%s",
                 pd_program_get_recorded_clock (program) == PD_CLOCK_CPU
                     ? "cpu: computation is processor time of each rank's first thread"
                     : "wall: computation is the time that passed");
  if (counts->lost.ps > 0)
    pd_cmd_show ("no processor", "%.6f s between calls, on all ranks",
                 pd_time_sum_to_seconds (counts->lost));
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (program, rank);
      if (usage == NULL)
        return;
      n_switches += (gdouble) MAX (usage->n_switches, 0);
      memory += (gdouble) MAX (usage->memory, 0);
      most_switched = usage->n_switches > most.n_switches ? rank : most_switched;
      largest = usage->memory > most.memory ? rank : largest;
      most.n_switches = MAX (most.n_switches, usage->n_switches);
      most.memory = MAX (most.memory, usage->memory);
    }
  if (pd_program_find_sharing (program, &sharing))
    {
      g_autofree char *text = pd_sharing_describe (&sharing);
      pd_cmd_show ("processors", "%s", text);
    }
  if (most.n_switches >= 0)
    pd_cmd_show (
        "switches",
        "%.0f involuntary, %.4g per second of computation, most %" G_GINT64_FORMAT " on rank %u",
        n_switches, seconds > 0 ? n_switches / seconds : 0, most.n_switches, most_switched);
  if (most.memory >= 0)
    {
      g_autofree char *all = g_format_size_full ((guint64) memory, G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *one = g_format_size_full ((guint64) most.memory, G_FORMAT_SIZE_IEC_UNITS);
      pd_cmd_show ("memory", "%s of all ranks together, most %s on rank %u", all, one, largest);
    }
}

static void
show_graph (const PdGraph *graph)
{
  static const char *const names[PD_GRAPH_N_KINDS] = { "send", "recv", "calc" };
  const PdGraphTotals *totals = pd_graph_get_totals (graph);
  PdTimeSum time = { 0 };
  PdGraphOp op;

  for (guint32 rank = 0; rank < pd_graph_get_n_ranks (graph); rank++)
    for (guint32 i = 0; i < pd_graph_get_n_ops (graph, rank); i++)
      {
        pd_graph_get_op (graph, rank, i, &op);
        if (op.kind == PD_GRAPH_CALC)
          time.ps += (PdWide) op.size * PD_PS_PER_NS;
      }
  pd_cmd_show ("ranks", "%u", pd_graph_get_n_ranks (graph));
  pd_cmd_show ("operations", "%" G_GUINT64_FORMAT ", %.1f bytes each in memory", totals->n_ops,
               (gdouble) totals->n_bytes / (gdouble) MAX (totals->n_ops, 1));
  pd_cmd_show ("dependencies", "%" G_GUINT64_FORMAT " operations wait for none", totals->n_roots);
  pd_cmd_show ("messages", "%" G_GUINT64_FORMAT " point to point, %.0f bytes in all",
               totals->n_of[PD_GRAPH_SEND], (gdouble) totals->n_sent.ps);
  pd_cmd_show ("computation", "%.6f s on all ranks", pd_time_sum_to_seconds (time));
  pd_cmd_show ("wildcards", "%s",
               totals->any_source && totals->any_tag ? "sources and tags"
               : totals->any_source                  ? "sources"
               : totals->any_tag                     ? "tags"
                                                     : "none");
  pd_cmd_show ("CPUs, adapters", "0 to %u, 0 to %u", totals->max_cpu, totals->max_nic);
  for (guint kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    if (totals->n_of[kind] > 0)
      pd_cmd_show (kind == 0 ? "operations by kind" : "", "%-18s %12" G_GUINT64_FORMAT, names[kind],
                   totals->n_of[kind]);
}

static void
show_complete (gdouble share)
{
  g_autofree char *part = pd_verdict_describe_part (share);

  if (share == 1)
    pd_cmd_show ("complete", "yes");
  else
    pd_cmd_show ("complete", "no: it ends early%s%s", share > 0 ? ", and has " : "",
                 share > 0 ? part : "");
}

static void
show_validation (const PdScaleValidation *validation)
{
  if (validation->n_ranks == 0)
    pd_cmd_show ("validated", "no");
  else
    pd_cmd_show ("validated",
                 "on %u ranks: %.1f %% of the calls, run time %+.1f %%, on an ideal machine",
                 validation->n_ranks,
                 100 * (gdouble) validation->calls.equal / (gdouble) MAX (validation->calls.n, 1),
                 100 * pd_scale_validation_get_error (validation));
}

static gboolean
show_model (const PdTraceSource *source, GError **error)
{
  g_autoptr (PdScaleModel) model = pd_scaled_open (source, error);

  if (model == NULL)
    return FALSE;
  const PdScaleOrigin *origin = pd_scale_model_get_origin (model);
  pd_cmd_print_messages (origin->messages);
  pd_cmd_say (stdout, "%s", source->path);
  pd_cmd_show ("kind", "model of 'predictor scale'");
  for (guint i = 0; i < origin->recordings->len; i++)
    {
      const PdScaleRecording *r = &g_array_index (origin->recordings, PdScaleRecording, i);
      pd_cmd_show (i == 0 ? "recordings" : "", "%s, %u ranks", r->name, r->n_ranks);
    }
  show_validation (&origin->validation);
  return TRUE;
}

gboolean
pd_cmd_info_mp (const PdTraceSource *source, const char *cache, GError **error)
{
  const PdTraceReadOptions options = { .recorded = TRUE, .cache = cache };

  if (pd_scaled_is_model (source))
    return show_model (source, error);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (source, &options, messages, error);
  g_autoptr (GHashTable) others = g_hash_table_new (g_str_hash, g_str_equal);
  Counts counts = { .others = others };

  pd_cmd_print_messages (messages);
  if (trace == NULL)
    return FALSE;
  pd_cmd_say (stdout, "%s", source->path);
  pd_cmd_show ("kind", "%s", trace->format->meaning);
  if (trace->program != NULL)
    {
      count_program (&counts, trace->program);
      show_program (trace->program, &counts);
      show_usage (trace->program, &counts);
      show_kinds (&counts);
    }
  else
    show_graph (trace->graph);
  show_complete (pd_mp_trace_get_share (trace));
  return TRUE;
}
