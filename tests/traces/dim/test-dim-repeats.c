/* Traces of Dimemas whose records come again: they are read as those are whose line ends differ.
 * SPDX-License-Identifier: MIT */
#include "tests/support/repeats.h"

#define N_TASKS 3

/* Records with %T for their task, %P for another one, %R for whether it is a root, %N for a
 * number. The last ones open blocks
 * that may stay open, have roots, or give warnings; the others leave nothing open if they all
 * come. */
static const char *const kinds[] = {
  "1:%T:0:0.0%N1",
  "2:%T:0:%P:-1:%N:1:1:1",
  "3:%T:0:%P:-1:100:%N:1:0",
  "3:%T:0:%P:-1:8:%N:1:1\n2:%T:0:%P:-1:8:4:1:3\n3:%T:0:%P:-1:8:%N:1:2",
  "20:%T:0:60000019:%N1\n1:%T:0:0.5\n20:%T:0:60000019:0",
  "20:%T:0:50000001:%N",
  "10:%T:0:1:1:%R:0:8:%N:1",
  "2:%T:0:%P:-1:70:%N:1:2",
  "s:%T:%N",
  "20:%T:0:60000019:%N1",
  "20:%T:0:60000019:0",
  "10:%T:0:1:1:%R:0:%N:8:1",
  "3:%T:0:%P:-1:8:%N:1:2",
  "3:%T:0:%P:-1:8:%N:1:1",
  "10:%T:0:1:1:%R:0:8:%N:0",
  "10:%T:0:1:1:0:0:8:%N:2",
  "11:%T:0:0.%N1",
};

#define N_CLEAN 9

static void
add_lines (GPtrArray *lines, guint kind, guint32 task, gint number)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (const char *p = kinds[kind]; *p != '\0'; p++)
    if (*p == '%')
      g_string_append_printf (text, "%u",
                              *++p == 'T' ? task
                              : *p == 'P' ? (task + 1) % N_TASKS
                              : *p == 'R' ? (guint) (task == 0)
                                          : (guint) number);
    else
      g_string_append_c (text, *p);
  g_auto (GStrv) parts = g_strsplit (text->str, "\n", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (lines, g_strdup (parts[i]));
}

/* The lines; @marked: some end with a carriage return, mostly others than where they come again. */
static GString *
write_lines (const GPtrArray *lines, gboolean marked)
{
  GString *text = g_string_new ("#DIMEMAS:\"t\":1,0:3(1,1,1),1\nd:1:1:3:0:1:2\n");

  for (guint i = 0; i < lines->len; i++)
    {
      g_string_append (text, lines->pdata[i]);
      g_string_append (text, marked && (i * 2654435761U >> 20 & 1) != 0 ? "\r\n" : "\n");
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

  for (guint i = 0; i < 2 * N_TASKS; i++)
    test_repeats_add (&repeats, rand, lines, i / 2, seed % 4);
  g_autoptr (GString) repeated = write_lines (lines, FALSE), different = write_lines (lines, TRUE);
  return test_repeats_check (repeated, different, N_TASKS);
}

static void
test_random (gconstpointer data)
{
  guint n_short = 0;

  for (guint32 seed = 0; seed < 300; seed++)
    n_short += check (seed, GPOINTER_TO_INT (data)) ? 1 : 0;
  g_assert_cmpuint (n_short, >, GPOINTER_TO_INT (data) ? 20 : 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/traces/dim/repeats/clean", GINT_TO_POINTER (TRUE), test_random);
  g_test_add_data_func ("/traces/dim/repeats/warned", GINT_TO_POINTER (FALSE), test_random);
  return g_test_run ();
}
