/* Processes that share a channel: where they are, and what they exchange.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CONTENTION_PRIVATE_H
#define PD_CONTENTION_PRIVATE_H

#include "measure/pd-contention-options.h"
#include "measure/pd-contention.h"
#include "measure/pd-pairs.h"
#include "measure/pd-sync.h"

#include <mpi.h>

/* Of all ranks. */
typedef struct
{
  PdPlace *places; /* (array length=n), owned */
  guint n;
  guint nodes;
  guint sockets;      /* of the first process' node, with processes or without */
  guint cores;        /* of its socket that has most */
  gboolean bound;     /* each process stays where its place says */
  gboolean pretended; /* nodes or cores are not as they are in truth */
  const char *how;    /* of binding, for people */
} PdPlaces;

/* (collective) Finds where all processes are, and binds them unless that is not wanted.
 * Fails at all with PD_MEASURE_ERROR_ABSENT, PD_MEASURE_ERROR_USAGE. @out is to be cleared
 * whatever is returned. */
gboolean pd_places_find (MPI_Comm comm, const PdContentionOptions *options, PdPlaces *out,
                         GError **error);
void pd_places_clear (PdPlaces *self);

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

/* @exchanges has the own @rank of the world; @timer and @sync are used meanwhile. */
void pd_sharers_begin (PdSharers *self, const GArray *exchanges, int rank, gint64 most_bytes);
void pd_sharers_end (PdSharers *self);

/* Fills @numbers, the same at all. */
void pd_sharers_measure (PdSharers *self, const PdContentionOptions *options, gint64 bytes,
                         gdouble *numbers);

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

/* At rank 0, with cells compared: adds all that is told to the output. */
void pd_contention_tell (const PdContentionRun *self);

#endif
