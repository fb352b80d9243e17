/* Computing a study: the coordinator's side, over any transport.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SWEEP_H
#define PD_SWEEP_H

#include "sweep/study/pd-study-db.h"
#include "sweep/run/pd-transport.h"

#include <signal.h>

/* How far a study is. */
typedef struct
{
  gint64 n;        /* points that are to be in the file */
  gint64 n_done;   /* of them, those that are */
  gint64 n_new;    /* of those, the ones computed now */
  gdouble seconds; /* since the beginning */
  gint64 best;     /* the point with the least execution time; -1 = none */
  PdTime best_time;
  gboolean interrupted; /* it was stopped; the finished points are in the file */
} PdSweepProgress;

/* Everything is borrowed. */
typedef struct
{
  const volatile sig_atomic_t *stop; /* (nullable): not 0: it is to end */
  void (*progress) (gpointer data, const PdSweepProgress *progress); /* (nullable): called often */
  gpointer data;
  gint64 shard;      /* from 1: only pd_study_is_done_by() that one of @n_shards; */
  gint64 n_shards;   /* 0 = all points */
  gboolean no_times; /* nothing of the clock goes to the file */
  /* (nullable) (element-type PdStudyInput): what workers of other machines, with files of
   * their own, must find; those of this machine read the same files. */
  const GArray *inputs;
} PdSweepOptions;

#define PD_SWEEP_ERROR (pd_sweep_error_quark ())
typedef enum
{
  PD_SWEEP_ERROR_STUDY,   /* no point can be computed: what a worker said */
  PD_SWEEP_ERROR_WORKERS, /* all workers have died, or do not start */
} PdSweepError;

/**
 * pd_sweep_error_quark:
 * Returns: the domain of #PdSweepError.
 */
GQuark pd_sweep_error_quark (void);

/**
 * pd_sweep_run:
 * @study: complete
 * @db: of @study; gets the missing points
 * @transport: (inout): with workers that wait for a study
 * @options: see there
 * @progress: (out): how far it came, also if it failed
 * @error: return location for a #PdSweepError, a #PdTransportError or the errors of
 *   pd_study_db_add()
 *
 * Points that were finished before an error are in the file.
 *
 * Returns: %FALSE on an error; an interruption is none.
 */
gboolean pd_sweep_run (const PdStudy *study, PdStudyDb *db, PdTransport *transport,
                       const PdSweepOptions *options, PdSweepProgress *progress, GError **error);

#endif
