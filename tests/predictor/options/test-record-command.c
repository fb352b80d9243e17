/* What predictor record finds out about commands and programs: which words are
 * MPI programs, how they get the recorder, where addresses are in the source.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "predictor/options/pd-record-command.h"
#include "predictor/symbols/pd-source-lines.h"

#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

/* ---- commands */

static const struct
{
  const char *name;
  const char *words;
  guint programs[3]; /* ended by 0 */
  const char *expected;
} inserts[] = {
  { "one", "mpiexec -n 4 ./app input", { 3 }, "mpiexec -n 4 env A=1 B=2 ./app input" },
  { "two",
    "mpiexec -n 1 ./a : -n 2 ./b x",
    { 3, 7 },
    "mpiexec -n 1 env A=1 B=2 ./a : -n 2 env A=1 B=2 ./b x" },
  { "like a variable",
    "mpiexec -n 4 ./a=b c=d",
    { 3 },
    "mpiexec -n 4 env A=1 B=2 sh -c exec \"$0\" \"$@\" ./a=b c=d" },
  { "none known", "mpiexec -n 4 script", { 0 }, "env A=1 B=2 mpiexec -n 4 script" },
};

static void
test_insert (void)
{
  static char *settings[] = { "A=1", "B=2", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (inserts); i++)
    {
      g_auto (PdMpiCommand) command = { .programs = g_array_new (FALSE, FALSE, sizeof (guint)) };
      g_auto (GStrv) words = g_strsplit (inserts[i].words, " ", -1);
      for (guint j = 0; inserts[i].programs[j] != 0; j++)
        g_array_append_val (command.programs, inserts[i].programs[j]);
      g_auto (GStrv) whole = pd_mpi_command_insert (&command, words, settings);
      g_autofree char *joined = g_strjoinv (" ", whole);
      g_assert_cmpstr (joined, ==, inserts[i].expected);
    }
}

static const struct
{
  const char *words;
  PdMpiKind kind;
} starters[] = {
  { "/opt/bin/mpiexec.hydra -n 2 script", PD_MPI_MPICH },
  { "mpirun.mpich-x -n 2 script", PD_MPI_MPICH },
  { "/opt/bin/orterun -n 2 script", PD_MPI_OPENMPI },
  { "mpiexec.openmpi-x -n 2 script", PD_MPI_OPENMPI },
  { "mpirun.mpich-x -n 2 sh -c script", PD_MPI_MPICH },
  { "true", PD_MPI_NONE },
  { "/nowhere/at/all", PD_MPI_NONE },
};

static void
test_starters (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (starters); i++)
    {
      g_auto (GStrv) words = g_strsplit (starters[i].words, " ", -1);
      g_auto (PdMpiCommand) command = { 0 };
      g_assert_true (pd_mpi_command_examine (&command, words, NULL));
      g_test_message ("%s", starters[i].words);
      g_assert_cmpint (command.kind, ==, starters[i].kind);
      g_assert_cmpuint (command.programs->len, ==, 0);
      g_assert_false (command.is_linked);
    }
}

/* ---- programs of which a part is missing, or wrong */

static char *
write_copy (const char *folder, const char *bytes, gsize n)
{
  char *path = g_build_filename (folder, "program", NULL);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  return path;
}

/* Only that it ends, and finds no MPI in what has none. */
static void
examine (const char *path, guint64 address)
{
  char *words[] = { (char *) path, NULL };
  g_auto (PdMpiCommand) command = { 0 };
  g_autoptr (PdSourceLines) lines = pd_source_lines_new (NULL);
  g_autofree char *function = NULL, *file = NULL;
  guint32 line;

  g_assert_true (pd_mpi_command_examine (&command, words, NULL));
  g_assert_cmpuint (command.programs->len, ==, 0);
  pd_source_lines_find (lines, path, address, &function, &file, &line);
}

static int
on_object (struct dl_phdr_info *info, size_t size G_GNUC_UNUSED, void *data)
{
  *(guint64 *) data = info->dlpi_addr;
  return 1; /* the first one is the program */
}

/* Where this program's function is in its file. */
static guint64
own_address (void (*function) (void))
{
  guint64 bias = 0;

  dl_iterate_phdr (on_object, &bias);
  return (guint64) (gsize) function - bias;
}

static void
test_cut (void)
{
  g_autofree char *folder = g_dir_make_tmp ("record-XXXXXX", NULL);
  g_autofree char *bytes = NULL;
  gsize n;
  guint64 address = own_address (test_cut) + 1;

  g_assert_true (g_file_get_contents ("/proc/self/exe", &bytes, &n, NULL));
  for (gsize i = 0; i < 150; i++)
    {
      gsize cut = i < 70 ? i : (gsize) ((gdouble) n * (gdouble) (i - 69) / 81);
      g_autofree char *path = write_copy (folder, bytes, cut);
      examine (path, address);
    }
  for (gsize i = 0; i < 64 * 3; i++)
    {
      gsize at = i < 64 ? i : n - 1 - (i - 64) * 37;
      bytes[at] ^= (char) 0xff;
      g_autofree char *path = write_copy (folder, bytes, n);
      examine (path, address);
      bytes[at] ^= (char) 0xff;
    }
  g_autofree char *path = g_build_filename (folder, "program", NULL);
  g_remove (path);
  g_rmdir (folder);
}

/* ---- lines */

static void
test_lines (void)
{
  g_autoptr (PdSourceLines) lines = pd_source_lines_new (NULL);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *function = NULL, *file = NULL, *lost = NULL;
  guint64 address = own_address (test_lines) + 1; /* as if it had been called from its entry */
  guint32 line = 0;

  g_assert_true (pd_source_lines_find (lines, program, address, &function, &file, &line));
  g_assert_cmpstr (function, ==, "test_lines");
  g_assert_true (g_str_has_suffix (file, "tests/predictor/options/test-record-command.c"));
  g_assert_cmpuint (line, >, 100);
  g_assert_cmpuint (line, <, 400);
  g_assert_false (pd_source_lines_find (lines, program, 0, &lost, &lost, &line));
  g_assert_false (pd_source_lines_find (lines, program, G_MAXUINT64, &lost, &lost, &line));
  g_assert_false (pd_source_lines_find (lines, "/nowhere", address, &lost, &lost, &line));
  g_assert_false (pd_source_lines_find (lines, "/etc/passwd", address, &lost, &lost, &line));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/command/insert", test_insert);
  g_test_add_func ("/record/command/starters", test_starters);
  g_test_add_func ("/record/command/cut", test_cut);
  g_test_add_func ("/record/command/lines", test_lines);
  return g_test_run ();
}
