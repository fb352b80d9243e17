/* Graphs as they are shared: the same comes back, and nothing that is damaged does.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/goal-files.h"
#include "traces/graph/pd-graph-file.h"
#include "traces/program/pd-sections.h"
#include "traces/io/pd-trace-error.h"
#include "traces/goal/pd-goal-text.h"
#include "traces/goal/pd-goal-write.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const guint8 key[PD_SECTIONS_KEY_SIZE] = "a key";

/* Each has something of its own: joins, starts, several at once, wide ones, wildcards. */
static const struct
{
  const char *name;
  const char *text;
} graphs[] = {
  { "nothing", "num_ranks 3\nrank 0 {\n}\nrank 1 {\n}\nrank 2 {\n}\n" },
  { "chain", "num_ranks 2\nrank 0 {\na: calc 5\nb: send 3b to 1 tag 2\nb requires a\n}\n"
             "rank 1 {\na: recv 3b from 0 tag 2\n}\n" },
  { "joins", "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\n"
             "c requires a\nc requires b\nd requires a\nd irequires c\nb irequires a\n}\n" },
  { "wide", "num_ranks 2\nrank 0 {\na: calc 99999999999\nb: send 5000000000b to 1 tag 70000\n"
            "c: calc 7 cpu 200\nb requires a\n}\nrank 1 {\na: recv 5000000000b from -1 tag 70000 "
            "nic 100\nb: recv 1b from 0\n}\n" },
};

static void
append_totals (GString *text, const PdGraphTotals *t)
{
  g_string_append_printf (text, "%u %u %u %u %u %u %u %g", (guint) t->n_ops, (guint) t->n_of[0],
                          (guint) t->n_of[1], (guint) t->n_of[2], (guint) t->n_edges,
                          (guint) t->n_roots, (guint) t->n_bytes, (gdouble) t->n_sent.ps);
  g_string_append_printf (text, " %u %u %d %d %d %d %d\n", t->max_cpu, t->max_nic, t->joins,
                          t->starts, t->any_source, t->any_tag, t->sends_any);
}

static char *
describe (const PdGraph *graph)
{
  g_autoptr (PdOutput) out = pd_output_new_in_memory ();
  GString *text = g_string_new (NULL);

  append_totals (text, pd_graph_get_totals (graph));
  pd_goal_write_text (graph, out);
  g_autoptr (GBytes) bytes = pd_output_free_to_bytes (g_steal_pointer (&out));
  g_string_append_len (text, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  return g_string_free (text, FALSE);
}

static GBytes *
save (const PdGraph *graph)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("graph-XXXXXX", &path, NULL);

  g_assert_true (pd_graph_save_to_fd (graph, key, g_variant_new_string ("noted"), fd, &error));
  g_assert_no_error (error);
  g_autoptr (GMappedFile) file = g_mapped_file_new_from_fd (fd, FALSE, NULL);
  close (fd);
  g_unlink (path);
  return g_mapped_file_get_bytes (file);
}

static GByteArray *
copy_saved (const char *text)
{
  g_autoptr (PdGraph) graph = test_goal_read (text, NULL);
  g_autoptr (GBytes) bytes = save (graph);
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  return g_byte_array_append (g_byte_array_new (), data, (guint) size);
}

/* NULL if it is refused, which must have a reason. */
static PdGraph *
map (const guint8 *data, gsize size, const guint8 *wanted)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GVariant) notes = NULL;
  g_autoptr (GError) error = NULL;
  PdGraph *graph = pd_graph_map_bytes (bytes, wanted, &notes, &error);

  g_assert_true ((graph == NULL) == (error != NULL));
  if (graph == NULL)
    g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
  return graph;
}

static void
compare (const PdGraph *graph)
{
  g_autoptr (GBytes) bytes = save (graph);
  g_autoptr (GVariant) notes = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_graph_is_file (bytes));
  g_autoptr (PdGraph) again = pd_graph_map_bytes (bytes, key, &notes, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (g_variant_get_string (notes, NULL), ==, "noted");
  g_autofree char *before = describe (graph), *after = describe (again);
  g_assert_cmpstr (before, ==, after);
}

static void
test_made (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = test_goal_read (graphs[GPOINTER_TO_SIZE (data)].text, &error);

  g_assert_no_error (error);
  compare (graph);
}

static void
test_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("tests/data/graphs", 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("tests/data/graphs", name, NULL);
      g_autoptr (PdInput) input = pd_input_new_from_file (path, NULL);
      g_autoptr (PdGraph) graph = pd_goal_read_text (input, path, NULL);
      g_assert_nonnull (graph);
      compare (graph);
      n++;
    }
  g_assert_cmpuint (n, >=, 4);
}

static void
test_cut (gconstpointer data)
{
  static const guint8 other[PD_SECTIONS_KEY_SIZE] = "b key";
  g_autoptr (GByteArray) saved = copy_saved (graphs[GPOINTER_TO_SIZE (data)].text);

  g_assert_null (map (saved->data, saved->len, other));
  for (gsize n = 0; n < saved->len; n++)
    g_assert_null (map (saved->data, n, NULL));
  g_byte_array_append (saved, key, 16);
  g_assert_null (map (saved->data, saved->len, key));
}

/* Any byte is missed. With a sum that is right what passes the checks can be gone through. */
static void
test_damage (gconstpointer data)
{
  static const guint8 masks[] = { 1, 2, 0x40, 0x80, 0xff };
  g_autoptr (GByteArray) saved = copy_saved (graphs[GPOINTER_TO_SIZE (data)].text);

  for (gsize i = 0; i < saved->len * G_N_ELEMENTS (masks); i++)
    {
      guint8 *byte = &saved->data[i / G_N_ELEMENTS (masks)], was = *byte;
      g_autofree guint8 *copy = g_malloc (saved->len);
      *byte ^= masks[i % G_N_ELEMENTS (masks)];
      memcpy (copy, saved->data, saved->len);
      *byte = was;
      g_assert_null (map (copy, saved->len, key));
      pd_graph_file_seal (copy, saved->len);
      g_autoptr (PdGraph) graph = map (copy, saved->len, NULL);
      g_autofree char *text = graph != NULL ? describe (graph) : NULL;
      g_assert_true ((text == NULL) == (graph == NULL));
    }
}

static void
test_crafted (void)
{
  static const guint64 numbers[] = { G_MAXUINT64, G_MAXINT64, G_GUINT64_CONSTANT (1) << 62,
                                     G_GUINT64_CONSTANT (1000000000000), 0 };
  const gsize first = 64; /* behind what a file begins with, and the key */

  for (guint section = 0; section < 5; section++)
    for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
      {
        g_autoptr (GByteArray) saved = copy_saved (graphs[3].text);
        memcpy (saved->data + first + 8 * section, &numbers[i], 8);
        pd_graph_file_seal (saved->data, saved->len);
        g_assert_null (map (saved->data, saved->len, NULL));
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (graphs); i++)
    {
      g_autofree char *made = g_strconcat ("/traces/graph-file/made/", graphs[i].name, NULL);
      g_autofree char *cut = g_strconcat ("/traces/graph-file/cut/", graphs[i].name, NULL);
      g_autofree char *damage = g_strconcat ("/traces/graph-file/damage/", graphs[i].name, NULL);
      g_test_add_data_func (made, GSIZE_TO_POINTER (i), test_made);
      g_test_add_data_func (cut, GSIZE_TO_POINTER (i), test_cut);
      g_test_add_data_func (damage, GSIZE_TO_POINTER (i), test_damage);
    }
  g_test_add_func ("/traces/graph-file/files", test_files);
  g_test_add_func ("/traces/graph-file/crafted", test_crafted);
  return g_test_run ();
}
