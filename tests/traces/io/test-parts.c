/* Traces that several threads read, in parts: nothing may depend on the number of threads, neither
 * of whole traces nor of those that are cut, damaged, or in an order that cannot be cut.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/read-threads.h"
#include "traces/io/pd-parts.h"

#include <glib/gstdio.h>
#include <string.h>

static void
read_text (const char *format, const char *text, gsize n)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, n);
  const PdTraceSource source = { "test", bytes };

  test_read_by_threads (format, &source);
}

/* ---- texts */

/* Each rank has what only it has in tables, so that numbers of parts are not those of the whole;
 * rank 3 has no line, and one waits at its end. */
static char *
make_ti (guint n_ranks, guint n_steps)
{
  GString *text = g_string_new ("# made here\n");

  for (guint rank = 0; rank < n_ranks; rank++)
    {
      guint next = (rank + 1) % n_ranks;
      if (rank == 3)
        continue;
      g_string_append_printf (text, "%u init\n\n", rank);
      for (guint i = 0; i < n_steps; i++)
        {
          g_string_append_printf (text, "%u compute %u\n%u isend %u 1 %u 6\n", rank, 1000 + i % 3,
                                  rank, next, 8 + i % 2);
          g_string_append_printf (text, "%u irecv %u 1 8 6\n%u waitall 2\n", rank,
                                  (rank + n_ranks - 1) % n_ranks, rank);
          if (i % 5 == 0)
            g_string_append_printf (text, "%u location file%u.c %u\n%u comm_dup\n", rank, rank, i,
                                    rank);
          if (i % 7 == 0)
            {
              g_string_append_printf (text, "%u allgatherv %u", rank, rank + 1);
              for (guint k = 0; k < n_ranks; k++)
                g_string_append_printf (text, " %u", k + 1);
              g_string_append (text, " 6 6\n");
            }
        }
      if (rank == 1)
        g_string_append_printf (text, "%u isend %u 1 8 6\n%u waitany\n", rank, next, rank);
      g_string_append_printf (text, "%u finalize\n", rank);
    }
  return g_string_free (text, FALSE);
}

/* Reductions of two communicators, receives that are waited for, blocks that are new in each task,
 * counters whose events never close, and a wait for nothing; task 3 has no record. */
static char *
make_dim (guint n_ranks, guint n_steps)
{
  GString *text = g_string_new ("#DIMEMAS:\"t\":0:");

  g_string_append_printf (text, "%u(1", n_ranks);
  for (guint rank = 1; rank < n_ranks; rank++)
    g_string_append (text, ",1");
  g_string_append_printf (text, "),2\nd:1:1:%u", n_ranks);
  for (guint rank = 0; rank < n_ranks; rank++)
    g_string_append_printf (text, ":%u", rank);
  g_string_append (text, "\nd:1:2:1:0\n");
  for (guint rank = 0; rank < n_ranks; rank++)
    for (guint i = 0; rank != 3 && i < n_steps; i++)
      {
        guint last = (rank + n_ranks - 1) % n_ranks;
        g_string_append_printf (text, "20:%u:0:7:%u\n1:%u:0:0.00%u\n20:%u:0:42:%u\n", rank,
                                i % 3 + rank, rank, i % 5, rank, i + 1);
        g_string_append_printf (text, "3:%u:0:%u:0:64:1:1:1\n2:%u:0:%u:0:64:1:1:%u\n", rank, last,
                                rank, (rank + 1) % n_ranks, i % 4);
        g_string_append_printf (text, "3:%u:0:%u:0:64:1:1:2\n20:%u:0:7:0\n", rank, last, rank);
        g_string_append_printf (text, "10:%u:0:10:1:%u:0:8:8\n", rank, rank == i % 3);
        if (rank == 0)
          g_string_append (text, "10:0:0:11:2:0:0:4:4:1\n3:0:0:0:0:1:9:1:2\n");
      }
  g_string_append (text, "s:1:2\n");
  return g_string_free (text, FALSE);
}

/* Comments over several lines, with a rank in one; a rank without operations; labels of all kinds,
 * messages with tags, processors and adapters that need more room. */
static char *
make_goal (guint n_ranks, guint n_steps)
{
  GString *text = g_string_new ("// made here\n");

  g_string_append_printf (text, "num_ranks %u\n", n_ranks);
  for (guint rank = 0; rank < n_ranks; rank++)
    {
      if (rank % 4 == 1)
        g_string_append_printf (text, "/* not\nrank %u {\n*/\n", rank + 1);
      g_string_append_printf (text, "  rank %u {\n", rank);
      for (guint i = 0; rank != 3 && i < n_steps; i++)
        {
          g_string_append_printf (text, "l%u: calc %u\nother_%u: send %ub to %u tag %u\n", i, i % 7,
                                  i, 8 + i, (rank + 1) % n_ranks, i % 2 ? 5 : 70000);
          g_string_append_printf (text,
                                  "recv 8b from %u tag %u cpu %u nic 1\nl%u requires other_%u\n",
                                  (rank + n_ranks - 1) % n_ranks, i % 2 ? 5 : 70000, i % 20, i, i);
          if (i > 0)
            g_string_append_printf (text, "other_%u irequires l%u\n", i, i - 1);
        }
      g_string_append (text, "}\n\n");
    }
  return g_string_free (text, FALSE);
}

typedef struct
{
  const char *format;
  char *(*make) (guint n_ranks, guint n_steps);
} Row;

static const Row rows[] = {
  { "ti", make_ti },
  { "dim", make_dim },
  { "goal", make_goal },
};

/* ---- what happens to them */

static void
test_whole (gconstpointer data)
{
  const Row *row = data;
  static const guint sizes[][2] = { { 1, 40 }, { 2, 3 }, { 5, 10 }, { 12, 600 }, { 70, 5 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *text = row->make (sizes[i][0], sizes[i][1]);
      read_text (row->format, text, strlen (text));
    }
}

/* Also without the end of its last line. */
static void
test_cut (gconstpointer data)
{
  const Row *row = data;
  g_autofree char *text = row->make (5, 6);

  for (gsize n = 0; n <= strlen (text); n++)
    read_text (row->format, text, n);
}

/* Bytes are others, lines are twice there or at another place. */
static void
test_damaged (gconstpointer data)
{
  const Row *row = data;
  g_autofree char *whole = row->make (6, 8);
  g_autoptr (GRand) rand = g_rand_new_with_seed (23);
  static const char other[] = "0123456789\n \r-:;x{}/*#\0";
  gint n = (gint) strlen (whole);

  for (guint i = 0; i < 800 / PD_TEST_SHARE; i++)
    {
      g_autofree char *text = g_strdup (whole);
      if (g_rand_boolean (rand))
        for (gint k = g_rand_int_range (rand, 1, 4); k > 0; k--)
          text[g_rand_int_range (rand, 0, n)] =
              other[g_rand_int_range (rand, 0, G_N_ELEMENTS (other) - 1)];
      else
        {
          gint size = g_rand_int_range (rand, 1, n / 8);
          memmove (text + g_rand_int_range (rand, 0, n - size),
                   whole + g_rand_int_range (rand, 0, n - size), (gsize) size);
        }
      read_text (row->format, text, (gsize) n);
    }
}

/* ---- time-independent traces: a file for each rank, lines by time, files of ../shared */

static void
test_ti_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("parts-XXXXXX", NULL);
  g_autofree char *list = g_build_filename (folder, "list", NULL);
  GString *names = g_string_new (NULL);
  static const char *const ends[] = { "finalize\n", "finalize", "fin", "fortune\n" };

  for (guint end = 0; end < G_N_ELEMENTS (ends); end++)
    {
      g_string_truncate (names, 0);
      for (guint rank = 0; rank < 7; rank++)
        {
          g_autofree char *name = g_strdup_printf ("rank%u.txt", rank);
          g_autofree char *path = g_build_filename (folder, name, NULL);
          g_autofree char *text = g_strdup_printf (
              "%u init\n%u compute %u\n%u compute 1\n%u location f%u.c 1\n%u %s", rank, rank, rank,
              rank % 2, rank, rank / 2, rank, rank == 4 ? ends[end] : ends[0]);
          g_assert_true (g_file_set_contents (path, text, -1, NULL));
          g_string_append_printf (names, "%s\n", name);
        }
      g_assert_true (g_file_set_contents (list, names->str, -1, NULL));
      test_read_by_threads ("ti", &(PdTraceSource){ list, NULL });
    }
  for (guint rank = 0; rank < 7; rank++)
    {
      g_autofree char *path = g_strdup_printf ("%s/rank%u.txt", folder, rank);
      g_unlink (path);
    }
  g_string_free (names, TRUE);
  g_unlink (list);
  g_rmdir (folder);
}

static void
test_ti_mixed (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 500; i++)
    g_string_append_printf (text, "%u compute %u\n", i % 4, i);
  read_text ("ti", text->str, text->len);
  g_string_free (text, TRUE);
}

static GBytes *
read_shared (const char *name)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path =
      g_build_filename (shared != NULL ? shared : "../shared", "traces", "ti", name, NULL);
  g_autoptr (PdInput) input = pd_input_new_from_file (path, NULL);
  const PdWindow *window;

  if (input == NULL)
    return NULL;
  window = pd_input_get_window (input);
  while (pd_input_fill (input, 0))
    ;
  return g_bytes_new (window->data, window->size);
}

static void
test_ti_shared (void)
{
  static const char *const names[] = { "dt.S.SH.12.ti.gz", "is.W.64.ti.gz", "tree.256.ti.gz" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GBytes) bytes = read_shared (names[i]);
      if (bytes == NULL)
        {
          g_test_skip ("no traces in ../shared");
          return;
        }
      test_read_by_threads ("ti", &(PdTraceSource){ names[i], bytes });
    }
}

/* ---- places */

static gboolean
first_letter (const char *begin, const char *end, gint64 *key)
{
  *key = begin < end ? *begin : 0;
  return begin < end;
}

/* Found by halves where lines are many: each letter begins exactly there, with long lines and empty
 * ones between. */
static void
test_find_change (void)
{
  GString *text = g_string_new (NULL);
  guint64 begins[9];

  for (guint i = 0; i < 8; i++)
    {
      begins[i] = text->len;
      for (guint k = 0; k < 20000 + 777 * i; k++)
        {
          g_string_append_c (text, (char) ('a' + i));
          for (guint n = k % 1000 == 0 ? 40000 : k % 7; n > 0; n--)
            g_string_append_c (text, 'x');
          g_string_append (text, k % 3 == 0 ? "\n\n" : "\n");
        }
    }
  begins[8] = text->len;
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (text);
  const PdTraceSource source = { "test", bytes };
  for (guint i = 0; i < 8; i++)
    for (guint part = 0; part < 5; part++)
      {
        guint64 at = begins[i] + (begins[i + 1] - begins[i]) * part / 5;
        guint64 found = pd_parts_find_change (&source, at, begins[8], first_letter);
        g_assert_cmpuint (found, ==, begins[i + 1]);
      }
}

/* ---- main */

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *whole = g_strdup_printf ("/traces/parts/%s/whole", rows[i].format);
      g_autofree char *cut = g_strdup_printf ("/traces/parts/%s/cut", rows[i].format);
      g_autofree char *damaged = g_strdup_printf ("/traces/parts/%s/damaged", rows[i].format);
      g_test_add_data_func (whole, &rows[i], test_whole);
      g_test_add_data_func (cut, &rows[i], test_cut);
      g_test_add_data_func (damaged, &rows[i], test_damaged);
    }
  g_test_add_func ("/traces/parts/ti/files", test_ti_files);
  g_test_add_func ("/traces/parts/ti/mixed", test_ti_mixed);
  g_test_add_func ("/traces/parts/ti/shared", test_ti_shared);
  g_test_add_func ("/traces/parts/find-change", test_find_change);
  return g_test_run ();
}
