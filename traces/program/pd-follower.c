/* A rank that repeats a loop at the end of its cells once more: as long as its actions are those of
 * the body, nothing is written.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-follower-private.h"

#include "traces/program/pd-action.h"

#include <string.h>

struct _PdFollower
{
  PdProgramCell *first; /* of the body */
  PdProgramCell *loop;  /* behind it, the last cell of its chunk */
  PdProgramCell *at;    /* the next action, or @loop: there may be no more repetitions */
  PdLoops inner;        /* where the rank is in loops of the body */
};

/* The next cell that is an action. */
static inline void
settle (PdFollower *self)
{
  const PdProgramCell *cell = pd_loops_settle (&self->inner, self->at, self->loop);

  self->at = self->first + (cell - self->first);
  if (cell == self->loop && self->loop->bytes < G_MAXUINT32)
    {
      self->loop->bytes++;
      self->at = self->first;
    }
}

PdFollower *
pd_follower_new (PdProgramCell *loop, gsize done)
{
  PdFollower *self = g_new0 (PdFollower, 1);

  self->loop = loop;
  self->first = loop - loop->peer;
  self->at = self->first + done;
  settle (self);
  return self;
}

gboolean
pd_follower_take (PdFollower *self, const PdProgramCell *cells, gsize n)
{
  if (n > (gsize) (self->loop - self->at) || memcmp (self->at, cells, n * sizeof *cells) != 0)
    return FALSE;
  self->at += n;
  if (self->at->kind == PD_CELL_LOOP)
    settle (self);
  return TRUE;
}

/* Loops of the body that the rank is in, the innermost first; returns their number. */
static guint
find_open (const PdFollower *self, const PdProgramCell **open)
{
  guint n = 0;

  for (const PdProgramCell *cell = self->at; cell != self->loop;)
    {
      gboolean is_loop = cell->kind == PD_CELL_LOOP;
      if (is_loop && cell - cell->peer <= self->at)
        open[n++] = cell;
      cell = is_loop ? cell + 1 : pd_action_skip (cell);
    }
  return n;
}

void
pd_follower_end (PdFollower *self, PdProgramRank *rank)
{
  const PdProgramCell *open[PD_LOOPS_DEPTH], *from = self->first;
  guint n = find_open (self, open);
  gsize size = (gsize) (self->at - self->first);

  for (guint i = 0; i < n; i++)
    size += (gsize) open[i]->peer + 1;
  pd_chunks_reserve (rank, size);
  while (n-- > 0)
    {
      PdProgramCell loop = *open[n];
      const PdProgramCell *body = open[n] - loop.peer;
      loop.bytes = self->inner.counts[loop.comm];
      pd_chunks_add_cells (rank, from, (gsize) (body - from));
      if (loop.bytes > 0)
        pd_chunks_add_cells (rank, body, (gsize) loop.peer);
      if (loop.bytes > 1)
        pd_chunks_add_cells (rank, &loop, 1);
      from = body;
    }
  pd_chunks_add_cells (rank, from, (gsize) (self->at - from));
  g_free (self);
}
