/* All targets of a process are in one list, which only grows: a signal handler may run at any
 * moment, and finds in it the files to remove.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/pd-target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _PdTarget
{
  PdTarget *next;
  gboolean is_free;
  gint owner; /* the process that removes it, which one that was forked does not; 0 = none */
  int fd;     /* -1 = none */
  char *name; /* (nullable): the temporary one; stays until the place is used again */
  char *path; /* (nullable): of a file */
};

static PdTarget *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* a GMutex would allocate */

/* ---- removing, also while a signal is handled: no memory, no locks */

static gboolean remove_at (int folder, const char *name);

/* Returns whether there was anything in @fd that could be removed. */
static gboolean
remove_entries (int fd)
{
  union
  {
    struct dirent64 first; /* for its alignment */
    char bytes[4096];
  } buffer;
  gboolean any = FALSE;
  ssize_t n;

  lseek (fd, 0, SEEK_SET);
  while ((n = getdents64 (fd, buffer.bytes, sizeof buffer.bytes)) > 0)
    for (ssize_t at = 0; at < n;)
      {
        const struct dirent64 *entry = (const void *) (buffer.bytes + at);
        at += entry->d_reclen;
        if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
          any = remove_at (fd, entry->d_name) || any;
      }
  return any;
}

static gboolean
remove_at (int folder, const char *name)
{
  if (unlinkat (folder, name, 0) == 0)
    return TRUE;
  int fd = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return FALSE;
  while (remove_entries (fd))
    ;
  close (fd);
  return unlinkat (folder, name, AT_REMOVEDIR) == 0;
}

void
pd_target_remove_tree (const char *path)
{
  remove_at (AT_FDCWD, path);
}

/* What SQLite may have made beside it, too. */
static void
remove_with_logs (const char *name)
{
  static const char *const suffixes[] = { "", "-journal", "-wal", "-shm" };
  char path[4096];
  gsize n = strlen (name);

  for (gsize i = 0; i < G_N_ELEMENTS (suffixes) && n + sizeof "-journal" <= sizeof path; i++)
    {
      memcpy (path, name, n);
      strcpy (path + n, suffixes[i]);
      remove_at (AT_FDCWD, path);
    }
}

/* ---- signals */

void
pd_target_remove_all (void)
{
  for (const PdTarget *target = g_atomic_pointer_get (&first); target != NULL;
       target = target->next)
    if (g_atomic_int_get (&target->owner) == getpid ())
      remove_with_logs (target->name);
}

static void
remove_and_end (int number)
{
  int saved = errno;

  pd_target_remove_all ();
  errno = saved;
  /* comes when this is over */
  signal (number, SIG_DFL);
  raise (number);
}

void
pd_target_remove_at_signals (void)
{
  static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU };
  struct sigaction action = { .sa_handler = remove_and_end }, before;

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction (numbers[i], &action, NULL);
  signal (SIGXFSZ, SIG_IGN);
}

/* ---- the list */

static PdTarget *
take_place (void)
{
  PdTarget *self = first;

  while (self != NULL && !self->is_free)
    self = self->next;
  if (self == NULL)
    {
      self = g_new0 (PdTarget, 1);
      self->next = first;
      g_atomic_pointer_set (&first, self);
    }
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->path, g_free);
  self->is_free = FALSE;
  self->fd = -1;
  return self;
}

/* Makes what @name is a pattern of. No signal comes between that and its place in the list. */
static PdTarget *
make_temporary (char *name, const char *path)
{
  sigset_t all, before;

  pthread_mutex_lock (&lock);
  PdTarget *self = take_place ();
  self->name = name;
  self->path = g_strdup (path);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  if (path != NULL)
    self->fd = g_mkstemp_full (name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  gboolean ok = path != NULL ? self->fd >= 0 : g_mkdtemp_full (name, 0755) != NULL;
  int saved = errno;
  if (ok)
    g_atomic_int_set (&self->owner, (gint) getpid ());
  self->is_free = !ok;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  pthread_mutex_unlock (&lock);
  errno = saved;
  return ok ? self : NULL;
}

/* ---- public */

static PdTarget *
new_for_fd (int fd)
{
  if (fd < 0)
    return NULL;
  pthread_mutex_lock (&lock);
  PdTarget *self = take_place ();
  self->fd = fd;
  pthread_mutex_unlock (&lock);
  return self;
}

PdTarget *
pd_target_new_temporary (const char *path)
{
  return make_temporary (g_strconcat (path, ".XXXXXX", NULL), path);
}

PdTarget *
pd_target_new (const char *path)
{
  struct stat status;

  if (strcmp (path, "-") == 0)
    return fflush (stdout) == 0 ? new_for_fd (STDOUT_FILENO) : NULL;
  gboolean is_there = stat (path, &status) == 0;
  if (is_there && S_ISDIR (status.st_mode))
    {
      errno = EISDIR;
      return NULL;
    }
  if (is_there && !S_ISREG (status.st_mode))
    return new_for_fd (open (path, O_WRONLY | O_CLOEXEC));
  return pd_target_new_temporary (path);
}

PdTarget *
pd_target_new_folder (const char *path)
{
  return make_temporary (g_strconcat (path, "XXXXXX", NULL), NULL);
}

int
pd_target_get_fd (const PdTarget *self)
{
  return self->fd;
}

const char *
pd_target_get_name (const PdTarget *self)
{
  return self->name;
}

gboolean
pd_target_write (PdTarget *self, const char *text, gsize n)
{
  while (n > 0)
    {
      ssize_t done = write (self->fd, text, n);
      if (done < 0)
        return FALSE;
      text += done;
      n -= (gsize) done;
    }
  return TRUE;
}

static gboolean
close_fd (PdTarget *self)
{
  int fd = self->fd;

  self->fd = -1;
  return fd <= STDERR_FILENO || close (fd) == 0;
}

/* Some file systems, and pipes and devices, cannot be synchronised. */
static gboolean
synchronise (const PdTarget *self)
{
  return self->name == NULL || fsync (self->fd) == 0 || errno == EINVAL || errno == ENOTSUP;
}

gboolean
pd_target_commit (PdTarget *self)
{
  gboolean ok = synchronise (self);
  int saved = errno;

  if (!close_fd (self) && ok)
    {
      ok = FALSE;
      saved = errno;
    }
  if (self->name == NULL || !ok)
    {
      errno = saved;
      return ok;
    }
  if (rename (self->name, self->path) != 0)
    return FALSE;
  g_atomic_int_set (&self->owner, 0);
  return TRUE;
}

void
pd_target_free (PdTarget *self)
{
  int saved = errno;

  if (self == NULL)
    return;
  close_fd (self);
  if (g_atomic_int_get (&self->owner) == getpid ())
    remove_with_logs (self->name);
  g_atomic_int_set (&self->owner, 0);
  pthread_mutex_lock (&lock);
  self->is_free = TRUE;
  pthread_mutex_unlock (&lock);
  errno = saved;
}

gboolean
pd_target_save (const char *path, const char *text, gsize n, GError **error)
{
  g_autoptr (PdTarget) self = pd_target_new (path);

  if (self != NULL && pd_target_write (self, text, n) && pd_target_commit (self))
    return TRUE;
  int number = errno;
  g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (number),
               "cannot write '%s': %s", strcmp (path, "-") == 0 ? "standard output" : path,
               g_strerror (number));
  return FALSE;
}
