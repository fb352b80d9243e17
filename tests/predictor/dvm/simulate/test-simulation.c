/* The main loop with hand-made steps: deadlocks, unmatched messages, clocks
 * that run over; and that nothing is charged wrongly on the way.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/simulate/pd-simulation.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/dvm/step/pd-step.h"
#include "tests/support/predict.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

#define MAX_STEPS 16

/* A machine, its processors, and steps that were made before. */
typedef struct
{
  PdMachine *machine;
  PdComsys *comsys;
  PdIntervalTree *tree;
  PdTeam *team;
  guint32 n;
  guint32 n_steps;
  PdStepDvm steps[MAX_STEPS];
  gboolean fails;
} Bench;

static gboolean
interpret (gpointer interpreter, PdDataServer *server, GError **error)
{
  Bench *self = interpreter;

  if (pd_data_server_get_n_steps (server) > 0)
    {
      if (self->fails)
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_IO, "met");
      return FALSE;
    }
  for (guint32 i = 0; i < self->n_steps; i++)
    *(PdStepDvm *) pd_data_server_append (server) = self->steps[i];
  return self->n_steps > 0;
}

static const PdInterpreterClass class = { sizeof (PdStepDvm), interpret, pd_step_clear };

static Bench *
bench_new (const char *machine, guint32 n)
{
  Bench *self = g_new0 (Bench, 1);
  gint64 size = n;
  g_autoptr (GError) error = NULL;

  self->n = n;
  self->machine = pd_machine_load (machine, NULL, n, &error);
  g_assert_no_error (error);
  self->comsys = pd_comsys_new (self->machine, NULL, n, &error);
  g_assert_no_error (error);
  self->tree = pd_interval_tree_new (n);
  self->team = g_new0 (PdTeam, 1);
  self->team->refs = 1;
  self->team->grid = pd_grid_new (1, &size, NULL);
  self->team->n = n;
  return self;
}

static void
bench_free (Bench *self)
{
  pd_team_unref (self->team);
  pd_interval_tree_free (self->tree);
  pd_comsys_free (self->comsys);
  pd_machine_free (self->machine);
  g_free (self);
}

/* A communicator of all processors. */
static PdCommFamily *
family_new (Bench *self)
{
  PdCommFamily *family = g_new0 (PdCommFamily, 1);
  g_autofree guint32 *ranks = g_new (guint32, self->n);

  for (guint32 i = 0; i < self->n; i++)
    ranks[i] = i;
  family->refs = 1;
  family->team = pd_team_ref (self->team);
  family->n = 1;
  family->comms = g_new (PdComm *, 1);
  family->comms[0] = pd_comm_new (self->comsys, ranks, self->n);
  return family;
}

static PdStepOperation *
operation_new (Bench *self)
{
  PdStepOperation *operation = g_new0 (PdStepOperation, 1);

  operation->refs = 1;
  operation->team = pd_team_ref (self->team);
  operation->kind = PD_OPERATION_OTHER;
  operation->bytes = 8;
  return operation;
}

/* Takes @operation and @family. */
static PdStepDvm *
add_step (Bench *self, PdStepKindDvm kind, PdStepOperation *operation, PdCommFamily *family)
{
  PdStepDvm *step = &self->steps[self->n_steps++];

  step->kind = kind;
  step->operation = operation;
  step->family = family;
  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  step->name = "strtrd_";
  step->file = "a.fdv";
  step->line = 30 + self->n_steps;
  return step;
}

/* Runs; @clocks, if not NULL, gets the end times. */
static gboolean
run (Bench *self, PdTime *clocks, GError **error)
{
  static const gdouble speeds[] = { 1 };
  g_autofree guint16 *speed_of = g_new0 (guint16, self->n);
  g_autoptr (PdDataServer) server = pd_data_server_new (&class, self, NULL, self->n);
  PdSimulationContext context = { .server = server,
                                  .comsys = self->comsys,
                                  .tree = self->tree,
                                  .n = self->n,
                                  .speeds = speeds,
                                  .speed_of = speed_of };
  g_autoptr (PdSimulation) simulation = pd_simulation_new (&context);
  gboolean ok = pd_simulation_run (simulation, error);

  for (guint32 i = 0; clocks != NULL && i < self->n; i++)
    clocks[i] = pd_simulation_get_clock (simulation, i);
  return ok;
}

static void
test_nothing (void)
{
  Bench *bench = bench_new ("ideal", 3);
  PdTime clocks[3];
  g_autoptr (GError) error = NULL;

  g_assert_true (run (bench, clocks, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (clocks[i].ps, ==, 0);
  bench_free (bench);
}

/* Processor 3 is a member of the communicator, but does not come. */
static PdStepOperation *
operation_without_last (Bench *self)
{
  gint64 first = 0, last = self->n - 2;
  PdStepOperation *operation = operation_new (self);
  PdTeam *team = g_new0 (PdTeam, 1);

  team->refs = 1;
  team->n = self->n - 1;
  team->grid = pd_grid_new_part (self->team->grid, &first, &last, NULL);
  pd_team_unref (operation->team);
  operation->team = team;
  return operation;
}

static const struct
{
  const char *name, *machine;
  const char *rows[3]; /* what the table says of processors 0 to 2 */
} deadlocks[] = {
  { "messages",
    "ethernet:startup=1us,per-byte=0",
    { "        0  MPI_Barrier                2          0            0  strtrd_ at a.fdv:31",
      "        1  MPI_Barrier                3          0            0  strtrd_ at a.fdv:31",
      "        2  MPI_Barrier                3          0            0  strtrd_ at a.fdv:31" } },
  { "simple",
    "ethernet:startup=1us,per-byte=0,collectives=simple",
    { "        0  MPI_Barrier              any        any            0  strtrd_ at a.fdv:31",
      "        1  MPI_Barrier              any        any            0  strtrd_ at a.fdv:31",
      "        2  MPI_Barrier              any        any            0  strtrd_ at a.fdv:31" } },
};

static void
test_deadlock (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  Bench *bench = bench_new (deadlocks[i].machine, 4);
  g_autoptr (GError) error = NULL;
  PdStepDvm *step =
      add_step (bench, PD_STEP_KIND_COLLECTIVE, operation_without_last (bench), family_new (bench));

  step->op = PD_OP_BARRIER;
  g_assert_false (run (bench, NULL, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
  g_assert_nonnull (strstr (error->message, "3 of 4 processors"));
  g_auto (GStrv) lines = g_strsplit (error->message, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  for (guint k = 0; k < 3; k++)
    g_assert_cmpstr (lines[2 + k], ==, deadlocks[i].rows[k]);
  bench_free (bench);
}

/* Of many only the first 16 are shown. */
static void
test_long_table (void)
{
  Bench *bench = bench_new ("ideal", 100);
  g_autoptr (GError) error = NULL;
  PdStepDvm *step =
      add_step (bench, PD_STEP_KIND_COLLECTIVE, operation_without_last (bench), family_new (bench));

  step->op = PD_OP_ALLREDUCE;
  g_assert_false (run (bench, NULL, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
  g_auto (GStrv) lines = g_strsplit (error->message, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 2 + 16 + 1);
  bench_free (bench);
}

/* The table names a partner that has not come, not one that has. */
static void
test_partner (void)
{
  Bench *bench = bench_new ("ideal", 3);
  PdComm *world = pd_comsys_get_world (bench->comsys);
  PdTime ret[3];
  PdCall calls[3];
  PdRequest requests[2];
  PdBlocked blocked;
  guint32 rank;
  PdTime when;

  for (guint32 r = 0; r < 3; r++)
    calls[r] = (PdCall){ r, PD_TIME_ZERO, &ret[r], NULL };
  for (gint32 k = 0; k < 2; k++)
    requests[k] =
        pd_comsys_irecv (bench->comsys, &calls[0], world, (PdEnvelope){ 1 + k, 5 + k, 100 + k });
  pd_comsys_waitall (bench->comsys, &calls[0], requests, 2);
  for (gint32 k = 0; k < 2; k++)
    {
      pd_comsys_get_blocked (bench->comsys, 0, &blocked);
      g_assert_cmpstr (blocked.function, ==, "MPI_Waitall");
      g_assert_cmpint (blocked.tag, ==, blocked.peer == 1 ? 5 : 6);
      g_assert_cmpint (blocked.bytes, ==, blocked.peer == 1 ? 100 : 101);
      guint32 sender = blocked.peer == 1 ? 1 : 2;
      pd_comsys_send (bench->comsys, &calls[sender], world,
                      (PdEnvelope){ 0, blocked.tag, blocked.bytes });
      while (pd_comsys_next (bench->comsys, &rank, &when))
        g_assert_cmpuint (rank, ==, 0);
    }
  pd_comsys_get_blocked (bench->comsys, 0, &blocked);
  g_assert_null (blocked.function);
  bench_free (bench);
}

/* Results of a star that nobody sends. */
static void
test_unmatched (void)
{
  Bench *bench = bench_new ("ethernet:startup=1us,per-byte=0", 4);
  g_autoptr (GError) error = NULL;

  add_step (bench, PD_STEP_KIND_STAR_START, operation_new (bench), family_new (bench))->flags = 0;
  g_assert_false (run (bench, NULL, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED);
  bench_free (bench);
}

/* How long 4 processors take that start an MPI_Iallreduce, compute for @us and wait for it; or,
 * not @is_started, reduce at once. */
static gint64
run_reduction (gboolean is_started, gint64 us)
{
  Bench *bench = bench_new ("ethernet:startup=1us,per-byte=0", 4);
  PdStepOperation *operation = operation_new (bench);
  PdTime clocks[4];
  g_autoptr (GError) error = NULL;
  PdStepDvm *step =
      add_step (bench, is_started ? PD_STEP_KIND_COLLECTIVE_START : PD_STEP_KIND_COLLECTIVE,
                pd_operation_ref (operation), family_new (bench));

  step->op = PD_OP_ALLREDUCE;
  step->bytes = 8;
  step->flags = is_started ? 0 : PD_STEP_ENTERS | PD_STEP_LEAVES;
  operation->is_collective = is_started;
  operation->overlaps = is_started;
  step = add_step (bench, is_started ? PD_STEP_KIND_COLLECTIVE_WAIT : PD_STEP_KIND_NONE,
                   is_started ? pd_operation_ref (operation) : NULL,
                   is_started ? family_new (bench) : NULL);
  step->seq = PD_TIME (us * PD_PS_PER_US);
  g_assert_true (run (bench, clocks, &error));
  g_assert_no_error (error);
  pd_operation_unref (operation);
  bench_free (bench);
  return MAX (MAX (clocks[0].ps, clocks[1].ps), MAX (clocks[2].ps, clocks[3].ps));
}

/* Computation hides the reduction, of which it takes no time; without computation both take as
 * long. */
static void
test_nonblocking (void)
{
  gint64 blocking = run_reduction (FALSE, 0);

  g_assert_cmpint (blocking, >, 0);
  g_assert_cmpint (run_reduction (TRUE, 0), ==, blocking);
  g_assert_cmpint (run_reduction (TRUE, 1), ==, blocking);
  g_assert_cmpint (run_reduction (TRUE, 1000), ==, 1000 * PD_PS_PER_US);
  g_assert_cmpint (run_reduction (FALSE, 1000), ==, blocking + 1000 * PD_PS_PER_US);
}

/* An error of the interpreter ends the run. */
static void
test_error (void)
{
  Bench *bench = bench_new ("ideal", 4);
  PdTime clocks[4];
  g_autoptr (GError) error = NULL;

  bench->fails = TRUE;
  add_step (bench, PD_STEP_KIND_NONE, NULL, NULL)->seq = PD_TIME (7);
  g_assert_false (run (bench, clocks, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_IO);
  g_assert_cmpint (clocks[0].ps, ==, 7);
  bench_free (bench);
}

/* ---- clocks that run over: never a wrap */

static void
test_overflow_of_steps (void)
{
  Bench *bench = bench_new ("ethernet:startup=1s,per-byte=1s", 3);
  PdTime clocks[3];
  g_autoptr (GError) error = NULL;

  add_step (bench, PD_STEP_KIND_NONE, NULL, NULL)->seq = PD_TIME (G_MAXINT64 - 5);
  PdStepDvm *step =
      add_step (bench, PD_STEP_KIND_COLLECTIVE, operation_new (bench), family_new (bench));
  step->op = PD_OP_ALLREDUCE;
  step->bytes = G_MAXINT64;
  add_step (bench, PD_STEP_KIND_NONE, NULL, NULL)->seq = PD_TIME (G_MAXINT64 - 5);
  g_assert_false (run (bench, clocks, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_OVERFLOW);
  /* the first one that runs over ends the run: the others' clocks stand still */
  PdTime latest = PD_TIME_ZERO;
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpint (clocks[i].ps, >=, G_MAXINT64 - 5);
      latest = pd_time_max (latest, clocks[i]);
    }
  g_assert_cmpint (latest.ps, ==, G_MAXINT64);
  bench_free (bench);
}

/* A trace of years. */
static void
test_overflow_of_trace (gconstpointer data)
{
  const char *grid = data;
  PdPredictOptions options = test_options ("ethernet:startup=1s,per-byte=1s,speeds=1:0.001");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_autoptr (GError) error = NULL;
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");

  for (guint i = 0; i < 20; i++)
    {
      test_trace_ordinary (trace, TEST_S (9000000), TEST_S (9000000));
      test_trace_run (trace, test_trace_loop (trace, array, "0:7", "1*1+0"), TEST_S (9000000));
      gint64 group = test_trace_shadow (trace, array, "1", "1", FALSE);
      test_trace_group (trace, "strtsh_", group, TEST_S (9000000), 0);
      test_trace_group (trace, "waitsh_", group, TEST_S (9000000), 0);
      test_trace_group (trace, "strtrd_", test_trace_reduction (trace, "3 4 1 8", 0), 0, 0);
      test_trace_io (trace, "dvm_printf", TEST_S (9000000), "Format=x", "Res=1;");
    }
  test_trace_exit (trace, 0);
  g_assert_null (test_predict (trace->text->str, grid, &options, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_OVERFLOW);
}

/* Just below: 100 days fit. */
static void
test_long_run (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_ordinary (trace, TEST_S (8640000), 0);
  g_autoptr (TestRun) run = test_run (trace, "3", &options);
  g_assert_cmpint (test_value (run, 0, 2, PD_C_EXECUTION_TIME), ==, 8640000 * PD_PS_PER_S);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/simulation/nothing", test_nothing);
  for (gsize i = 0; i < G_N_ELEMENTS (deadlocks); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/simulation/deadlock/", deadlocks[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_deadlock);
    }
  g_test_add_func ("/predictor/simulation/deadlock/long-table", test_long_table);
  g_test_add_func ("/predictor/simulation/deadlock/partner", test_partner);
  g_test_add_func ("/predictor/simulation/nonblocking", test_nonblocking);
  g_test_add_func ("/predictor/simulation/unmatched", test_unmatched);
  g_test_add_func ("/predictor/simulation/error", test_error);
  g_test_add_func ("/predictor/simulation/overflow/steps", test_overflow_of_steps);
  g_test_add_data_func ("/predictor/simulation/overflow/trace-1", "1", test_overflow_of_trace);
  g_test_add_data_func ("/predictor/simulation/overflow/trace-2x2", "2x2", test_overflow_of_trace);
  g_test_add_func ("/predictor/simulation/overflow/long-run", test_long_run);
  return g_test_run ();
}
