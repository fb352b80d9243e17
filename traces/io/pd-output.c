/* Buffered output with a temporary name.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "traces/io/pd-output.h"

#include "base/pd-target.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (64 * 1024)

struct _PdOutput
{
  int fd;
  GByteArray *memory; /* (nullable): instead of a file */
  char *path;
  PdTarget *target; /* (nullable): whose @fd is; otherwise it is closed here */
  int failure;      /* errno of the first that failed; 0 = none */
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
      if (done < 0)
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

/* Of pd_output_new_to_fd(). */
static gboolean
close_own (PdOutput *self)
{
  int fd = self->fd;

  self->fd = -1;
  return fd < 0 || close (fd) == 0;
}

static void
discard (PdOutput *self)
{
  if (self->target == NULL)
    close_own (self);
  g_clear_pointer (&self->target, pd_target_free);
}

/* ---- public */

static PdOutput *
output_alloc (const char *path)
{
  PdOutput *self = g_malloc (sizeof *self);

  self->fd = -1;
  self->memory = NULL;
  self->path = g_strdup (path);
  self->target = NULL;
  self->failure = 0;
  self->used = 0;
  return self;
}

PdOutput *
pd_output_new (const char *path, GError **error)
{
  PdOutput *self = output_alloc (path);

  self->target = pd_target_new (path);
  if (self->target != NULL)
    {
      self->fd = pd_target_get_fd (self->target);
      return self;
    }
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot write: %s", path,
               g_strerror (errno));
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
pd_output_flush (PdOutput *self)
{
  flush (self);
  return self->failure == 0;
}

gboolean
pd_output_close (PdOutput *self, GError **error)
{
  flush (self);
  if (self->failure == 0
      && !(self->target != NULL ? pd_target_commit (self->target) : close_own (self)))
    self->failure = errno;
  discard (self);
  if (self->failure == 0)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot write: %s", self->path,
               g_strerror (self->failure));
  return FALSE;
}
