/* The cost of recording, by kind of call: calls of this process to itself, through the wrappers
 * and without them. Their records are taken back.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"

#include "record/life/pd-rec-life.h"
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-stream.h"

enum
{
  ROUNDS = 9, /* the best of them counts */
  TIMES = 40,
  WORDS = 4096, /* of the stream: more than a round needs, with its definitions */
};

#define SELF MPI_COMM_SELF

static char out, in;

/* Each makes its calls @n times: wrapped, or not. */

static void
send_and_receive (int n, int is_wrapped)
{
  for (int i = 0; i < n; i++)
    (is_wrapped ? MPI_Sendrecv : PMPI_Sendrecv) (&out, 1, MPI_CHAR, 0, 0, &in, 1, MPI_CHAR, 0, 0,
                                                 SELF, MPI_STATUS_IGNORE);
}

static void
begin_and_wait (int n, int is_wrapped)
{
  MPI_Request requests[2];
  MPI_Status statuses[2];

  for (int i = 0; i < n; i++)
    {
      (is_wrapped ? MPI_Irecv : PMPI_Irecv) (&in, 1, MPI_CHAR, 0, 0, SELF, &requests[0]);
      (is_wrapped ? MPI_Isend : PMPI_Isend) (&out, 1, MPI_CHAR, 0, 0, SELF, &requests[1]);
      (is_wrapped ? MPI_Waitall : PMPI_Waitall) (2, requests, statuses);
    }
}

static void
meet (int n, int is_wrapped)
{
  for (int i = 0; i < n; i++)
    (is_wrapped ? MPI_Barrier : PMPI_Barrier) (SELF);
}

/* Of a message that has not been sent. */
static void
test (int n, int is_wrapped)
{
  MPI_Request request;
  int flag;

  (is_wrapped ? MPI_Irecv : PMPI_Irecv) (&in, 1, MPI_CHAR, 0, 0, SELF, &request);
  for (int i = 0; i < n; i++)
    (is_wrapped ? MPI_Test : PMPI_Test) (&request, &flag, MPI_STATUS_IGNORE);
  (is_wrapped ? MPI_Send : PMPI_Send) (&out, 1, MPI_CHAR, 0, 0, SELF);
  (is_wrapped ? MPI_Wait : PMPI_Wait) (&request, MPI_STATUS_IGNORE);
}

static void
ask (int n, int is_wrapped)
{
  int rank;

  for (int i = 0; i < n; i++)
    (is_wrapped ? MPI_Comm_rank : PMPI_Comm_rank) (SELF, &rank);
}

static const struct
{
  void (*run) (int n, int is_wrapped);
  unsigned n_calls; /* each time */
} kinds[PD_REC_N_COSTS] = {
  [PD_REC_COST_BLOCKING] = { send_and_receive, 1 },
  [PD_REC_COST_NON_BLOCKING] = { begin_and_wait, 3 },
  [PD_REC_COST_COLLECTIVE] = { meet, 1 },
  [PD_REC_COST_TEST] = { test, 1 },
  [PD_REC_COST_OTHER] = { ask, 1 },
};

static uint64_t
measure (int kind, int is_wrapped)
{
  uint64_t t0 = pd_rec_now ();

  kinds[kind].run (TIMES, is_wrapped);
  return pd_rec_now () - t0;
}

/* The first round makes definitions and fills caches. */
static void
calibrate (int kind)
{
  uint64_t with = UINT64_MAX, without = UINT64_MAX;

  for (int round = 0; round < ROUNDS; round++)
    {
      uint64_t plain = measure (kind, 0), wrapped;
      if (!pd_rec_trial_begin (WORDS))
        return;
      kinds[kind].run (1, 1);
      wrapped = measure (kind, 1);
      pd_rec_trial_end ();
      with = wrapped < with ? wrapped : with;
      without = plain < without ? plain : without;
    }
  if (with > without)
    pd_rec_set_cost (kind, (with - without) * 1000 / (TIMES * kinds[kind].n_calls));
}

void
pd_costs_measure (void)
{
  if (pd_rec_clock_is_prescribed () || !pd_rec_is_on ())
    return;
  pd_guard_leave ();
  for (int kind = 0; kind < PD_REC_N_COSTS; kind++)
    calibrate (kind);
  pd_guard_enter ();
}
