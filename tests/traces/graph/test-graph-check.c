/* Checks of graphs: what each finding is about and how many there are, against
 * graphs made for it, and none in graphs that are right.
 * SPDX-License-Identifier: MIT */
#include "traces/graph/pd-graph-check.h"
#include "traces/goal/pd-goal-text.h"

#include <string.h>

static PdGraph *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (PdInput) input = pd_input_new_from_bytes (bytes);
  g_autoptr (GError) error = NULL;
  PdGraph *graph = pd_goal_read_text (input, "test", &error);

  g_assert_no_error (error);
  return graph;
}

#define RANKS(n, body) "num_ranks " #n "\n" body

static const struct
{
  const char *name;
  const char *text;
  guint64 n_warnings;
  const char *id; /* NULL: nothing is found */
  guint64 n;      /* of @id */
  const char *place;
} rows[] = {
  { "fine",
    RANKS (2, "rank 0 {\na: calc 5\nb: send 8b to 1 tag 1\nb requires a\n}\n"
              "rank 1 {\nrecv 8b from 0 tag 1\n}\n"),
    0, NULL, 0, NULL },
  { "wildcards-fine",
    RANKS (3, "rank 0 {\nrecv 8b from -1 tag -1\nrecv 8b from 1 tag -1\nrecv 8b from -1 tag 4\n"
              "recv 8b from 2 tag 9\n}\nrank 1 {\nsend 8b to 0 tag 7\nsend 8b to 0 tag 4\n}\n"
              "rank 2 {\nsend 8b to 0 tag 1\nsend 8b to 0 tag 9\n}\n"),
    0, NULL, 0, NULL },
  { "self-cycle", RANKS (1, "rank 0 {\na: calc 5\na requires a\n}\n"), 1, "graph-cycle", 1,
    "test: rank 0, operation 0" },
  { "cycle",
    RANKS (2, "rank 0 {\nx: calc 1\n}\nrank 1 {\nz: calc 1\na: calc 5\nb: calc 6\n"
              "c: calc 7\nd: calc 8\na requires z\nb irequires a\nc requires b\n"
              "a requires c\n}\n"),
    1, "graph-cycle", 1, "test: rank 1, operation 1" },
  { "behind-a-cycle",
    RANKS (1, "rank 0 {\nd: calc 1\na: calc 5\nb: calc 6\na requires b\n"
              "b requires a\nd requires b\n}\n"),
    2, "graph-unreachable", 1, "test: rank 0, operation 0" },
  { "send-too-many",
    RANKS (2, "rank 0 {\nsend 8b to 1 tag 1\nsend 8b to 1 tag 1\n}\n"
              "rank 1 {\nrecv 8b from 0 tag 1\n}\n"),
    1, "graph-unmatched", 1, "test: rank 0, operation 0" },
  { "recv-too-many", RANKS (2, "rank 0 {\n}\nrank 1 {\nrecv 8b from 0 tag 1\n}\n"), 1,
    "graph-unmatched", 1, "test: rank 1, operation 0" },
  { "tags-differ",
    RANKS (2, "rank 0 {\nsend 8b to 1 tag 1\n}\nrank 1 {\n"
              "recv 8b from 0 tag 2\n}\n"),
    2, "graph-unmatched", 2, NULL },
  { "exact-among-wild",
    RANKS (2, "rank 0 {\nsend 8b to 1 tag 1\nsend 8b to 1 tag 1\n}\n"
              "rank 1 {\nrecv 8b from -1 tag -1\nrecv 8b from 0 tag 2\n}\n"),
    1, "graph-unmatched", 1, "test: rank 1, operation 1" },
  { "wild-source-in-vain",
    RANKS (2, "rank 0 {\nsend 8b to 1 tag 1\nsend 8b to 1 tag 1\n}\n"
              "rank 1 {\nrecv 8b from -1 tag 2\nrecv 8b from 0 tag 1\n}\n"),
    1, "graph-unmatched", 1, "test: rank 1, operation 0" },
  { "wild-sums",
    RANKS (2, "rank 0 {\nsend 8b to 1 tag 1\n}\nrank 1 {\n"
              "recv 8b from -1 tag -1\nrecv 8b from -1 tag -1\n}\n"),
    1, "graph-unmatched", 1, "test: rank 1, operation 0" },
  { "any-tag-of-send",
    RANKS (2, "rank 0 {\nsend 8b to 1 tag -1\n}\nrank 1 {\n"
              "recv 8b from 0 tag 5\n}\n"),
    0, NULL, 0, NULL },
  { "truncated",
    RANKS (2, "rank 0 {\nsend 8b to 1 tag 1\nsend 9b to 1 tag 1\n}\n"
              "rank 1 {\nrecv 8b from 0 tag 1\nrecv 8b from 0 tag 1\n}\n"),
    1, "graph-truncated", 1, "test: rank 1, operation 1" },
  { "smaller",
    RANKS (2, "rank 0 {\nsend 8b to 1 tag 1\nsend 7b to 1 tag 1\n}\n"
              "rank 1 {\nrecv 8b from 0 tag 1\nrecv 8b from 0 tag 1\n}\n"),
    0, "graph-size-differs", 1, "test: rank 1, operation 1" },
  { "self", RANKS (1, "rank 0 {\nsend 8b to 0 tag 1\nrecv 8b from 0 tag 1\n}\n"), 0, "graph-self",
    1, "test: rank 0, operation 0" },
};

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGraph) graph = read_text (rows[i].text);
  g_autoptr (PdMessages) messages = pd_messages_new ();

  g_assert_cmpuint (pd_graph_check (graph, "test", messages), ==, rows[i].n_warnings);
  if (rows[i].id == NULL)
    g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
  else
    g_assert_cmpuint (pd_messages_count (messages, rows[i].id), ==, rows[i].n);
  if (rows[i].place != NULL)
    {
      guint at = 0;
      while (strcmp (pd_messages_get (messages, at)->id, rows[i].id) != 0)
        at++;
      g_assert_cmpstr (pd_messages_get (messages, at)->place, ==, rows[i].place);
    }
}

/* Findings beyond the first few of a kind are counted together. */
static void
test_many (void)
{
  GString *text = g_string_new ("num_ranks 2\nrank 0 {\n");
  g_autoptr (PdMessages) messages = pd_messages_new ();

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "send 8b to 1 tag %u\n", i);
  g_string_append (text, "}\nrank 1 {\n}\n");
  g_autoptr (PdGraph) graph = read_text (text->str);
  g_assert_cmpuint (pd_graph_check (graph, "test", messages), ==, 1000);
  g_assert_cmpuint (pd_messages_count (messages, "graph-unmatched"), ==, 1000);
  g_assert_cmpuint (pd_messages_get_n (messages), <, 20);
  g_string_free (text, TRUE);
}

/* A rank with a cycle of 100,000 operations and another one hanging on to it:
 * the path is followed without recursion. */
static void
test_long_cycle (void)
{
  PdGraphBuilder *builder = pd_graph_builder_new (1);
  guint32 n = 100000;
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();

  pd_graph_builder_begin_rank (builder, 0);
  for (guint32 i = 0; i < 2 * n; i++)
    {
      pd_graph_builder_add (builder, &(PdGraphOp){ .kind = PD_GRAPH_CALC, .size = 1 });
      pd_graph_builder_depend (builder, i, i == 0 ? n - 1 : i - 1, i % 2);
    }
  graph = pd_graph_builder_finish (builder, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pd_graph_check (graph, "test", messages), ==, 2);
  g_assert_cmpuint (pd_messages_count (messages, "graph-cycle"), ==, 1);
  g_assert_cmpuint (pd_messages_count (messages, "graph-unreachable"), ==, 1);
}

/* The reference schedules are right. */
static void
test_reference (void)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *folder =
      g_build_filename (shared != NULL ? shared : "../shared", "reference", "loggopsim", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  if (dir == NULL)
    {
      g_test_skip ("../shared is absent");
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".goal") || g_str_has_suffix (name, ".goal.gz"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        g_autoptr (GError) error = NULL;
        g_autoptr (PdInput) input = pd_input_new_from_file (path, &error);
        g_autoptr (PdGraph) graph = pd_goal_read_text (input, path, &error);
        g_autoptr (PdMessages) messages = pd_messages_new ();

        g_assert_no_error (error);
        g_assert_cmpuint (pd_graph_check (graph, path, messages), ==, 0);
        g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/graph-check/%s", rows[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  g_test_add_func ("/traces/graph-check/many", test_many);
  g_test_add_func ("/traces/graph-check/long-cycle", test_long_cycle);
  g_test_add_func ("/traces/graph-check/reference", test_reference);
  return g_test_run ();
}
