/* SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/mpi/pd-comm-create.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/state/pd-comsys-types.h"

#include <math.h>
#include <string.h>

gint64
test_us (gdouble us)
{
  return (gint64) floor (us * (gdouble) PD_PS_PER_US + 0.5);
}

PdMachine *
test_machine (const char *spec, guint32 n_ranks)
{
  g_autoptr (GError) error = NULL;
  PdMachine *machine;

  if (spec[0] == '<')
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (spec, strlen (spec));
      machine = pd_machine_load_bytes (bytes, "test", NULL, n_ranks, &error);
    }
  else
    machine = pd_machine_load (spec, NULL, n_ranks, &error);
  g_assert_no_error (error);
  return machine;
}

/* ---- the observer */

static void
see_message (gpointer data, guint32 source G_GNUC_UNUSED, guint32 target G_GNUC_UNUSED,
             gint64 bytes, PdTime when G_GNUC_UNUSED, gboolean collective)
{
  TestSeen *seen = data;

  seen->n++;
  seen->bytes = (gint64) ((guint64) seen->bytes + (guint64) bytes); /* may wrap, harmlessly */
  seen->n_collective += collective ? 1 : 0;
}

static void
see_collective (gpointer data, guint32 rank G_GNUC_UNUSED, const char *name,
                gint64 bytes G_GNUC_UNUSED, PdTime when G_GNUC_UNUSED)
{
  TestSeen *seen = data;

  g_assert_nonnull (name);
  seen->n_calls++;
}

/* ---- one step */

typedef struct
{
  TestRun *run;
  const TestStep *step;
  guint i; /* its number */
  PdCall call;
  PdComm *comm;
  PdRequest *requests; /* from the step's slot on */
} Act;

static PdEnvelope
envelope_of (const TestStep *step, gint32 peer)
{
  return (PdEnvelope){ peer, step->tag, step->bytes };
}

static void
act_send (Act *act)
{
  static void (*const sends[N_DO]) (PdComsys *, const PdCall *, PdComm *, PdEnvelope) = {
    [DO_SEND] = pd_comsys_send,   [DO_SSEND] = pd_comsys_ssend, [DO_BSEND] = pd_comsys_bsend,
    [DO_RSEND] = pd_comsys_rsend, [DO_RECV] = pd_comsys_recv,
  };

  sends[act->step->what](act->run->comsys, &act->call, act->comm,
                         envelope_of (act->step, act->step->peer));
}

static void
act_start (Act *act)
{
  static PdRequest (*const starts[N_DO]) (PdComsys *, const PdCall *, PdComm *, PdEnvelope) = {
    [DO_ISEND] = pd_comsys_isend,   [DO_ISSEND] = pd_comsys_issend, [DO_IBSEND] = pd_comsys_ibsend,
    [DO_IRSEND] = pd_comsys_irsend, [DO_IRECV] = pd_comsys_irecv,
  };

  g_assert_cmpuint (*act->requests, ==, PD_REQUEST_NULL);
  act->call.status = NULL;
  *act->requests = starts[act->step->what](act->run->comsys, &act->call, act->comm,
                                           envelope_of (act->step, act->step->peer));
}

/* What becomes of requests before and after they are under way. */
static void
act_request (Act *act)
{
  PdComsys *comsys = act->run->comsys;
  const TestStep *step = act->step;
  PdEnvelope envelope = envelope_of (step, step->peer);
  guint32 rank = step->rank;

  *act->call.ret = act->call.when;
  switch (step->what)
    {
    case DO_SEND_INIT:
      *act->requests = pd_comsys_send_init (comsys, rank, act->comm, envelope, step->mode);
      break;
    case DO_RECV_INIT:
      *act->requests = pd_comsys_recv_init (comsys, rank, act->comm, envelope);
      break;
    case DO_START:
      if (step->n == 1)
        pd_comsys_start (comsys, &act->call, *act->requests);
      else
        pd_comsys_startall (comsys, &act->call, act->requests, step->n);
      break;
    case DO_REQUEST_FREE:
      pd_comsys_request_free (comsys, act->requests);
      g_assert_cmpuint (*act->requests, ==, PD_REQUEST_NULL);
      break;
    default:
      act->run->result[act->i] = pd_comsys_cancel (comsys, *act->requests, act->call.when);
    }
}

static void
act_probe (Act *act)
{
  PdEnvelope envelope = envelope_of (act->step, act->step->peer);

  if (act->step->what == DO_PROBE)
    pd_comsys_probe (act->run->comsys, &act->call, act->comm, envelope);
  else
    act->run->result[act->i] = pd_comsys_iprobe (act->run->comsys, &act->call, act->comm, envelope);
}

static void
act_sendrecv (Act *act)
{
  PdExchange exchange = { envelope_of (act->step, act->step->peer),
                          envelope_of (act->step, act->step->from) };

  pd_comsys_sendrecv (act->run->comsys, &act->call, act->comm, &exchange);
}

static void
act_bundle (Act *act)
{
  PdBundle *bundle = &act->run->bundles[act->step->rank];

  for (guint i = 0; i < act->step->n; i++)
    {
      pd_bundle_add (act->run->comsys, bundle, act->requests[i]);
      act->requests[i] = PD_REQUEST_NULL;
    }
  pd_comsys_waitall_bundle (act->run->comsys, &act->call, bundle);
}

static void
act_wait (Act *act)
{
  PdComsys *comsys = act->run->comsys;
  guint n = act->step->n;
  gint *result = &act->run->result[act->i];

  if (act->step->what != DO_WAIT)
    act->call.status = &act->run->slot_statuses[act->requests - act->run->requests];
  switch (act->step->what)
    {
    case DO_WAIT:
      pd_comsys_wait (comsys, &act->call, act->requests);
      break;
    case DO_WAITALL:
      pd_comsys_waitall (comsys, &act->call, act->requests, n);
      break;
    case DO_WAITANY:
      pd_comsys_waitany (comsys, &act->call, act->requests, n, result);
      break;
    case DO_WAITSOME:
      pd_comsys_waitsome (comsys, &act->call, act->requests, n, result);
      break;
    case DO_TEST:
      *result = pd_comsys_test (comsys, &act->call, act->requests);
      break;
    case DO_TESTALL:
      *result = pd_comsys_testall (comsys, &act->call, act->requests, n);
      break;
    case DO_TESTANY:
      *result = pd_comsys_testany (comsys, &act->call, act->requests, n);
      break;
    default:
      *result = (gint) pd_comsys_testsome (comsys, &act->call, act->requests, n);
    }
}

static void
act_collective (Act *act)
{
  const TestStep *step = act->step;
  PdCollective collective = { .op = step->op,
                              .root = (guint32) step->peer,
                              .bytes = step->bytes,
                              .send_counts = step->send_counts,
                              .recv_counts = step->recv_counts };

  if (step->what == DO_COLLECTIVE)
    pd_comsys_collective (act->run->comsys, &act->call, act->comm, &collective);
  else
    *act->requests = pd_comsys_icollective (act->run->comsys, &act->call, act->comm, &collective);
}

static void
act_comm (Act *act)
{
  const TestStep *step = act->step;
  PdComsys *comsys = act->run->comsys;
  PdComm **result = &act->run->comms[step->rank * act->run->n_slots + step->slot];

  switch (step->what)
    {
    case DO_COMM_DUP:
      pd_comsys_comm_dup (comsys, &act->call, act->comm, result);
      break;
    case DO_COMM_SPLIT:
      pd_comsys_comm_split (comsys, &act->call, act->comm, (PdSplit){ step->peer, step->tag },
                            result);
      break;
    case DO_COMM_CREATE:
      pd_comsys_comm_create (comsys, &act->call, act->comm, step->group, result);
      break;
    default:
      g_clear_pointer (result, pd_comm_unref);
      *act->call.ret = act->call.when;
    }
}

static void
act_one_sided (Act *act)
{
  PdComsys *comsys = act->run->comsys;
  PdWin *win = act->run->win;
  const TestStep *step = act->step;

  switch (step->what)
    {
    case DO_PUT:
      pd_comsys_put (comsys, &act->call, win, step->peer, step->bytes);
      break;
    case DO_GET:
      pd_comsys_get (comsys, &act->call, win, step->peer, step->bytes);
      break;
    case DO_ACCUMULATE:
      pd_comsys_accumulate (comsys, &act->call, win, step->peer, step->bytes);
      break;
    case DO_FENCE:
      pd_comsys_win_fence (comsys, &act->call, win);
      break;
    case DO_LOCK:
      g_assert_true (pd_win_may_lock (win, step->rank, step->peer));
      pd_comsys_win_lock (comsys, &act->call, win, step->peer, step->n > 0);
      break;
    case DO_UNLOCK:
      g_assert_true (pd_win_may_unlock (win, step->rank, step->peer));
      pd_comsys_win_unlock (comsys, &act->call, win, step->peer);
      break;
    default:
      pd_comsys_win_flush (comsys, &act->call, win, step->peer);
    }
}

static void
act_compute (Act *act)
{
  *act->call.ret = PD_TIME (act->call.when.ps + test_us (act->step->duration));
}

static void (*const acts[N_DO]) (Act *) = {
  [DO_COMPUTE] = act_compute,
  [DO_SEND] = act_send,
  [DO_SSEND] = act_send,
  [DO_BSEND] = act_send,
  [DO_RSEND] = act_send,
  [DO_RECV] = act_send,
  [DO_SENDRECV] = act_sendrecv,
  [DO_ISEND] = act_start,
  [DO_ISSEND] = act_start,
  [DO_IBSEND] = act_start,
  [DO_IRSEND] = act_start,
  [DO_IRECV] = act_start,
  [DO_SEND_INIT] = act_request,
  [DO_RECV_INIT] = act_request,
  [DO_START] = act_request,
  [DO_REQUEST_FREE] = act_request,
  [DO_CANCEL] = act_request,
  [DO_PROBE] = act_probe,
  [DO_IPROBE] = act_probe,
  [DO_WAIT] = act_wait,
  [DO_WAITALL] = act_wait,
  [DO_WAITALL_BUNDLE] = act_bundle,
  [DO_WAITANY] = act_wait,
  [DO_WAITSOME] = act_wait,
  [DO_TEST] = act_wait,
  [DO_TESTALL] = act_wait,
  [DO_TESTANY] = act_wait,
  [DO_TESTSOME] = act_wait,
  [DO_COLLECTIVE] = act_collective,
  [DO_ICOLLECTIVE] = act_collective,
  [DO_COMM_DUP] = act_comm,
  [DO_COMM_SPLIT] = act_comm,
  [DO_COMM_CREATE] = act_comm,
  [DO_COMM_FREE] = act_comm,
  [DO_PUT] = act_one_sided,
  [DO_GET] = act_one_sided,
  [DO_ACCUMULATE] = act_one_sided,
  [DO_FENCE] = act_one_sided,
  [DO_LOCK] = act_one_sided,
  [DO_UNLOCK] = act_one_sided,
  [DO_FLUSH] = act_one_sided,
};

static void
start_step (TestRun *self, guint i, PdTime when)
{
  const TestStep *step = &self->steps[i];
  guint base = step->rank * self->n_slots;
  Act act = { .run = self,
              .step = step,
              .i = i,
              .call = { step->rank, when, &self->ret[i], &self->statuses[i] },
              .comm = self->comms[base + step->comm],
              .requests = &self->requests[base + step->slot] };

  acts[step->what](&act);
}

/* ---- the main loop */

/* @rank acts at @when until it has to wait, or somebody else comes first. */
static void
take_turn (TestRun *self, guint32 rank, PdTime when)
{
  if (self->calling[rank])
    {
      g_assert_cmpint (self->ret[self->order[self->at[rank]]].ps, ==, when.ps);
      self->calling[rank] = FALSE;
      self->at[rank]++;
    }
  while (self->at[rank] < self->end[rank])
    {
      guint i = self->order[self->at[rank]];
      start_step (self, i, when);
      if (pd_time_is_pending (self->ret[i]))
        {
          self->calling[rank] = TRUE;
          return;
        }
      g_assert_cmpint (self->ret[i].ps, >=, when.ps);
      when = self->ret[i];
      self->at[rank]++;
      if (!pd_comsys_may_go_on (self->comsys, rank, when))
        {
          pd_comsys_ready (self->comsys, rank, when);
          return;
        }
    }
  self->n_finished++;
}

static void
sort_steps (TestRun *self)
{
  guint n = 0;

  self->n_slots = 1;
  for (guint i = 0; i < self->n_steps; i++)
    {
      const TestStep *step = &self->steps[i];
      self->n_slots = MAX (self->n_slots, MAX (step->slot + MAX (step->n, 1), step->comm + 1));
    }
  for (guint32 r = 0; r < self->n_ranks; r++)
    self->end[r] = 0;
  for (guint i = 0; i < self->n_steps; i++)
    self->end[self->steps[i].rank]++;
  for (guint32 r = 0; r < self->n_ranks; r++)
    {
      self->at[r] = n;
      n += self->end[r];
      self->end[r] = self->at[r];
    }
  for (guint i = 0; i < self->n_steps; i++)
    self->order[self->end[self->steps[i].rank]++] = i;
}

guint
test_count_steps (const TestStep *steps)
{
  guint n = 0;

  while (steps[n].what != DO_END)
    n++;
  return n;
}

TestRun *
test_run_new (const TestSetup *setup, const TestStep *steps, guint n_steps)
{
  TestRun *self = g_new0 (TestRun, 1);
  g_autoptr (GError) error = NULL;
  guint32 n = setup->n_ranks, rank;
  PdTime when;

  self->comsys = pd_comsys_new (setup->machine, setup->placement, n, &error);
  g_assert_no_error (error);
  self->n_ranks = n;
  self->steps = steps;
  self->n_steps = n_steps;
  self->ret = g_new (PdTime, n_steps);
  for (guint i = 0; i < n_steps; i++)
    self->ret[i] = PD_TIME_PENDING;
  self->result = g_new0 (gint, n_steps);
  self->statuses = g_new0 (PdStatus, n_steps);
  self->at = g_new0 (guint, n);
  self->end = g_new0 (guint, n);
  self->order = g_new0 (guint, n_steps);
  self->calling = g_new0 (gboolean, n);
  sort_steps (self);
  self->requests = g_new0 (PdRequest, n * self->n_slots);
  self->slot_statuses = g_new0 (PdStatus, n * self->n_slots);
  self->bundles = g_new0 (PdBundle, n);
  self->comms = g_new0 (PdComm *, n * self->n_slots);
  self->win = pd_win_new (self->comsys, pd_comsys_get_world (self->comsys));
  pd_comsys_set_run_ahead (self->comsys, !setup->one_step);
  pd_comsys_set_observer (self->comsys, &(PdObserver){ &self->seen, see_message, see_collective });
  for (rank = 0; rank < n; rank++)
    {
      self->comms[rank * self->n_slots] = pd_comsys_get_world (self->comsys);
      pd_comsys_ready (self->comsys, rank, PD_TIME_ZERO);
    }
  if (setup->prepare != NULL)
    setup->prepare (self);
  while (pd_comsys_next (self->comsys, &rank, &when))
    take_turn (self, rank, when);
  return self;
}

void
test_run_free (TestRun *self)
{
  for (guint32 r = 0; r < self->n_ranks; r++)
    for (guint s = 1; s < self->n_slots; s++)
      pd_comm_unref (self->comms[r * self->n_slots + s]);
  pd_win_free (self->win);
  pd_comsys_free (self->comsys);
  g_free (self->ret);
  g_free (self->result);
  g_free (self->statuses);
  g_free (self->at);
  g_free (self->end);
  g_free (self->order);
  g_free (self->calling);
  g_free (self->requests);
  g_free (self->slot_statuses);
  g_free (self->bundles);
  g_free (self->comms);
  g_free (self);
}

const PdStatus *
test_run_status (const TestRun *self, guint32 rank, guint slot)
{
  return &self->slot_statuses[rank * self->n_slots + slot];
}

static void
compare_statuses (const PdStatus *a, const PdStatus *b)
{
  g_assert_cmpint (a->source, ==, b->source);
  g_assert_cmpint (a->tag, ==, b->tag);
  g_assert_cmpint (a->bytes, ==, b->bytes);
}

void
test_compare_runs (const TestRun *a, const TestRun *b)
{
  const PdComsysCounts *x = pd_comsys_get_counts (a->comsys), *y = pd_comsys_get_counts (b->comsys);

  g_assert_cmpuint (a->n_finished, ==, b->n_finished);
  for (guint i = 0; i < a->n_steps; i++)
    {
      if (a->ret[i].ps != b->ret[i].ps)
        g_test_message ("step %u, rank %u, kind %d", i, a->steps[i].rank, (int) a->steps[i].what);
      g_assert_cmpint (a->ret[i].ps, ==, b->ret[i].ps);
      g_assert_cmpint (a->result[i], ==, b->result[i]);
      compare_statuses (&a->statuses[i], &b->statuses[i]);
    }
  for (guint i = 0; i < a->n_ranks * a->n_slots; i++)
    compare_statuses (&a->slot_statuses[i], &b->slot_statuses[i]);
  g_assert_cmpuint (x->n_messages, ==, y->n_messages);
  g_assert_true (x->n_bytes.ps == y->n_bytes.ps);
  g_assert_cmpuint (x->n_collective_messages, ==, y->n_collective_messages);
  g_assert_cmpuint (x->n_collectives, ==, y->n_collectives);
}

static void
check_returns (const TestRun *run)
{
  for (guint i = 0; i < run->n_steps; i++)
    {
      const TestStep *step = &run->steps[i];
      gint64 expected = step->ret < 0 ? -1 : test_us (step->ret);
      if (run->ret[i].ps != expected)
        g_test_message ("row %u", i);
      g_assert_cmpint (run->ret[i].ps, ==, expected);
      if (step->checked && expected >= 0)
        g_assert_cmpint (run->result[i], ==, step->result);
    }
}

void
test_check_setup (const TestSetup *setup, const TestStep *steps)
{
  TestSetup stepwise = *setup;
  guint n_steps = test_count_steps (steps);
  guint32 n_stuck = 0;

  stepwise.one_step = TRUE;
  g_autoptr (TestRun) run = test_run_new (setup, steps, n_steps);
  g_autoptr (TestRun) other = test_run_new (&stepwise, steps, n_steps);
  check_returns (run);
  for (guint32 r = 0; r < run->n_ranks; r++)
    n_stuck += run->at[r] < run->end[r] ? 1 : 0;
  g_assert_cmpuint (run->n_finished, ==, run->n_ranks - n_stuck);
  if (n_stuck == 0)
    g_assert_cmpint (run->seen.n, ==, (gint64) pd_comsys_get_counts (run->comsys)->n_messages);
  test_compare_runs (run, other);
}

void
test_check_steps (const char *spec, guint32 n_ranks, const TestStep *steps)
{
  g_autoptr (PdMachine) machine = test_machine (spec, n_ranks);

  test_check_setup (&(TestSetup){ .machine = machine, .n_ranks = n_ranks }, steps);
}

static void
check_case (gconstpointer data)
{
  const TestCase *row = data;

  test_check_steps (row->machine, row->n_ranks, row->steps);
}

void
test_add_cases (const char *folder, const TestCase *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s", folder, cases[i].name);
      g_test_add_data_func (path, &cases[i], check_case);
    }
}
