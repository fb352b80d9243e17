/* The actions of ranks while a program is built: chunks that grow, put one behind the other at the
 * end, and what one form of a program is made of another one with.
 * SPDX-License-Identifier: MIT */
#include "base/memory/pd-large.h"
#include "base/pd-parallel.h"
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-packed-private.h"

#include <string.h>

/* Cells of a rank's first chunk, and of the largest but for long lists. */
#define MIN_CHUNK 4
#define MAX_CHUNK 131072
/* Cells of the smallest in which loops are looked for. */
#define MIN_FOLDED 64
/* Cells of the longest lists of an action that is compared with those of a loop. */
#define MAX_FOLLOWED 256

static gsize
chunk_size (gsize room)
{
  return sizeof (PdChunk) + room * sizeof (PdProgramCell);
}

static PdChunk *
chunk_new (gsize room)
{
  gsize size = chunk_size (room);
  gboolean in_file = FALSE;
  PdChunk *chunk = size < PD_LARGE_MIN ? g_malloc (size) : pd_large_new (size, &in_file);

  *chunk = (PdChunk){ .room = room, .in_file = in_file };
  return chunk;
}

void
pd_chunk_free (PdChunk *chunk)
{
  gsize size = chunk_size (chunk->room);

  if (size < PD_LARGE_MIN)
    g_free (chunk);
  else
    pd_large_free (chunk, size, chunk->in_file);
}

void
pd_chunks_free (PdProgramRank *rank)
{
  for (PdChunk *chunk = rank->first, *next; chunk != NULL; chunk = next)
    {
      next = chunk->next;
      pd_chunk_free (chunk);
    }
  rank->first = NULL;
  g_clear_pointer (&rank->follower, g_free);
  pd_vector_clear (&rank->shapes); /* or its samples */
}

/* A chunk with room for @n cells. */
static PdChunk *
add_chunk (PdProgramRank *rank, gsize n)
{
  PdChunk *last = rank->last;
  gsize room = MAX (n, last == NULL ? MIN_CHUNK : MIN (2 * last->room, MAX_CHUNK));
  PdChunk *chunk = chunk_new (room);

  if (last == NULL)
    rank->first = chunk;
  else
    last->next = chunk;
  rank->last = chunk;
  return chunk;
}

/* Room for @n cells in one piece. */
static PdChunk *
reserve (PdProgramRank *rank, gsize n)
{
  PdChunk *last = rank->last;

  return last != NULL && last->room - last->n >= n ? last : add_chunk (rank, n);
}

void
pd_chunks_reserve (PdProgramRank *rank, gsize n)
{
  reserve (rank, n);
}

void
pd_chunks_add_cells (PdProgramRank *rank, const PdProgramCell *cells, gsize n)
{
  PdChunk *chunk = reserve (rank, n);

  memcpy (chunk->cells + chunk->n, cells, n * sizeof *cells);
  chunk->n += n;
}

void
pd_chunks_gather (PdProgramRank *rank, PdChunk *chunk, gsize n)
{
  gsize size = 1;

  if (chunk == rank->last && chunk->n < chunk->room)
    return;
  for (const PdChunk *from = chunk; from != NULL; from = from->next)
    size += from->n;
  PdChunk *rest = chunk->next;
  rank->last = chunk->next = chunk_new (size - n);
  pd_chunks_add_cells (rank, chunk->cells + n, chunk->n - n);
  chunk->n = n;
  chunk->folded = MIN (chunk->folded, n);
  for (PdChunk *next; rest != NULL; rest = next)
    {
      next = rest->next;
      pd_chunks_add_cells (rank, rest->cells, rest->n);
      pd_chunk_free (rest);
    }
  rank->n_moves++;
}

void
pd_chunks_stop_following (PdProgramRank *rank)
{
  if (rank->follower != NULL)
    pd_follower_end (g_steal_pointer (&rank->follower), rank);
}

gboolean
pd_chunks_follow (PdProgramRank *rank, const PdAction *action, gboolean is_sampled)
{
  PdProgramCell cells[PD_ACTION_MAX_CELLS + MAX_FOLLOWED];

  if (PD_LIST_CELLS (action->n_slots) + PD_LIST_CELLS (action->n_done) <= MAX_FOLLOWED)
    {
      gsize n = pd_action_write (action, cells);
      if (is_sampled)
        pd_action_make_sampled (cells);
      if (pd_follower_take (rank->follower, cells, n))
        return TRUE;
    }
  pd_chunks_stop_following (rank);
  return FALSE;
}

/* A chunk without loops is not folded again. The next chunk is longer, and may have longer loops.
 */
gboolean
pd_chunks_fold (PdProgramRank *rank, struct _PdFolder *folder, const PdAction *action)
{
  gsize n = PD_ACTION_MAX_CELLS + PD_LIST_CELLS (action->n_slots) + PD_LIST_CELLS (action->n_done);
  PdChunk *last = rank->last;

  if (last == NULL || last->room - last->n >= n || last->room < MIN_FOLDED)
    return FALSE;
  gsize n_before = last->n;
  gboolean has_loops = pd_folder_fold (folder, last);
  rank->follower = pd_folder_follow (folder, last);
  rank->n_moves += rank->follower != NULL || last->n != n_before ? 1 : 0;
  if (rank->follower == NULL && last->n > last->room / 2)
    add_chunk (rank, n);
  return has_loops;
}

gboolean
pd_chunks_fold_rest (PdProgramRank *rank, struct _PdFolder *folder)
{
  pd_chunks_stop_following (rank);
  return rank->last != NULL && rank->last->n > rank->last->folded
         && pd_folder_fold (folder, rank->last);
}

PdProgramCell *
pd_chunks_add (PdProgramRank *rank, const PdAction *action)
{
  PdProgramCell cells[PD_ACTION_MAX_CELLS];
  gsize lists = PD_LIST_CELLS (action->n_slots) + PD_LIST_CELLS (action->n_done), n;
  PdChunk *chunk = rank->last;

  if (lists == 0 && (chunk == NULL || chunk->room - chunk->n < PD_ACTION_MAX_CELLS))
    {
      n = pd_action_write (action, cells);
      chunk = reserve (rank, n);
      memcpy (chunk->cells + chunk->n, cells, n * sizeof *cells);
    }
  else
    {
      chunk = reserve (rank, PD_ACTION_MAX_CELLS + lists);
      n = pd_action_write (action, chunk->cells + chunk->n);
    }
  chunk->n += n;
  return chunk->cells + chunk->n - n;
}

void
pd_chunks_add_cell (PdProgramRank *rank, PdProgramCell cell)
{
  pd_chunks_add_cells (rank, &cell, 1);
}

/* The last chunk has bytes from there on. */
static guint8 *
end_of (PdChunk *chunk)
{
  return (guint8 *) chunk->cells + chunk->n;
}

/* The last chunk, with room for @size bytes. */
static inline PdChunk *
reserve_bytes (PdProgramRank *rank, gsize size)
{
  PdChunk *chunk = rank->last;

  if (G_UNLIKELY (chunk == NULL || chunk->room * sizeof *chunk->cells - chunk->n < size))
    chunk = add_chunk (rank, size / sizeof *chunk->cells + 1);
  return chunk;
}

void
pd_chunks_pack (PdProgramRank *rank, PdPacker *packer, const PdAction *action, gboolean is_new)
{
  gsize size = PD_PACKED_MAX + ((gsize) action->n_slots + action->n_done) * PD_PACKED_MAX_NUMBER;
  PdChunk *chunk = reserve_bytes (rank, size);

  if (is_new)
    pd_vector_append (&rank->shapes, guint8 *) = end_of (chunk);
  chunk->n += pd_packer_write (packer, action, end_of (chunk));
}

void
pd_chunks_pack_compute (PdProgramRank *rank, const PdPacker *packer, PdTime amount,
                        gint64 processor)
{
  PdChunk *chunk = reserve_bytes (rank, PD_PACKED_MAX);

  chunk->n += pd_packer_write_compute (packer, amount, processor, end_of (chunk));
}

/* ---- the end */

/* Elements of @size bytes: all ranks' chunks on their way to @to. */
typedef struct
{
  PdProgramRank *ranks;
  guint32 n_ranks;
  gsize size;
  guint8 *to;
  guint64 *first; /* (array length=n_ranks + 1): where each rank's go, and the end */
} Move;

/* Bytes that one thread moves in the time in which others have begun. */
#define MOVED_ALONE (4 * 1024 * 1024)
/* Ranks of a group are moved by one thread. */
#define GROUPS 32

static Move
move_init (PdProgramRank *ranks, guint32 n_ranks, gsize size)
{
  Move self = { ranks, n_ranks, size, NULL, g_new (guint64, (gsize) n_ranks + 1) };
  guint64 n = 0;

  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      self.first[rank] = n;
      for (const PdChunk *chunk = ranks[rank].first; chunk != NULL; chunk = chunk->next)
        n += chunk->n;
    }
  self.first[n_ranks] = n;
  return self;
}

static void
move_group (guint i, gpointer data)
{
  const Move *self = data;
  guint32 end = (guint32) ((guint64) self->n_ranks * (i + 1) / GROUPS);

  for (guint32 rank = (guint32) ((guint64) self->n_ranks * i / GROUPS); rank < end; rank++)
    {
      PdProgramRank *own = &self->ranks[rank];
      gsize at = self->first[rank] * self->size;
      for (PdChunk *chunk = own->first; chunk != NULL; chunk = own->first)
        {
          if (chunk->n > 0) /* else there may be no memory to move to */
            memcpy (self->to + at, chunk->cells, chunk->n * self->size);
          at += chunk->n * self->size;
          own->first = chunk->next;
          pd_chunk_free (chunk);
        }
    }
}

/* Returns: (transfer full): where each rank's elements are now. */
static guint64 *
move_all (Move *self, gpointer to, gboolean by_threads)
{
  gboolean is_short = self->first[self->n_ranks] * self->size < MOVED_ALONE;

  self->to = to;
  pd_parallel_run (GROUPS, by_threads && !is_short ? pd_parallel_get_n_processors () : 1,
                   move_group, self);
  return self->first;
}

void
pd_chunks_move (PdProgramRank *ranks, PdProgram *program, gboolean by_threads)
{
  Move move = move_init (ranks, program->n_ranks, sizeof (PdProgramCell));

  pd_cells_new (program, move.first[program->n_ranks]);
  program->first = move_all (&move, program->cells, by_threads);
}

void
pd_chunks_move_packed (PdProgramRank *ranks, PdProgram *program)
{
  PdPacked *packed = &program->packed;
  Move move = move_init (ranks, program->n_ranks, 1);
  gsize size = move.first[program->n_ranks] + PD_PACKED_SPARE;

  packed->bytes = size < PD_LARGE_MIN ? g_malloc (size) : pd_large_new (size, &packed->in_file);
  packed->first = move_all (&move, packed->bytes, FALSE);
  memset (packed->bytes + packed->first[program->n_ranks], 0, PD_PACKED_SPARE);
}

static void
write_cells (PdProgram *program)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  g_autofree PdProgramRank *ranks = g_new0 (PdProgramRank, program->n_ranks);
  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < program->n_ranks; rank++)
    {
      pd_action_reader_begin (&reader, rank);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        pd_chunks_add (&ranks[rank], action);
    }
  pd_chunks_move (ranks, program, FALSE);
}

void
pd_program_unpack (const PdProgram *program)
{
  static GMutex mutex;
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&mutex);

  if (program->first == NULL)
    write_cells ((PdProgram *) program);
}
