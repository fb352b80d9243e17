/* A pair of processes that exchange messages.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRANSFER_PRIVATE_H
#define PD_TRANSFER_PRIVATE_H

#include "measure/pd-loggp.h"
#include "measure/pd-timer.h"
#include "measure/pd-transfer-options.h"

#include <mpi.h>

/* What both of a pair know; @me is 0 or 1, rank 0 of the pair measures. */
typedef struct
{
  MPI_Comm comm;
  int me;
  int bytes;
  int window;
  PdTimer timer;
  char *out; /* owned, room for the greatest length */
  char *in;
  MPI_Request *requests; /* owned, as many as the window, at least 2 */
  MPI_Win win;           /* of variants that have one; one for all lengths */
} PdPair;

/* A way to exchange. @begin and @end are outside what is timed. */
typedef struct
{
  const char *name;
  void (*begin) (PdPair *pair); /* nullable */
  void (*run) (PdPair *pair, gint64 n);
  void (*end) (PdPair *pair); /* nullable */
  gboolean is_one_way;        /* a window of messages, not one in each direction */
  gboolean has_window;        /* of the pair's buffer for what comes */
} PdVariant;

/* Variants are counted from 1. */
const PdVariant *pd_variant_get (gint64 number);

/* Messages of one repetition that follow each other: time divided by them is of one. */
gint64 pd_variant_messages (const PdVariant *variant, const PdPair *pair);

/* At ranks @first and @second of the world, which call it; buffers are written. */
void pd_pair_begin (PdPair *pair, int first, int second, gint64 most_bytes,
                    const PdTransferOptions *options);
void pd_pair_end (PdPair *pair);

/* One exchange that is not timed; returns FALSE at both if either got wrong data. */
gboolean pd_pair_check (PdPair *pair, const PdVariant *variant);

/* What one length takes. */
typedef struct
{
  gint64 repetitions;
  gdouble *seconds; /* (array length=rounds): of a message; owned */
  gboolean is_wrong;
} PdTransferTimes;

/* Fills @times at both; those of rank 0 of the pair count. */
void pd_pair_measure (PdPair *pair, const PdTransferOptions *options, gint64 bytes,
                      PdTransferTimes *times);

/* Medians of a variant's ping-pong and of a plain loop in turns, seconds of a message. */
void pd_pair_compare (PdPair *pair, const PdTransferOptions *options, gint64 bytes,
                      gdouble medians[2]);

/* Messages of a parametrised round trip. */
#define PD_LOGGP_MESSAGES 16

/* One size's parametrised round trips; those of rank 0 of the pair count. */
void pd_pair_round_trips (PdPair *pair, gint64 bytes, PdRoundTrips *trips);

#endif
