/* Any bytes as a shared graph, with the sum made right: what is accepted can be gone through,
 * and written.
 * SPDX-License-Identifier: MIT */
#include "traces/graph/pd-graph-file.h"
#include "traces/goal/pd-goal-write.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree guint8 *copy = g_malloc (size + 1);
  g_autoptr (GVariant) notes = NULL;
  g_autoptr (GError) error = NULL;

  if (size > 0)
    memcpy (copy, data, size);
  pd_graph_file_seal (copy, size);
  g_autoptr (GBytes) bytes = g_bytes_new (copy, size);
  g_autoptr (PdGraph) graph = pd_graph_map_bytes (bytes, NULL, &notes, &error);
  g_assert_true ((graph == NULL) == (error != NULL));
  if (graph == NULL)
    return 0;
  for (guint32 rank = 0; rank < pd_graph_get_n_ranks (graph); rank++)
    {
      g_autofree guint32 *counts = g_new (guint32, (gsize) pd_graph_get_n_ops (graph, rank) + 1);
      pd_graph_count_dependencies (graph, rank, counts);
    }
  g_autoptr (PdOutput) out = pd_output_new_in_memory ();
  pd_goal_write_text (graph, out);
  pd_goal_write_binary (graph, out);
  g_autoptr (GBytes) text = pd_output_free_to_bytes (g_steal_pointer (&out));
  g_assert_cmpuint (g_bytes_get_size (text), >, 0);
  return 0;
}
