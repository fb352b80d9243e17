/* SPDX-License-Identifier: MIT */
#include "dataserver/pd-data-server.h"

#include <string.h>

struct _PdDataServer
{
  const PdInterpreterClass *class;
  gpointer interpreter;
  PdObjects *objects;
  PdStepBlock *oldest;
  PdStepBlock *newest;
  guint64 n_steps;
  guint64 n_blocks;
  guint64 peak_blocks;
  gboolean at_end;
};

static PdStepBlock *
add_block (PdDataServer *self)
{
  gsize size = sizeof (PdStepBlock) + PD_BLOCK_STEPS * self->class->step_size;
  PdStepBlock *block = g_malloc0 (size);

  block->first = self->n_steps;
  if (self->newest != NULL)
    self->newest->next = block;
  else
    self->oldest = block;
  self->newest = block;
  self->n_blocks++;
  self->peak_blocks = MAX (self->peak_blocks, self->n_blocks);
  return block;
}

PdDataServer *
pd_data_server_new (const PdInterpreterClass *class, gpointer interpreter, PdObjects *objects,
                    guint32 n_processors)
{
  PdDataServer *self = g_new0 (PdDataServer, 1);

  self->class = class;
  self->interpreter = interpreter;
  self->objects = objects;
  add_block (self)->n_users = n_processors;
  return self;
}

static inline gpointer
step_in (const PdDataServer *self, PdStepBlock *block, guint64 number)
{
  return (char *) block->steps + (number - block->first) * self->class->step_size;
}

static void
block_free (PdDataServer *self, PdStepBlock *block)
{
  for (guint32 i = 0; i < block->n; i++)
    self->class->clear_step (step_in (self, block, block->first + i));
  g_free (block);
  self->n_blocks--;
}

void
pd_data_server_free (PdDataServer *self)
{
  if (self == NULL)
    return;
  for (PdStepBlock *block = self->oldest, *next; block != NULL; block = next)
    {
      next = block->next;
      block_free (self, block);
    }
  g_free (self);
}

gpointer
pd_data_server_append (PdDataServer *self)
{
  PdStepBlock *block = self->newest->n < PD_BLOCK_STEPS ? self->newest : add_block (self);

  block->n++;
  return step_in (self, block, self->n_steps++);
}

guint64
pd_data_server_get_n_steps (const PdDataServer *self)
{
  return self->n_steps;
}

PdStepBlock *
pd_data_server_enter (PdDataServer *self)
{
  return self->oldest;
}

/* Forgets the blocks that every processor has left. */
static void
forget (PdDataServer *self)
{
  while (self->oldest->n_users == 0 && self->oldest != self->newest)
    {
      PdStepBlock *block = self->oldest;
      self->oldest = block->next;
      block_free (self, block);
    }
  if (self->objects != NULL)
    pd_objects_reclaim (self->objects, self->oldest->first);
}

PdStepBlock *
pd_data_server_get_newest (const PdDataServer *self)
{
  return self->newest;
}

void
pd_data_server_jump (PdDataServer *self, PdStepBlock **block, PdStepBlock *to)
{
  PdStepBlock *from = *block;

  to->n_users++;
  *block = to;
  if (--from->n_users == 0 && from == self->oldest)
    forget (self);
}

gconstpointer
pd_data_server_get (PdDataServer *self, PdStepBlock **block, guint64 number, GError **error)
{
  while (number >= self->n_steps)
    if (self->at_end || !self->class->interpret (self->interpreter, self, error))
      {
        self->at_end = TRUE;
        return NULL;
      }

  if (number - (*block)->first >= PD_BLOCK_STEPS)
    {
      PdStepBlock *to = *block;
      while (number - to->first >= PD_BLOCK_STEPS)
        to = to->next;
      pd_data_server_jump (self, block, to);
    }
  return step_in (self, *block, number);
}

guint64
pd_data_server_get_peak (const PdDataServer *self)
{
  return self->peak_blocks * PD_BLOCK_STEPS;
}
