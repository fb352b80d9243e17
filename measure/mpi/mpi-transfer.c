/* Times of messages between a pair of processes.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-pattern.h"
#include "measure/stats/pd-stats.h"
#include "measure/mpi/mpi-pair.h"
#include "measure/mpi/mpi-tools.h"
#include "measure/mpi/mpi-transfer.h"
#include "measure/mpi/mpi-variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REPETITIONS  1e9
#define COMPARISON_ROUNDS 301 /* short ones: between two turns of the scheduler */
#define COMPARISON_MS     0.2
#define SEED_OF(me)       ((guint) (me) + 1)

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
  pair->out = pd_mpi_buffer ((gsize) most_bytes);
  pair->in = pd_mpi_buffer ((gsize) most_bytes);
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
  free (pair->out);
  free (pair->in);
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

/* Seconds of @n repetitions at this process; both begin after a barrier. */
static gdouble
time_round (PdPair *pair, void (*run) (PdPair *pair, gint64 n), gint64 n)
{
  gdouble began;

  MPI_Barrier (pair->comm);
  began = pd_timer_now (&pair->timer);
  run (pair, n);
  return pd_timer_now (&pair->timer) - began;
}

/* So many repetitions that a round takes as long as is wanted. Rank 0 decides. */
static gint64
find_repetitions (PdPair *pair, const PdTransferOptions *options,
                  void (*run) (PdPair *pair, gint64 n))
{
  gint64 n = options->repetitions, next = n;
  gdouble wanted = options->at_least * 1e-3;

  for (;;)
    {
      gdouble took = time_round (pair, run, n);
      if (took < wanted)
        /* the first repetitions are slower: not more than ten times as many at once */
        next = (gint64) MIN (ceil ((gdouble) n * MIN (1.1 * wanted / MAX (took, 1e-9), 10)),
                             MOST_REPETITIONS);
      MPI_Bcast (&next, 1, MPI_INT64_T, 0, pair->comm);
      if (next <= n)
        return n;
      n = next;
    }
}

void
pd_pair_measure (PdPair *pair, const PdTransferOptions *options, gint64 bytes,
                 PdTransferTimes *times)
{
  const PdVariant *variant = pd_variant_get (options->variant);

  pair->bytes = (int) bytes;
  times->is_wrong = !pd_pair_check (pair, variant);
  if (times->is_wrong)
    return;
  if (variant->begin != NULL)
    variant->begin (pair);
  times->repetitions = find_repetitions (pair, options, variant->run);
  for (gint64 i = 0; i < options->rounds; i++)
    times->seconds[i] =
        time_round (pair, variant->run, times->repetitions)
        / ((gdouble) times->repetitions * (gdouble) pd_variant_messages (variant, pair));
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
  void (*runs[2]) (PdPair * pair, gint64 n) = { pd_variant_get (1)->run, run_plain };
  gdouble times[2][COMPARISON_ROUNDS];
  PdTransferOptions briefly = *options;
  gint64 n;

  pair->bytes = (int) bytes;
  briefly.at_least = COMPARISON_MS;
  n = find_repetitions (pair, &briefly, runs[1]);
  for (int i = 0; i < COMPARISON_ROUNDS; i++)
    for (int k = 0; k < 2; k++)
      /* in turns, and in turns first */
      times[(k + i) % 2][i] = time_round (pair, runs[(k + i) % 2], n) / (2 * (gdouble) n);
  for (int k = 0; k < 2; k++)
    medians[k] = pd_stats_median (times[k], COMPARISON_ROUNDS);
}
