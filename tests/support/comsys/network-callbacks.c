/* SPDX-License-Identifier: MIT */
#include "tests/support/comsys/network-callbacks.h"

typedef struct
{
  gint64 when;
  guint32 token;
} Event;

static void
callback_schedule (PdNetworkCallbacks *host, PdTime when, guint32 token)
{
  TestHost *self = (TestHost *) host;
  Event event = { when.ps, token };
  guint i = self->events->len;

  g_assert_cmpint (when.ps, >=, self->now);
  while (i > 0 && g_array_index (self->events, Event, i - 1).when > when.ps)
    i--;
  g_array_insert_val (self->events, i, event);
}

static void
callback_delivered (PdNetworkCallbacks *host, guint32 id, PdTime when)
{
  TestHost *self = (TestHost *) host;

  g_assert_cmpint (when.ps, >=, self->now);
  g_assert_cmpint (self->delivered[id], ==, -1);
  self->delivered[id] = when.ps;
}

TestHost *
test_host_new (PdMachine *machine, guint32 n_endpoints, guint32 n_transfers)
{
  TestHost *self = g_new0 (TestHost, 1);

  self->parent =
      (PdNetworkCallbacks){ .schedule = callback_schedule, .delivered = callback_delivered };
  self->machine = machine;
  self->events = g_array_new (FALSE, FALSE, sizeof (Event));
  self->delivered = g_new (gint64, n_transfers);
  for (guint32 i = 0; i < n_transfers; i++)
    self->delivered[i] = -1;
  self->network =
      machine->network->class->create (machine->network->config, n_endpoints, &self->parent);
  return self;
}

void
test_host_free (TestHost *self)
{
  self->machine->network->class->destroy (self->network);
  pd_machine_free (self->machine);
  g_array_unref (self->events);
  g_free (self->delivered);
  g_free (self);
}

void
test_host_run (TestHost *self, gint64 until)
{
  while (self->events->len > 0 && g_array_index (self->events, Event, 0).when <= until)
    {
      Event event = g_array_index (self->events, Event, 0);
      g_array_remove_index (self->events, 0);
      self->now = event.when;
      self->n_events++;
      self->machine->network->class->event (self->network, event.token, PD_TIME (event.when));
    }
  self->now = MAX (self->now, until);
}

void
test_host_ask (TestHost *self, guint32 id, gint64 when, const PdTransfer *transfer)
{
  PdTransfer own = *transfer;

  own.id = id;
  self->now = when;
  PdTime end = self->machine->network->class->request (self->network, &own, PD_TIME (when));
  if (!pd_time_is_pending (end))
    callback_delivered (&self->parent, id, end);
}

void
test_host_request (TestHost *self, guint32 id, gint64 when, const PdTransfer *transfer)
{
  test_host_run (self, when);
  test_host_ask (self, id, when, transfer);
}
