/* SPDX-License-Identifier: MIT */
#include "comsys/pd-trial-private.h"

typedef struct
{
  PdTime when;
  guint32 token;
} Event;

typedef struct
{
  PdNetworkHost host;
  GArray *events; /* Event */
  PdTime last;    /* delivery so far */
  guint n_under_way;
} Trial;

static Trial *
trial_of (PdNetworkHost *host)
{
  return (Trial *) (gpointer) ((char *) host - G_STRUCT_OFFSET (Trial, host));
}

static void
schedule (PdNetworkHost *host, PdTime when, guint32 token)
{
  Event event = { when, token };

  g_array_append_val (trial_of (host)->events, event);
}

static void
deliver (PdNetworkHost *host, guint32 id G_GNUC_UNUSED, PdTime when)
{
  Trial *self = trial_of (host);

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
pd_trial_run (const PdLevel *level, guint32 n_endpoints, const PdTransfer *transfers, guint n)
{
  const PdNetworkInstance *instance =
      &g_array_index (level->comsys->topology->instances, PdNetworkInstance, level->index);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  Trial trial = { .host = { schedule, deliver, NULL }, .events = events };
  gpointer network = level->class->create (instance->description->config, n_endpoints, &trial.host);

  trial.n_under_way = n;
  for (guint i = 0; i < n; i++)
    {
      PdTime when = level->class->request (network, &transfers[i], PD_TIME_ZERO);
      if (!pd_time_is_pending (when))
        deliver (&trial.host, transfers[i].id, when);
    }
  while (trial.n_under_way > 0 && events->len > 0)
    {
      Event event = take (events);
      level->class->event (network, event.token, event.when);
    }
  level->class->destroy (network);
  return trial.n_under_way > 0 ? PD_TIME_MAX : trial.last;
}
