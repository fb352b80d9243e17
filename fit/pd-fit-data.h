/* The measurements of one machine in sheets of predictor-measure. Times are seconds.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIT_DATA_H
#define PD_FIT_DATA_H

#include "fit/pd-sheet-read.h"
#include "measure/stats/pd-loggp.h"

typedef enum
{
  PD_FIT_MEMORY,  /* both processes are on one host */
  PD_FIT_NETWORK, /* or on two */
  PD_FIT_N_LEVELS
} PdFitLevel;

/* One time: of a transfer as pd_point_find() names it, or of an operation. Repeated
 * measurements are represented by their median. */
typedef struct
{
  const char *what; /* (transfer none) */
  PdFitLevel level; /* of a transfer */
  gint64 processes;
  gint64 per_node; /* 0 = all on one host */
  gint64 bytes;
  gdouble time;
  gdouble low; /* NaN: not known */
  gdouble high;
} PdFitTime;

/* t(m, cf), of the level "memory", "interconnect" or "network". */
typedef struct
{
  const char *level; /* (transfer none) */
  gint64 bytes;
  gint64 sharing;
  gdouble time;
} PdFitShared;

/* PdFitTime.what of work of processes on their own memory: kinds of predictor-measure exchange. */
#define PD_FIT_COPY      "copy"
#define PD_FIT_COPY_RUNS "copy-runs"
#define PD_FIT_TOUCH     "touch"

typedef struct
{
  char *date; /* (nullable): the last one */
  char *mpi;
  char *host; /* (nullable) */
  gint64 hosts;
  gint64 per_host; /* the most ranks on one of them */
  GArray *times;   /* PdFitTime, by what, level, processes, hosts and bytes */
  GArray *memory;  /* PdFitTime, by operation and bytes */

  GArray *loggp;                 /* PdLogGP */
  GArray *shared;                /* PdFitShared, by level, bytes and sharing */
  gint64 eager[PD_FIT_N_LEVELS]; /* greatest length whose send waits for no receive, by the least
                                    pair; -1: not measured */
  guint n_left_out;              /* rows of operations that nothing is known of */
  guint n_disturbed;             /* times taken whose rounds were all disturbed */
} PdFitData;

/**
 * pd_fit_data_new:
 * @sheets: (array length=n): of one machine and one MPI
 * @force: accept oversubscribed sheets, and sheets of several libraries
 * @error: return location for a #PdFitError
 *
 * Returns: (transfer full) (nullable): all data of the sheets.
 */
PdFitData *pd_fit_data_new (PdSheetFile *const *sheets, guint n, gboolean force, GError **error);

/**
 * pd_fit_data_free:
 * @self: (nullable): the data
 */
void pd_fit_data_free (PdFitData *self);

/**
 * pd_fit_data_select:
 * @what: (transfer none): as pd_point_find() returns it
 *
 * Returns: (transfer full) (element-type PdFitTime): the times of @what at that level, by
 *   rising size.
 */
GArray *pd_fit_data_select (const PdFitData *self, const char *what, PdFitLevel level);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdFitData, pd_fit_data_free)

#endif
