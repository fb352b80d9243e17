/* The raw streams of this process, one per thread that calls MPI at a time, and the
 * state of all of them: whether calls are recorded, and pauses.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-threads.h"
#include "record/stream/pd-rec-pieces-private.h"
#include "record/stream/pd-rec-stream.h"
#include "record/stream/pd-rec-pool.h"
#include "record/stream/pd-rec-report.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Atomic int pd_rec_state = PD_REC_CLOSED;
_Atomic int pd_rec_n_streams;

/* Of threads without a stream. */
static PdRecHead no_head;
PdRecStream pd_rec_no_stream = { .head = &no_head };
_Thread_local PdRecStream *pd_rec_own __attribute__ ((tls_model ("initial-exec"))) =
    &pd_rec_no_stream;

/* A pause, or its end. */
typedef struct
{
  uint64_t at;
  int on;
} Switch;

static struct
{
  pthread_mutex_t lock;
  PdRecStream *streams; /* the newest first; the rank's first thread has the last one */
  Switch *switches;
  uint32_t n_switches;
  uint32_t switches_room;
  char path[1200]; /* of the first thread's stream */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
pd_rec_stream_stop (PdRecReason reason)
{
  pthread_mutex_lock (&all.lock);
  for (PdRecStream *stream = all.streams; stream != NULL; stream = stream->next)
    if (stream->head->reason == PD_REC_RUNNING)
      stream->head->reason = reason;
  pd_rec_state = PD_REC_CLOSED;
  pthread_mutex_unlock (&all.lock);
  pd_rec_pieces_unmap (pd_rec_own);
}

/* ---- pauses: of all threads, written to each stream before its next call */

/* 0: no memory. */
static int
add_switch (Switch next)
{
  if (pd_rec_make_room (&all.switches, &all.switches_room, all.n_switches, sizeof next) != 0)
    return 0;
  all.switches[all.n_switches++] = next;
  pd_rec_own->n_switches = all.n_switches;
  return 1;
}

void
pd_rec_switch (int on, uint64_t t)
{
  Switch next = { t, on != 0 };
  int is_added;

  if (pd_rec_state != (on ? PD_REC_PAUSED : PD_REC_ON))
    return;
  pd_rec_stream_catch_up (t);
  pd_rec_put_switch (next.on, next.at);
  pthread_mutex_lock (&all.lock);
  is_added = add_switch (next);
  if (is_added && pd_rec_state != PD_REC_CLOSED)
    pd_rec_state = on ? PD_REC_ON : PD_REC_PAUSED;
  pthread_mutex_unlock (&all.lock);
  if (!is_added)
    pd_rec_stream_stop (PD_REC_NO_MEMORY);
}

void
pd_rec_stream_catch_up (uint64_t before)
{
  PdRecStream *self = pd_rec_own;

  for (;;)
    {
      Switch next = { UINT64_MAX, 0 };
      pthread_mutex_lock (&all.lock);
      if (self->n_switches < all.n_switches)
        next = all.switches[self->n_switches];
      pthread_mutex_unlock (&all.lock);
      if (next.at > before)
        return;
      pd_rec_put_switch (next.on, next.at);
      self->n_switches++;
    }
}

/* ---- the streams of the threads */

PdRecStream *
pd_rec_streams (void)
{
  return all.streams;
}

uint32_t *
pd_rec_stream_n_defined (void)
{
  return &pd_rec_own->n_defined;
}

int
pd_rec_is_first_thread (void)
{
  return pd_rec_has_stream () && pd_rec_own->next == NULL;
}

PdRecHead *
pd_rec_stream_head (int thread)
{
  for (PdRecStream *stream = all.streams; stream != NULL; stream = stream->next)
    if (stream->head != NULL && stream->head->thread == (uint32_t) thread)
      return stream->head;
  return NULL;
}

uint64_t
pd_rec_stream_size (uint64_t *limit)
{
  const PdRecStream *self = pd_rec_own;
  uint64_t size = pd_rec_pieces_size (all.path, limit);

  return self->piece != NULL ? size - (self->file_bytes - pd_rec_pieces_position (self)) : size;
}

/* Streams that other threads might still write to stay mapped. */
void
pd_rec_stream_close (void)
{
  pd_rec_state = PD_REC_CLOSED;
  for (PdRecStream *stream = all.streams; stream != NULL; stream = stream->next)
    if (stream == pd_rec_own || !stream->is_taken)
      pd_rec_pieces_close (stream);
  pd_rec_own = &pd_rec_no_stream;
}

/* The next stream of the process, which is the calling thread's from then on. */
static PdRecReason
add_stream (const PdRecHead *head, PdRecError *error)
{
  size_t n = strlen (all.path) + sizeof ".2147483647.raw";
  PdRecStream *stream = calloc (1, sizeof *stream + n);
  PdRecReason reason = PD_REC_NO_MEMORY;

  if (stream == NULL)
    pd_rec_fail (error, "out of memory");
  else
    {
      pd_rec_stream_name (stream->path, n, all.path, (int) head->thread);
      reason = pd_rec_pieces_open (stream, head, error);
    }
  if (reason != PD_REC_RUNNING)
    {
      free (stream);
      return reason;
    }
  stream->is_taken = 1;
  stream->next = all.streams;
  all.streams = stream;
  pd_rec_n_streams++;
  pd_rec_own = stream;
  return PD_REC_RUNNING;
}

int
pd_rec_stream_open (const char *path, const PdRecHead *head, const PdRecOptions *options,
                    PdRecError *error)
{
  for (PdRecStream *old; (old = all.streams) != NULL; free (old))
    all.streams = old->next;
  pd_rec_n_streams = 0;
  all.n_switches = 0;
  snprintf (all.path, sizeof all.path, "%s", path);
  pd_rec_pieces_begin (options);
  if (add_stream (head, error) != PD_REC_RUNNING)
    return -1;
  pd_rec_state = PD_REC_ON;
  return 0;
}

/* One whose thread has ended; NULL: there is none. */
static PdRecStream *
find_left (void)
{
  PdRecStream *stream = all.streams;

  while (stream != NULL && stream->is_taken)
    stream = stream->next;
  return stream;
}

int
pd_rec_stream_take (uint64_t began)
{
  PdRecReason reason = PD_REC_RUNNING;
  PdRecError error = { "" };
  PdRecHead head;
  PdRecStream *left;

  pthread_mutex_lock (&all.lock);
  left = find_left ();
  if (left != NULL)
    {
      left->is_taken = 1;
      pd_rec_own = left;
    }
  else if (pd_rec_state != PD_REC_CLOSED)
    {
      head = *pd_rec_stream_head (0);
      head.thread = (uint32_t) pd_rec_n_streams;
      head.began = began;
      head.entered = 0;
      reason = add_stream (&head, &error);
    }
  pthread_mutex_unlock (&all.lock);
  if (reason != PD_REC_RUNNING)
    pd_rec_stream_stop (reason);
  return left == NULL && pd_rec_has_stream ();
}

void
pd_rec_stream_leave (void)
{
  pthread_mutex_lock (&all.lock);
  pd_rec_own->is_taken = 0;
  pthread_mutex_unlock (&all.lock);
  pd_rec_own = &pd_rec_no_stream;
}

void
pd_rec_stream_name (char *name, size_t n, const char *path, int thread)
{
  size_t stem = strlen (path) - strlen (".raw");

  if (thread == 0)
    snprintf (name, n, "%s", path);
  else
    snprintf (name, n, "%.*s.%d.raw", (int) stem, path, thread);
}
