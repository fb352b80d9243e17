/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "base/pd-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pipe that was read, in part or whole: its remaining bytes are not its contents. */
typedef struct
{
  dev_t device;
  ino_t number;
  char *path;    /* (nullable) */
  GError *error; /* (nullable) */
} Pipe;

static GMutex pipes_lock;
static GArray *pipes; /* (nullable): Pipe */

gboolean
pd_file_exists (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_DIR);
}

static gboolean
fail (GError **error, const char *path, const char *what)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path, what);
  return FALSE;
}

/* ---- a pipe becomes a file */

static gboolean
write_all (int fd, const char *data, gsize n)
{
  while (n > 0)
    {
      ssize_t written = write (fd, data, n);
      if (written < 0 && errno != EINTR)
        return FALSE;
      data += MAX (written, 0);
      n -= (gsize) MAX (written, 0);
    }
  return TRUE;
}

/* A device that gives anything would do so for ever. */
static gboolean
copy (int from, int to, const char *path, gboolean is_device, GError **error)
{
  char buffer[65536];
  gsize all = 0;
  ssize_t n;

  while ((n = read (from, buffer, sizeof buffer)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return fail (error, path, g_strerror (errno));
      if (is_device)
        return fail (error, path, "a device, expected a file or a pipe");
      all += (gsize) n;
      if (all > PD_FILE_PIPE_MAX)
        return fail (error, path, "the pipe gives more than 1 GiB: write it into a file first");
      if (!write_all (to, buffer, (gsize) n))
        return fail (error, path, "there is no room for the temporary copy of the pipe");
    }
  return TRUE;
}

/* The copy has no name, and is gone with the process. */
static char *
keep (const char *path, GError **error)
{
  g_autofree char *name = NULL;
  int from = open (path, O_RDONLY | O_CLOEXEC);

  if (from < 0)
    {
      fail (error, path, g_strerror (errno));
      return NULL;
    }
  int to = g_file_open_tmp ("predictor-XXXXXX", &name, error);
  struct stat about;
  gboolean is_device = fstat (from, &about) == 0 && S_ISCHR (about.st_mode) && !isatty (from);
  gboolean fine =
      to >= 0 && fcntl (to, F_SETFD, FD_CLOEXEC) == 0 && copy (from, to, path, is_device, error);
  close (from);
  if (name != NULL)
    g_unlink (name);
  if (fine)
    return g_strdup_printf ("/proc/self/fd/%d", to);
  if (to >= 0)
    close (to);
  return NULL;
}

static const Pipe *
find_pipe (const struct stat *about, const char *path)
{
  if (pipes == NULL)
    pipes = g_array_new (FALSE, FALSE, sizeof (Pipe));
  for (guint i = 0; i < pipes->len; i++)
    {
      const Pipe *pipe = &g_array_index (pipes, Pipe, i);
      if (pipe->device == about->st_dev && pipe->number == about->st_ino)
        return pipe;
    }
  Pipe pipe = { about->st_dev, about->st_ino, NULL, NULL };
  pipe.path = keep (path, &pipe.error);
  g_array_append_val (pipes, pipe);
  return &g_array_index (pipes, Pipe, pipes->len - 1);
}

const char *
pd_file_resolve (const char *path, GError **error)
{
  struct stat about;

  if (stat (path, &about) != 0 || S_ISREG (about.st_mode) || S_ISDIR (about.st_mode))
    return path;
  g_mutex_lock (&pipes_lock);
  const Pipe pipe = *find_pipe (&about, path);
  g_mutex_unlock (&pipes_lock);
  if (pipe.error != NULL)
    g_propagate_error (error, g_error_copy (pipe.error));
  return pipe.path;
}

/* ---- reading */

static gboolean
read_stdin (char **text, gsize *size, GError **error)
{
  g_autoptr (GString) all = g_string_new (NULL);
  char buffer[65536];
  ssize_t n;

  while ((n = read (STDIN_FILENO, buffer, sizeof buffer)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return fail (error, "standard input", g_strerror (errno));
      g_string_append_len (all, buffer, n);
      if (all->len > PD_FILE_PIPE_MAX)
        return fail (error, "standard input", "more than 1 GiB: name a file instead");
    }
  if (size != NULL)
    *size = all->len;
  *text = g_string_free (g_steal_pointer (&all), FALSE);
  return TRUE;
}

gboolean
pd_file_read (const char *path, char **text, gsize *size, GError **error)
{
  if (strcmp (path, "-") == 0)
    return read_stdin (text, size, error);
  const char *resolved = pd_file_resolve (path, error);
  return resolved != NULL && g_file_get_contents (resolved, text, size, error);
}
