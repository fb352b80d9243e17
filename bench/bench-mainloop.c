/* How fast the main loop of ComSys is, through its public interface alone: a
 * ring, a halo exchange in two dimensions, and reductions, on a machine that
 * costs nothing and on one with contention.
 *   bench-mainloop
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"

#include <stdio.h>
#include <stdlib.h>

#define SIDE         64u
#define N_RANKS      (SIDE * SIDE)
#define BYTES        1024
#define MAX_PARTNERS 4

/* One simulated rank. */
typedef struct
{
  PdTime clock;
  PdTime ret;
  PdBundle bundle;
  guint iteration;
  guint phase;    /* calls made in this iteration */
  gboolean waits; /* for @ret */
} Actor;

typedef struct
{
  const char *name;
  guint n_partners; /* 0: an allreduce */
  guint n_iterations;
  guint32 (*partner) (guint32 rank, guint i);
} Pattern;

typedef struct
{
  const Pattern *pattern;
  PdComsys *comsys;
  PdComm *world;
  Actor *actors;
  guint64 n_calls;
} Bench;

/* Left and right in a ring. */
static guint32
ring_partner (guint32 rank, guint i)
{
  return (rank + (i == 0 ? N_RANKS - 1 : 1)) % N_RANKS;
}

/* West, east, north, south on a torus. */
static guint32
halo_partner (guint32 rank, guint i)
{
  guint32 x = rank % SIDE, y = rank / SIDE;

  if (i < 2)
    x = (x + (i == 0 ? SIDE - 1 : 1)) % SIDE;
  else
    y = (y + (i == 2 ? SIDE - 1 : 1)) % SIDE;
  return y * SIDE + x;
}

static const Pattern patterns[] = {
  { "ring", 2, 200, ring_partner },
  { "halo", 4, 100, halo_partner },
  { "allreduce", 0, 50, NULL },
};

/* ---- what a rank does: receives, sends, a wait for all; or a reduction */

static void
make_call (Bench *bench, guint32 rank)
{
  const Pattern *pattern = bench->pattern;
  Actor *actor = &bench->actors[rank];
  PdCall call = { .rank = rank, .when = actor->clock, .ret = &actor->ret };
  guint n = pattern->n_partners;

  bench->n_calls++;
  if (n == 0)
    pd_comsys_allreduce (bench->comsys, &call, bench->world, 8);
  else if (actor->phase == 2 * n)
    pd_comsys_waitall_bundle (bench->comsys, &call, &actor->bundle);
  else
    {
      guint i = actor->phase % n;
      gboolean receives = actor->phase < n;
      PdEnvelope envelope = { (gint32) pattern->partner (rank, receives ? i : i ^ 1), 0, BYTES };
      PdRequest request = receives ? pd_comsys_irecv (bench->comsys, &call, bench->world, envelope)
                                   : pd_comsys_isend (bench->comsys, &call, bench->world, envelope);
      pd_bundle_add (bench->comsys, &actor->bundle, request);
    }
}

/* The call has returned; after the last one of an iteration it computes. */
static void
advance (const Bench *bench, guint32 rank)
{
  Actor *actor = &bench->actors[rank];
  guint n_calls = bench->pattern->n_partners > 0 ? 2 * bench->pattern->n_partners + 1 : 1;

  actor->clock = actor->ret;
  actor->waits = FALSE;
  if (++actor->phase < n_calls)
    return;
  actor->phase = 0;
  actor->iteration++;
  actor->clock = pd_time_add (actor->clock, PD_TIME (1000000 + (gint64) (rank % 7) * 1000));
}

static void
take_turn (Bench *bench, guint32 rank, PdTime turn)
{
  Actor *actor = &bench->actors[rank];

  if (actor->waits)
    advance (bench, rank);
  while (actor->iteration < bench->pattern->n_iterations)
    {
      if (actor->clock.ps > turn.ps && !pd_comsys_may_go_on (bench->comsys, rank, actor->clock))
        {
          pd_comsys_ready (bench->comsys, rank, actor->clock);
          return;
        }
      make_call (bench, rank);
      if (pd_time_is_pending (actor->ret))
        {
          actor->waits = TRUE;
          return;
        }
      advance (bench, rank);
    }
}

/* ---- */

static gboolean
run (const Pattern *pattern, const char *title, const char *spec)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load (spec, NULL, N_RANKS, &error);
  g_autoptr (PdComsys) comsys =
      machine != NULL ? pd_comsys_new (machine, NULL, N_RANKS, &error) : NULL;
  g_autofree Actor *actors = g_new0 (Actor, N_RANKS);
  Bench bench = { .pattern = pattern, .comsys = comsys, .actors = actors };
  gint64 begin = g_get_monotonic_time ();
  guint32 rank;
  PdTime when;

  if (comsys == NULL)
    {
      fprintf (stderr, "bench-mainloop: %s\n", error->message);
      return FALSE;
    }
  bench.world = pd_comsys_get_world (comsys);
  for (guint32 i = 0; i < N_RANKS; i++)
    pd_comsys_ready (comsys, i, PD_TIME (0));
  while (pd_comsys_next (comsys, &rank, &when))
    take_turn (&bench, rank, when);

  gdouble seconds = (gdouble) (g_get_monotonic_time () - begin) / 1e6;
  const PdComsysCounts *counts = pd_comsys_get_counts (comsys);
  printf ("%-10s %-8s %8.3f s %9.2f M calls/s %8.2f M messages/s %8.2f M queue events/s\n",
          pattern->name, title, seconds, (gdouble) bench.n_calls / seconds / 1e6,
          (gdouble) counts->n_messages / seconds / 1e6, (gdouble) counts->n_events / seconds / 1e6);
  return pd_comsys_finalize (comsys) == 0;
}

int
main (void)
{
  gboolean ok = TRUE;

  setvbuf (stdout, NULL, _IOLBF, 0);
  printf ("%u ranks, messages of %d bytes\n", N_RANKS, BYTES);
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      ok = run (&patterns[i], "ideal", "ideal") && ok;
      ok = run (&patterns[i], "myrinet", "myrinet:startup=7us,per-byte=4ns,eager=16KiB") && ok;
    }
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
