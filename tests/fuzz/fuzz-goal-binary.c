/* Any bytes as a binary GOAL schedule. What is read is checked and written.
 * SPDX-License-Identifier: MIT */
#include "traces/graph/pd-graph-check.h"
#include "traces/goal/pd-goal-binary.h"
#include "traces/goal/pd-goal-write.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (PdGraph) graph = pd_goal_read_binary (bytes, "fuzz", &error);

  (void) pd_goal_is_binary ((const char *) data, size);
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
