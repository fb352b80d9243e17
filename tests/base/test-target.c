/* Files under temporary names: what becomes of them, and what is left when a process ends.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/pd-target.h"
#include "tests/support/folders.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  char *path; /* in @folder */
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  (void) data;
  f->folder = g_dir_make_tmp ("test-target-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "file", NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  (void) data;
  test_remove_all (f->folder);
  g_free (f->folder);
  g_free (f->path);
}

static void
expect_text (const Fixture *f, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (f->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static void
test_commit (Fixture *f, gconstpointer data)
{
  (void) data;
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (PdTarget) target = pd_target_new (f->path), other = pd_target_new (f->path);
      g_assert_true (pd_target_write (target, "new", 3) && pd_target_write (other, "lost", 4));
      g_assert_cmpuint (test_count_entries (f->folder), ==, i == 0 ? 2 : 3);
      g_assert_true (pd_target_commit (target));
      expect_text (f, "new");
    }
  g_assert_cmpuint (test_count_entries (f->folder), ==, 1);
}

/* A folder in its place, a folder that is none, no room for another name. */
static void
test_refused (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *inside = g_build_filename (f->path, "x", NULL);

  (void) data;
  g_assert_null (pd_target_new (inside));
  g_assert_cmpint (errno, ==, ENOENT);
  g_assert_null (pd_target_new (f->folder));
  g_assert_cmpint (errno, ==, EISDIR);
  g_assert_false (pd_target_save (inside, "x", 1, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_assert_true (pd_target_save (f->path, "old", 3, NULL));
  g_autoptr (PdTarget) target = pd_target_new (f->path);
  g_unlink (f->path);
  g_assert_cmpint (g_mkdir (f->path, 0700), ==, 0);
  g_assert_false (pd_target_commit (target));
  g_clear_pointer (&target, pd_target_free);
  g_assert_cmpuint (test_count_entries (f->folder), ==, 1);
}

static void
fill (const char *folder)
{
  g_autofree char *inner = g_build_filename (folder, "inner", NULL);

  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  for (int i = 0; i < 500; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/file-%d", i % 2 == 0 ? folder : inner, i);
      g_assert_true (g_file_set_contents (name, "x", 1, NULL));
    }
}

static void
test_folder (Fixture *f, gconstpointer data)
{
  PdTarget *target = pd_target_new_folder (f->path);

  (void) data;
  fill (pd_target_get_name (target));
  pd_target_free (target);
  g_assert_cmpuint (test_count_entries (f->folder), ==, 0);
}

/* What is linked to is not what is removed. */
static void
test_link (Fixture *f, gconstpointer data)
{
  g_autofree char *other = g_build_filename (f->folder, "other", NULL);
  g_autofree char *link = NULL;
  PdTarget *target = pd_target_new_folder (f->path);

  (void) data;
  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  fill (other);
  link = g_build_filename (pd_target_get_name (target), "link", NULL);
  g_assert_cmpint (symlink (other, link), ==, 0);
  pd_target_free (target);
  g_assert_cmpuint (test_count_entries (f->folder), ==, 1);
  g_assert_cmpuint (test_count_entries (other), ==, 251);
}

static void
end_by (const Fixture *f, int number, gboolean in_child)
{
  g_autofree char *log = NULL;
  PdTarget *target;

  pd_target_remove_at_signals ();
  target = pd_target_new (f->path);
  fill (pd_target_get_name (pd_target_new_folder (f->path)));
  log = g_strconcat (pd_target_get_name (target), "-wal", NULL);
  g_assert_true (g_file_set_contents (log, "x", 1, NULL));
  if (in_child && fork () != 0)
    {
      wait (NULL);
      _exit (0);
    }
  raise (number);
  _exit (1);
}

static void
test_signals (Fixture *f, gconstpointer data)
{
  static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU };
  int status;

  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      signal (numbers[i], SIG_DFL);
      pid_t pid = fork ();
      if (pid == 0)
        end_by (f, numbers[i], FALSE);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == numbers[i]);
      g_assert_cmpuint (test_count_entries (f->folder), ==, 0);
    }
}

/* What has been forked does not remove what is its parent's. */
static void
test_child (Fixture *f, gconstpointer data)
{
  int status;
  pid_t pid = fork ();

  (void) data;
  if (pid == 0)
    end_by (f, SIGTERM, TRUE);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpuint (test_count_entries (f->folder), ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/base/target/commit", test_commit);
  ADD ("/base/target/refused", test_refused);
  ADD ("/base/target/folder", test_folder);
  ADD ("/base/target/link", test_link);
  ADD ("/base/target/signals", test_signals);
  ADD ("/base/target/child", test_child);
  return g_test_run ();
}
