/* Times of messages between a pair of processes.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-pattern.h"
#include "measure/stats/pd-stats.h"
#include "measure/transfer/mpi-pair.h"
#include "measure/mpi/mpi-rounds.h"
#include "measure/mpi/mpi-tools.h"
#include "measure/transfer/mpi-transfer.h"
#include "measure/transfer/mpi-variants.h"

#include <stdlib.h>
#include <string.h>

#define COMPARISON_ROUNDS 301 /* short ones: between two turns of the scheduler */
#define COMPARISON_MS     0.2
#define SEED_OF(me)       ((guint) (me) + 1)
#define COLD_ROOM         ((gsize) 128 << 20) /* bytes that no cache of a processor holds */

/* ---- a pair */

void
pd_pair_begin (PdPair *pair, int first, int second, gint64 most_bytes,
               const PdTransferOptions *options)
{
  int ranks[2] = { first, second };
  MPI_Group world, group;

  MPI_Comm_group (MPI_COMM_WORLD, &world);
  MPI_Group_incl (world, 2, ranks, &group);
  MPI_Comm_create_group (MPI_COMM_WORLD, group, 0, &pair->comm);
  MPI_Group_free (&group);
  MPI_Group_free (&world);
  MPI_Comm_rank (pair->comm, &pair->me);
  pair->window = (int) options->window;
  pair->room = MAX ((gsize) most_bytes, options->cold ? COLD_ROOM : 0);
  pair->out = pair->outs = pd_mpi_buffer (pair->room);
  pair->in = pair->ins = pd_mpi_buffer (pair->room);
  pair->requests = g_new (MPI_Request, (gsize) MAX (pair->window, 2));
  pair->win = MPI_WIN_NULL;
  if (pd_variant_get (options->variant)->has_window)
    MPI_Win_create (pair->in, (MPI_Aint) most_bytes, 1, MPI_INFO_NULL, pair->comm, &pair->win);
}

void
pd_pair_end (PdPair *pair)
{
  if (pair->win != MPI_WIN_NULL)
    MPI_Win_free (&pair->win);
  MPI_Comm_free (&pair->comm);
  free (pair->outs);
  free (pair->ins);
  g_free (pair->requests);
}

gboolean
pd_pair_check (PdPair *pair, const PdVariant *variant)
{
  gsize n = (gsize) pair->bytes;
  int wrong;

  pd_pattern_fill (pair->out, n, SEED_OF (pair->me));
  memset (pair->in, 0, n);
  if (variant->begin != NULL)
    variant->begin (pair);
  variant->run (pair, 1);
  if (variant->end != NULL)
    variant->end (pair);
  wrong = !(variant->is_one_way && pair->me == 0)
          && pd_pattern_find_wrong (pair->in, n, SEED_OF (1 - pair->me)) != n;
  MPI_Allreduce (MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, pair->comm);
  return !wrong;
}

/* ---- rounds */

typedef struct
{
  PdPair *pair;
  void (*run) (PdPair *pair, gint64 n);
} Repeated;

static void
repeat (gpointer data, gint64 n)
{
  const Repeated *self = data;

  self->run (self->pair, n);
}

static PdRoundPlan
make_plan (PdPair *pair, const PdTransferOptions *options, Repeated *repeated)
{
  return (PdRoundPlan){ .comm = pair->comm,
                        .timer = &pair->timer,
                        .run = repeat,
                        .data = repeated,
                        .repetitions = options->repetitions,
                        .at_least = options->at_least * 1e-3,
                        .rounds = options->rounds };
}

void
pd_pair_measure (PdPair *pair, const PdTransferOptions *options, gint64 bytes,
                 PdTransferTimes *times)
{
  const PdVariant *variant = pd_variant_get (options->variant);
  Repeated repeated = { pair, variant->run };
  PdRoundPlan plan = make_plan (pair, options, &repeated);

  pair->bytes = (int) bytes;
  times->is_wrong = !pd_pair_check (pair, variant);
  if (times->is_wrong)
    return;
  if (variant->begin != NULL)
    variant->begin (pair);
  pair->is_cold = options->cold;
  times->repetitions = pd_rounds_measure (&plan, times->rounds, &times->n_rounds);
  for (gsize i = 0; i < times->n_rounds; i++)
    times->rounds[i].seconds /= (gdouble) pd_variant_messages (variant, pair);
  pair->is_cold = FALSE;
  pair->out = pair->outs;
  pair->in = pair->ins;
  if (variant->end != NULL)
    variant->end (pair);
}

/* ---- against a plain loop */

static void
run_plain (PdPair *pair, gint64 n)
{
  MPI_Comm comm = pair->comm;
  char *out = pair->out, *in = pair->in;
  int bytes = pair->bytes;

  if (pair->me == 0)
    for (gint64 i = 0; i < n; i++)
      {
        MPI_Send (out, bytes, MPI_CHAR, 1, 0, comm);
        MPI_Recv (in, bytes, MPI_CHAR, 1, 0, comm, MPI_STATUS_IGNORE);
      }
  else
    for (gint64 i = 0; i < n; i++)
      {
        MPI_Recv (in, bytes, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
        MPI_Send (out, bytes, MPI_CHAR, 0, 0, comm);
      }
}

void
pd_pair_compare (PdPair *pair, const PdTransferOptions *options, gint64 bytes, gdouble medians[2])
{
  Repeated repeated[2] = { { pair, pd_variant_get (1)->run }, { pair, run_plain } };
  gdouble times[2][COMPARISON_ROUNDS];
  PdRoundPlan plans[2];
  gint64 n;

  pair->bytes = (int) bytes;
  for (int k = 0; k < 2; k++)
    {
      plans[k] = make_plan (pair, options, &repeated[k]);
      plans[k].at_least = COMPARISON_MS * 1e-3;
    }
  n = pd_rounds_calibrate (&plans[1]);
  for (int i = 0; i < COMPARISON_ROUNDS; i++)
    for (int k = 0; k < 2; k++)
      /* in turns, and in turns first */
      times[(k + i) % 2][i] = pd_rounds_time (&plans[(k + i) % 2], n).seconds / (2 * (gdouble) n);
  for (int k = 0; k < 2; k++)
    medians[k] = pd_stats_median (times[k], COMPARISON_ROUNDS);
}
