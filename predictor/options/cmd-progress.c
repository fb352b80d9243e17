/* SPDX-License-Identifier: MIT */
#include "predictor/options/cmd-progress.h"

#include <stdio.h>
#include <unistd.h>

#define FIRST  (1000 * G_TIME_SPAN_MILLISECOND)
#define PERIOD (250 * G_TIME_SPAN_MILLISECOND)

struct _PdProgressLine
{
  PdProgress progress;
  gint64 begin;
  GThread *thread; /* (nullable): nothing is shown */
  GMutex mutex;
  GCond cond;
  gboolean is_over; /* guarded by @mutex */
};

static void
show (const PdProgressLine *self)
{
  g_autofree char *text = pd_progress_format (&self->progress);

  if (text == NULL)
    return;
  fprintf (stderr, "\r\033[K%s, %.0f s", text,
           (gdouble) (g_get_monotonic_time () - self->begin) / G_TIME_SPAN_SECOND);
  fflush (stderr);
}

static gpointer
work (gpointer data)
{
  PdProgressLine *self = data;
  gint64 next = self->begin + FIRST;
  gboolean shown = FALSE;

  g_mutex_lock (&self->mutex);
  while (!self->is_over)
    {
      if (g_cond_wait_until (&self->cond, &self->mutex, next))
        continue;
      show (self);
      shown = TRUE;
      next = g_get_monotonic_time () + PERIOD;
    }
  g_mutex_unlock (&self->mutex);
  if (shown)
    fputs ("\r\033[K", stderr);
  return NULL;
}

PdProgressLine *
pd_progress_line_new (void)
{
  PdProgressLine *self = g_new0 (PdProgressLine, 1);

  self->begin = g_get_monotonic_time ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  if (isatty (STDERR_FILENO))
    self->thread = g_thread_try_new ("progress", work, self, NULL);
  return self;
}

PdProgress *
pd_progress_line_get (PdProgressLine *self)
{
  return &self->progress;
}

void
pd_progress_line_free (PdProgressLine *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_over = TRUE;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
  if (self->thread != NULL)
    g_thread_join (self->thread);
  g_cond_clear (&self->cond);
  g_mutex_clear (&self->mutex);
  g_free (self);
}
