/* A pair of processes that exchange messages.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_PAIR_H
#define MPI_PAIR_H

#include "measure/stats/pd-loggp.h"
#include "measure/stats/pd-rounds.h"
#include "measure/stats/pd-timer.h"
#include "measure/plan/pd-transfer-options.h"

#include <mpi.h>

/* The data of both of a pair; @me is 0 or 1, rank 0 of the pair measures. */
typedef struct
{
  MPI_Comm comm;
  int me;
  int bytes;
  int window;
  PdTimer timer;
  char *out; /* room for the greatest length; borrowed from: */
  char *in;
  char *outs; /* owned: of all repetitions */
  char *ins;
  gsize room;            /* bytes of each */
  gboolean is_cold;      /* each repetition has other buffers */
  MPI_Request *requests; /* owned, as many as the window, at least 2 */
  MPI_Win win;           /* of variants that have one; one for all lengths */
} PdPair;

/* A way to exchange. @begin and @end are not timed. */
typedef struct
{
  const char *name;
  void (*begin) (PdPair *pair); /* nullable */
  void (*run) (PdPair *pair, gint64 n);
  void (*end) (PdPair *pair); /* nullable */
  gboolean is_one_way;        /* a window of messages, not one in each direction */
  gboolean has_window;        /* of the pair's buffer for what comes */
} PdVariant;

/* The times of one length. */
typedef struct
{
  gint64 repetitions;
  PdRound *rounds; /* (array length=pd_rounds_most()): of a message; not owned */
  gsize n_rounds;  /* that were measured */
  gboolean is_wrong;
} PdTransferTimes;

/* Messages of a parametrised round trip. */
#define PD_LOGGP_MESSAGES 16

#endif
