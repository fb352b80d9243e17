/* SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-analyse.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

static gboolean
check_program (const PdMpTrace *trace, const char *name, GError **error)
{
  if (trace->program != NULL)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
               "%s: a graph of dependencies has no calls to analyse", name);
  return FALSE;
}

PdReportRun *
pd_mp_analyse (const PdProgram *program, const char *name, gboolean compensate,
               PdProgress *progress, GError **error)
{
  PdMessages *messages = pd_messages_new ();
  pd_messages_set_progress (messages, progress);
  PdAnalysis *analysis = compensate ? pd_analysis_new_compensated (program, name, messages, error)
                                    : pd_analysis_new (program, name, messages, error);

  if (analysis == NULL)
    {
      pd_messages_free (messages);
      return NULL;
    }
  pd_messages_set_progress (messages, NULL);
  PdReportRun *run = g_new0 (PdReportRun, 1);
  run->n_processors = pd_program_get_n_ranks (program);
  run->grid = g_strdup_printf ("%u", run->n_processors);
  run->analysis = analysis;
  run->tree = analysis->tree;
  run->end_times = g_new (PdTime, run->n_processors);
  memcpy (run->end_times, analysis->end_times, run->n_processors * sizeof (PdTime));
  run->n_messages = analysis->n_messages;
  run->n_bytes = analysis->n_bytes;
  run->outside = pd_outside_new (program);
  run->files = pd_files_new (program);
  run->messages = messages;
  return run;
}

PdMpTrace *
pd_mp_read_measured (const PdTraceSource *source, PdMessages *messages, GError **error)
{
  const PdTraceReadOptions reading = { .recorded = TRUE, .audit = PD_AUDIT_ALL };
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (source, &reading, messages, error);

  if (trace == NULL || !check_program (trace, pd_trace_source_get_name (source), error))
    return NULL;
  return g_steal_pointer (&trace);
}
