/* Packed actions: writing. Which shape comes next is mostly the one that came next but one the last
 * time, as computations, which are alike, lie between calls; others are found in a table.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-packed-private.h"

#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action.h"

#include <string.h>

#define NO_RANK  G_MAXUINT32
#define N_PLACES (2 * PD_MAX_SHAPES)

typedef struct
{
  guint8 shape[PD_SHAPE_SIZE];
  guint16 has;
  guint16 n_sizes; /* bytes of the sizes of its values */
} Key;

struct _PdPacker
{
  guint64 request_kinds;          /* a bit for each kind that has one */
  guint32 rank;                   /* whose shapes these are */
  guint32 n;                      /* shapes */
  guint32 last;                   /* the present one, */
  guint32 before;                 /* and that before it */
  gboolean is_new;                /* this is not written yet */
  guint16 places[N_PLACES];       /* 1 + a shape; 0: free */
  guint16 next[PD_MAX_SHAPES][2]; /* but one: the last, and the one before that was another */
  guint16 computes[2]; /* 1 + the shape of computation alone, without and with its processor time */
  Key keys[PD_MAX_SHAPES];
};

PdPacker *
pd_packer_new (void)
{
  PdPacker *self = g_new0 (PdPacker, 1);

  self->rank = NO_RANK;
  for (guint kind = 0; kind < PD_N_ACTS; kind++)
    self->request_kinds |= (guint64) (pd_action_has_request (kind) != FALSE) << kind;
  return self;
}

void
pd_packer_free (PdPacker *self)
{
  g_free (self);
}

/* ---- shapes */

static guint32
find_has (const PdPacker *self, const PdAction *action)
{
  return (action->amount.time.ps != 0 ? PD_HAS_AMOUNT : 0)
         | (action->recorded >= 0 ? PD_HAS_RECORDED : 0)
         | (action->processor >= 0 ? PD_HAS_PROCESSOR : 0)
         | ((self->request_kinds >> action->kind & 1) != 0 ? PD_HAS_REQUEST : 0)
         | (action->file_bytes != 0 ? PD_HAS_FILE_BYTES : 0)
         | (action->n_slots > 0 || action->n_done > 0 ? PD_HAS_LISTS : 0);
}

static inline gboolean
is_of (const Key *key, const PdAction *action, guint32 has)
{
  return key->has == has && memcmp (key->shape, action, PD_SHAPE_SIZE) == 0;
}

static guint
hash (const PdAction *action, guint32 has)
{
  const char *bytes = (const char *) action;
  guint64 sum = has;

  for (gsize i = 0; i + sizeof (guint64) <= PD_SHAPE_SIZE; i += sizeof (guint64))
    {
      guint64 word;
      memcpy (&word, bytes + i, sizeof word);
      sum = (sum ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      sum ^= sum >> 29;
    }
  sum = (sum ^ (guint64) action->has_done) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint) (sum >> 32) % N_PLACES;
}

static void
forget (PdPacker *self, guint32 rank)
{
  memset (self->places, 0, sizeof self->places);
  memset (self->computes, 0, sizeof self->computes);
  self->rank = rank;
  self->n = self->last = self->before = 0;
}

void
pd_packer_forget (PdPacker *self)
{
  forget (self, NO_RANK);
}

static guint32
add_shape (PdPacker *self, guint place, const PdAction *action, guint32 has)
{
  Key *key = &self->keys[self->n];

  memcpy (key->shape, action, PD_SHAPE_SIZE);
  key->has = (guint16) has;
  key->n_sizes = (guint16) pd_packed_n_sizes (has);
  self->next[self->n][0] = self->next[self->n][1] = (guint16) self->n;
  self->places[place] = (guint16) (self->n + 1);
  return self->n++;
}

/* Returns the number of the action's shape in the table, and adds a new shape to it. */
static guint32
look_up (PdPacker *self, guint32 rank, const PdAction *action, guint32 has)
{
  if (rank != self->rank || self->n == PD_MAX_SHAPES)
    forget (self, rank);
  guint place = hash (action, has);
  while (self->places[place] != 0 && !is_of (&self->keys[self->places[place] - 1], action, has))
    place = (place + 1) % N_PLACES;
  self->is_new = self->places[place] == 0;
  return self->is_new ? add_shape (self, place, action, has) : (guint32) self->places[place] - 1;
}

gboolean
pd_packer_find (PdPacker *self, guint32 rank, const PdAction *action)
{
  guint32 has = find_has (self, action);
  guint16 *next = self->next[self->before];
  guint32 shape = next[0];

  self->is_new = FALSE;
  if (rank != self->rank || self->n == 0 || !is_of (&self->keys[shape], action, has))
    {
      shape = next[1];
      if (rank != self->rank || self->n == 0 || !is_of (&self->keys[shape], action, has))
        shape = look_up (self, rank, action, has);
      next = self->next[self->before];
      next[1] = next[0];
      next[0] = (guint16) shape;
    }
  self->before = self->last;
  self->last = shape;
  return !self->is_new;
}

gboolean
pd_packer_find_compute (PdPacker *self, guint32 rank, gboolean with_processor)
{
  guint32 known = self->computes[with_processor];

  if (rank != self->rank || known == 0)
    return FALSE;
  self->is_new = FALSE;
  self->before = self->last;
  self->last = known - 1;
  return TRUE;
}

void
pd_packer_note_compute (PdPacker *self, gboolean with_processor)
{
  self->computes[with_processor] = (guint16) (self->last + 1);
}

/* ---- bytes */

static guint8 *
write_number (guint8 *to, guint32 number)
{
  for (; number >= 0x80; number >>= 7)
    *to++ = (guint8) (number | 0x80);
  *to++ = (guint8) number;
  return to;
}

static guint8 *
write_shape (guint8 *to, guint32 number, const Key *key)
{
  PdProgramCell cells[PD_ACTION_MAX_CELLS];
  PdAction action = pd_action_empty;

  memcpy (&action, key->shape, PD_SHAPE_SIZE);
  gsize n = pd_action_write (&action, cells);
  *to++ = 0;
  to = write_number (to, number);
  *to++ = (guint8) key->has;
  *to++ = (guint8) n;
  memcpy (to, cells, n * sizeof *cells);
  return to + n * sizeof *cells;
}

gboolean
pd_packed_change_shape (guint8 *at, void (*change) (PdAction *action, gconstpointer data),
                        gconstpointer data, gboolean really)
{
  PdProgramCell cells[PD_ACTION_MAX_CELLS];
  PdAction action;

  at++; /* its number */
  at += (*at >= 0x80) + 1 + 1;
  gsize n = *at++;
  memcpy (cells, at, n * sizeof *cells);
  pd_action_read (cells, &action);
  change (&action, data);
  if (pd_action_write (&action, cells) != n)
    return FALSE;
  if (really)
    memcpy (at, cells, n * sizeof *cells);
  return TRUE;
}

/* The bytes that @value has, without zeros behind them; those behind @to are overwritten. */
static inline guint
write_value (guint8 *to, guint64 value)
{
  guint64 bytes = GUINT64_TO_LE (value);

  memcpy (to, &bytes, sizeof bytes);
  return value == 0 ? 0 : (guint) (71 - __builtin_clzll (value)) / 8;
}

static inline guint64
fold (guint64 difference)
{
  return difference << 1 ^ -(difference >> 63);
}

/* One value, or two: most actions have no more. */
static inline guint8 *
write_one (guint8 *to, guint64 value)
{
  guint size = write_value (to + 1, value);

  *to = (guint8) size;
  return to + 1 + size;
}

static inline guint8 *
write_two (guint8 *to, guint64 first, guint64 second)
{
  guint size = write_value (to + 1, first);
  guint other = write_value (to + 1 + size, second);

  *to = (guint8) (size | other << 4);
  return to + 1 + size + other;
}

/* Where values go, and their sizes. */
typedef struct
{
  guint8 *to;
  guint32 sizes;
  guint n;
} Values;

static inline void
add_value (Values *self, guint64 value)
{
  guint size = write_value (self->to, value);

  self->to += size;
  self->sizes |= size << 4 * self->n++;
}

static guint8 *
write_values (const PdAction *action, const Key *key, guint8 *to)
{
  Values values = { to + key->n_sizes, 0, 0 };
  guint32 has = key->has;

  if ((has & PD_HAS_AMOUNT) != 0)
    add_value (&values, (guint64) action->amount.time.ps);
  if ((has & PD_HAS_RECORDED) != 0)
    add_value (&values, (guint64) action->recorded);
  if ((has & PD_HAS_PROCESSOR) != 0)
    add_value (&values, fold ((guint64) action->processor - (guint64) action->amount.time.ps));
  if ((has & PD_HAS_REQUEST) != 0)
    add_value (&values, action->request);
  if ((has & PD_HAS_FILE_BYTES) != 0)
    add_value (&values, (guint64) action->file_bytes);
  for (guint i = 0; i < key->n_sizes; i++)
    to[i] = (guint8) (values.sizes >> 8 * i);
  return values.to;
}

static guint8 *
write_list (guint8 *to, const guint32 *list, guint32 n)
{
  to = write_number (to, n);
  for (guint32 i = 0; i < n; i++)
    to = write_number (to, list[i]);
  return to;
}

gsize
pd_packer_write (PdPacker *self, const PdAction *action, guint8 *to)
{
  const Key *key = &self->keys[self->last];
  guint8 *at = to;

  if (self->is_new)
    at = write_shape (at, self->last, key);
  at = write_number (at, self->last + 1);
  switch (key->has)
    {
    case PD_HAS_RECORDED:
      at = write_one (at, (guint64) action->recorded);
      break;
    case PD_HAS_RECORDED | PD_HAS_REQUEST:
      at = write_two (at, (guint64) action->recorded, action->request);
      break;
    default:
      if ((key->has & PD_HAS_VALUES) != 0)
        at = write_values (action, key, at);
    }
  if ((key->has & PD_HAS_LISTS) != 0)
    {
      at = write_list (at, action->slots, action->n_slots);
      at = write_list (at, action->done, action->n_done);
    }
  return (gsize) (at - to);
}

gsize
pd_packer_write_compute (const PdPacker *self, PdTime amount, gint64 processor, guint8 *to)
{
  guint8 *at = write_number (to, self->last + 1);
  guint64 time = (guint64) amount.ps;

  at = processor < 0 ? write_one (at, time)
                     : write_two (at, time, fold ((guint64) processor - time));
  return (gsize) (at - to);
}
