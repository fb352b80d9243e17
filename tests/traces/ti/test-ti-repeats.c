/* Time-independent traces whose lines come again: they are read as those are that look different
 * each time.
 * SPDX-License-Identifier: MIT */
#include "tests/support/repeats.h"

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

static void
add_lines (GPtrArray *lines, guint kind, guint32 rank, gint number)
{
  g_auto (GStrv) around = g_strsplit (kinds[kind], "%d", 2);
  g_autofree char *digits = g_strdup_printf ("%d", number);
  g_autofree char *text = g_strjoinv (digits, around);
  g_auto (GStrv) parts = g_strsplit (text, "\n", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (lines, g_strdup_printf ("%u %s", rank, parts[i]));
  if (parts[0] == NULL) /* an empty line */
    g_ptr_array_add (lines, g_strdup (""));
}

/* The lines; @marked: each ends in blanks, mostly others than the same line does elsewhere. */
static GString *
write_lines (const GPtrArray *lines, gboolean marked)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      g_string_append (text, lines->pdata[i]);
      for (guint32 word = marked ? i * 2654435761U >> 20 : 0; word > 0; word >>= 1)
        g_string_append_c (text, (word & 1) != 0 ? '\t' : ' ');
      g_string_append_c (text, '\n');
    }
  return text;
}

/* Returns whether the program is far shorter than its actions. */
static gboolean
check (guint32 seed, gboolean is_clean)
{
  const TestRepeats repeats = { add_lines, is_clean ? N_CLEAN : G_N_ELEMENTS (kinds), 10000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint32 rank = 0; rank < N_RANKS; rank++)
    add_lines (lines, 0, rank, 1);
  for (guint i = 0; i < 6; i++) /* ranks take turns, or not */
    test_repeats_add (&repeats, rand, lines, seed % 2 == 0 ? i / 2 : i % N_RANKS, seed % 4);
  g_autoptr (GString) repeated = write_lines (lines, FALSE), different = write_lines (lines, TRUE);
  return test_repeats_check (repeated, different, N_RANKS);
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
