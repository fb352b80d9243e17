/* Processes that share a channel: where they are, and what they exchange.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_SHARERS_H
#define MPI_SHARERS_H

#include "measure/plan/pd-contention-options.h"
#include "measure/plan/pd-contention.h"
#include "measure/plan/pd-pairs.h"
#include "measure/mpi/mpi-sync.h"

#include <mpi.h>

/* Of all ranks. */
typedef struct
{
  PdCpuPlace *places; /* (array length=n), owned */
  guint n;
  guint nodes;
  guint sockets;      /* of the first process' node, with processes or without */
  guint cores;        /* of its socket that has most */
  gboolean bound;     /* each process stays where its place says */
  gboolean pretended; /* nodes or cores are not as they are in truth */
  const char *how;    /* of binding, for people */
} PdPlaces;

/* Those that share a channel; only they call the functions below. */
typedef struct
{
  MPI_Comm comm;
  int me;
  int size;
  int to; /* in comm */
  int from;
  PdTimer timer;
  const PdSync *sync; /* (nullable): without it a barrier starts */
  gdouble ahead;      /* seconds in which all hear of a start */
  char *out;          /* owned, of the greatest length */
  char *in;
} PdSharers;

/* Numbers that say what one length takes. */
#define PD_SHARING_NUMBERS(rounds) (3 + 3 * (gsize) (rounds))
enum
{
  PD_SHARING_REPETITIONS,
  PD_SHARING_WRONG,  /* data came; nothing else is said then */
  PD_SHARING_LATE,   /* rounds that some process began too late */
  PD_SHARING_ROUNDS, /* of each: seconds of a message, of the slowest process and on
                        average, and the share of the round in which all exchanged */
};

/* The whole measurement. */
typedef struct
{
  PdContentionOptions options;
  PdTimer timer;
  PdSync *sync;          /* NULL: as published */
  PdSyncCheck clocks[2]; /* at the beginning and at the end */
  PdPlaces places;
  PdPairs *pairs;
  GArray *cells; /* PdContentionCell, at rank 0 */
  int rank;
  int size;
  gboolean crowded;
  PdSheet *output;
} PdContentionRun;

#endif
