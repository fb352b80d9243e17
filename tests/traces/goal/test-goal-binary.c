/* GOAL's binary form: its layout, cuts, and crafted files.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/goal-files.h"
#include "traces/goal/pd-goal-binary.h"

#include <string.h>

static const char small[] =
    "num_ranks 2\nrank 0 {\na: calc 5 cpu 1\nb: send 3b to 1 tag 2 nic 4\nb requires a\n"
    "c: calc 7\nc irequires b\nc requires a\n}\nrank 1 {\nr: recv 3b from -1 tag -1\n}\n";

static guint8 *
copy_bytes (gconstpointer data, gsize size)
{
  guint8 *copy = g_malloc (size);

  memcpy (copy, data, size);
  return copy;
}

/* Bytes worked out by hand from the layout. */
static void
test_layout (void)
{
  static const guint8 expected[] = {
    0x7f, 0x10, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 22, 0, 0, 0, 0, 0, 0, 0, /* to 120: */ 120, 0,
    0, 0, 0, 0, 0, 0,
    /* 2 nodes, 1 root: 0 */
    2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    /* calc 5 cpu 1 is waited for by 1 at its end, and by 1 at its start */
    0, 0, 0, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1,
    0, 0, 0, 1, 0, 0, 0,
    /* recv 258b from -1 tag 9 */
    2, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 2, 1, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2,
    0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,
    /* successors */
    1, 0, 0, 0, 1, 0, 0, 0
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph =
      test_goal_read ("num_ranks 1\nrank 0 {\na: calc 5 cpu 1\nb: recv 258b from -1 tag 9 nic 2\n"
                      "b requires a\nb irequires a\n}\n",
                      &error);
  g_autoptr (GBytes) bytes = NULL;
  gsize size;
  const guint8 *data;

  g_assert_no_error (error);
  bytes = test_goal_write (graph, TRUE);
  data = g_bytes_get_data (bytes, &size);
  g_assert_cmpuint (size, ==, sizeof expected);
  g_assert_true (memcmp (data, expected, size) == 0);
}

static void
test_cut_binary (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = test_goal_read (small, &error);
  g_autoptr (GBytes) bytes = test_goal_write (graph, TRUE);

  for (gsize size = 0; size < g_bytes_get_size (bytes); size++)
    {
      g_autoptr (GBytes) cut = g_bytes_new (g_bytes_get_data (bytes, NULL), size);
      g_autoptr (GError) problem = NULL;
      g_autoptr (PdGraph) none = pd_goal_read_binary (cut, "test", &problem);

      g_assert_null (none);
      g_assert_error (problem, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED);
    }
}

/* Every byte of a file changed to every of some values: an error or a graph
 * that survives the round trip. */
static void
test_changed_binary (void)
{
  static const guint8 values[] = { 0, 1, 2, 3, 0x7f, 0x80, 0xff };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = test_goal_read (small, &error);
  g_autoptr (GBytes) bytes = test_goal_write (graph, TRUE);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  guint n_good = 0, n_bad = 0;

  for (gsize at = 0; at < size; at++)
    for (gsize v = 0; v < G_N_ELEMENTS (values); v++)
      {
        guint8 *copy = copy_bytes (data, size);
        g_autoptr (GBytes) changed = g_bytes_new_take (copy, size);
        g_autoptr (GError) problem = NULL;
        g_autoptr (PdGraph) again = NULL;

        copy[at] = values[v];
        again = pd_goal_read_binary (changed, "test", &problem);
        g_assert_true ((again == NULL) == (problem != NULL));
        if (again == NULL)
          n_bad++;
        else if (n_good++ % 16 == 0)
          test_goal_round_trip (again);
      }
  g_assert_cmpuint (n_good, >, 100);
  g_assert_cmpuint (n_bad, >, 500);
}

/* Fields of the file of @small: head 14 bytes, two table entries, then rank 0:
 * 3 nodes, 1 root from offset 46 on. */
static const struct
{
  const char *name;
  gsize at;
  guint width;
  guint64 value;
  PdTraceError code;
} crafted[] = {
  { "used-up", 0, 8, 2342, PD_TRACE_ERROR_FORMAT },
  { "other-magic", 0, 8, 4224, PD_TRACE_ERROR_FORMAT },
  { "other-byte-order", 0, 8, G_GUINT64_CONSTANT (0x7f10000000000000), PD_TRACE_ERROR_FORMAT },
  { "no-ranks", 8, 4, 0, PD_TRACE_ERROR_LIMIT },
  { "2^32-ranks", 8, 4, G_MAXUINT32, PD_TRACE_ERROR_LIMIT },
  { "2^23-ranks", 8, 4, 1 << 23, PD_TRACE_ERROR_TRUNCATED },
  { "begin-in-head", 14, 8, 4, PD_TRACE_ERROR_VALUE },
  { "begin-2^63", 14, 8, G_GUINT64_CONSTANT (1) << 63, PD_TRACE_ERROR_VALUE },
  { "end-2^63", 22, 8, G_GUINT64_CONSTANT (1) << 63, PD_TRACE_ERROR_TRUNCATED },
  { "end-before-begin", 22, 8, 37, PD_TRACE_ERROR_VALUE },
  { "ranks-overlap", 30, 8, 38, PD_TRACE_ERROR_VALUE },
  { "10^9-nodes", 46, 4, 1000000000, PD_TRACE_ERROR_VALUE },
  { "2^32-roots", 50, 4, G_MAXUINT32, PD_TRACE_ERROR_VALUE },
  { "no-root", 50, 4, 0, PD_TRACE_ERROR_VALUE },
  { "root-out-of-range", 54, 4, 3, PD_TRACE_ERROR_VALUE },
  { "root-with-dependency", 54, 4, 1, PD_TRACE_ERROR_VALUE },
  { "dependencies-wrong", 58, 4, 7, PD_TRACE_ERROR_VALUE },
  { "kind-0", 62, 1, 0, PD_TRACE_ERROR_VALUE },
  { "kind-4", 62, 1, 4, PD_TRACE_ERROR_VALUE },
  { "2^63-ns", 67, 8, G_GUINT64_CONSTANT (1) << 63, PD_TRACE_ERROR_LIMIT },
  { "peer-out-of-range", 58 + 39 + 5, 4, 2, PD_TRACE_ERROR_VALUE },
  { "send-to-any", 58 + 39 + 5, 4, G_MAXUINT32, PD_TRACE_ERROR_VALUE },
  { "2^32-successors", 58 + 23, 4, G_MAXUINT32, PD_TRACE_ERROR_VALUE },
  { "successors-beyond", 58 + 27, 4, 2, PD_TRACE_ERROR_VALUE },
  { "successors-from-2^32", 58 + 27, 4, G_MAXUINT32, PD_TRACE_ERROR_VALUE },
  { "successor-out-of-range", 58 + 3 * 39, 4, 3, PD_TRACE_ERROR_VALUE },
};

static void
test_crafted (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = test_goal_read (small, &error);
  g_autoptr (GBytes) bytes = test_goal_write (graph, TRUE);
  gsize size = g_bytes_get_size (bytes);
  guint8 *copy = copy_bytes (g_bytes_get_data (bytes, NULL), size);
  g_autoptr (GBytes) changed = g_bytes_new_take (copy, size);
  g_autoptr (PdGraph) none = NULL;

  for (guint k = 0; k < crafted[i].width; k++)
    copy[crafted[i].at + k] = (guint8) (crafted[i].value >> 8 * k);
  none = pd_goal_read_binary (changed, "test", &error);
  g_assert_null (none);
  g_assert_error (error, PD_TRACE_ERROR, (gint) crafted[i].code);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (crafted); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/goal/crafted/%s", crafted[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_crafted);
    }
  g_test_add_func ("/traces/goal/layout", test_layout);
  g_test_add_func ("/traces/goal/cut-binary", test_cut_binary);
  g_test_add_func ("/traces/goal/changed-binary", test_changed_binary);
  return g_test_run ();
}
