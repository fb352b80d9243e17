/* What schedules share, and their names. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_TOOLS_PRIVATE_H
#define PD_COLL_TOOLS_PRIVATE_H

#include "comsys/pd-collective-private.h"

G_BEGIN_DECLS

/* ---- steps */

static inline PdStep
pd_step_send (guint32 to, gint64 bytes, gint64 at)
{
  return (PdStep){ .kind = PD_STEP_SEND, .to = to, .send_bytes = bytes, .send_at = at };
}

static inline PdStep
pd_step_recv (guint32 from, gint64 bytes, gint64 at)
{
  return (PdStep){ .kind = PD_STEP_RECV, .from = from, .recv_bytes = bytes, .recv_at = at };
}

static inline PdStep
pd_step_isend (guint32 to, gint64 bytes, gint64 at)
{
  return (PdStep){ .kind = PD_STEP_ISEND, .to = to, .send_bytes = bytes, .send_at = at };
}

static inline PdStep
pd_step_irecv (guint32 from, gint64 bytes, gint64 at)
{
  return (PdStep){ .kind = PD_STEP_IRECV, .from = from, .recv_bytes = bytes, .recv_at = at };
}

static inline PdStep
pd_step_reduce (gint64 bytes)
{
  return (PdStep){ .kind = PD_STEP_REDUCE, .send_bytes = bytes };
}

static inline PdStep
pd_step_copy (gint64 bytes)
{
  return (PdStep){ .kind = PD_STEP_COPY, .send_bytes = bytes };
}

static inline PdStep
pd_step_waitall (void)
{
  return (PdStep){ .kind = PD_STEP_WAITALL };
}

static inline PdStep
pd_step_done (void)
{
  return (PdStep){ .kind = PD_STEP_DONE };
}

/* ---- ranks */

/* The largest power of two <= n. */
static inline guint32
pd_floor_power (guint32 n)
{
  return 1u << (31 - __builtin_clz (n));
}

/* (rank - root) mod n, and back. */
static inline guint32
pd_relative (const PdPlay *play, guint32 rank)
{
  return rank >= play->args.root ? rank - play->args.root : rank + play->n - play->args.root;
}

static inline guint32
pd_absolute (const PdPlay *play, guint32 r)
{
  guint64 sum = (guint64) r + play->args.root;

  return (guint32) (sum < play->n ? sum : sum - play->n < play->n ? sum - play->n : sum % play->n);
}

/* The rank @by after or before the own one, in circular order; by <= n. */
static inline guint32
pd_after (const PdPlay *play, guint32 by)
{
  return (guint32) (((guint64) play->rank + by) % play->n);
}

static inline guint32
pd_before (const PdPlay *play, guint32 by)
{
  return (guint32) (((guint64) play->rank + play->n - by) % play->n);
}

/* ---- sizes; saturate */

static inline gint64
pd_sizes_add (gint64 a, gint64 b)
{
  return a > G_MAXINT64 - b ? G_MAXINT64 : a + b;
}

static inline gint64
pd_sizes_times (gint64 bytes, guint32 n)
{
  return n > 0 && bytes > G_MAXINT64 / n ? G_MAXINT64 : bytes * n;
}

/* Where piece @i of @n begins in a vector of @bytes: pieces differ by a byte. */
static inline gint64
pd_piece_at (gint64 bytes, guint32 n, guint32 i)
{
  gint64 rest = bytes % n;

  return bytes / n * i + MIN ((gint64) i, rest);
}

/* Pieces from @first on, up to before @end. */
static inline gint64
pd_piece_bytes (gint64 bytes, guint32 n, guint32 first, guint32 end)
{
  return pd_piece_at (bytes, n, end) - pd_piece_at (bytes, n, first);
}

/* The block of @rank. */
static inline gint64
pd_block_of (const PdPlay *play, const gint64 *counts, guint32 rank)
{
  return counts != NULL ? counts[rank] : play->args.bytes;
}

/* pd-coll-tools.c: @count blocks from @first on, in circular order: of one rank
 * each, of the counts of the operation or all of the same size. */
gint64 pd_blocks_bytes (const PdPlay *play, const gint64 *counts, guint32 first, guint32 count);

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

/* The steps of a pair; FALSE: it is for the algorithm itself to say. */
gboolean pd_fold (PdPlay *play, PdStep *step, const PdFold *fold);
/* The place of a rank (of both of a pair), and the rank that has a place. */
guint32 pd_folded (const PdPlay *play, guint32 rank);
guint32 pd_unfolded (const PdPlay *play, guint32 place);

/* ---- pd-coll-shapes.c: trees of ranks relative to the root */

typedef struct
{
  guint32 (*get_parent) (guint32 r, guint32 n); /* r > 0 */
  guint32 (*get_n_children) (guint32 r, guint32 n);
  guint32 (*get_child) (guint32 r, guint32 n, guint32 k);
  gboolean is_split; /* odd ranks pass on the first half, even ones the second */
} PdTree;

extern const PdTree pd_tree_binomial;
extern const PdTree pd_tree_knomial; /* of radix 4 */
extern const PdTree pd_tree_in_order;
extern const PdTree pd_tree_binary;
extern const PdTree pd_tree_split_binary;
extern const PdTree pd_tree_chain; /* 4 chains */
extern const PdTree pd_tree_pipeline;
extern const PdTree pd_tree_linear;

/* ---- the schedules, by file */

typedef void PdSchedule (PdPlay *play, PdStep *step);

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
/* pd-coll-span.c */
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
/* pd-coll-gathered.c */
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

G_END_DECLS

#endif
