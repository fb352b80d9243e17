/* Buffered output with a temporary name.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "traces/io/pd-output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE (64 * 1024)

struct _PdOutput
{
  int fd;
  GByteArray *memory; /* (nullable): instead of a file */
  char *path;
  char *temporary; /* (nullable): written under this name */
  int failure;     /* errno of the first that failed; 0 = none */
  gsize used;
  char buffer[BUFFER_SIZE];
};

static void
write_all (PdOutput *self, const char *data, gsize n)
{
  if (self->memory != NULL)
    {
      g_byte_array_append (self->memory, (const guint8 *) data, (guint) n);
      return;
    }
  while (n > 0 && self->failure == 0)
    {
      ssize_t done = write (self->fd, data, n);
      if (done < 0 && errno != EINTR)
        self->failure = errno;
      if (done > 0)
        {
          data += done;
          n -= (gsize) done;
        }
    }
}

static void
flush (PdOutput *self)
{
  write_all (self, self->buffer, self->used);
  self->used = 0;
}

/* A file that exists and is none (a device, a pipe) is not replaced. */
static gboolean
is_special (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 && !S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode);
}

static int
open_output (PdOutput *self)
{
  if (strcmp (self->path, "-") == 0)
    return STDOUT_FILENO;
  if (is_special (self->path))
    return open (self->path, O_WRONLY | O_CLOEXEC);
  if (g_file_test (self->path, G_FILE_TEST_IS_DIR))
    {
      errno = EISDIR;
      return -1;
    }
  self->temporary = g_strconcat (self->path, ".XXXXXX", NULL);
  return g_mkstemp_full (self->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static void
discard (PdOutput *self)
{
  if (self->fd > STDERR_FILENO)
    close (self->fd);
  self->fd = -1;
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_clear_pointer (&self->temporary, g_free);
}

/* ---- public */

static PdOutput *
output_alloc (const char *path)
{
  PdOutput *self = g_malloc (sizeof *self);

  self->fd = -1;
  self->memory = NULL;
  self->path = g_strdup (path);
  self->temporary = NULL;
  self->failure = 0;
  self->used = 0;
  return self;
}

PdOutput *
pd_output_new (const char *path, GError **error)
{
  PdOutput *self = output_alloc (path);

  self->fd = open_output (self);
  if (self->fd >= 0)
    return self;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot write: %s", path,
               g_strerror (errno));
  g_clear_pointer (&self->temporary, g_free);
  pd_output_free (self);
  return NULL;
}

PdOutput *
pd_output_new_to_fd (int fd, const char *name)
{
  PdOutput *self = output_alloc (name);

  self->fd = fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (self->fd < 0)
    self->failure = errno;
  return self;
}

PdOutput *
pd_output_new_in_memory (void)
{
  PdOutput *self = output_alloc ("");

  self->memory = g_byte_array_new ();
  return self;
}

GBytes *
pd_output_free_to_bytes (PdOutput *self)
{
  flush (self);
  GBytes *bytes = g_byte_array_free_to_bytes (g_steal_pointer (&self->memory));
  pd_output_free (self);
  return bytes;
}

void
pd_output_free (PdOutput *self)
{
  if (self == NULL)
    return;
  discard (self);
  g_clear_pointer (&self->memory, g_byte_array_unref);
  g_free (self->path);
  g_free (self);
}

void
pd_output_add (PdOutput *self, gconstpointer data, gsize n)
{
  if (n == 0)
    return;
  if (n > BUFFER_SIZE - self->used)
    flush (self);
  if (n > BUFFER_SIZE)
    {
      write_all (self, data, n);
      return;
    }
  memcpy (self->buffer + self->used, data, n);
  self->used += n;
}

void
pd_output_text (PdOutput *self, const char *text)
{
  pd_output_add (self, text, strlen (text));
}

void
pd_output_char (PdOutput *self, char c)
{
  pd_output_add (self, &c, 1);
}

void
pd_output_int (PdOutput *self, gint64 value)
{
  char digits[20];
  gsize i = sizeof digits;
  guint64 rest = value < 0 ? -(guint64) value : (guint64) value;

  do
    digits[--i] = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0)
    digits[--i] = '-';
  pd_output_add (self, digits + i, sizeof digits - i);
}

void
pd_output_double (PdOutput *self, gdouble value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (fabs (value) < 1e15 && value == floor (value))
    {
      pd_output_int (self, (gint64) value);
      return;
    }
  for (int digits = 15; digits <= 17; digits++)
    {
      char format[8];
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, sizeof text, format, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  pd_output_text (self, text);
}

void
pd_output_printf (PdOutput *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  pd_output_text (self, text);
}

gboolean
pd_output_close (PdOutput *self, GError **error)
{
  flush (self);
  if (self->fd > STDERR_FILENO && close (self->fd) != 0 && self->failure == 0)
    self->failure = errno;
  self->fd = -1;
  if (self->failure == 0 && self->temporary != NULL && g_rename (self->temporary, self->path) != 0)
    self->failure = errno;
  if (self->failure == 0)
    {
      g_clear_pointer (&self->temporary, g_free);
      return TRUE;
    }
  discard (self);
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot write: %s", self->path,
               g_strerror (self->failure));
  return FALSE;
}
