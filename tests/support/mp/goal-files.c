/* SPDX-License-Identifier: MIT */
#include "tests/support/mp/goal-files.h"
#include "traces/goal/pd-goal-binary.h"
#include "traces/goal/pd-goal-text.h"
#include "traces/goal/pd-goal-write.h"

#include <glib/gstdio.h>
#include <string.h>

PdGraph *
test_goal_read_in (const char *text, gsize size, gsize chunk, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, size);
  g_autoptr (PdInput) input = pd_input_new_from_bytes (bytes);

  if (chunk > 0)
    pd_input_set_chunk (input, chunk);
  return pd_goal_read_text (input, "test", error);
}

PdGraph *
test_goal_read (const char *text, GError **error)
{
  return test_goal_read_in (text, strlen (text), 0, error);
}

GBytes *
test_goal_write (const PdGraph *graph, gboolean binary)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PdOutput) out = NULL;
  int fd = g_file_open_tmp ("test-goal-XXXXXX", &path, &error);
  char *data;
  gsize size;

  g_assert_no_error (error);
  g_close (fd, NULL);
  out = pd_output_new (path, &error);
  g_assert_no_error (error);
  if (binary)
    pd_goal_write_binary (graph, out);
  else
    pd_goal_write_text (graph, out);
  g_assert_true (pd_output_close (out, &error));
  g_assert_true (g_file_get_contents (path, &data, &size, &error));
  g_remove (path);
  return g_bytes_new_take (data, size);
}

void
test_goal_round_trip (const PdGraph *graph)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) text = test_goal_write (graph, FALSE);
  g_autoptr (GBytes) binary = test_goal_write (graph, TRUE);
  g_autoptr (PdGraph) from_binary = pd_goal_read_binary (binary, "test", &error);
  g_autoptr (PdGraph) from_text = NULL;

  g_assert_no_error (error);
  from_text = test_goal_read_in (g_bytes_get_data (text, NULL), g_bytes_get_size (text), 0, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      const PdGraph *again = i == 0 ? from_binary : from_text;
      g_autoptr (GBytes) text2 = test_goal_write (again, FALSE);
      g_autoptr (GBytes) binary2 = test_goal_write (again, TRUE);
      g_assert_true (g_bytes_equal (text, text2));
      g_assert_true (g_bytes_equal (binary, binary2));
    }
}
