/* A rank of an OTF2 archive on its way through its events. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_RANK_PRIVATE_H
#define PD_OTF2_RANK_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"
#include "traces/program/pd-pending.h"
#include "traces/otf2/pd-otf2-lookahead-private.h"

typedef struct _PdOtf2Threads PdOtf2Threads;

/* The file access of a call. */
typedef struct
{
  guint32 file; /* in the program; %PD_PROGRAM_NONE = none */
  PdFileOp op;
  gboolean is_collective;
  gint64 bytes;
  guint64 matching; /* of its operation */
} PdOtf2FileWork;

typedef struct
{
  PdOtf2Archive *archive;
  guint32 rank;
  PdOtf2Ahead *ahead;     /* of all its threads */
  PdOtf2Threads *threads; /* (nullable): calls of further threads */
  gboolean is_further;    /* it is one of these threads, whose calls go to @threads */
  gboolean started;
  guint64 begin;           /* ticks */
  guint32 site;            /* that called @mpi */
  const PdOtf2Place *at;   /* (nullable): where MPI_Pcontrol was called */
  gint64 last;             /* ps: up to here the rank's time is accounted for */
  gint64 skipped;          /* ps that do not count */
  gint64 in_init;          /* ps of these before the end of MPI_Init */
  gint64 in_finalize;      /* ps */
  gint64 until;            /* ps: what comes later is left out */
  gboolean is_over;        /* that came */
  gboolean is_paused;      /* nothing is recorded but the ends of requests */
  const PdOtf2Region *mpi; /* (nullable): the MPI function it is in */
  guint32 inside;          /* regions within it, itself included */
  gboolean has_action;     /* @action is what it does */
  PdAction action;
  PdOtf2FileWork work; /* of @mpi */
  GArray *completed;   /* guint32: slots of requests that completed in it */
  GArray *tested;      /* guint32: slots of those that did not */
  PdPending pending;   /* requests, by their numbers */
  GArray *ended;       /* guint32: slots that are free when the call has become an action */
  GHashTable *numbers; /* communicator -> operations with counts so far */
  gint64 level;        /* of MPI_Pcontrol; 0 = none */
  gint64 id;
  gint64 read_at; /* ps: when processor time was read last; -1 = not in this stretch */
  guint64 read;   /* ns: what it was */
  gdouble rate;   /* processor time by time since then, until the next call; -1 = unknown */
  gint64 own_at;  /* ps: when that of the thread was read last; -1 = not in this stretch */
  guint64 own;    /* ns: what it was */
  PdTime cost;    /* of a reading of it */
  gint64 passed;  /* ps: between the last two readings of it; 0 = unknown, */
  gint64 used;    /* and how much of it the thread had a processor */
  PdTimeSum computed;
  gint64 end; /* ps: when the rank came to MPI_Finalize; -1 = it did not */
} PdOtf2Rank;

PdPlace pd_otf2_rank_place (const PdOtf2Rank *self);
/* The rank's first event is at @ticks. */
void pd_otf2_rank_start (PdOtf2Rank *self, guint64 ticks);
/* FALSE, with archive->error set, if the program cannot have @action. Actions after the part
 * that all ranks have are left out. */
gboolean pd_otf2_rank_add (PdOtf2Rank *self, const PdAction *action);
/* The slot of a request that begins. */
guint32 pd_otf2_rank_new_slot (PdOtf2Rank *self, guint64 request);
/* The slot of @request is noted in @list; @ends: it is free from now on. */
void pd_otf2_rank_note (PdOtf2Rank *self, guint64 request, GArray *list, gboolean ends);
/* self->action is what the call does from here on. */
void pd_otf2_rank_begin (PdOtf2Rank *self, PdActionKind kind);
/* Whether what happens at @now belongs to the part of the run that all ranks have: also what
 * a call does that began in it. */
gboolean pd_otf2_rank_goes_on (PdOtf2Rank *self, gint64 now);
/* The kind of a collective operation. The name of the call identifies those that create an object;
 * the record, @op, identifies persistent ones, which MPI_Start begins. */
PdCollKind pd_otf2_rank_coll (const PdOtf2Rank *self, OTF2_CollectiveOp op);
void pd_otf2_rank_enter (PdOtf2Rank *self, const PdOtf2Region *region, gint64 now);
void pd_otf2_rank_leave (PdOtf2Rank *self, gint64 now);
/* The recording goes on, or pauses. */
void pd_otf2_rank_switch (PdOtf2Rank *self, gboolean on, gint64 now);
/* The processor time of the process is @ns, where a call begins or ends. */
void pd_otf2_rank_read_processor (PdOtf2Rank *self, guint64 ns, gint64 now);
/* The processor time of the thread, likewise; before the part that all ranks have is over. */
void pd_otf2_rank_read_own (PdOtf2Rank *self, guint64 ns, gint64 now);
/* A region of the user begins or ends. */
void pd_otf2_rank_mark (PdOtf2Rank *self, PdOtf2Region *region, PdActionKind kind, gint64 now);

/* The rank has computed up to @now. */
void pd_otf2_rank_compute (PdOtf2Rank *self, gint64 now);

/* Likewise, it had no processor. */
void pd_otf2_rank_lose (PdOtf2Rank *self, gint64 now);

/* Picoseconds of @ticks, however many there are. */
PdTime pd_otf2_ticks_to_ps (const PdOtf2Archive *archive, guint64 ticks);
/* Picoseconds from one moment to another; 0 if it comes before. */
static inline PdTime
pd_otf2_to_ps (const PdOtf2Archive *archive, guint64 from, guint64 to)
{
  guint64 ticks = to > from ? to - from : 0, ps;

  if (G_LIKELY (!__builtin_mul_overflow (ticks, archive->ps_per_tick, &ps) && ps <= G_MAXINT64
                && archive->ps_per_tick != 0))
    return PD_TIME ((gint64) ps);
  return pd_otf2_ticks_to_ps (archive, ticks);
}
/* Picoseconds since the rank's first event. */
static inline gint64
pd_otf2_rank_to_ps (PdOtf2Rank *self, guint64 ticks)
{
  if (G_UNLIKELY (!self->started))
    pd_otf2_rank_start (self, ticks);
  return pd_otf2_to_ps (self->archive, self->begin, ticks).ps;
}

/* ---- pd-otf2-whole-rank.c */

/* The actions of one rank. */
gboolean pd_otf2_read_rank (PdOtf2Archive *archive, guint32 rank, GError **error);

#endif
