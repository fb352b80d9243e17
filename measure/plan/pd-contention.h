/* Measurements of shared channels: t(m, cf), its factors, the number of processes
 * with the greatest throughput. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CONTENTION_H
#define PD_CONTENTION_H

#include "measure/plan/pd-pairs.h"

/* One length with one number of processes on a channel; times in seconds. */
typedef struct
{
  PdPairLevel level;
  gint64 bytes;
  guint sharing;   /* cf */
  guint processes; /* that exchange: twice as many as share, but for the memory */
  gint64 repetitions;
  guint rounds;
  guint late;     /* rounds that some process began too late */
  gdouble median; /* of the rounds' slowest processes … */
  gdouble low;    /* … its confidence interval */
  gdouble high;
  gdouble mean;          /* median of the rounds' means of all processes */
  gdouble together;      /* share of a round in which all exchange; NaN: not known */
  gdouble factor;        /* by pd_contention_compare(): of the time with cf 1; NaN without one */
  gboolean super_linear; /* likewise: the factor is above cf */
} PdContentionCell;

/* The count of processes that moves most. */
typedef struct
{
  guint sharing;
  guint least; /* the smallest and the greatest cf that were compared */
  guint most;
  gdouble gain;     /* throughput, as a multiple of that with the smallest cf … */
  gdouble greatest; /* … and the greatest there is */
} PdContentionBest;

/* Throughputs that differ by less are taken to be the same. */
#define PD_CONTENTION_SAME 0.05

/**
 * pd_contention_compare:
 * @cells: (element-type PdContentionCell): in any order; factors and marks are written
 */
void pd_contention_compare (GArray *cells);

/**
 * pd_contention_throughput:
 * Returns: bytes per second that all processes receive: cf m / t(m, cf).
 */
gdouble pd_contention_throughput (const PdContentionCell *cell);

/**
 * pd_contention_find_best:
 * @cells: (element-type PdContentionCell): in any order
 * @out: (out caller-allocated): written if there is one
 *
 * Of a memory at least two processes, one has no partner. The criterion is the
 * geometric mean, over all lengths above 0, of the throughput with cf over that with the
 * smallest cf. Of counts whose mean is within #PD_CONTENTION_SAME of the greatest the largest is
 * taken: more processes compute more.
 *
 * Returns: %FALSE if no measurement has a throughput.
 */
gboolean pd_contention_find_best (const GArray *cells, PdPairLevel level, PdContentionBest *out);

/**
 * pd_contention_format:
 * @cells: (element-type PdContentionCell): compared, in any order
 * @factors: t(m, cf) / t(m, 1) in place of t(m, cf)
 * @remark: stands at the end of each line, "" or what makes them doubtful
 * Returns: (transfer full): a matrix of the level, a line for each length, a column for each
 *   cf; factors above cf have a "*".
 */
char *pd_contention_format (const GArray *cells, PdPairLevel level, gboolean factors,
                            const char *remark);

#endif
