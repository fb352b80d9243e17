/* SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-dry-run.h"

typedef struct
{
  PdTime when;
  guint32 token;
} Event;

typedef struct
{
  PdNetworkCallbacks callbacks;
  GArray *events; /* Event */
  PdTime last;    /* delivery so far */
  guint n_under_way;
} DryRun;

static DryRun *
dry_run_of (PdNetworkCallbacks *callbacks)
{
  return (DryRun *) (gpointer) ((char *) callbacks - G_STRUCT_OFFSET (DryRun, callbacks));
}

static void
schedule (PdNetworkCallbacks *callbacks, PdTime when, guint32 token)
{
  Event event = { when, token };

  g_array_append_val (dry_run_of (callbacks)->events, event);
}

static void
deliver (PdNetworkCallbacks *callbacks, guint32 id G_GNUC_UNUSED, PdTime when)
{
  DryRun *self = dry_run_of (callbacks);

  self->last = pd_time_max (self->last, when);
  self->n_under_way--;
}

/* Takes the earliest event; of several the one scheduled first. */
static Event
take (GArray *events)
{
  guint first = 0;

  for (guint i = 1; i < events->len; i++)
    if (g_array_index (events, Event, i).when.ps < g_array_index (events, Event, first).when.ps)
      first = i;
  Event event = g_array_index (events, Event, first);
  g_array_remove_index (events, first);
  return event;
}

PdTime
pd_dry_run (const PdNetworkInstance *instance, guint32 n_endpoints, const PdTransfer *transfers,
            guint n)
{
  const PdNetworkClass *class = instance->description->class;
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  DryRun dry_run = { .callbacks = { schedule, deliver, NULL, NULL }, .events = events };
  gpointer network = class->create (instance->description->config, n_endpoints, &dry_run.callbacks);

  dry_run.n_under_way = n;
  for (guint i = 0; i < n; i++)
    {
      PdTime when = class->request (network, &transfers[i], PD_TIME_ZERO);
      if (!pd_time_is_pending (when))
        deliver (&dry_run.callbacks, transfers[i].id, when);
    }
  while (dry_run.n_under_way > 0 && events->len > 0)
    {
      Event event = take (events);
      class->event (network, event.token, event.when);
    }
  class->destroy (network);
  return dry_run.n_under_way > 0 ? PD_TIME_MAX : dry_run.last;
}
