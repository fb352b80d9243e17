/* A ring of blocks: the thread fills one while the reader empties another.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-ahead-private.h"

#include <string.h>

#define N_BLOCKS 8

typedef struct
{
  char *data;
  gsize size; /* 0: the end */
  PdInputProblem problem;
} Block;

struct _PdAhead
{
  PdDecoder *decoder; /* of the thread */
  GThread *thread;
  Block blocks[N_BLOCKS];
  gsize used; /* bytes of the block that is read; of the reader */
  GMutex lock;
  GCond changed;
  guint64 n_filled, n_emptied; /* blocks; with lock */
  gboolean stop;               /* with lock */
};

/* Returns: the next block to fill, or NULL: no more data is wanted. */
static Block *
wait_for_room (PdAhead *self)
{
  g_mutex_lock (&self->lock);
  while (self->n_filled - self->n_emptied == N_BLOCKS && !self->stop)
    g_cond_wait (&self->changed, &self->lock);
  Block *block = self->stop ? NULL : &self->blocks[self->n_filled % N_BLOCKS];
  g_mutex_unlock (&self->lock);
  return block;
}

static void
advance (PdAhead *self, guint64 *counter)
{
  g_mutex_lock (&self->lock);
  ++*counter;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gpointer
decode (gpointer data)
{
  PdAhead *self = data;
  Block *block;
  gsize size = 1;

  while (size > 0 && (block = wait_for_room (self)) != NULL)
    {
      size = block->size = pd_decoder_read (self->decoder, block->data, PD_AHEAD_BLOCK);
      block->problem = pd_decoder_get_problem (self->decoder);
      advance (self, &self->n_filled);
    }
  return NULL;
}

PdAhead *
pd_ahead_new (PdDecoder *decoder)
{
  PdAhead *self = g_new0 (PdAhead, 1);

  self->decoder = decoder;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  for (guint i = 0; i < N_BLOCKS; i++)
    self->blocks[i].data = g_malloc (PD_AHEAD_BLOCK);
  self->thread = g_thread_try_new ("decode", decode, self, NULL);
  if (self->thread == NULL)
    g_clear_pointer (&self, pd_ahead_free);
  return self;
}

void
pd_ahead_free (PdAhead *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->stop = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  if (self->thread != NULL)
    g_thread_join (self->thread);
  for (guint i = 0; i < N_BLOCKS; i++)
    g_free (self->blocks[i].data);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

gsize
pd_ahead_read (PdAhead *self, char *to, gsize n, PdInputProblem *problem)
{
  g_mutex_lock (&self->lock);
  while (self->n_filled == self->n_emptied)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);

  const Block *block = &self->blocks[self->n_emptied % N_BLOCKS];
  gsize size = MIN (n, block->size - self->used);
  *problem = block->problem;
  if (size > 0)
    memcpy (to, block->data + self->used, size);
  self->used += size;
  if (block->size > 0 && self->used == block->size)
    {
      self->used = 0;
      advance (self, &self->n_emptied);
    }
  return size;
}
