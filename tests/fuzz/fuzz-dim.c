/* Any bytes as a Dimemas trace: it is read or refused, with the same result by several threads;
 * what was read decodes.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/read-threads.h"
#include "traces/dim/pd-dim-reader.h"
#include "traces/graph/pd-mp-trace.h"
#include "traces/dim/pd-dim-reader-private.h"
#include "traces/program/pd-action.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const PdTraceReadOptions options = { .recorded = FALSE };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  const PdTraceSource source = { "fuzz", bytes };
  g_autoptr (PdMpTrace) trace = g_new0 (PdMpTrace, 1);

  test_read_by_threads ("dim", &source);
  gboolean ok = pd_trace_dim_read (&source, &options, trace, messages, &error);

  g_assert_true (ok == (error == NULL) && ok == (trace->program != NULL));
  for (guint32 rank = 0; ok && rank < pd_program_get_n_ranks (trace->program); rank++)
    {
      const PdProgramCell *end, *cell = pd_program_get_cells (trace->program, rank, &end);
      PdLoops loops = { 0 };
      PdAction action;
      guint64 n = 0;

      for (; cell < end; n++)
        {
          cell = pd_loops_read (&loops, cell, end, &action);
          g_assert_true (action.bytes >= 0 && action.kind < PD_N_ACTS);
        }
      g_assert_true (cell == end && n == pd_program_get_n_actions (trace->program, rank));
    }
  return 0;
}
