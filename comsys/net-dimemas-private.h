/* What net-dimemas.c and net-dimemas-try.c share: the links of nodes as pools,
 * and who waits for them.
 * SPDX-License-Identifier: MIT */
#ifndef NET_DIMEMAS_PRIVATE_H
#define NET_DIMEMAS_PRIVATE_H

#include "comsys/pd-least.h"
#include "comsys/pd-moments.h"
#include "comsys/pd-network.h"
#include "comsys/pd-waiters.h"

G_BEGIN_DECLS

typedef struct
{
  PdTime latency;    /* on the CPUs, see get_costs */
  gdouble bandwidth; /* bytes per second; 0 = transfers take no time */
  gint64 buses;      /* 0 = unlimited */
  gint64 in_links;   /* of each endpoint; both 0 = unlimited; one of them 0: the */
  gint64 out_links;  /* others carry both directions */
} PdDimemasConfig;

#define PD_LINKS_NONE G_MAXUINT32

/* States of a pool, bits. */
enum
{
  PD_LINKS_ARE_FREE = 1, /* one is free, and transfers that need one wait */
  PD_LINKS_ARE_IDLE = 2, /* some of those wait here all the same */
  PD_LINKS_LISTED_FREE = 4,
  PD_LINKS_LISTED_IDLE = 8,
};

/* Links that are alike: those of an endpoint in one direction, or all buses.
 * Nothing happens when one gets free unless somebody waits. */
typedef struct
{
  gint64 *ends; /* heap, earliest first, of when those in use get free */
  gint64 first; /* room for one of them */
  guint32 n_ends;
  guint32 room;
  guint32 n_held;    /* taken by transfers that wait for a bus */
  guint32 n_waiting; /* transfers that need one of these, and wait for a link */
  guint32 cursor;    /* the one of them that is to be tried */
  guint32 state;
  guint32 capacity;
  gint64 wake; /* the earliest that has been asked for; -1 = none */
} PdLinks;

G_STATIC_ASSERT (sizeof (PdLinks) <= 64);

/* The links that a transfer takes. */
typedef struct
{
  guint n; /* 0: they are unlimited; 1: both ends share theirs */
  guint32 links[2];
} PdLinksPath;

/* Has its links and waits for a bus. */
typedef struct
{
  PdLinksPath path;
  PdTime duration;
  guint32 id;
} PdBusWaiter;

typedef struct
{
  guint32 id;
  PdTime end;
} PdDimemasStarted;

/* Numbers of pools; those not in that state any more are dropped when met. */
typedef struct
{
  guint32 *links;
  guint32 n;
} PdLinksList;

typedef struct
{
  const PdDimemasConfig *config;
  PdNetworkHost *host;
  guint32 n_endpoints;
  guint32 n_pools; /* of links; 0 = unlimited */
  gboolean half_duplex;
  PdLinks *pools;     /* n_pools, and one more: the buses */
  PdWaiters waiters;  /* for links, with a queue per pool */
  PdLeast candidates; /* of those to try, empty between calls */
  PdLinksList free;
  guint32 n_free; /* really */
  PdLinksList idle;
  GArray *bus_queue; /* PdBusWaiter from @bus_first on */
  guint bus_first;
  PdMoments *wakes; /* (nullable): .order is the pool */
  gint64 armed;     /* the earliest moment asked of the host; -1 = none */
  GArray *started;  /* PdDimemasStarted, not yet told to the host */
  guint n_told;
} PdDimemas;

static inline void
pd_links_pop (PdLinks *self)
{
  gint64 *ends = self->ends, last = ends[--self->n_ends];
  guint32 n = self->n_ends, i = 0;

  for (guint32 child = 1; child < n; child = 2 * i + 1)
    {
      if (child + 1 < n && ends[child + 1] < ends[child])
        child++;
      if (ends[child] >= last)
        break;
      ends[i] = ends[child];
      i = child;
    }
  ends[i] = last;
}

static inline void
pd_links_push (PdLinks *self, gint64 end)
{
  guint32 i = self->n_ends++;

  if (i == self->room)
    {
      self->ends = g_renew (gint64, self->room > 1 ? self->ends : NULL, 2 * (gsize) self->room);
      self->ends[0] = self->room > 1 ? self->ends[0] : self->first;
      self->room *= 2;
    }
  for (; i > 0 && self->ends[(i - 1) / 2] > end; i = (i - 1) / 2)
    self->ends[i] = self->ends[(i - 1) / 2];
  self->ends[i] = end;
}

/* Whether one of them is free at @now. */
static inline gboolean
pd_links_have_free (PdLinks *self, PdTime now)
{
  while (self->n_ends > 0 && self->ends[0] <= now.ps)
    pd_links_pop (self);
  return self->n_ends + self->n_held < self->capacity;
}

static inline gboolean
pd_dimemas_is_free (const PdDimemas *self, guint32 pool, PdTime now)
{
  return pd_links_have_free (&self->pools[pool], now);
}

/* Pools 2e and 2e+1 are the links out of and into endpoint e; pool e is both
 * if they carry both directions. */
static inline PdLinksPath
pd_dimemas_path (const PdDimemas *self, guint32 source, guint32 target)
{
  if (self->n_pools == 0)
    return (PdLinksPath){ .n = 0 };
  if (self->half_duplex)
    return (PdLinksPath){ source == target ? 1 : 2, { source, target } };
  return (PdLinksPath){ 2, { 2 * source, 2 * target + 1 } };
}

/* The pool without a free link; NONE if the transfer can have its links. */
static inline guint32
pd_dimemas_refuser (const PdDimemas *self, const PdLinksPath *path, PdTime now)
{
  for (guint i = 0; i < path->n; i++)
    if (!pd_dimemas_is_free (self, path->links[i], now))
      return path->links[i];
  return PD_LINKS_NONE;
}

/* @pool has a free link, and waiters that need one exist. */
void pd_dimemas_set_free (PdDimemas *self, guint32 pool);
/* One of these holds no more. */
void pd_dimemas_set_taken (PdDimemas *self, guint32 pool);
/* Makes the first one who waits at @pool and whose other links are free its
 * candidate. */
void pd_dimemas_advance (PdDimemas *self, guint32 pool, PdTime now);
/* A link of @pool has got free: has those tried who wait there. */
void pd_dimemas_wake (PdDimemas *self, guint32 pool, PdTime now);

G_END_DECLS

#endif
