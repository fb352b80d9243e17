/* GOAL read and written: grammar and its errors, round trips, cuts, and the
 * reference schedules where they are present.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/goal-files.h"
#include "traces/goal/pd-goal-labels.h"
#include "traces/goal/pd-goal-binary.h"
#include "traces/goal/pd-goal-text.h"

#include <glib/gstdio.h>
#include <string.h>

#define GOAL2(body) "num_ranks 2\nrank 0 {\n" body "}\nrank 1 {\n}\n"

static void
assert_text (const PdGraph *graph, const char *expected)
{
  g_autoptr (GBytes) bytes = test_goal_write (graph, FALSE);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  g_assert_cmpstr (text, ==, expected);
}

/* ---- texts that are right */

static const struct
{
  const char *name;
  const char *text;
  const char *canonical;
} good[] = {
  { "plain",
    "num_ranks 2\n\nrank 0 {\na: calc 100\nb: send 8b to 1 tag 5\nb requires a\n}\n\n"
    "rank 1 {\nrecv 8b from 0 tag 5\n}\n",
    "num_ranks 2\n\nrank 0 {\nl0: calc 100\nl1: send 8b to 1 tag 5\nl1 requires l0\n}\n\n"
    "rank 1 {\nl0: recv 8b from 0 tag 5\n}\n" },
  { "blanks-and-comments",
    "/* all\n of it */ // twice\n  num_ranks\t2 /* two */\r\n\n  rank 0 /*first*/ {\t// begin\n"
    "\t a :calc /* ns */ 100 cpu 1// end\n b:send 8 b to 1\n  b requires a // done\n  } rank 1 { }",
    "num_ranks 2\n\nrank 0 {\nl0: calc 100 cpu 1\nl1: send 8b to 1 tag 0\nl1 requires l0\n}\n\n"
    "rank 1 {\n}\n" },
  { "options",
    GOAL2 ("send 1b to 1 tag 7 cpu 2 nic 3\nrecv 2b from 1 cpu 255 nic 255\n"
           "recv 3b from -1 tag -1\ncalc 9 cpu 1\nrecv 4b from 1 nic 1\n"),
    "num_ranks 2\n\nrank 0 {\nl0: send 1b to 1 tag 7 cpu 2 nic 3\n"
    "l1: recv 2b from 1 tag 0 cpu 255 nic 255\nl2: recv 3b from -1 tag -1\nl3: calc 9 cpu 1\n"
    "l4: recv 4b from 1 tag 0 nic 1\n}\n\nrank 1 {\n}\n" },
  { "biggest",
    GOAL2 ("calc 9223372036854775807\nsend 9223372036854775807b to 1 tag 4294967294\n"
           "recv 0b from 1 tag 4294967295\ncalc 000000000000000000000012\n"),
    "num_ranks 2\n\nrank 0 {\nl0: calc 9223372036854775807\n"
    "l1: send 9223372036854775807b to 1 tag 4294967294\nl2: recv 0b from 1 tag -1\n"
    "l3: calc 12\n}\n\nrank 1 {\n}\n" },
  { "labels",
    GOAL2 ("a: calc 1\na1: calc 2\na01: calc 3\nsend_1_x: calc 4\nr2_3: calc 5\n"
           "a01 requires a1\na1 irequires a\nr2_3 requires send_1_x\n"
           "l999999999: calc 6\nl999999999 requires a\nl123456789012: calc 7\n"
           "l123456789012 requires r2_3\n"),
    "num_ranks 2\n\nrank 0 {\nl0: calc 1\nl1: calc 2\nl1 irequires l0\nl2: calc 3\n"
    "l2 requires l1\nl3: calc 4\nl4: calc 5\nl4 requires l3\nl5: calc 6\nl5 requires l0\n"
    "l6: calc 7\nl6 requires l4\n}\n\nrank 1 {\n}\n" },
  /* what waits for an operation becomes ready in the order of these lines */
  { "order-kept", GOAL2 ("a: calc 1\nb: calc 2\nc: calc 3\nc requires a\nb requires a\n"),
    "num_ranks 2\n\nrank 0 {\nl0: calc 1\nl1: calc 2\nl2: calc 3\nl2 requires l0\n"
    "l1 requires l0\n}\n\nrank 1 {\n}\n" },
  { "backwards-and-cycles",
    GOAL2 ("a: calc 1\nb: calc 2\na requires b\nb irequires a\n"
           "b requires b\n"),
    "num_ranks 2\n\nrank 0 {\nl0: calc 1\nl1: calc 2\nl1 irequires l0\nl0 requires l1\n"
    "l1 requires l1\n}\n\nrank 1 {\n}\n" },
  { "same-labels-in-ranks", "num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\na: calc 2\n}\n",
    "num_ranks 2\n\nrank 0 {\nl0: calc 1\n}\n\nrank 1 {\nl0: calc 2\n}\n" },
};

static void
test_good (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  static const gsize chunks[] = { 0, 1, 2, 7 };

  for (gsize c = 0; c < G_N_ELEMENTS (chunks); c++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdGraph) graph =
          test_goal_read_in (good[i].text, strlen (good[i].text), chunks[c], &error);

      g_assert_no_error (error);
      assert_text (graph, good[i].canonical);
      test_goal_round_trip (graph);
    }
}

/* ---- texts that are wrong */

static const struct
{
  const char *name;
  const char *text;
  PdTraceError code;
  const char *place; /* the message begins so */
} bad[] = {
  { "empty", "", PD_TRACE_ERROR_TRUNCATED, "test:0: " },
  { "no-num-ranks", "rank 0 {\n}\n", PD_TRACE_ERROR_SYNTAX, "test:1:1: " },
  { "num-ranks-twice", "num_ranks 1\nnum_ranks 1\n", PD_TRACE_ERROR_SYNTAX, "test:2:1: " },
  { "no-ranks", "num_ranks 0\n", PD_TRACE_ERROR_VALUE, "test:1:11: " },
  { "10^12-ranks", "num_ranks 1000000000000\n", PD_TRACE_ERROR_LIMIT, "test:1:11: " },
  { "10^20-ranks", "num_ranks 100000000000000000000\n", PD_TRACE_ERROR_LIMIT, "test:1:11: " },
  { "2^24-ranks", "num_ranks 16777216\n", PD_TRACE_ERROR_LIMIT, "test:1:11: " },
  { "ranks-not-there", "num_ranks 16777214\nrank 0 {\n}\n", PD_TRACE_ERROR_TRUNCATED, "test:3: " },
  { "rank-missing", "num_ranks 3\nrank 0 {\n}\nrank 2 {\n}\n", PD_TRACE_ERROR_VALUE, "test:4:6: " },
  { "rank-twice", "num_ranks 3\nrank 0 {\n}\nrank 0 {\n}\n", PD_TRACE_ERROR_VALUE, "test:4:6: " },
  { "rank-beyond", "num_ranks 1\nrank 0 {\n}\nrank 1 {\n}\n", PD_TRACE_ERROR_VALUE, "test:4:6: " },
  { "last-rank-missing", "num_ranks 2\nrank 0 {\n}\n", PD_TRACE_ERROR_TRUNCATED, "test:3: " },
  { "no-brace", "num_ranks 1\nrank 0 {\ncalc 1\n", PD_TRACE_ERROR_TRUNCATED, "test:3: " },
  { "rank-in-rank", "num_ranks 2\nrank 0 {\nrank 1 {\n", PD_TRACE_ERROR_SYNTAX, "test:3:6: " },
  { "open-comment", "num_ranks 1\nrank 0 {\n}\n/* and\nso on\n", PD_TRACE_ERROR_TRUNCATED,
    "test:5: " },
  { "op-outside", "num_ranks 1\ncalc 5\n", PD_TRACE_ERROR_SYNTAX, "test:2:1: " },
  { "brace-outside", "num_ranks 1\n}\n", PD_TRACE_ERROR_SYNTAX, "test:2:1: " },
  { "label-twice", GOAL2 ("l1: calc 1\nl1: calc 2\n"), PD_TRACE_ERROR_VALUE, "test:4:1: " },
  { "hashed-label-twice", GOAL2 ("a_: calc 1\na_: calc 2\n"), PD_TRACE_ERROR_VALUE, "test:4:1: " },
  { "label-unknown", GOAL2 ("l1: calc 1\nl1 requires l2\n"), PD_TRACE_ERROR_VALUE, "test:4:13: " },
  { "label-of-other-rank",
    "num_ranks 2\nrank 0 {\na: calc 1\nb1: calc 1\n}\nrank 1 {\n"
    "c: calc 1\nc requires b1\n}\n",
    PD_TRACE_ERROR_VALUE, "test:8:12: " },
  { "to-nowhere", GOAL2 ("send 1b to 2\n"), PD_TRACE_ERROR_VALUE, "test:3:12: " },
  { "to-any", GOAL2 ("send 1b to -1\n"), PD_TRACE_ERROR_SYNTAX, "test:3:12: " },
  { "from-nowhere", GOAL2 ("recv 1b from 2\n"), PD_TRACE_ERROR_VALUE, "test:3:14: " },
  { "from-2^32-1", GOAL2 ("recv 1b from 4294967295\n"), PD_TRACE_ERROR_LIMIT, "test:3:14: " },
  { "from--2", GOAL2 ("recv 1b from -2\n"), PD_TRACE_ERROR_SYNTAX, "test:3:14: " },
  { "send-from", GOAL2 ("send 1b from 1\n"), PD_TRACE_ERROR_SYNTAX, "test:3:9: " },
  { "no-unit", GOAL2 ("send 1 to 1\n"), PD_TRACE_ERROR_SYNTAX, "test:3:8: " },
  { "no-size", GOAL2 ("send b to 1\n"), PD_TRACE_ERROR_SYNTAX, "test:3:6: " },
  { "negative-size", GOAL2 ("send -1b to 1\n"), PD_TRACE_ERROR_SYNTAX, "test:3:6: " },
  { "2^63-bytes", GOAL2 ("send 9223372036854775808b to 1\n"), PD_TRACE_ERROR_LIMIT, "test:3:6: " },
  { "10^30-ns", GOAL2 ("calc 1000000000000000000000000000000\n"), PD_TRACE_ERROR_LIMIT,
    "test:3:6: " },
  { "cpu-256", GOAL2 ("calc 1 cpu 256\n"), PD_TRACE_ERROR_LIMIT, "test:3:12: " },
  { "nic-256", GOAL2 ("send 1b to 1 nic 256\n"), PD_TRACE_ERROR_LIMIT, "test:3:18: " },
  { "tag-2^32", GOAL2 ("send 1b to 1 tag 4294967296\n"), PD_TRACE_ERROR_LIMIT, "test:3:18: " },
  { "calc-tag", GOAL2 ("calc 1 tag 1\n"), PD_TRACE_ERROR_SYNTAX, "test:3:8: " },
  { "option-twice", GOAL2 ("calc 1 cpu 1 cpu 1\n"), PD_TRACE_ERROR_SYNTAX, "test:3:14: " },
  { "option-order", GOAL2 ("send 1b to 1 nic 1 cpu 1\n"), PD_TRACE_ERROR_SYNTAX, "test:3:20: " },
  { "no-operation", GOAL2 ("l1: jump 5\n"), PD_TRACE_ERROR_SYNTAX, "test:3:5: " },
  { "no-colon", GOAL2 ("l1 calc 5\n"), PD_TRACE_ERROR_SYNTAX, "test:3:4: " },
  { "no-label", GOAL2 ("l1: calc 5\nl1 requires\n"), PD_TRACE_ERROR_SYNTAX, "test:4:12: " },
  { "requiresx", GOAL2 ("l1: calc 5\nl1 requiresx l1\n"), PD_TRACE_ERROR_SYNTAX, "test:4:4: " },
  { "keyword-as-label", GOAL2 ("send: calc 5\n"), PD_TRACE_ERROR_SYNTAX, "test:3:5: " },
  { "two-on-a-line", GOAL2 ("calc 5 calc 6\n"), PD_TRACE_ERROR_SYNTAX, "test:3:8: " },
  { "control-character", GOAL2 ("\001\n"), PD_TRACE_ERROR_SYNTAX, "test:3:1: " },
  { "after-the-end", "num_ranks 1\nrank 0 {\n}\nx\n", PD_TRACE_ERROR_SYNTAX, "test:4:1: " },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = test_goal_read (bad[i].text, &error);

  g_assert_null (graph);
  g_assert_error (error, PD_TRACE_ERROR, (gint) bad[i].code);
  if (!g_str_has_prefix (error->message, bad[i].place))
    g_error ("'%s' does not begin with '%s'", error->message, bad[i].place);
}

/* A text cut anywhere before its last brace is cut, and nothing else. */
static void
test_cut_text (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      gsize end = (gsize) (strrchr (good[i].text, '}') - good[i].text);

      for (gsize size = 0; size <= end; size++)
        for (gsize chunk = 0; chunk < 3; chunk++)
          {
            g_autoptr (GError) error = NULL;
            g_autoptr (PdGraph) graph = test_goal_read_in (good[i].text, size, chunk, &error);

            g_assert_null (graph);
            g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED);
          }
    }
}

static void
test_recognise (void)
{
  static const struct
  {
    const char *text;
    gboolean is;
  } rows[] = {
    { "num_ranks 3\n", TRUE },     { " \n// x\n/* y */num_ranks 3", TRUE },
    { "num_ranks3\n", FALSE },     { "num_rank 3\n", FALSE },
    { "/* num_ranks 3\n", FALSE }, { "", FALSE },
    { "0 init\n1 init\n", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (pd_goal_is_text (rows[i].text, strlen (rows[i].text)), ==, rows[i].is);
  g_assert_true (pd_goal_is_binary ("\x7f\x10\0\0\0\0\0\0", 8));
  g_assert_true (pd_goal_is_binary ("\x26\x09\0\0\0\0\0\0", 8));
  g_assert_true (pd_goal_is_binary ("\0\0\0\0\0\0\x10\x7f", 8));
  g_assert_false (pd_goal_is_binary ("\x7f\x10\0\0\0\0\0", 7));
  g_assert_false (pd_goal_is_binary ("num_ranks 3", 11));
}

/* ---- labels */

/* Against a hash table of GLib's, over ranks, families and numbers. */
static void
test_labels (void)
{
  static const char *const prefixes[] = {
    "l", "r", "recv", "a_", "x1_", "b", "c", "d", "e", "f", "g", "averylongprefixofalabel"
  };
  g_autoptr (PdGoalLabels) labels = pd_goal_labels_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint rank = 0; rank < 20; rank++)
    {
      g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      guint32 n = rank % 5 == 0 ? 20000 : 300, base = rank % 3 == 0 ? 0 : 900000000;

      pd_goal_labels_begin_rank (labels);
      for (guint32 op = 0; op < n; op++)
        {
          guint32 number = base + (guint32) g_rand_int_range (rand, 0, (gint32) n);
          const char *prefix = prefixes[g_rand_int_range (rand, 0, G_N_ELEMENTS (prefixes))];
          g_autofree char *label = g_strdup_printf (op % 50 == 0 ? "%s0%u" : "%s%u", prefix,
                                                    op % 7 == 0 ? number * 2 % 1000000000 : number);
          gpointer value = NULL;
          gboolean is_known = g_hash_table_lookup_extended (known, label, NULL, &value);
          guint32 found = 0;

          g_assert_cmpint (pd_goal_labels_find (labels, label, strlen (label), &found), ==,
                           is_known);
          g_assert_cmpuint (found, ==, GPOINTER_TO_UINT (value));
          g_assert_cmpint (pd_goal_labels_define (labels, label, strlen (label), op), ==,
                           !is_known);
          if (!is_known)
            g_hash_table_insert (known, g_steal_pointer (&label), GUINT_TO_POINTER (op));
        }
    }
}

/* ---- random graphs */

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  for (guint round = 0; round < 60; round++)
    {
      guint32 n_ranks = (guint32) g_rand_int_range (rand, 1, 5);
      PdGraphBuilder *builder = pd_graph_builder_new (n_ranks);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdGraph) graph = NULL;

      for (guint32 rank = 0; rank < n_ranks; rank++)
        {
          gint32 n = g_rand_int_range (rand, 0, 40);

          pd_graph_builder_begin_rank (builder, rank);
          for (gint32 i = 0; i < n; i++)
            pd_graph_builder_add (
                builder,
                &(PdGraphOp){ .kind = (PdGraphKind) g_rand_int_range (rand, 0, 3),
                              .size = (gint64) g_rand_int (rand) << (i % 32),
                              .peer = (guint32) g_rand_int_range (rand, 0, (gint32) n_ranks),
                              .tag = g_rand_int (rand) >> (i % 32),
                              .cpu = (guint8) (i % 20),
                              .nic = (guint8) (i % 3) });
          for (gint32 i = 0; i < 2 * n; i++)
            pd_graph_builder_depend (
                builder, (guint32) g_rand_int_range (rand, round % 2 == 0 ? 0 : n / 2, n),
                (guint32) g_rand_int_range (rand, 0, n), i % 3 == 0);
        }
      graph = pd_graph_builder_finish (builder, &error);
      g_assert_no_error (error);
      test_goal_round_trip (graph);
    }
}

/* ---- the reference schedules */

static void
test_reference (void)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *folder =
      g_build_filename (shared != NULL ? shared : "../shared", "reference", "loggopsim", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

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

        g_assert_no_error (error);
        test_goal_round_trip (graph);
        n++;
      }
  g_assert_cmpuint (n, >=, 14);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/goal/good/%s", good[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_good);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/goal/bad/%s", bad[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/traces/goal/cut-text", test_cut_text);
  g_test_add_func ("/traces/goal/recognise", test_recognise);
  g_test_add_func ("/traces/goal/labels", test_labels);
  g_test_add_func ("/traces/goal/random", test_random);
  g_test_add_func ("/traces/goal/reference", test_reference);
  return g_test_run ();
}
