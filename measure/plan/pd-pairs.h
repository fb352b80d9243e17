/* The places of the processes of a measurement, and the pairs that exchange messages so that a
 * given number of processes shares a channel. Pure functions; needs neither MPI nor hwloc.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAIRS_H
#define PD_PAIRS_H

#include <glib.h>

/* A hardware thread of a node. */
typedef struct
{
  int socket;
  int core;   /* counted through the node */
  int thread; /* in its core */
  guint os;   /* as the operating system counts processors */
} PdSeat;

/* Where a process is; cores are counted through their node. */
typedef struct
{
  int node;
  int socket;
  int core;
  int thread;
} PdCpuPlace;

/* The unit that counts as one process more on a channel. */
typedef enum
{
  PD_PAIRS_CORES,     /* one process of a core */
  PD_PAIRS_THREADS,   /* one of a hardware thread */
  PD_PAIRS_PROCESSES, /* each, even if several share a core: more processes than cores */
} PdPairsOf;

/* The channel, as in the network model "contention". cf counts the processes that
 * use it at once:
 * memory: those of one socket, all of them exchanging with each other: each pair is two; of
 *   an odd number the last three exchange in a ring, and one alone exchanges with itself;
 * interconnect: those of each of two sockets, of which each exchanges with one of the other:
 *   each pair is one;
 * network: likewise those of each of two nodes. */
typedef enum
{
  PD_LEVEL_MEMORY,
  PD_LEVEL_INTERCONNECT,
  PD_LEVEL_NETWORK,
  PD_N_LEVELS
} PdPairLevel;

/* The partners of a process: it sends to one and receives from one. */
typedef struct
{
  int rank;
  int to;
  int from;
} PdPairExchange;

typedef struct _PdPairs PdPairs;

/**
 * pd_level_name:
 * Returns: (transfer none): "memory", "interconnect" or "network".
 */
const char *pd_level_name (PdPairLevel level);

/**
 * pd_level_find:
 * Returns: the level of this name, %PD_N_LEVELS if there is none.
 */
PdPairLevel pd_level_find (const char *name);

/**
 * pd_seats_deal:
 * @seats: (array length=n_seats): of a node
 * @allowed: (array length=n_seats): which of them may be used; none: as if all could be
 * @n: processes of the node, at least 1
 * @threads: whether each hardware thread may have a process, or each core one
 *
 * As many processes to each socket, blocks of them in order; of a socket first one thread
 * of each core. Where there are more processes than places, the first places have several.
 *
 * Returns: (transfer full) (array length=n): the number of each process' seat.
 */
guint *pd_seats_deal (const PdSeat *seats, guint n_seats, const guint8 *allowed, guint n,
                      gboolean threads);

/**
 * pd_pairs_new:
 * @places: (array length=n): of each rank
 * @n: at least 1
 * @of: who counts
 *
 * Takes the socket, the two sockets of a node and the two nodes with most processes; of
 * equal ones the first.
 *
 * Returns: (transfer full): who can exchange.
 */
PdPairs *pd_pairs_new (const PdCpuPlace *places, guint n, PdPairsOf of);

/**
 * pd_pairs_free:
 * @self: (nullable): the object to free
 */
void pd_pairs_free (PdPairs *self);

/**
 * pd_pairs_most:
 * Returns: the greatest cf of the level; 0: the level is absent.
 */
guint pd_pairs_most (const PdPairs *self, PdPairLevel level);

/**
 * pd_pairs_why:
 * Returns: (transfer none): why a level of which there is no pair is absent.
 */
const char *pd_pairs_why (PdPairLevel level);

/**
 * pd_pairs_share:
 * @cf: from 1 to pd_pairs_most()
 * Returns: (transfer full) (element-type PdPairExchange): all processes that exchange, partners
 *   among them.
 */
GArray *pd_pairs_share (const PdPairs *self, PdPairLevel level, guint cf);

/**
 * pd_pairs_ends:
 * @level: one that is not absent
 * @node: (out) (array fixed-size=2): of both ends of the channel that was taken
 * @socket: (out) (array fixed-size=2): likewise; of a network, those of its first processes
 *
 * Both ends of a memory are the same.
 */
void pd_pairs_ends (const PdPairs *self, PdPairLevel level, int node[2], int socket[2]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdPairs, pd_pairs_free)

#endif
