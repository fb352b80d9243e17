/* Any bytes as a GOAL text, by one thread and by several. A graph is written and read again. The
 * first byte chooses how the bytes come in.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/read-threads.h"
#include "traces/graph/pd-graph-check.h"
#include "traces/goal/pd-goal-text.h"
#include "traces/goal/pd-goal-write.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gsize chunks[] = { 65536, 1, 2, 3, 17, 256 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (PdInput) input = NULL;
  g_autoptr (PdGraph) graph = NULL;

  if (size == 0)
    return 0;
  bytes = g_bytes_new (data + 1, size - 1);
  input = pd_input_new_from_bytes (bytes);
  pd_input_set_chunk (input, chunks[data[0] % G_N_ELEMENTS (chunks)]);
  (void) pd_goal_is_text ((const char *) data, size);
  test_read_by_threads ("goal", &(PdTraceSource){ "fuzz", bytes });
  graph = pd_goal_read_text (input, "fuzz", &error);
  g_assert_true ((graph == NULL) == (error != NULL));
  if (graph != NULL)
    {
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (PdOutput) out = pd_output_new ("/dev/null", NULL);

      (void) pd_graph_check (graph, "fuzz", messages);
      pd_goal_write_text (graph, out);
      pd_goal_write_binary (graph, out);
      g_assert_true (pd_output_close (out, NULL));
    }
  return 0;
}
