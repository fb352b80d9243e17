/* Rows of times of exchanges. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_EXCHANGE_TABLE_H
#define PD_EXCHANGE_TABLE_H

#include "measure/sheet/pd-sheet.h"
#include "measure/stats/pd-rounds.h"

/* The measurements; texts are static. */
typedef struct
{
  const char *kind;
  int processes; /* that took part */
  int streams;   /* pairs of processes or threads that exchanged at a time */
  int threads;
  int window;
  gint64 bytes;
  gboolean oversubscribed;
} PdExchangeCase;

/**
 * pd_exchange_table_add:
 * @repetitions: of a round
 * @rounds: (array length=n): seconds of a message or operation
 * @n: at least 1
 *
 * Adds the row of a case and those of its rounds. Rates are of all streams.
 *
 * Returns: the median, seconds.
 */
gdouble pd_exchange_table_add (PdSheet *output, const PdExchangeCase *what, gint64 repetitions,
                               const PdRound *rounds, gsize n);

/* Medians of messages of a layout, seconds. */
typedef struct
{
  gdouble contiguous; /* of as many bytes that lie together */
  gdouble derived;    /* by a derived datatype */
  gdouble packed;     /* by MPI_Pack() */
  gdouble copied;     /* by a loop */
} PdLayoutTimes;

/**
 * pd_exchange_table_add_layout:
 * @layout: "vector"
 * @times: all of them known
 *
 * Adds the row that compares the ways to send a layout.
 */
void pd_exchange_table_add_layout (PdSheet *output, const char *layout, gint64 bytes,
                                   const PdLayoutTimes *times, gboolean oversubscribed);

#endif
