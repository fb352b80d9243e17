/* Rows of times of collective operations. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLLECTIVE_TABLE_H
#define PD_COLLECTIVE_TABLE_H

#include "measure/stats/pd-sample.h"
#include "measure/sheet/pd-sheet.h"

/* The measurements; texts are static, or live as long as this is used. */
typedef struct
{
  const char *operation;
  const char *form;
  int processes;
  gint64 bytes;
  int root;             /* -1: it has none */
  const char *datatype; /* "": it moves no data */
  const char *op;       /* "": no reduction */
  const char *buffers;  /* "cold", "warm" or "untouched" */
  const char *arrival;  /* "": all come together */
  gdouble skew_us;      /* of arrivals; NaN: together */
  gboolean in_place;
  gboolean synchronised;
  gboolean oversubscribed;
} PdCollectiveCase;

/**
 * pd_collective_table_add:
 * @sample: has correct launches, or the row says that there are none
 * @trim: as in pd_stats_compute()
 *
 * Adds the row of a case.
 */
void pd_collective_table_add (PdSheet *output, const PdCollectiveCase *what,
                              const PdLaunchSample *sample, gdouble trim);

/**
 * pd_collective_table_add_round:
 * @round: from 1
 * @sample: of one round
 *
 * Adds the row of a round: a sample of few, independent times for comparisons.
 */
void pd_collective_table_add_round (PdSheet *output, const PdCollectiveCase *what, gint64 round,
                                    const PdLaunchSample *sample);

/**
 * pd_collective_table_add_arrival:
 * @sample: as above
 *
 * Adds the row of a case with a pattern of arrivals: from the last arrival to the latest
 * end.
 */
void pd_collective_table_add_arrival (PdSheet *output, const PdCollectiveCase *what,
                                      const PdLaunchSample *sample, gdouble trim);

/**
 * pd_collective_table_add_ranks:
 * @sample: as above
 * @trim: as above
 *
 * Adds the rows of all ranks of a case, by their own clocks.
 */
void pd_collective_table_add_ranks (PdSheet *output, const PdCollectiveCase *what,
                                    const PdLaunchSample *sample, gdouble trim);

/* Medians, seconds; NaN: no correct launch. */
typedef struct
{
  gdouble operation;   /* begun and waited for */
  gdouble computation; /* alone */
  gdouble both;        /* the computation between begin and wait */
  gint64 progress;     /* calls of MPI_Test in the computation */
} PdOverlap;

/* The meaning of a figure of overlap. */
#define PD_OVERLAP_DEFINITION                                                                      \
  "(operation + computation - both) / min (operation, computation), from 0 to 1: medians of "      \
  "operation = begin and wait, computation = of the same length, alone, both = begin, "            \
  "computation with calls of MPI_Test at equal distances, wait"

/**
 * pd_overlap_share:
 * Returns: as PD_OVERLAP_DEFINITION says; NaN if a time is not known.
 */
gdouble pd_overlap_share (const PdOverlap *overlap);

/**
 * pd_collective_table_add_overlap:
 * Adds the row of a non-blocking operation.
 */
void pd_collective_table_add_overlap (PdSheet *output, const PdCollectiveCase *what,
                                      const PdOverlap *overlap);

#endif
