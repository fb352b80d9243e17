/* The cost of a message on the flow network, alone and through ComSys: in each round a rank
 * sends messages to some peers, waits for the messages to itself, and computes.
 *   bench-flow [TEXT]: those whose titles begin with TEXT
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/queue/pd-queue.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N_REPEATS 3
#define STAR      "flow:topology=star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt,S=1GB"
#define FAT_TREE                                                                                   \
  "flow:topology=fat-tree,nic-latency=500ns,latency=200ns,bandwidth=12.5GB/s,arity=8,S=1GB"

/* Those that a rank sends to, and receives from: the ones that send to it. */
typedef struct
{
  guint32 n_send;
  guint32 n_recv;
  guint32 *send;
  guint32 *recv;
} Peers;

typedef struct
{
  const char *title;
  const char *spec;
  guint32 n;
  guint32 n_rounds;
  void (*get_peers) (guint32 rank, guint32 round, guint32 n, Peers *peers);
  gint64 bytes;
  gint64 compute; /* ps between rounds */
  gint64 jitter;  /* … more, up to this */
} Case;

static void
peers_all (guint32 rank, guint32 round G_GNUC_UNUSED, guint32 n, Peers *peers)
{
  for (guint32 i = 1; i < n; i++)
    {
      peers->send[i - 1] = (rank + i) % n;
      peers->recv[i - 1] = (rank + n - i) % n;
    }
  peers->n_send = peers->n_recv = n - 1;
}

static void
peers_pair (guint32 rank, guint32 round, guint32 n, Peers *peers)
{
  peers->send[0] = (rank + round + 1) % n;
  peers->recv[0] = (rank + n - round - 1) % n;
  peers->n_send = peers->n_recv = 1;
}

/* All send to the first. */
static void
peers_first (guint32 rank, guint32 round G_GNUC_UNUSED, guint32 n, Peers *peers)
{
  peers->send[0] = 0;
  peers->n_send = rank > 0 ? 1 : 0;
  peers->n_recv = rank > 0 ? 0 : n - 1;
  for (guint32 i = 1; rank == 0 && i < n; i++)
    peers->recv[i - 1] = i;
}

/* The neighbours in a grid of 16 columns. */
static void
peers_halo (guint32 rank, guint32 round G_GNUC_UNUSED, guint32 n, Peers *peers)
{
  guint32 k = 0;

  if (rank >= 16)
    peers->send[k++] = rank - 16;
  if (rank + 16 < n)
    peers->send[k++] = rank + 16;
  if (rank % 16 > 0)
    peers->send[k++] = rank - 1;
  if (rank % 16 < 15)
    peers->send[k++] = rank + 1;
  peers->n_send = peers->n_recv = k;
  for (guint32 i = 0; i < k; i++)
    peers->recv[i] = peers->send[i];
}

static const Case cases[] = {
  { "alltoall 512, all at once, star", STAR, 512, 1, peers_all, 1024, 0, 0 },
  { "  … each starts 1 ns later", STAR, 512, 1, peers_all, 1024, 1, 512000 },
  { "alltoall 512, pairwise, star", STAR, 512, 511, peers_pair, 1024, 0, 0 },
  { "  … each starts 1 ns later", STAR, 512, 511, peers_pair, 1024, 1, 512000 },
  { "incast 2048, star", STAR, 2048, 1, peers_first, 65536, 0, 0 },
  { "  … each starts 10 ns later", STAR, 2048, 1, peers_first, 65536, 1, 20480000 },
  { "halo 256, fat tree", FAT_TREE, 256, 100, peers_halo, 4096, 1310720000, 0 },
  { "  … computing differently long", FAT_TREE, 256, 100, peers_halo, 4096, 1310720000, 5000000 },
  { "  … hardly computing", FAT_TREE, 256, 100, peers_halo, 65536, 1000000, 5000000 },
};

/* How long a rank computes before a round; the pairs start shifted, once. */
static gint64
get_compute (const Case *c, guint32 rank, guint32 round)
{
  if (c->compute <= 1)
    return round == 0 ? c->jitter / c->n * rank : 0;
  return c->compute
         + (c->jitter == 0 ? 0 : (rank * 7919 + round * 104729) % 1000 * c->jitter / 1000);
}

/* ---- without ComSys */

#define NETWORK G_MAXUINT32
#define N_AHEAD 16 /* ranks are by fewer rounds apart */
#define STARTED 0x80000000u

typedef struct
{
  PdNetworkCallbacks parent;
  const Case *c;
  PdQueue queue; /* what = rank, or the network */
  const PdNetworkClass *class;
  gpointer network;
  PdTime now;
  guint32 *rounds;
  guint32 (*missing)[N_AHEAD]; /* arrivals at each rank, of its round and later ones */
  guint32 *left;               /* own messages under way */
  Peers peers;
  guint64 n_messages;
} Host;

static void
callback_schedule (PdNetworkCallbacks *host, PdTime when, guint32 token G_GNUC_UNUSED)
{
  pd_queue_push (&((Host *) host)->queue, when, FALSE, PD_QUEUE_NO_RANK, NETWORK);
}

static void
go_on_if_done (Host *self, guint32 rank)
{
  guint32 round = self->rounds[rank];

  if (self->left[rank] > 0 || self->missing[rank][round % N_AHEAD] != STARTED)
    return;
  self->missing[rank][round % N_AHEAD] = 0;
  self->rounds[rank] = ++round;
  if (round < self->c->n_rounds)
    pd_queue_push (&self->queue,
                   pd_time_add (self->now, PD_TIME (get_compute (self->c, rank, round))), TRUE,
                   rank, rank);
}

/* @id: source (16 bits), target (12) and round (4). */
static void
callback_delivered (PdNetworkCallbacks *host, guint32 id, PdTime when G_GNUC_UNUSED)
{
  Host *self = (Host *) host;
  guint32 source = id >> 16, target = id >> 4 & 0xfff;

  self->left[source]--;
  self->missing[target][id % N_AHEAD]--;
  go_on_if_done (self, source);
  go_on_if_done (self, target);
}

static void
start_round (Host *self, guint32 rank)
{
  guint32 round = self->rounds[rank];
  Peers *peers = &self->peers;

  self->c->get_peers (rank, round, self->c->n, peers);
  self->left[rank] = peers->n_send;
  self->missing[rank][round % N_AHEAD] += peers->n_recv + STARTED;
  self->n_messages += peers->n_send;
  for (guint32 i = 0; i < peers->n_send; i++)
    {
      PdTransfer transfer = { .source = rank,
                              .target = peers->send[i],
                              .bytes = self->c->bytes,
                              .id = rank << 16 | peers->send[i] << 4 | round % N_AHEAD };
      self->class->request (self->network, &transfer, self->now);
    }
}

/* Messages; 0 if some never arrived. */
static guint64
run_alone (const Case *c, const PdMachine *machine)
{
  Host self = { .parent = { .schedule = callback_schedule, .delivered = callback_delivered },
                .c = c };

  self.class = machine->network->class;
  self.network = self.class->create (machine->network->config, c->n, &self.parent);
  self.rounds = g_new0 (guint32, c->n);
  self.left = g_new0 (guint32, c->n);
  self.missing = g_malloc0 (c->n * sizeof *self.missing);
  self.peers.send = g_new (guint32, 2 * c->n);
  self.peers.recv = self.peers.send + c->n;
  for (guint32 i = 0; i < c->n; i++)
    pd_queue_push (&self.queue, PD_TIME (get_compute (c, i, 0)), TRUE, i, i);
  while (!pd_queue_is_empty (&self.queue))
    {
      PdQueueItem item = pd_queue_pop (&self.queue);
      self.now = pd_queue_item_time (&item);
      if (item.what == NETWORK)
        self.class->event (self.network, 0, self.now);
      else
        start_round (&self, (guint32) item.what);
    }
  gboolean ok = TRUE;
  for (guint32 i = 0; i < c->n; i++)
    ok = ok && self.rounds[i] == c->n_rounds;
  self.class->destroy (self.network);
  pd_queue_clear (&self.queue);
  g_free (self.rounds);
  g_free (self.left);
  g_free (self.missing);
  g_free (self.peers.send);
  return ok ? self.n_messages : 0;
}

/* ---- through ComSys */

typedef struct
{
  PdTime ret;
  guint32 round;
  gboolean waits;
} Rank;

static guint64
start_messages (const Case *c, PdComsys *comsys, guint32 rank, PdTime when, Rank *r, Peers *peers)
{
  PdComm *world = pd_comsys_get_world (comsys);
  PdCall call = { .rank = rank, .when = when, .ret = &r->ret };
  PdBundle bundle = { 0 };

  c->get_peers (rank, r->round, c->n, peers);
  for (guint32 i = 0; i < peers->n_recv; i++)
    pd_bundle_add (comsys, &bundle,
                   pd_comsys_irecv (comsys, &call, world,
                                    (PdEnvelope){ (gint32) peers->recv[i], 0, c->bytes }));
  for (guint32 i = 0; i < peers->n_send; i++)
    pd_bundle_add (comsys, &bundle,
                   pd_comsys_isend (comsys, &call, world,
                                    (PdEnvelope){ (gint32) peers->send[i], 0, c->bytes }));
  pd_comsys_waitall_bundle (comsys, &call, &bundle);
  return peers->n_send;
}

static guint64
run_comsys (const Case *c, const PdMachine *machine)
{
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, c->n, NULL);
  g_autofree Rank *ranks = g_new0 (Rank, c->n);
  g_autofree guint32 *room = g_new (guint32, 2 * c->n);
  Peers peers = { .send = room, .recv = room + c->n };
  guint64 n = 0;
  guint32 rank;
  PdTime when;

  for (guint32 i = 0; i < c->n; i++)
    pd_comsys_ready (comsys, i, PD_TIME (get_compute (c, i, 0)));
  while (pd_comsys_next (comsys, &rank, &when))
    {
      Rank *r = &ranks[rank];
      if (r->waits && ++r->round < c->n_rounds && get_compute (c, rank, r->round) > 0)
        {
          r->waits = FALSE;
          pd_comsys_ready (comsys, rank,
                           pd_time_add (when, PD_TIME (get_compute (c, rank, r->round))));
          continue;
        }
      if (r->round >= c->n_rounds)
        continue;
      n += start_messages (c, comsys, rank, when, r, &peers);
      r->waits = TRUE;
      if (!pd_time_is_pending (r->ret))
        pd_comsys_ready (comsys, rank, r->ret);
    }
  return pd_comsys_finalize (comsys) == 0 ? n : 0;
}

/* User seconds, the least of some; negative if it went wrong. */
static gdouble
measure (const Case *c, guint64 (*run) (const Case *, const PdMachine *), guint64 *n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load (c->spec, NULL, c->n, &error);
  gdouble least = -1;

  if (machine == NULL)
    {
      fprintf (stderr, "bench-flow: %s\n", error->message);
      return -1;
    }
  for (guint i = 0; i < N_REPEATS; i++)
    {
      clock_t begin = clock ();
      *n = run (c, machine);
      gdouble seconds = (gdouble) (clock () - begin) / CLOCKS_PER_SEC;
      if (*n == 0)
        return -1;
      least = i == 0 ? seconds : MIN (least, seconds);
    }
  return least;
}

int
main (int argc, char *argv[])
{
  gboolean ok = TRUE;

  setvbuf (stdout, NULL, _IOLBF, 0);
  printf ("user time of messages on the flow network\n");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      guint64 n_alone = 0, n = 0;
      if (argc > 1 && !g_str_has_prefix (c->title, argv[1]))
        continue;
      gdouble alone = measure (c, run_alone, &n_alone);
      gdouble all = measure (c, run_comsys, &n);
      /* a send, a receive and their part of a wait and of computing */
      gdouble actions = 2 * (gdouble) n + 2.0 * c->n * c->n_rounds;
      ok = ok && alone >= 0 && all >= 0;
      printf ("%-34s %7" G_GUINT64_FORMAT " messages   network %6.3f s %5.0f ns each   "
              "with ComSys %6.3f s %5.0f ns each, %5.2f M actions/s\n",
              c->title, n, alone, alone * 1e9 / (gdouble) n_alone, all, all * 1e9 / (gdouble) n,
              actions / all / 1e6);
    }
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
