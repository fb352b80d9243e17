/* Functions shared by schedules, and their names. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_TOOLS_H
#define PD_COLL_TOOLS_H

#include "comsys/coll/pd-coll-schedule.h"

/* ---- steps */

/* All fields of a step are given, so that they are written one by one: a structure that is written
 * in parts and then copied as a whole makes the copy wait. */

/**
 * pd_step_send:
 * Returns: a step that sends @bytes to @to; @at is their place in the data of the operation.
 */
static inline PdStep
pd_step_send (guint32 to, gint64 bytes, gint64 at)
{
  return (PdStep){ PD_STEP_SEND, to, 0, bytes, 0, at, 0 };
}

/**
 * pd_step_recv:
 * Returns: a step that receives @bytes from @from; @at is their place in the data of the operation.
 */
static inline PdStep
pd_step_recv (guint32 from, gint64 bytes, gint64 at)
{
  return (PdStep){ PD_STEP_RECV, 0, from, 0, bytes, 0, at };
}

/**
 * pd_step_isend:
 * Returns: as pd_step_send(), without waiting for the end of the send.
 */
static inline PdStep
pd_step_isend (guint32 to, gint64 bytes, gint64 at)
{
  return (PdStep){ PD_STEP_ISEND, to, 0, bytes, 0, at, 0 };
}

/**
 * pd_step_irecv:
 * Returns: as pd_step_recv(), without waiting for the message.
 */
static inline PdStep
pd_step_irecv (guint32 from, gint64 bytes, gint64 at)
{
  return (PdStep){ PD_STEP_IRECV, 0, from, 0, bytes, 0, at };
}

/**
 * pd_step_reduce:
 * Returns: a step that reduces @bytes.
 */
static inline PdStep
pd_step_reduce (gint64 bytes)
{
  return (PdStep){ .kind = PD_STEP_REDUCE, .send_bytes = bytes };
}

/**
 * pd_step_copy:
 * Returns: a step that copies @bytes.
 */
static inline PdStep
pd_step_copy (gint64 bytes)
{
  return (PdStep){ .kind = PD_STEP_COPY, .send_bytes = bytes };
}

/**
 * pd_step_waitall:
 * Returns: a step that waits for all nonblocking steps before it.
 */
static inline PdStep
pd_step_waitall (void)
{
  return (PdStep){ .kind = PD_STEP_WAITALL };
}

/**
 * pd_step_done:
 * Returns: the end of the schedule.
 */
static inline PdStep
pd_step_done (void)
{
  return (PdStep){ .kind = PD_STEP_DONE };
}

/* ---- ranks */

/**
 * pd_floor_power:
 * Returns: the largest power of two <= @n; n > 0.
 */
static inline guint32
pd_floor_power (guint32 n)
{
  return 1u << (31 - __builtin_clz (n));
}

/**
 * pd_relative:
 * Returns: (rank - root) mod n.
 */
static inline guint32
pd_relative (const PdExecution *exec, guint32 rank)
{
  return rank >= exec->args.root ? rank - exec->args.root : rank + exec->n - exec->args.root;
}

/**
 * pd_absolute:
 * Returns: the rank of which @r is pd_relative().
 */
static inline guint32
pd_absolute (const PdExecution *exec, guint32 r)
{
  guint64 sum = (guint64) r + exec->args.root;

  return (guint32) (sum < exec->n ? sum : sum - exec->n < exec->n ? sum - exec->n : sum % exec->n);
}

/**
 * pd_after:
 * Returns: the rank @by after the own one, in circular order; by <= n.
 */
static inline guint32
pd_after (const PdExecution *exec, guint32 by)
{
  return (guint32) (((guint64) exec->rank + by) % exec->n);
}

/**
 * pd_before:
 * Returns: the rank @by before the own one, in circular order; by <= n.
 */
static inline guint32
pd_before (const PdExecution *exec, guint32 by)
{
  return (guint32) (((guint64) exec->rank + exec->n - by) % exec->n);
}

/* ---- sizes; saturate */

/**
 * pd_sizes_add:
 * Returns: @a + @b, at most %G_MAXINT64.
 */
static inline gint64
pd_sizes_add (gint64 a, gint64 b)
{
  return a > G_MAXINT64 - b ? G_MAXINT64 : a + b;
}

/**
 * pd_sizes_times:
 * Returns: @n times @bytes, at most %G_MAXINT64.
 */
static inline gint64
pd_sizes_times (gint64 bytes, guint32 n)
{
  return n > 0 && bytes > G_MAXINT64 / n ? G_MAXINT64 : bytes * n;
}

/**
 * pd_piece_at:
 * Returns: where piece @i of @n begins in a vector of @bytes. Pieces differ by one byte at most.
 */
static inline gint64
pd_piece_at (gint64 bytes, guint32 n, guint32 i)
{
  gint64 rest = bytes % n;

  return bytes / n * i + MIN ((gint64) i, rest);
}

/**
 * pd_piece_bytes:
 * Returns: the bytes of the pieces from @first on, up to before @end.
 */
static inline gint64
pd_piece_bytes (gint64 bytes, guint32 n, guint32 first, guint32 end)
{
  return pd_piece_at (bytes, n, end) - pd_piece_at (bytes, n, first);
}

/**
 * pd_block_of:
 * Returns: the bytes of the block of @rank: of @counts (nullable), or the same for all.
 */
static inline gint64
pd_block_of (const PdExecution *exec, const gint64 *counts, guint32 rank)
{
  return counts != NULL ? counts[rank] : exec->args.bytes;
}

/**
 * pd_blocks_bytes:
 * @counts: (nullable): bytes of each block; %NULL: all have the size of the operation
 *
 * Returns: the bytes of @count blocks from @first on, in circular order, one of each rank.
 */
gint64 pd_blocks_bytes (const PdExecution *exec, const gint64 *counts, guint32 first,
                        guint32 count);

/* ---- folding. With n ranks that are no power of two, the first 2 (n - p), p the
 * power below n, form pairs: the even one of each gives its vector to the odd one
 * before, and gets the result from it at the end (R. Thakur, R. Rabenseifner,
 * W. Gropp, "Optimization of Collective Communication Operations in MPICH",
 * 2005). The others, and the odd ones, are p places. */

typedef struct
{
  guint last;   /* stage after the algorithm proper, which has 2 … last - 1 */
  gint64 bytes; /* given before */
  gint64 back;  /* given back */
  gint64 back_at;
} PdFold;

/**
 * pd_fold:
 * @step: (out): the next step of a pair
 *
 * Returns: %FALSE if the next step is one of the algorithm itself.
 */
gboolean pd_fold (PdExecution *exec, PdStep *step, const PdFold *fold);

/**
 * pd_folded:
 * Returns: the place of a rank; both of a pair have the same.
 */
guint32 pd_folded (const PdExecution *exec, guint32 rank);

/**
 * pd_unfolded:
 * Returns: the rank that has @place.
 */
guint32 pd_unfolded (const PdExecution *exec, guint32 place);

/* ---- the schedules, by file */

typedef void PdSchedule (PdExecution *exec, PdStep *step);

/* pd-coll-mpich1.c */
PdSchedule pd_coll_barrier_fold;
PdSchedule pd_coll_bcast_binomial;
PdSchedule pd_coll_reduce_binomial;
PdSchedule pd_coll_gather_linear;
PdSchedule pd_coll_scatter_linear;
PdSchedule pd_coll_allgather_ring;
PdSchedule pd_coll_alltoall_linear;
PdSchedule pd_coll_scan_chain;
PdSchedule pd_coll_reduce_whole;
PdSchedule pd_coll_scatter_result;
/* pd-coll-barrier.c */
PdSchedule pd_coll_barrier_dissemination;
PdSchedule pd_coll_barrier_linear;
PdSchedule pd_coll_barrier_double_ring;
PdSchedule pd_coll_barrier_two;
/* pd-coll-tree.c */
PdSchedule pd_coll_bcast_tree_binomial;
PdSchedule pd_coll_bcast_binary;
PdSchedule pd_coll_bcast_knomial;
PdSchedule pd_coll_bcast_split;
PdSchedule pd_coll_bcast_join;
PdSchedule pd_coll_bcast_chain;
PdSchedule pd_coll_bcast_pipeline;
PdSchedule pd_coll_bcast_linear;
PdSchedule pd_coll_reduce_tree_binomial;
PdSchedule pd_coll_reduce_binary;
PdSchedule pd_coll_reduce_chain;
PdSchedule pd_coll_reduce_pipeline;
PdSchedule pd_coll_reduce_linear;
PdSchedule pd_coll_reduce_in_order;
PdSchedule pd_coll_reduce_hand_over;
/* pd-coll-pieces.c */
PdSchedule pd_coll_gather_binomial;
PdSchedule pd_coll_scatter_binomial;
PdSchedule pd_coll_spread_ring;
PdSchedule pd_coll_spread_doubling;
PdSchedule pd_coll_spread_bruck;
PdSchedule pd_coll_spread_neighbors;
PdSchedule pd_coll_spread_two;
PdSchedule pd_coll_gather_gathered;
PdSchedule pd_coll_bcast_gathered;
PdSchedule pd_coll_reduce_ring;
PdSchedule pd_coll_reduce_ring_segments;
/* pd-coll-gather.c */
PdSchedule pd_coll_gather_blocking;
PdSchedule pd_coll_gather_sync;
PdSchedule pd_coll_scatter_blocking;
/* pd-coll-all-at-once.c */
PdSchedule pd_coll_reduce_gather;
PdSchedule pd_coll_reduce_gather_whole;
PdSchedule pd_coll_scan_linear;
PdSchedule pd_coll_exscan_linear;
PdSchedule pd_coll_allgather_linear;
/* pd-coll-halving.c */
PdSchedule pd_coll_allreduce_rabenseifner;
PdSchedule pd_coll_reduce_rabenseifner;
PdSchedule pd_coll_reduce_scatter_halving;
PdSchedule pd_coll_reduce_scatter_butterfly;
PdSchedule pd_coll_reduce_scatter_doubling;
PdSchedule pd_coll_reduce_scatter_pairwise;
/* pd-coll-allreduce.c */
PdSchedule pd_coll_allreduce_doubling;
/* pd-coll-alltoall.c */
PdSchedule pd_coll_alltoall_pairwise;
PdSchedule pd_coll_alltoall_shift;
PdSchedule pd_coll_alltoall_block;
PdSchedule pd_coll_alltoall_scattered;
PdSchedule pd_coll_alltoall_sync;
PdSchedule pd_coll_alltoall_bruck;
/* pd-coll-scan.c */
PdSchedule pd_coll_scan_doubling;
PdSchedule pd_coll_exscan_chain;
PdSchedule pd_coll_exscan_doubling;
/* pd-coll-neighbor.c */
PdSchedule pd_coll_neighbor;

#endif
