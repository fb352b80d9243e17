/* What the recorder finds out of processes.
 * SPDX-License-Identifier: MIT */
#include "record/stream/pd-rec-usage.h"
#include "tests/support/folders.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_processors (void)
{
  static const struct
  {
    const char *text;
    const char *as; /* NULL: refused */
  } rows[] = {
    { "0", "0" },           { "0-3,8", "0-3,8" },
    { "8,3,0-2", "0-3,8" }, { "62-65,1023", "62-65,1023" },
    { "0-1023", "0-1023" }, { "", NULL },
    { "1024", NULL },       { "3-1", NULL },
    { "1,", NULL },         { "1-", NULL },
    { "1 2", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PdRecUsage usage;
      char text[PD_REC_PROCESSORS_TEXT];
      memset (&usage, 0, sizeof usage);
      int status = pd_rec_processors_parse (&usage, rows[i].text);
      g_assert_cmpint (status, ==, rows[i].as != NULL ? 0 : -1);
      pd_rec_processors_format (&usage, text, sizeof text);
      if (rows[i].as != NULL)
        g_assert_cmpstr (text, ==, rows[i].as);
    }
}

/* Every second one: the longest text there is. */
static void
test_longest (void)
{
  PdRecUsage usage, again;
  char text[PD_REC_PROCESSORS_TEXT];

  memset (&usage, 0, sizeof usage);
  memset (&again, 0, sizeof again);
  memset (usage.processors, 0x55, sizeof usage.processors);
  pd_rec_processors_format (&usage, text, sizeof text);
  g_assert_cmpint (pd_rec_processors_parse (&again, text), ==, 0);
  g_assert_true (memcmp (usage.processors, again.processors, sizeof usage.processors) == 0);
}

static void
put (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* Control groups of both versions, nested; a path that a container does not see. */
static void
test_quota (void)
{
  g_autofree char *folder = g_dir_make_tmp ("pd-quota-XXXXXX", NULL);
  static const struct
  {
    const char *groups;
    guint quota;
  } rows[] = {
    { "0::/a/b\n", 1500 },
    { "0::/a\n", 2000 },
    { "0::/\n", 0 },
    { "0::/not/seen\n", 0 },
    { "0::/a/not/seen\n", 2000 },
    { "3:memory:/v1\n2:cpu,cpuacct:/v1/in\n0::/\n", 500 },
    { "2:cpu,cpuacct:/v1\n", 0 },
    { "2:cpuset:/v1/in\n", 0 },
    { "2:cpu,cpuacct:/v1/in\n0::/a/b\n", 500 },
    { "", 0 },
    { "nonsense\n", 0 },
    { "1:\n", 0 },
  };

  put (folder, "a/cpu.max", "200000 100000\n");
  put (folder, "a/b/cpu.max", "150000 100000\n");
  put (folder, "cpu,cpuacct/v1/cpu.cfs_quota_us", "-1\n");
  put (folder, "cpu,cpuacct/v1/cpu.cfs_period_us", "100000\n");
  put (folder, "cpu,cpuacct/v1/in/cpu.cfs_quota_us", "50000\n");
  put (folder, "cpu,cpuacct/v1/in/cpu.cfs_period_us", "100000\n");
  g_autofree char *groups = g_build_filename (folder, "groups", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_true (g_file_set_contents (groups, rows[i].groups, -1, NULL));
      g_assert_cmpuint (pd_rec_quota_find (groups, folder), ==, rows[i].quota);
    }
  test_remove_all (folder);
}

/* As the system writes it: time on processors, time without one, how often it had one. */
static void
test_waited (void)
{
  g_autofree char *folder = g_dir_make_tmp ("pd-waited-XXXXXX", NULL);
  const struct
  {
    const char *text;
    guint64 waited;
  } rows[] = {
    { "769941 1914704657 46\n", 1914704658 },
    { "769941 0 1\n", 1 },
    { "0 0 0\n", 0 },
    { "769941 19147\n", 0 },
    { "", 0 },
    { "a b c\n", 0 },
  };

  g_assert_cmpuint (pd_rec_waited_find (folder), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      put (folder, "schedstat", rows[i].text);
      g_assert_cmpuint (pd_rec_waited_find (folder), ==, rows[i].waited);
    }
  test_remove_all (folder);
}

/* Of this process. */
static void
test_own (void)
{
  PdRecUsage usage;
  char text[PD_REC_PROCESSORS_TEXT];

  memset (&usage, 0, sizeof usage);
  pd_rec_usage_before_mpi ();
  pd_rec_usage_begin (&usage);
  pd_rec_usage_end (&usage);
  pd_rec_processors_format (&usage, text, sizeof text);
  g_assert_cmpstr (text, !=, "");
  g_assert_cmpuint (usage.n_threads, >=, 1);
  g_assert_cmpuint (usage.n_switches, >=, 1);
  g_assert_cmpuint (usage.memory, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/usage/processors", test_processors);
  g_test_add_func ("/record/usage/longest", test_longest);
  g_test_add_func ("/record/usage/quota", test_quota);
  g_test_add_func ("/record/usage/waited", test_waited);
  g_test_add_func ("/record/usage/own", test_own);
  return g_test_run ();
}
