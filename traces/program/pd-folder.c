/* Finds loops in the actions added to a program. Where cells repeat the cells before them, both
 * become a loop. Where they repeat the body of a loop before them, that loop gets one more
 * iteration. scale/fold/pd-fold.h does the same, but here everything has to be equal, amounts
 * included. The cells of a chunk are a stack of items: actions, and loops with all that is in them.
 * A rank that repeats the last loop once more follows it: as long as its actions are those of the
 * body, nothing is written.
 * SPDX-License-Identifier: MIT */

#include "traces/program/pd-action.h"
#include "traces/program/pd-program-private.h"

#include <string.h>

#define N_PLACES  4096 /* a power of two */
#define MIN_BODY  4    /* cells of a loop: less would not be worth a cell, and its time */
#define MAX_TRIES 16   /* items that may be where a repetition begins */
#define MAX_LOOPS 4    /* loops that may go on */
#define NO_ITEM   G_MAXUINT32

typedef struct
{
  guint32 at;     /* its first cell */
  guint32 before; /* the one before it with the same place; NO_ITEM */
  guint32 loop;   /* the last loop up to it; NO_ITEM */
  guint32 body;   /* of a loop, the hash of its body */
  guint32 hash;
  guint32 sum;    /* of the hashes of all items before it */
  guint32 height; /* of loops in each other: 0 = an action */
} Item;

typedef struct _PdFolder PdFolder;

struct _PdFolder
{
  Item *items; /* (array length=room) */
  guint32 n_items;
  gsize room;
  const PdChunk *chunk; /* (nullable): whose items these are */
  PdProgramCell *cells; /* its cells; */
  guint32 n;            /* so many are in items */
  /* The last field: another thread may own the memory behind it. */
  guint32 places[N_PLACES]; /* the last item of each hash, see Item.before */
};

PdFolder *
pd_folder_new (void)
{
  PdFolder *self = g_new0 (PdFolder, 1);

  memset (self->places, 0xff, sizeof self->places);
  return self;
}

void
pd_folder_free (PdFolder *self)
{
  if (self == NULL)
    return;
  g_free (self->items);
  g_free (self);
}

/* ---- items */

static inline Item *
item_at (const PdFolder *self, guint32 i)
{
  return &self->items[i];
}

static inline guint32
hash_cells (const PdProgramCell *cells, guint32 n)
{
  guint64 sum = n, words[2];

  for (guint32 i = 0; i < n; i++)
    {
      memcpy (words, &cells[i], sizeof words);
      sum = (sum ^ words[0]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      sum = (sum ^ sum >> 29 ^ words[1]) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
    }
  return (guint32) (sum >> 32);
}

static inline void
push (PdFolder *self, Item item)
{
  guint32 i = self->n_items++, *place = &self->places[item.hash % N_PLACES];

  item.before = *place;
  item.sum = i > 0 ? item_at (self, i - 1)->sum + item_at (self, i - 1)->hash : 0;
  item.loop = item.height > 0 ? i : i > 0 ? item_at (self, i - 1)->loop : NO_ITEM;
  *place = i;
  self->items[i] = item;
}

static inline void
pop (PdFolder *self, guint32 n)
{
  for (; n > 0; n--)
    {
      const Item *item = item_at (self, --self->n_items);
      self->places[item->hash % N_PLACES] = item->before;
    }
}

/* The cell of a loop, which is the last one of all. */
static void
push_loop (PdFolder *self, guint32 at, guint32 body, guint32 height)
{
  guint32 count = self->cells[self->n - 1].bytes;

  push (self, (Item){ .at = at, .body = body, .hash = body * 31 + count, .height = height });
}

/* ---- repetitions */

static inline gboolean
are_equal (const PdFolder *self, guint32 a, guint32 b, guint32 n)
{
  return memcmp (&self->cells[a], &self->cells[b], n * sizeof *self->cells) == 0;
}

/* The last items are one more repetition of a loop before them. */
static gboolean
extend (PdFolder *self)
{
  guint32 top = self->n_items - 1, i = top > 0 ? item_at (self, top - 1)->loop : NO_ITEM;

  for (guint tries = 0; i != NO_ITEM && tries < MAX_LOOPS; tries++)
    {
      const Item loop = *item_at (self, i);
      guint32 first = item_at (self, i + 1)->at, n = self->n - first;
      PdProgramCell *cell = &self->cells[first - 1];
      if ((guint32) cell->peer == n && cell->bytes < G_MAXUINT32
          && are_equal (self, first - 1 - n, first, n))
        {
          pop (self, top + 1 - i);
          cell->bytes++;
          self->n = first;
          push_loop (self, loop.at, loop.body, loop.height);
          return TRUE;
        }
      i = i > 0 ? item_at (self, i - 1)->loop : NO_ITEM;
    }
  return FALSE;
}

/* The items from @first on, behind which are as many cells more, become a loop. */
static gboolean
make_loop (PdFolder *self, guint32 first, guint32 n)
{
  guint32 at = item_at (self, first)->at, height = 0;

  for (guint32 i = first; i < self->n_items; i++)
    height = MAX (height, item_at (self, i)->height);
  if (height == PD_LOOPS_DEPTH)
    return FALSE;
  pop (self, self->n_items - first);
  self->cells[at + n] = (PdProgramCell){
    .kind = PD_CELL_LOOP, .comm = (guint8) height, .peer = (gint32) n, .bytes = 2
  };
  self->n = at + n + 1;
  push_loop (self, at, hash_cells (&self->cells[at], n), height + 1);
  return TRUE;
}

/* The last items repeat as many before them. */
static gboolean
repeat (PdFolder *self)
{
  guint32 top = self->n_items - 1, i = item_at (self, top)->before;
  guint32 hash = item_at (self, top)->hash, end = item_at (self, top)->sum + hash;

  for (guint tries = 0; i != NO_ITEM && tries < MAX_TRIES; i = item_at (self, i)->before, tries++)
    {
      guint32 w = top - i;
      if (2 * w > top + 1)
        return FALSE;
      const Item *first = item_at (self, top + 1 - 2 * w), *second = item_at (self, i + 1);
      guint32 n = self->n - second->at;
      /* equal sequences have equal sums; most different ones have different sums */
      if (end - second->sum == second->sum - first->sum && item_at (self, i)->hash == hash
          && n >= MIN_BODY && second->at - first->at == n
          && are_equal (self, first->at, second->at, n))
        return make_loop (self, top + 1 - 2 * w, n);
    }
  return FALSE;
}

/* ---- a chunk */

/* The cell of a loop that is there already: its body is in the last items. */
static void
take_loop (PdFolder *self, guint32 n)
{
  guint32 first = self->n_items, at = self->n - 1 - n;

  while (item_at (self, first - 1)->at > at)
    first--;
  first--;
  pop (self, self->n_items - first);
  push_loop (self, at, hash_cells (&self->cells[at], n), self->cells[self->n - 1].comm + 1u);
}

/* The cells from @at on, of one item, which move to the others. Returns their number. */
static inline guint32
take (PdFolder *self, gsize at)
{
  const PdProgramCell *cell = &self->cells[at];
  gboolean is_loop = cell->kind == PD_CELL_LOOP;
  guint32 n = is_loop ? 1 : (guint32) (pd_action_skip (cell) - cell), first = self->n;

  if (at != first)
    memmove (&self->cells[first], cell, n * sizeof *cell);
  self->n += n;
  if (is_loop)
    take_loop (self, (guint32) self->cells[first].peer);
  else
    push (self, (Item){ .at = first, .hash = hash_cells (&self->cells[first], n) });
  return n;
}

/* The items of @chunk become those of the stack: of the chunk of the last time they are there. */
static void
begin (PdFolder *self, const PdChunk *chunk)
{
  if (self->chunk == chunk && self->n == chunk->folded)
    return;
  pop (self, self->n_items);
  if (self->room < chunk->room)
    {
      g_free (self->items);
      self->room = chunk->room;
      self->items = g_new (Item, self->room);
    }
  self->chunk = chunk;
  self->n = 0;
}

gboolean
pd_folder_fold (PdFolder *self, PdChunk *chunk)
{
  begin (self, chunk);
  self->cells = chunk->cells;
  for (gsize at = self->n; at < chunk->n;)
    {
      gboolean is_new = at >= chunk->folded;
      at += take (self, at);
      while (is_new && (extend (self) || repeat (self)))
        ;
    }
  chunk->n = chunk->folded = self->n;
  return item_at (self, self->n_items - 1)->loop != NO_ITEM;
}

void
pd_folder_forget (PdFolder *self)
{
  self->chunk = NULL;
}

/* ---- following */

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

static PdFollower *
follower_new (PdProgramCell *loop, gsize done)
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
  rank->last->folded = rank->last->n; /* bodies of loops must not become parts of others */
  g_free (self);
}

PdFollower *
pd_folder_follow (PdFolder *self, PdChunk *chunk)
{
  guint32 i = item_at (self, self->n_items - 1)->loop;

  for (guint tries = 0; i != NO_ITEM && tries < MAX_LOOPS; tries++)
    {
      guint32 end = i + 1 < self->n_items ? item_at (self, i + 1)->at : self->n;
      guint32 n = self->n - end, size = (guint32) self->cells[end - 1].peer;
      if (n < size && are_equal (self, end - 1 - size, end, n))
        {
          self->chunk = NULL; /* the loop will be another one */
          chunk->n = chunk->folded = end;
          return follower_new (&self->cells[end - 1], n);
        }
      i = i > 0 ? item_at (self, i - 1)->loop : NO_ITEM;
    }
  return NULL;
}
