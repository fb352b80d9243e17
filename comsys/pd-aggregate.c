/* Exchanges of so many messages that simulating each would cost more than it
 * tells. How long they take is learned from small exchanges of all with all on
 * a network of the same kind (pd-trial.c), which tell what a message costs the
 * two that exchange it and what it costs everybody, and is scaled up.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trial-private.h"

/* Endpoints of the trials: this many, twice, three times as many. */
#define STEP 16

/* The network on which the farthest processors meet. */
static const PdLevel *
outermost (const PdComsys *self)
{
  return &self->levels[0];
}

/* All of @n endpoints send each other @bytes, and what announces them. */
static gdouble
try_all_to_all (const PdLevel *level, guint32 n, gint64 bytes, gboolean announced)
{
  guint32 rounds = announced ? 3 : 1, k = 0;
  g_autofree PdTransfer *transfers = g_new (PdTransfer, rounds * n * n);

  for (guint32 p = 0; p < n; p++)
    for (guint32 q = 0; q < n; q++)
      for (guint32 i = 0; i < rounds && p != q; i++, k++)
        transfers[k] = (PdTransfer){ .source = i == 1 ? q : p,
                                     .target = i == 1 ? p : q,
                                     .bytes = i + 1 == rounds ? bytes : 0,
                                     .control = i + 1 < rounds,
                                     .id = k };
  return (gdouble) pd_trial_run (level, n, transfers, k).ps;
}

/* T (n) = once + own (n - 1) + all n (n - 1): what any exchange takes, what a
 * message costs its two ends, what it costs everybody. */
typedef struct
{
  gdouble once;
  gdouble own;
  gdouble all;
} Costs;

static Costs
learn (const PdLevel *level, gint64 bytes, gboolean announced)
{
  gdouble t1 = try_all_to_all (level, STEP, bytes, announced);
  gdouble t2 = try_all_to_all (level, 2 * STEP, bytes, announced);
  gdouble t3 = try_all_to_all (level, 3 * STEP, bytes, announced);
  Costs costs;

  /* by differences: of (n - 1) they are STEP, of n (n - 1) those of 4 - 1, 9 - 4 */
  costs.all = MAX ((t3 - 2 * t2 + t1) / (2 * STEP * STEP), 0);
  costs.own = MAX ((t2 - t1 - costs.all * (3 * STEP * STEP - STEP)) / STEP, 0);
  costs.once = MAX (t1 - costs.own * (STEP - 1) - costs.all * STEP * (STEP - 1), 0);
  return costs;
}

void
pd_comsys_learn_exchange (const PdComsys *self, gint64 mean_bytes, PdExchangeCosts *costs)
{
  const PdLevel *level = outermost (self);
  gboolean announced = mean_bytes > level->protocol.eager && !level->protocol.free_control;
  Costs empty = learn (level, 0, announced), full = learn (level, mean_bytes, announced);
  guint32 n = g_array_index (self->topology->instances, PdNetworkInstance, 0).n_endpoints;
  gdouble bytes = (gdouble) MAX (mean_bytes, 1);

  *costs = (PdExchangeCosts){ .once = full.once,
                              .per_message = empty.own,
                              .per_byte = MAX (full.own - empty.own, 0) / bytes,
                              .per_message_of_all = empty.all,
                              .per_byte_of_all = MAX (full.all - empty.all, 0) / bytes,
                              .sharing = MAX ((gdouble) self->n_ranks / MAX (n, 1), 1) };
}

PdTime
pd_comsys_get_exchange_time (const PdComsys *self, const PdExchangeCosts *costs,
                             const PdTraffic *own, const PdTraffic *all)
{
  const PdSoftware *software = &self->machine->software;
  gdouble messages = (gdouble) MAX (own->n_sent, own->n_received);
  gdouble bytes = (gdouble) MAX (own->bytes_sent, own->bytes_received);
  gdouble ps = costs->once
               + costs->sharing * (costs->per_message * messages + costs->per_byte * bytes)
               + costs->per_message_of_all * (gdouble) all->n_sent
               + costs->per_byte_of_all * (gdouble) all->bytes_sent
               + (gdouble) software->send_overhead.ps * (gdouble) own->n_sent
               + (gdouble) software->recv_overhead.ps * (gdouble) own->n_received
               + (gdouble) software->wait_overhead.ps;

  return PD_TIME (ps < (gdouble) G_MAXINT64 ? (gint64) ps : G_MAXINT64);
}
