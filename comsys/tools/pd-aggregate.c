/* Exchanges of so many messages that simulating each would cost more than it
 * tells. How long they take is learned from small exchanges of all with all
 * among the first ranks on the same machine, which tell what a message costs the
 * two that exchange it and what it costs everybody, and is scaled up.
 * SPDX-License-Identifier: MIT */
#include "comsys/tools/pd-aggregate.h"

#include "base/pd-time.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/state/pd-comsys-data.h"

/* Ranks of the trials: this many, twice, three times as many. */
#define STEP 16

/* So often they exchange: later rounds find the ranks as the ones before have
 * left them, not all at the same moment. */
#define ROUNDS 3

/* One rank of a trial. */
typedef struct
{
  PdTime ret;
  guint32 round;
  guint32 n_started; /* receives, then sends, of this round */
  PdBundle bundle;
  gboolean waits;
} Player;

typedef struct
{
  PdComsys *comsys;
  PdComm *world;
  guint32 n;
  gint64 bytes;
  Player *players;
  PdTime ends[ROUNDS]; /* of the last rank */
} Trial;

/* Starts the next message of @rank at @when: all receives, then all sends. */
static void
start_next (Trial *self, guint32 rank, PdTime when)
{
  Player *player = &self->players[rank];
  PdCall call = { rank, when, &player->ret, NULL };
  guint32 others = self->n - 1, k = player->n_started++;
  gint32 peer = (gint32) (k % others) + (k % others >= rank ? 1 : 0);
  PdEnvelope envelope = { peer, (gint32) player->round, self->bytes };
  PdRequest request = k < others ? pd_comsys_irecv (self->comsys, &call, self->world, envelope)
                                 : pd_comsys_isend (self->comsys, &call, self->world, envelope);

  pd_bundle_add (self->comsys, &player->bundle, request);
}

/* Lets @rank go on from @when until it has to wait. */
static void
play (Trial *self, guint32 rank, PdTime when)
{
  Player *player = &self->players[rank];

  for (;;)
    {
      if (player->waits)
        {
          self->ends[player->round] = pd_time_max (self->ends[player->round], when);
          player->waits = FALSE;
          player->n_started = 0;
          if (++player->round == ROUNDS)
            return;
        }
      if (player->n_started < 2 * (self->n - 1))
        start_next (self, rank, when);
      else
        {
          PdCall call = { rank, when, &player->ret, NULL };
          player->waits = TRUE;
          pd_comsys_waitall_bundle (self->comsys, &call, &player->bundle);
        }
      if (pd_time_is_pending (player->ret))
        return;
      when = player->ret;
      if (!pd_comsys_may_go_on (self->comsys, rank, when))
        {
          pd_comsys_ready (self->comsys, rank, when);
          return;
        }
    }
}

/* How long a round takes among the first @n ranks, ps. */
static gdouble
try_all_to_all (const PdComsys *self, guint32 n, gint64 bytes)
{
  Trial trial = { .n = n, .bytes = bytes };
  guint32 rank;
  PdTime when;

  if (n < 2)
    return 0;
  trial.comsys = pd_comsys_new (self->machine, self->placement, n, NULL);
  trial.world = pd_comsys_get_world (trial.comsys);
  trial.players = g_new0 (Player, n);
  for (rank = 0; rank < n; rank++)
    pd_comsys_ready (trial.comsys, rank, PD_TIME_ZERO);
  while (pd_comsys_next (trial.comsys, &rank, &when))
    play (&trial, rank, when);
  g_free (trial.players);
  pd_comsys_free (trial.comsys);
  return (gdouble) pd_time_sub (trial.ends[ROUNDS - 1], trial.ends[0]).ps / (ROUNDS - 1);
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
learn (const PdComsys *self, gint64 bytes)
{
  guint32 step = CLAMP (self->n_ranks / 3, 1, STEP);
  gdouble t1 = try_all_to_all (self, MIN (step, self->n_ranks), bytes);
  gdouble t2 = try_all_to_all (self, MIN (2 * step, self->n_ranks), bytes);
  gdouble t3 = try_all_to_all (self, MIN (3 * step, self->n_ranks), bytes);
  Costs costs;

  /* by differences: of (n - 1) they are step, of n (n - 1) those of 4 - 1, 9 - 4 */
  costs.all = MAX ((t3 - 2 * t2 + t1) / (2.0 * step * step), 0);
  costs.own = MAX ((t2 - t1 - costs.all * (3.0 * step * step - step)) / step, 0);
  costs.once = MAX (t1 - costs.own * (step - 1.0) - costs.all * step * (step - 1.0), 0);
  return costs;
}

void
pd_comsys_learn_exchange (const PdComsys *self, gint64 mean_bytes, PdExchangeCosts *costs)
{
  Costs empty = learn (self, 0), full = learn (self, mean_bytes);
  gdouble bytes = (gdouble) MAX (mean_bytes, 1);

  *costs = (PdExchangeCosts){ .once = full.once,
                              .per_message = MIN (empty.own, full.own),
                              .per_byte = MAX (full.own - empty.own, 0) / bytes,
                              .per_message_of_all = MIN (empty.all, full.all),
                              .per_byte_of_all = MAX (full.all - empty.all, 0) / bytes };
}

PdTime
pd_comsys_get_exchange_time (const PdExchangeCosts *costs, const PdTraffic *own,
                             const PdTraffic *all)
{
  gdouble messages = (gdouble) MAX (own->n_sent, own->n_received);
  gdouble bytes = (gdouble) MAX (own->bytes_sent, own->bytes_received);
  gdouble ps = costs->once + costs->per_message * messages + costs->per_byte * bytes
               + costs->per_message_of_all * (gdouble) all->n_sent
               + costs->per_byte_of_all * (gdouble) all->bytes_sent;

  return PD_TIME (ps < (gdouble) G_MAXINT64 ? (gint64) ps : G_MAXINT64);
}
