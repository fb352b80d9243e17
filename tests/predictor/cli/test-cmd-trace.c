/* predictor info and predictor check: what they print and end with. Each runs
 * in a process of its own, which prints its status last.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/pd-commands.h"

#include <glib/gstdio.h>
#include <stdio.h>

static const struct
{
  const char *name;
  PdCommandFunc run;
  const char *arguments; /* "CUT" is a trace without its end */
  int status;
  const char *output; /* pattern */
} rows[] = {
  { "check-ok", pd_cmd_check, "tests/data/small.ptr", PD_EXIT_OK, "*small.ptr: ok*" },
  { "check-set", pd_cmd_check, "tests/data/heat2d_600_np2", PD_EXIT_OK,
    "*heat2d0_0.ptr.gz: ok*heat2d1_1.ptr.gz: ok*" },
  { "check-cut", pd_cmd_check, "tests/data/small.ptr CUT", PD_EXIT_INCOMPLETE,
    "*small.ptr: ok*: incomplete*" },
  { "check-cut-strict", pd_cmd_check, "--strict CUT", PD_EXIT_FAILURE, "*: not ok*" },
  { "check-bad-then-ok", pd_cmd_check, "tests/predictor/cli/test-cmd-trace.c tests/data/small.ptr",
    PD_EXIT_FAILURE, "*test-cmd-trace.c: not ok*small.ptr: ok*" },
  { "check-nothing", pd_cmd_check, "", PD_EXIT_USAGE, "*usage error*" },
  { "check-option", pd_cmd_check, "--wrong x", PD_EXIT_USAGE, "*usage error*" },
  { "info", pd_cmd_info, "tests/data/small.ptr", PD_EXIT_OK,
    "*kind*DVM predictor trace*version 2889*1 processor, grid 1x1, host node7*18, 12 of the "
    "program "
    "in 7 calls*0.000010000000 s before the first call (crtamv_)*Is_DVM_STAT=1*1 of 8x8 elements*"
    "complete*yes*" },
  { "info-intervals", pd_cmd_info, "tests/data/heat2d_600.ptr.gz", PD_EXIT_OK,
    "*9, entered 47 times, nested 4 deep*41 in 41 portions*up to 2 dimensions*2 of 600x600*" },
  { "info-cut", pd_cmd_info, "CUT", PD_EXIT_OK, "*complete*no*" },
  { "info-absent", pd_cmd_info, "tests/data/absent.ptr", PD_EXIT_FAILURE, "*error*" },
  { "info-nothing", pd_cmd_info, "", PD_EXIT_USAGE, "*usage error*" },
};

/* The first 1600 bytes of the small trace, in a temporary file. */
static char *
make_cut_trace (void)
{
  g_autofree char *text = NULL;
  char *path = NULL;
  int fd = g_file_open_tmp ("pd-cut-XXXXXX.ptr", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_get_contents ("tests/data/small.ptr", &text, NULL, NULL));
  g_assert_true (g_file_set_contents (path, text, 1600, NULL));
  return path;
}

static void
run_row (gsize i)
{
  g_autofree char *line = g_strconcat ("command ", rows[i].arguments, NULL);
  g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", -1);
  g_autofree char *cut = make_cut_trace ();
  g_autofree char **argv = g_memdup (words, (guint) ((g_strv_length (words) + 1) * sizeof *words));
  g_autoptr (GError) error = NULL;

  for (guint k = 0; argv[k] != NULL; k++)
    if (g_str_equal (argv[k], "CUT"))
      argv[k] = cut;
  int status = rows[i].run ((int) g_strv_length (words), argv, &error);
  g_assert_cmpint (g_remove (cut), ==, 0);
  if (error != NULL)
    printf ("%serror\n", error->domain == PD_USAGE_ERROR ? "usage " : "");
  printf ("status %d.\n", status);
  fflush (stdout);
}

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *pattern = g_strdup_printf ("%sstatus %d.*", rows[i].output, rows[i].status);

  if (g_test_subprocess ())
    {
      run_row (i);
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout (pattern);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/cmd-trace/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  return g_test_run ();
}
