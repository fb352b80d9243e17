/* Kinds of exchanges beside those of transfer: derived datatypes, message rates, one-sided
 * operations, several threads. Each is a row of a table.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_EXCHANGE_H
#define MPI_EXCHANGE_H

#include "measure/mpi/mpi-rounds.h"

#include <mpi.h>

/* The parameters that a kind varies beside its bytes, as bits. */
typedef enum
{
  PD_VARIES_NOTHING = 0,
  PD_VARIES_WINDOW = 1 << 0,  /* messages or operations that are completed together */
  PD_VARIES_PAIRS = 1 << 1,   /* of processes */
  PD_VARIES_THREADS = 1 << 2, /* of each process */
} PdExchangeVaries;

typedef struct _PdExchange PdExchange;

typedef struct
{
  const char *name;
  const char *group;
  gsize unit;   /* bytes are a multiple of it */
  gsize most;   /* bytes at most; 0: no limit */
  guint varies; /* bits of #PdExchangeVaries */
  int messages; /* of a repetition that follow each other; windows come on top */
  const void *how;
  void (*begin) (PdExchange *self); /* nullable; untimed, like all but @run */
  void (*fill) (PdExchange *self);  /* data that @is_right expects after one repetition */
  void (*run) (PdExchange *self, gint64 n);
  gboolean (*is_right) (PdExchange *self);
  void (*end) (PdExchange *self); /* nullable */
} PdExchangeKind;

/* One kind with one length: what all processes that take part know. */
struct _PdExchange
{
  const PdExchangeKind *kind;
  MPI_Comm comm; /* pairs of processes: i and i + size / 2 */
  const PdTimer *timer;
  int rank;
  int peer;
  int pairs;
  int window;
  int threads;
  gsize bytes;
  char *out; /* room for all layouts and windows of this length */
  char *in;
  char *packed;
  MPI_Request *requests; /* as many as the window */
  MPI_Datatype type;
  int count;
  int packed_bytes; /* that MPI may need */
  MPI_Win win;
  char *shared; /* memory of the window */
};

/* The parameters of a row. */
typedef struct
{
  gint64 repetitions;
  gdouble at_least; /* seconds */
  gint64 rounds;
} PdExchangeRule;

/* The measurements; of rank 0. */
typedef struct
{
  gint64 repetitions;
  PdRound *rounds; /* (array length=pd_rounds_most()): of a message or operation; not owned */
  gsize n_rounds;
} PdExchangeTimes;

/**
 * pd_exchange_kinds:
 * @n: (out): their number
 * Returns: (transfer none) (array length=n): all kinds.
 */
const PdExchangeKind *const *pd_exchange_kinds (gsize *n);

/**
 * pd_exchange_is_first:
 * Returns: whether the process begins exchanges: it is the first one of its pair.
 */
gboolean pd_exchange_is_first (const PdExchange *self);

/**
 * pd_exchange_measure:
 * @self: kind, communicator, timer, bytes, window and threads are set
 *
 * Called by all processes of the communicator, of which there is an even number.
 *
 * Returns: %FALSE at all of them if data came wrong at any.
 */
gboolean pd_exchange_measure (PdExchange *self, const PdExchangeRule *rule, PdExchangeTimes *times);

/* Rows of the sources that have them. */
#define PD_EXCHANGE_TAG 7
extern const PdExchangeKind pd_exchange_datatypes[7];
extern const PdExchangeKind pd_exchange_messages[2];
extern const PdExchangeKind pd_exchange_onesided[12];
extern const PdExchangeKind pd_exchange_memory[3];

#endif
