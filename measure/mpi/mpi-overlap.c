/* Overlap of non-blocking operations with computation.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-launches.h"
#include "measure/mpi/mpi-operation-table.h"
#include "measure/mpi/mpi-operation.h"
#include "measure/mpi/mpi-overlap-private.h"

#define CALIBRATION_STEPS 200000
#define CALIBRATIONS      7

typedef struct
{
  PdOperationRun *run;
  gsize steps;   /* of the whole computation */
  gint64 pieces; /* between calls of MPI_Test: one more than these */
  gdouble value; /* of the computation: keeps it from being optimised away */
} Overlap;

/* Each step needs the result of the one before: the same time with any compiler and with
 * whatever else the processor does. */
static void
compute (Overlap *self, gsize steps)
{
  gdouble value = self->value;

  for (gsize i = 0; i < steps; i++)
    value = value * 0.999999 + 1e-6;
  self->value = value;
}

static void
launch_operation (gpointer data, gsize number)
{
  Overlap *self = data;

  pd_operation_launch (self->run, number);
}

static void
launch_computation (gpointer data, gsize number)
{
  Overlap *self = data;

  (void) number;
  for (gint64 i = 0; i < self->pieces; i++)
    compute (self, self->steps / (gsize) self->pieces);
}

static void
launch_both (gpointer data, gsize number)
{
  Overlap *self = data;

  pd_operation_start (self->run, number);
  for (gint64 i = 0; i < self->pieces; i++)
    {
      if (i > 0)
        pd_operation_test (self->run);
      compute (self, self->steps / (gsize) self->pieces);
    }
  pd_operation_wait (self->run);
}

/* Seconds of a step, where nothing disturbs it. */
static gdouble
time_step (const PdTimer *timer, Overlap *self)
{
  gdouble least = G_MAXDOUBLE;

  for (int i = 0; i < CALIBRATIONS; i++)
    {
      gdouble began = pd_timer_now (timer), passed;
      compute (self, CALIBRATION_STEPS);
      passed = pd_timer_now (timer) - began;
      least = MIN (least, passed);
    }
  return least / CALIBRATION_STEPS;
}

/* As many steps at all processes as take rank 0 as long as the operation. */
static gsize
find_steps (const PdLaunchSetup *setup, Overlap *self, const PdLaunchSample *operation)
{
  gdouble steps = 0;

  if (operation != NULL && pd_sample_correct (operation) > 0)
    steps =
        pd_stats_median (pd_sample_times (operation, PD_TIME_GLOBAL), pd_sample_correct (operation))
        / time_step (setup->timer, self);
  MPI_Bcast (&steps, 1, MPI_DOUBLE, 0, setup->comm);
  return (gsize) steps;
}

gboolean
pd_collective_overlaps (const PdMpiOperation *operation)
{
  return pd_operation_form (operation) != PD_FORM_BLOCKING;
}

void
pd_collective_measure_overlap (const PdLaunchSetup *setup, PdOperationRun *run, gint64 progress,
                               PdLaunchSample *const samples[3])
{
  Overlap self = { .run = run, .pieces = progress + 1, .value = 1 };

  pd_launches_run (setup, launch_operation, &self, samples[0]);
  self.steps = find_steps (setup, &self, samples[0]);
  pd_launches_run (setup, launch_computation, &self, samples[1]);
  pd_launches_run (setup, launch_both, &self, samples[2]);
}
