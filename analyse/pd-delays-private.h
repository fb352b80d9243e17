/* Root causes of waiting: what their parts share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DELAYS_PRIVATE_H
#define PD_DELAYS_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-delays.h"
#include "analyse/pd-path-private.h"
#include "analyse/pd-sites-private.h"
#include "base/memory/pd-bytes.h"
#include "base/memory/pd-vector.h"

/* A call that waited for another rank, as it is kept. */
typedef struct
{
  gint64 enter;
  gint64 cause;    /* until when it waited, > @enter */
  guint32 culprit; /* for whom; not its own rank */
  guint32 place;   /* in which call: of the stretches, which has its interval */
} PdWaited;

/* All of them, by rank and time. */
typedef struct
{
  PdVector all;   /* PdWaited */
  guint32 *first; /* (array length=n_ranks + 1): where those of a rank begin */
  PdVector order; /* guint32: the latest cause first, of several the lowest rank */
  guint32 n_ranks;
} PdWaits;

static inline PdWaited *
pd_delay_waits_get (const PdWaits *self, gsize i)
{
  return &pd_vector_at (&self->all, PdWaited, i);
}
/* The rank that waited in the @i-th. */
guint32 pd_delay_waits_rank (const PdWaits *self, guint32 i);

/* @blocks: (array length=n_ranks): PdBlock of each rank, in order, of which
 * pd_blocks_can_number() all; empty then. */
PdWaits *pd_delay_waits_new (guint32 n_ranks, PdVector *blocks);
void pd_delay_waits_free (PdWaits *self);

/* Moments at which a rank let others go on: they and it are in step. Each is the number of a wait
 * (guint32), which ended then, and whose culprit that rank is.
 * Returns: (transfer full) (array length=n_ranks): of each rank its moments, ascending. */
PdVector *pd_in_step_new (const PdWaits *waits);
static inline gint64
pd_in_step_time (const PdWaits *waits, const PdVector *moments, gsize i)
{
  return pd_vector_at (&waits->all, PdWaited, pd_vector_at (moments, guint32, i)).cause;
}
/* The last moment before a cause at which two @ranks were in step with the same third one, or with
 * each other. @at: (array length=n_ranks): of both ranks the first that is not before it. Returns:
 * %FALSE: never; @a and @b: which of theirs it is. */
gboolean pd_in_step_find (const PdWaits *waits, const PdVector *moments, const guint32 ranks[2],
                          const guint *at, guint *a, guint *b);

/* Where a rank spends time. */
typedef struct
{
  PdDelayKind kind;
  guint32 node;
  PdCallPlace from;
  PdCallPlace to;
  GArray *ranks; /* PdPlaceTime: of the whole run, ascending */
} PdDelayPlace;

typedef struct
{
  guint32 rank;
  gint64 time;
} PdPlaceTime;

/* A stretch in a place, in few bytes: one with how many more the time has (3 bits) and 1 + the
 * place, or %PD_STRETCH_BYTE or _WORD (5 bits); then the place, if it is not in these, in a byte,
 * from %PD_STRETCH_BYTE - 1 on, or in 4; then the time, ps, in 1 to 8 bytes. Those of a moment
 * begin at multiples of 4: the last one before has more bytes of time than it needs, or, where
 * these would be more than 8, bytes of 0 are behind it. */
#define PD_STRETCH_BYTE 30
#define PD_STRETCH_WORD 31
/* Bytes behind the last one that may be read. */
#define PD_STRETCH_SPARE 16

/* @at: not 0; returns: the next one. */
static inline const guint8 *
pd_stretch_read (const guint8 *at, guint32 *place, gint64 *time)
{
  guint code = *at >> 3, size = (*at & 7u) + 1;

  at++;
  *place = code - 1;
  if (G_UNLIKELY (code == PD_STRETCH_BYTE))
    *place += *at++;
  else if (G_UNLIKELY (code == PD_STRETCH_WORD))
    {
      *place = (guint32) pd_bytes_load_low (at, 4);
      at += 4;
    }
  *time = (gint64) pd_bytes_load_low (at, size);
  return at + size;
}

/* The activities of ranks between their moments, without waiting: of each rank and moment the
 * stretches since the moment before. */
typedef struct
{
  GArray *places; /* PdDelayPlace */
  guint32 n_ranks;
  PdVector *ranks;  /* (array length=n_ranks): guint8, see pd_stretch_read() */
  PdVector *firsts; /* (array length=n_ranks): guint32: where those of a moment begin, and
                     * where those of the last one end: a quarter of the bytes before */
} PdStretches;

/* Whether elements of firsts can tell where what follows @size bytes of a rank begins: up to 16
 * GiB. */
static inline gboolean
pd_stretches_can_tell (guint64 size)
{
  return size / 4 <= G_MAXUINT32;
}

/* Sets the places of @waits, and shares @path, which is the run's: both ask for all actions. %NULL
 * with %PD_TRACE_ERROR_LIMIT: a rank has too many, see pd_stretches_can_tell(). */
PdStretches *pd_stretches_new (PdPath *path, PdSites *sites, PdWaits *waits,
                               const PdVector *moments, GError **error);
/* Returns: (transfer full): the places. */
GArray *pd_stretches_free (PdStretches *self);

/* A rank in a place, and the waiting that this caused in one interval. */
typedef struct
{
  guint32 at; /* the interval */
  guint32 rank;
  guint32 place;
  PdWide direct;
  PdWide propagated;
} PdDelayCost;

typedef struct
{
  guint32 cost; /* of the costs */
  guint32 rank; /* who has waited */
  PdWide time;
} PdDelayVictim;

struct _PdDelays
{
  GArray *places;     /* PdDelayPlace */
  GArray *costs;      /* PdDelayCost */
  GArray *victims;    /* PdDelayVictim */
  PdTimeSum *waiting; /* (array length=n_nodes): while innermost */
};

/* With the critical path. @blocks: (array length=n_ranks): PdBlock of each rank, in order; empty
 * then; @sites: of all calls. %NULL: as of pd_stretches_new(), or there are too many blocks, see
 * pd_blocks_can_number(). */
PdDelays *pd_delays_new (PdAnalysis *analysis, PdSites *sites, PdVector *blocks, GError **error);
void pd_delays_free (PdDelays *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdWaits, pd_delay_waits_free)

#endif
