/* Time-independent traces whose lines come again: they are read as those are that look different
 * each time.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-loops.h"
#include "traces/text/pd-text-writer.h"
#include "traces/open/pd-trace-read.h"

#define N_RANKS 3

/* Lines without their ranks. The last ones wait for what may not be there, or are ignored; the
 * others leave nothing pending if they all come. */
static const char *const kinds[] = {
  "compute %d",
  "send 1 %d 100 6",
  "recv 2 %d 100 6",
  "allreduce %d 0 6",
  "sendRecv %d 1 20 2 6 6",
  "alltoallv 9 1 2 3 %d 5 6 7 1 6",
  "isend 1 %d 8 6\nwait 0 1 0",
  "irecv 2 0 %d 6\nisend 1 0 8 6\nwaitall 2",
  "location main.c %d",
  "",
  "isend 2 0 %d 6",
  "waitall",
  "wait 2 0 %d",
  "comm_size %d",
  "irecv 1 0 8 6\nwaitany",
  "init %d",
};

#define N_CLEAN 10

#define MAX_LINES 10000

static void
add_lines (GPtrArray *lines, const char *text, guint32 rank)
{
  g_auto (GStrv) parts = g_strsplit (text, "\n", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (lines, g_strdup_printf ("%u %s", rank, parts[i]));
  if (parts[0] == NULL) /* an empty line */
    g_ptr_array_add (lines, g_strdup (""));
}

/* Random lines, repeated at random, as loops in loops are. */
static void
add_random (GRand *rand, GPtrArray *lines, guint32 rank, guint n_kinds, guint depth)
{
  guint32 seed = g_rand_int (rand);
  gint n = g_rand_int_range (rand, 1, depth == 0 ? 40 : 5);

  for (gint times = g_rand_int_range (rand, 1, 9); times > 0 && lines->len < MAX_LINES; times--)
    {
      g_autoptr (GRand) own = g_rand_new_with_seed (seed);
      for (gint i = 0; i < n && lines->len < MAX_LINES; i++)
        if (depth > 0 && g_rand_int_range (own, 0, 3) > 0)
          add_random (own, lines, rank, n_kinds, depth - 1);
        else
          {
            const char *kind = kinds[g_rand_int_range (own, 0, (gint32) n_kinds)];
            g_auto (GStrv) parts = g_strsplit (kind, "%d", 2);
            g_autofree char *number = g_strdup_printf ("%d", g_rand_int_range (own, 0, 30));
            g_autofree char *text = g_strjoinv (number, parts);
            add_lines (lines, text, rank);
          }
    }
}

/* The lines; @marked: each ends in blanks, mostly others than the same line does elsewhere. */
static PdMpTrace *
read_lines (const GPtrArray *lines, gboolean marked, PdMessages *messages)
{
  g_autoptr (GString) text = g_string_new (NULL);
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < lines->len; i++)
    {
      g_string_append (text, lines->pdata[i]);
      for (guint32 word = marked ? i * 2654435761U >> 20 : 0; word > 0; word >>= 1)
        g_string_append_c (text, (word & 1) != 0 ? '\t' : ' ');
      g_string_append_c (text, '\n');
    }
  g_autoptr (GBytes) bytes = g_bytes_new (text->str, text->len);
  PdTraceSource source = { "test", bytes };
  PdMpTrace *trace = pd_mp_trace_read (&source, &options, messages, &error);
  g_assert_no_error (error);
  return trace;
}

static void
assert_same (const PdMpTrace *a, const PdMpTrace *b)
{
  g_autoptr (GBytes) one = pd_program_to_text (a->program), two = pd_program_to_text (b->program);

  g_assert_true (g_bytes_equal (one, two));
  g_assert_true (a->incomplete == b->incomplete);
  for (guint32 rank = 0; rank < N_RANKS; rank++)
    g_assert_cmpuint (pd_program_get_n_actions (a->program, rank), ==,
                      pd_program_get_n_actions (b->program, rank));
}

static void
assert_same_messages (const PdMessages *a, const PdMessages *b)
{
  g_assert_cmpuint (pd_messages_get_n (a), ==, pd_messages_get_n (b));
  for (guint i = 0; i < pd_messages_get_n (a); i++)
    {
      const PdMessage *x = pd_messages_get (a, i), *y = pd_messages_get (b, i);
      g_assert_cmpstr (x->id, ==, y->id);
      g_assert_cmpstr (x->text, ==, y->text);
      g_assert_cmpstr (x->place, ==, y->place);
      g_assert_cmpuint (x->count, ==, y->count);
    }
}

/* Returns whether the program is far shorter than its actions. */
static gboolean
check (guint32 seed, gboolean is_clean)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (PdMessages) one = pd_messages_new (), two = pd_messages_new ();
  guint n_kinds = is_clean ? N_CLEAN : G_N_ELEMENTS (kinds);
  guint64 n_actions = 0;

  for (guint32 rank = 0; rank < N_RANKS; rank++)
    add_lines (lines, "compute 1", rank);
  for (guint i = 0; i < 6; i++) /* ranks take turns, or not */
    add_random (rand, lines, seed % 2 == 0 ? i / 2 : i % N_RANKS, n_kinds, seed % 4);
  g_autoptr (PdMpTrace) repeated = read_lines (lines, FALSE, one);
  g_autoptr (PdMpTrace) different = read_lines (lines, TRUE, two);
  assert_same (repeated, different);
  assert_same_messages (one, two);
  for (guint32 rank = 0; rank < N_RANKS; rank++)
    n_actions += pd_program_get_n_actions (repeated->program, rank);
  return pd_program_get_size (repeated->program) < 4 * n_actions;
}

static void
test_random (gconstpointer data)
{
  guint n_short = 0;

  for (guint32 seed = 0; seed < 200; seed++)
    n_short += check (seed, GPOINTER_TO_INT (data)) ? 1 : 0;
  g_assert_cmpuint (n_short, >, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/traces/ti/repeats/clean", GINT_TO_POINTER (TRUE), test_random);
  g_test_add_data_func ("/traces/ti/repeats/warned", GINT_TO_POINTER (FALSE), test_random);
  return g_test_run ();
}
