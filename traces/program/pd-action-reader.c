/* The actions of a program, one after the other: those of a packed one, or cells.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-action-reader.h"

#include "base/memory/pd-bytes.h"
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-packed-private.h"

#include <string.h>

void
pd_action_reader_init (PdActionReader *self, const PdProgram *program)
{
  *self = (PdActionReader){ .program = program };
}

void
pd_action_reader_clear (PdActionReader *self)
{
  g_clear_pointer (&self->shapes, g_free);
  pd_vector_clear (&self->numbers);
}

void
pd_action_reader_set (PdActionReader *self, const guint8 *bytes, gsize n)
{
  if (self->shapes == NULL)
    self->shapes = g_new (PdActionShape, PD_MAX_SHAPES); /* of which few are touched */
  self->at = bytes;
  self->end = bytes + n;
}

void
pd_action_reader_begin (PdActionReader *self, guint32 rank)
{
  const PdPacked *packed = &self->program->packed;

  if (packed->bytes == NULL)
    {
      self->cell = pd_program_get_cells (self->program, rank, &self->last);
      self->loops = (PdLoops){ .sample = pd_program_get_samples (self->program, rank) };
    }
  else
    pd_action_reader_set (self, packed->bytes + packed->first[rank],
                          packed->first[rank + 1] - packed->first[rank]);
}

/* ---- packed */

static inline guint32
read_number (const guint8 **at)
{
  guint32 byte = *(*at)++, number = byte & 0x7f;

  for (guint shift = 7; G_UNLIKELY (byte >= 0x80); shift += 7)
    {
      byte = *(*at)++;
      number |= (byte & 0x7f) << shift;
    }
  return number;
}

static gboolean
is_call (const PdAction *action)
{
  return action->kind >= PD_ACT_SEND && action->kind <= PD_ACT_LOCAL;
}

static gboolean
begins_message (const PdAction *action)
{
  return ((action->kind >= PD_ACT_ISEND && action->kind <= PD_ACT_IRSEND)
          || action->kind == PD_ACT_IRECV)
         && action->peer != PD_PROGRAM_PROC_NULL;
}

/* Reads the definition of a shape at @at, and sets @at to its end. */
static void
read_shape (const guint8 **at, PdActionShape *shape)
{
  PdProgramCell cells[PD_ACTION_MAX_CELLS];
  guint32 has = *(*at)++;
  gsize size = *(*at)++ * sizeof *cells;

  memcpy (cells, *at, size);
  *at += size;
  pd_action_read (cells, &shape->action);
  memset (shape->notes, 0, sizeof shape->notes);
  shape->has = has;
  shape->n_sizes = (guint16) pd_packed_n_sizes (has);
  shape->n_computes = 0;
  shape->n_call = 0;
  if (is_call (&shape->action) && has == PD_HAS_RECORDED)
    shape->n_call = 1;
  else if (is_call (&shape->action) && has == (PD_HAS_RECORDED | PD_HAS_REQUEST))
    shape->n_call = 2;
  shape->begins = shape->n_call > 1 && begins_message (&shape->action);
  if (shape->action.kind == PD_ACT_COMPUTE && has == PD_HAS_AMOUNT)
    shape->n_computes = 1;
  else if (shape->action.kind == PD_ACT_COMPUTE && has == (PD_HAS_AMOUNT | PD_HAS_PROCESSOR))
    shape->n_computes = 2;
}

/* The number of the shape behind a definition. */
static guint32
learn_shape (PdActionReader *self)
{
  guint32 number = read_number (&self->at);

  read_shape (&self->at, &self->shapes[number]);
  return read_number (&self->at);
}

/* One of them, whose size is in the lowest bits. */
static inline guint64
read_value (const guint8 **at, guint32 *sizes)
{
  guint size = *sizes & 0xf;
  guint64 value = pd_bytes_load_low (*at, size);

  *at += size;
  *sizes >>= 4;
  return value;
}

static inline guint64
unfold (guint64 folded)
{
  return folded >> 1 ^ -(folded & 1);
}

static void
read_values (PdActionReader *self, PdActionShape *shape)
{
  const guint8 *at = self->at + shape->n_sizes;
  PdAction *action = &shape->action;
  guint32 sizes, has = shape->has;

  memcpy (&sizes, self->at, sizeof sizes); /* and more, of which nothing is used */
  sizes = GUINT32_FROM_LE (sizes);
  if ((has & PD_HAS_AMOUNT) != 0)
    action->amount.time.ps = (gint64) read_value (&at, &sizes);
  if ((has & PD_HAS_RECORDED) != 0)
    action->recorded = (gint64) read_value (&at, &sizes);
  if ((has & PD_HAS_PROCESSOR) != 0)
    action->processor =
        (gint64) ((guint64) action->amount.time.ps + unfold (read_value (&at, &sizes)));
  if ((has & PD_HAS_REQUEST) != 0)
    action->request = (guint32) read_value (&at, &sizes);
  if ((has & PD_HAS_FILE_BYTES) != 0)
    action->file_bytes = (gint64) read_value (&at, &sizes);
  self->at = at;
}

/* One value, or two: most actions have no more. */
static inline void
read_two (PdActionReader *self, gint64 *first, guint64 *second)
{
  const guint8 *at = self->at + 1;
  guint32 sizes = *self->at;

  *first = (gint64) read_value (&at, &sizes);
  if (second != NULL)
    *second = read_value (&at, &sizes);
  self->at = at;
}

/* Most lists have up to so many numbers, of one byte each: these are read at once. */
#define SHORT_LIST 8

static inline guint32
read_list (PdActionReader *self)
{
  const guint8 *at = self->at;
  guint32 n = read_number (&at);
  gsize first = self->numbers.n;

  pd_vector_set_size (&self->numbers, first + MAX (n, SHORT_LIST), sizeof (guint32));
  self->numbers.n = first + n;
  guint32 *to = &pd_vector_at (&self->numbers, guint32, first);
  if (n <= SHORT_LIST && (pd_bytes_load_low (at, n) & G_GUINT64_CONSTANT (0x8080808080808080)) == 0)
    {
      for (guint i = 0; i < SHORT_LIST; i++)
        to[i] = at[i];
      self->at = at + n;
      return n;
    }
  for (guint32 i = 0; i < n; i++)
    to[i] = read_number (&at);
  self->at = at;
  return n;
}

static inline void
read_lists (PdActionReader *self, PdAction *action)
{
  self->numbers.n = 0;
  action->n_slots = read_list (self);
  action->n_done = read_list (self);
  const guint32 *numbers = self->numbers.data;
  action->slots = action->n_slots > 0 ? numbers : NULL;
  action->done = action->n_done > 0 ? numbers + action->n_slots : NULL;
}

static inline PdAction *
read_packed (PdActionReader *self)
{
  guint32 number = read_number (&self->at);

  if (G_UNLIKELY (number == 0))
    number = learn_shape (self);
  PdActionShape *shape = self->shape = &self->shapes[number - 1];
  PdAction *action = &shape->action;
  guint64 second;

  switch (shape->has)
    {
    case PD_HAS_AMOUNT:
      read_two (self, &action->amount.time.ps, NULL);
      break;
    case PD_HAS_AMOUNT | PD_HAS_PROCESSOR:
      read_two (self, &action->amount.time.ps, &second);
      action->processor = (gint64) ((guint64) action->amount.time.ps + unfold (second));
      break;
    case PD_HAS_RECORDED:
      read_two (self, &action->recorded, NULL);
      break;
    case PD_HAS_RECORDED | PD_HAS_REQUEST:
      read_two (self, &action->recorded, &second);
      action->request = (guint32) second;
      break;
    case PD_HAS_RECORDED | PD_HAS_LISTS:
      read_two (self, &action->recorded, NULL);
      read_lists (self, action);
      break;
    default:
      read_values (self, shape);
      if ((shape->has & PD_HAS_LISTS) != 0)
        read_lists (self, action);
    }
  return action;
}

/* ---- cells */

static PdAction *
read_cell (PdActionReader *self)
{
  self->shape = &self->own;
  memset (self->own.notes, 0, sizeof self->own.notes);
  self->cell = pd_loops_read (&self->loops, self->cell, self->last, &self->own.action);
  return &self->own.action;
}

/* ---- both */

PdAction *
pd_action_reader_next (PdActionReader *self)
{
  if (G_LIKELY (self->at != self->end))
    return read_packed (self);
  return self->cell != self->last ? read_cell (self) : NULL;
}

const PdAction *
pd_action_reader_peek (PdActionReader *self)
{
  if (self->at != self->end)
    {
      const guint8 *at = self->at;
      guint32 number = read_number (&at);
      if (number != 0)
        return &self->shapes[number - 1].action;
      /* the present action may be of the shape that this one replaces */
      read_number (&at);
      read_shape (&at, &self->ahead);
      return &self->ahead.action;
    }
  if (self->cell == self->last)
    return NULL;
  pd_action_read (self->cell, &self->ahead.action);
  return &self->ahead.action;
}
