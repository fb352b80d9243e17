/* How many actions of message-passing programs ComSys takes per second, all included
 * but the reading of a trace: a halo exchange (4 Irecv, 4 Isend, Waitall and a
 * computation per rank and step) and a sweep of blocking calls (2 Recv, a
 * computation, 2 Send), on 256 and 1024 ranks, on machines without contention; and how
 * the time grows with ranks and with actions.
 *   bench-programs
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N_REPEATS 3

/* Growth is that from this to 64 times as many ranks, or steps. */
#define GROWTH_SIDE  16u
#define GROWTH_STEPS 16u

typedef enum
{
  DO_COMPUTE,
  DO_IRECV,
  DO_ISEND,
  DO_RECV,
  DO_SEND,
  DO_WAITALL,
} What;

/* One action of a step; the same for all ranks. */
typedef struct
{
  What what;
  gint32 dx, dy; /* where the peer is */
  gint32 tag;
  gint64 bytes;
} Action;

typedef struct
{
  const char *name;
  gboolean is_torus; /* else ranks at the border leave out what has no peer */
  guint n;
  Action actions[10];
} Program;

static const Program programs[] = {
  { "halo",
    TRUE,
    10,
    { { DO_IRECV, -1, 0, 1, 512 },
      { DO_IRECV, 1, 0, 2, 512 },
      { DO_IRECV, 0, -1, 3, 512 },
      { DO_IRECV, 0, 1, 4, 512 },
      { DO_ISEND, -1, 0, 2, 512 },
      { DO_ISEND, 1, 0, 1, 512 },
      { DO_ISEND, 0, -1, 4, 512 },
      { DO_ISEND, 0, 1, 3, 512 },
      { DO_WAITALL, 0, 0, 0, 0 },
      { DO_COMPUTE, 0, 0, 0, 0 } } },
  { "sweep",
    FALSE,
    5,
    { { DO_RECV, -1, 0, 0, 2048 },
      { DO_RECV, 0, -1, 0, 2048 },
      { DO_COMPUTE, 0, 0, 0, 0 },
      { DO_SEND, 1, 0, 0, 2048 },
      { DO_SEND, 0, 1, 0, 2048 } } },
};

static const struct
{
  const char *name;
  const char *spec;
} machines[] = {
  { "ideal", "ideal" },
  { "loggops", "loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,S=65535" },
  { "myrinet", "myrinet:startup=7us,per-byte=4ns,channels=8" },
};

static const guint32 sides[] = { 16, 32 };

typedef struct
{
  PdTime clock;
  PdTime ret;
  PdBundle bundle;
  guint step;
  guint at; /* in the program */
  gboolean waits;
} Actor;

typedef struct
{
  const Program *program;
  PdComsys *comsys;
  PdComm *world;
  Actor *actors;
  guint32 side;
  guint n_steps;
  guint64 n_actions;
} Bench;

static gint32
find_peer (const Bench *bench, guint32 rank, const Action *action)
{
  gint32 side = (gint32) bench->side;
  gint32 x = (gint32) (rank % bench->side) + action->dx;
  gint32 y = (gint32) (rank / bench->side) + action->dy;

  if (bench->program->is_torus)
    return (y + side) % side * side + (x + side) % side;
  return x < 0 || y < 0 || x >= side || y >= side ? PD_PROC_NULL : y * side + x;
}

/* FALSE: it was no call, or one without a peer. */
static gboolean
call (Bench *bench, guint32 rank, const Action *action)
{
  Actor *actor = &bench->actors[rank];
  PdCall c = { rank, actor->clock, &actor->ret, NULL };
  PdEnvelope envelope = { find_peer (bench, rank, action), action->tag, action->bytes };

  if (envelope.peer == PD_PROC_NULL)
    return FALSE;
  bench->n_actions++;
  switch (action->what)
    {
    case DO_IRECV:
      pd_bundle_add (bench->comsys, &actor->bundle,
                     pd_comsys_irecv (bench->comsys, &c, bench->world, envelope));
      return TRUE;
    case DO_ISEND:
      pd_bundle_add (bench->comsys, &actor->bundle,
                     pd_comsys_isend (bench->comsys, &c, bench->world, envelope));
      return TRUE;
    case DO_RECV:
      pd_comsys_recv (bench->comsys, &c, bench->world, envelope);
      return TRUE;
    case DO_SEND:
      pd_comsys_send (bench->comsys, &c, bench->world, envelope);
      return TRUE;
    case DO_WAITALL:
      pd_comsys_waitall_bundle (bench->comsys, &c, &actor->bundle);
      return TRUE;
    default:
      actor->clock = pd_time_add (actor->clock, PD_TIME (13107200 + (gint64) (rank % 7) * 1000));
      return FALSE;
    }
}

static void
advance (Bench *bench, Actor *actor)
{
  if (++actor->at < bench->program->n)
    return;
  actor->at = 0;
  actor->step++;
}

static void
take_turn (Bench *bench, guint32 rank, PdTime turn)
{
  Actor *actor = &bench->actors[rank];

  if (actor->waits)
    {
      actor->clock = actor->ret;
      actor->waits = FALSE;
      advance (bench, actor);
    }
  while (actor->step < bench->n_steps)
    {
      const Action *action = &bench->program->actions[actor->at];
      if (action->what != DO_COMPUTE && actor->clock.ps > turn.ps
          && !pd_comsys_may_go_on (bench->comsys, rank, actor->clock))
        {
          pd_comsys_ready (bench->comsys, rank, actor->clock);
          return;
        }
      if (call (bench, rank, action))
        {
          if (pd_time_is_pending (actor->ret))
            {
              actor->waits = TRUE;
              return;
            }
          actor->clock = actor->ret;
        }
      advance (bench, actor);
    }
}

/* Seconds of a run of @n_steps of all ranks, and how many actions it has; or -1. */
static gdouble
run (const Program *program, const char *spec, guint32 side, guint n_steps, guint64 *n_actions)
{
  guint32 n = side * side, rank;
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load (spec, NULL, n, &error);
  g_autoptr (PdComsys) comsys = machine != NULL ? pd_comsys_new (machine, NULL, n, &error) : NULL;
  g_autofree Actor *actors = g_new0 (Actor, n);
  Bench bench = {
    .program = program, .comsys = comsys, .actors = actors, .side = side, .n_steps = n_steps
  };
  gdouble begin = bench_seconds ();
  PdTime when;

  if (comsys == NULL)
    {
      fprintf (stderr, "bench-programs: %s\n", error->message);
      return -1;
    }
  bench.world = pd_comsys_get_world (comsys);
  for (rank = 0; rank < n; rank++)
    pd_comsys_ready (comsys, rank, PD_TIME_ZERO);
  while (pd_comsys_next (comsys, &rank, &when))
    take_turn (&bench, rank, when);
  if (pd_comsys_finalize (comsys) != 0)
    return -1;
  *n_actions = bench.n_actions;
  return bench_seconds () - begin;
}

/* The least of some runs; or -1. */
static gdouble
measure (const Program *program, const char *spec, guint32 side, guint n_steps, guint64 *n_actions)
{
  gdouble least = run (program, spec, side, n_steps, n_actions);

  for (guint i = 1; i < N_REPEATS && least > 0; i++)
    least = MIN (least, run (program, spec, side, n_steps, n_actions));
  return least;
}

/* Growth of time: 1 is the exponent of linear growth. */
static gboolean
print_growth (const Program *program, const char *name, const char *spec)
{
  guint64 few, many, long_run;
  gdouble base = measure (program, spec, GROWTH_SIDE, GROWTH_STEPS, &few);
  gdouble wide = measure (program, spec, 8 * GROWTH_SIDE, GROWTH_STEPS, &many);
  gdouble deep = measure (program, spec, GROWTH_SIDE, 64 * GROWTH_STEPS, &long_run);

  if (base <= 0 || wide <= 0 || deep <= 0)
    return FALSE;
  printf (
      "growth of %-8s %-10s time ~ ranks^%.2f, %u to %u; time ~ actions^%.2f, %" G_GUINT64_FORMAT
      " to %" G_GUINT64_FORMAT "\n",
      program->name, name, log (wide / base) / log (64), GROWTH_SIDE * GROWTH_SIDE,
      64 * GROWTH_SIDE * GROWTH_SIDE, log (deep / base) / log ((gdouble) long_run / (gdouble) few),
      few, long_run);
  return TRUE;
}

static gboolean
print_rates (void)
{
  gboolean ok = TRUE;

  printf ("%-8s %-10s %6s %s\n", "program", "machine", "ranks",
          "M actions/s of processor time, best of 3");
  for (guint p = 0; p < G_N_ELEMENTS (programs); p++)
    for (guint m = 0; m < G_N_ELEMENTS (machines); m++)
      for (guint s = 0; s < G_N_ELEMENTS (sides); s++)
        {
          guint32 n = sides[s] * sides[s];
          guint64 n_actions = 0;
          gdouble seconds =
              measure (&programs[p], machines[m].spec, sides[s], (1u << 18) / n, &n_actions);
          printf ("%-8s %-10s %6u %8.2f\n", programs[p].name, machines[m].name, n,
                  (gdouble) n_actions / seconds / 1e6);
          ok = ok && seconds > 0;
        }
  return ok;
}

int
main (void)
{
  setvbuf (stdout, NULL, _IOLBF, 0);
  gboolean ok = print_rates ();
  for (guint p = 0; p < G_N_ELEMENTS (programs); p++)
    for (guint m = 0; m < G_N_ELEMENTS (machines); m++)
      ok = print_growth (&programs[p], machines[m].name, machines[m].spec) && ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
