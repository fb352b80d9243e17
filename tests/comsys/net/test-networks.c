/* The networks as raw sequences of transfers, against hand-worked moments and
 * against a slow model that follows the text of the rules.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/network-callbacks.h"
#include "comsys/import/pd-machine-load.h"

#include <string.h>

#define US(us) ((gint64) ((us) *1000000 + 0.5))

/* @settings: "key=value,key=value" */
static TestHost *
host_new (const char *type, const char *settings, guint32 n_endpoints, guint32 n_transfers)
{
  g_autofree char *spec = g_strdup_printf ("%s:%s", type, settings);
  PdMachine *machine = pd_machine_load (spec, NULL, n_endpoints, NULL);

  g_assert_nonnull (machine);
  return test_host_new (machine, n_endpoints, n_transfers);
}

/* Handles the events before @until, or up to it if @including. */
static void
host_run (TestHost *self, gint64 until, gboolean including)
{
  test_host_run (self, including ? until : until - 1);
}

static void
host_request (TestHost *self, guint32 id, guint32 source, guint32 target, gint64 bytes, gint64 when)
{
  PdTransfer transfer = {
    .source = source, .target = target, .bytes = MAX (bytes, 0), .control = bytes < 0
  };

  test_host_ask (self, id, when, &transfer);
}

/* ---- hand-worked sequences; T = 7.032 us for 8 bytes at 7 us, 4 ns */

#define MYRINET "startup=7us,per-byte=4ns"
#define END                                                                                        \
  {                                                                                                \
    0, 0, 0, -1, 0                                                                                 \
  }

typedef struct
{
  guint32 source;
  guint32 target;
  gint64 bytes;      /* -1: a control message */
  gdouble requested; /* us; negative ends the list */
  gdouble delivered; /* us */
} Row;

static const struct
{
  const char *name;
  const char *type;
  const char *settings;
  guint32 n_endpoints;
  Row rows[10];
} sequences[] = {
  { "ideal/at-once", "ideal", "", 2, { { 0, 1, 1000000, 3, 3 }, { 1, 0, -1, 3, 3 }, END } },
  { "ethernet/fifo",
    "ethernet",
    "startup=60us,per-byte=0.09us",
    4,
    { { 0, 1, 1000, 0, 150 }, { 2, 3, 0, 10, 210 }, { 3, 2, 1000, 500, 650 }, END } },
  { "ethernet/control",
    "ethernet",
    "startup=60us,per-byte=0.09us",
    4,
    { { 0, 1, -1, 0, 60 }, { 1, 0, -1, 60, 120 }, { 0, 1, 100, 120, 189 }, END } },
  { "memory/unlimited",
    "memory",
    "startup=1us,per-byte=1ns",
    1,
    { { 0, 0, 1000, 0, 2 }, { 0, 0, 1000, 0, 2 }, { 0, 0, -1, 1, 2 }, END } },
  { "memory/one-channel",
    "memory",
    "startup=1us,per-byte=1ns,channels=1",
    1,
    { { 0, 0, 1000, 0, 2 }, { 0, 0, 1000, 0, 4 }, { 0, 0, 0, 10, 11 }, END } },
  { "memory/two-channels",
    "memory",
    "startup=0,per-byte=1ns,channels=2",
    1,
    { { 0, 0, 5000, 0, 5 },
      { 0, 0, 1000, 0, 1 },
      { 0, 0, 1000, 0, 2 },
      { 0, 0, 6000, 0, 8 },
      { 0, 0, 1000, 0, 6 },
      END } },
  /* the Allreduce of 8 bytes over 4 processors of the specification: the
   * mirror of a binomial tree to 0, then the tree from 0 */
  { "myrinet/allreduce-per-node",
    "myrinet",
    MYRINET,
    4,
    { { 1, 0, 8, 0, 7.032 },
      { 3, 2, 8, 0, 7.032 },
      { 2, 0, 8, 7.032, 14.064 },
      { 0, 2, 8, 14.064, 21.096 },
      { 0, 1, 8, 14.064, 28.128 },
      { 2, 3, 8, 21.096, 28.128 },
      END } },
  { "myrinet/allreduce-per-network",
    "myrinet",
    MYRINET ",channels-per=network",
    4,
    { { 1, 0, 8, 0, 7.032 },
      { 3, 2, 8, 0, 14.064 },
      { 2, 0, 8, 14.064, 21.096 },
      { 0, 2, 8, 21.096, 28.128 },
      { 0, 1, 8, 21.096, 35.16 },
      { 2, 3, 8, 28.128, 42.192 },
      END } },
  { "myrinet/opposite-overlap",
    "myrinet",
    MYRINET,
    2,
    { { 0, 1, 8, 0, 7.032 }, { 1, 0, 8, 1, 8.032 }, END } },
  { "myrinet/opposite-overlap-per-network",
    "myrinet",
    MYRINET ",channels-per=network",
    2,
    { { 0, 1, 8, 0, 7.032 }, { 1, 0, 8, 1, 8.032 }, END } },
  { "myrinet/same-direction-queues",
    "myrinet",
    MYRINET,
    2,
    { { 0, 1, 8, 0, 7.032 }, { 0, 1, 8, 1, 14.064 }, { 0, 1, -1, 2, 21.064 }, END } },
  { "myrinet/two-channels",
    "myrinet",
    MYRINET ",channels=2",
    3,
    { { 0, 1, 8, 0, 7.032 }, { 0, 1, 8, 0, 7.032 }, { 0, 2, 8, 0, 14.064 }, END } },
  { "myrinet/disjoint-pairs",
    "myrinet",
    MYRINET,
    4,
    { { 0, 1, 8, 0, 7.032 }, { 2, 3, 8, 0, 7.032 }, END } },
  /* the ring shift: each node sends to one while it receives from another */
  { "myrinet/ring",
    "myrinet",
    MYRINET,
    4,
    { { 0, 1, 8, 0, 7.032 },
      { 1, 2, 8, 0, 7.032 },
      { 2, 3, 8, 0, 7.032 },
      { 3, 0, 8, 0, 7.032 },
      END } },
  { "myrinet/three-in-a-row-do-not-share",
    "myrinet",
    MYRINET ",duplex=pair",
    3,
    { { 0, 1, 8, 0, 7.032 }, { 1, 2, 8, 0, 14.064 }, END } },
  { "myrinet/fifo",
    "myrinet",
    MYRINET,
    4,
    { { 0, 1, 8, 0, 7.032 }, { 2, 1, 8, 1, 14.064 }, { 3, 1, 8, 2, 21.096 }, END } },
  /* 2 -> 1 waits for 1, which does not hold up 2 -> 3 */
  { "myrinet/backfilling",
    "myrinet",
    MYRINET,
    4,
    { { 0, 1, 1000, 0, 11 }, { 2, 1, 8, 1, 18.032 }, { 2, 3, 8, 2, 9.032 }, END } },
  /* 2 -> 3 occupies 2 longer than 0 -> 1 does 1: 2 -> 1 needs both */
  { "myrinet/both-ends",
    "myrinet",
    MYRINET,
    4,
    { { 0, 1, 8, 0, 7.032 }, { 2, 3, 1000, 0, 11 }, { 2, 1, 8, 1, 18.032 }, END } },
  /* at 7.032 both 2 -> 0 and its partner start, although 3 -> 0 asked between */
  { "myrinet/partner-of-a-waiter",
    "myrinet",
    MYRINET ",duplex=pair",
    4,
    { { 1, 0, 8, 0, 7.032 },
      { 2, 0, 8, 1, 14.064 },
      { 3, 0, 8, 2, 21.096 },
      { 0, 2, 8, 3, 14.064 },
      END } },
  /* an end exactly at the request is an end; the pending transfer goes first */
  { "myrinet/end-at-request",
    "myrinet",
    MYRINET,
    3,
    { { 0, 1, 8, 0, 7.032 }, { 0, 1, 8, 7.032, 14.064 }, { 0, 2, 8, 14.064, 21.096 }, END } },
  { "myrinet/waiter-before-request",
    "myrinet",
    MYRINET,
    4,
    { { 0, 1, 8, 0, 7.032 }, { 2, 1, 8, 1, 14.064 }, { 3, 1, 8, 7.032, 21.096 }, END } },
  /* 1 -> 4 waits for the end of 0 -> 1, 3 -> 4 for that of 2 -> 3, at the same
   * moment: the first to ask gets 4, whichever end is handled first */
  { "myrinet/simultaneous-ends",
    "myrinet",
    MYRINET ",duplex=pair",
    5,
    { { 0, 1, 8, 0, 7.032 },
      { 2, 3, 8, 0, 7.032 },
      { 3, 4, 8, 1, 14.064 },
      { 1, 4, 8, 2, 21.096 },
      END } },
  /* 3 -> 0 asked before 0 -> 2, which does not wait for it */
  { "myrinet/full-partner-of-a-waiter",
    "myrinet",
    MYRINET,
    4,
    { { 1, 0, 8, 0, 7.032 },
      { 2, 0, 8, 1, 14.064 },
      { 3, 0, 8, 2, 21.096 },
      { 0, 2, 8, 3, 10.032 },
      END } },
  { "myrinet/to-itself-alone",
    "myrinet",
    MYRINET,
    2,
    { { 0, 0, 8, 0, 7.032 }, { 0, 0, 8, 0, 14.064 }, { 1, 0, 8, 0, 21.096 }, END } },
  { "myrinet/free",
    "myrinet",
    "startup=0,per-byte=0",
    2,
    { { 0, 1, 8, 0, 0 }, { 0, 1, 8, 0, 0 }, { 0, 1, 8, 5, 5 }, END } },
};

/* Whether events at the moment of a request are handled before or after it
 * must not matter. */
static void
run_sequence (gsize n, gboolean events_first)
{
  const Row *rows = sequences[n].rows;
  TestHost *host = host_new (sequences[n].type, sequences[n].settings, sequences[n].n_endpoints,
                             G_N_ELEMENTS (sequences[n].rows));

  for (guint32 i = 0; rows[i].requested >= 0; i++)
    {
      host_run (host, US (rows[i].requested), events_first);
      host_request (host, i, rows[i].source, rows[i].target, rows[i].bytes, US (rows[i].requested));
    }
  host_run (host, G_MAXINT64, TRUE);
  for (guint32 i = 0; rows[i].requested >= 0; i++)
    g_assert_cmpint (host->delivered[i], ==, US (rows[i].delivered));
  test_host_free (host);
}

static void
test_sequence (gconstpointer data)
{
  run_sequence (GPOINTER_TO_SIZE (data), TRUE);
  run_sequence (GPOINTER_TO_SIZE (data), FALSE);
}

/* ---- the slow model of myrinet: every transfer looked at each moment */

typedef enum
{
  SLOW_PER_NODE,
  SLOW_PER_NETWORK,
  SLOW_PER_NODE_PAIR,
  N_SLOW
} SlowKind;

static const char *const slow_settings[] = { "channels-per=node", "channels-per=network",
                                             "channels-per=node,duplex=pair" };

typedef struct
{
  guint32 source, target;
  gint64 bytes, requested;
  gint64 end;          /* -1: waits */
  guint32 channels[2]; /* at the source, at the target */
} Slow;

/* Whether @other is in that channel of @t's source (@side 0) or target. */
static gboolean
slow_is_there (const Slow *other, const Slow *t, guint side, guint32 channel, SlowKind kind)
{
  guint32 endpoint = side == 0 ? t->source : t->target;
  gboolean sends = other->source == endpoint && other->channels[0] == channel;
  gboolean receives = other->target == endpoint && other->channels[1] == channel;

  if (kind == SLOW_PER_NETWORK)
    return other->channels[0] == channel;
  if (kind == SLOW_PER_NODE)
    return side == 0 ? sends : receives;
  return sends || receives;
}

static gboolean
slow_fits (GArray *all, const Slow *t, guint side, guint32 channel, SlowKind kind, gint64 now)
{
  guint n_busy = 0;
  gboolean opposite = FALSE;

  for (guint i = 0; i < all->len; i++)
    {
      const Slow *other = &g_array_index (all, Slow, i);
      if (other->end <= now || !slow_is_there (other, t, side, channel, kind))
        continue;
      n_busy++;
      opposite = other->source == t->target && other->target == t->source && t->source != t->target;
    }
  return n_busy == 0 || (n_busy == 1 && opposite);
}

static gboolean
slow_start (GArray *all, Slow *t, guint32 k, SlowKind kind, gint64 now, gint64 duration)
{
  guint32 at[2];

  for (guint side = 0; side < 2; side++)
    {
      guint32 c = 0;
      while (c < k && !slow_fits (all, t, side, c, kind, now))
        c++;
      if (c == k)
        return FALSE;
      at[side] = c;
    }
  t->channels[0] = at[0];
  t->channels[1] = at[1];
  t->end = now + duration;
  return TRUE;
}

/* At each moment something ends, the pending transfers are tried in order of request,
 * until no more can start; then comes the request of that moment. */
static void
slow_advance (GArray *all, guint n, guint32 k, SlowKind kind, gint64 from, gint64 to)
{
  for (gint64 now = from;;)
    {
      gint64 next = G_MAXINT64;
      for (guint i = 0; i < n; i++)
        {
          const Slow *t = &g_array_index (all, Slow, i);
          if (t->end > now && t->end < next)
            next = t->end;
        }
      if (next > to || next == G_MAXINT64)
        return;
      now = next;
      for (guint i = 0; i < n; i++)
        {
          Slow *t = &g_array_index (all, Slow, i);
          if (t->end < 0 && slow_start (all, t, k, kind, now, 1000 + t->bytes))
            i = G_MAXUINT; /* from the first one again */
        }
    }
}

static void
make_traffic (GRand *rand, GArray *all, guint32 n_endpoints, guint n)
{
  gint64 when = 0;

  for (guint i = 0; i < n; i++)
    {
      Slow t = { .end = -1, .channels = { G_MAXUINT32, G_MAXUINT32 } };
      t.source = (guint32) g_rand_int_range (rand, 0, (gint32) n_endpoints);
      t.target = (guint32) g_rand_int_range (rand, 0, (gint32) n_endpoints);
      t.bytes = 500 * g_rand_int_range (rand, 0, 4);
      when += 250 * g_rand_int_range (rand, 0, 3);
      t.requested = when;
      g_array_append_val (all, t);
    }
}

/* Takes @all, what is requested, in order. */
static void
compare_with_slow_model (GArray *all, guint32 n_endpoints, guint32 k, SlowKind kind,
                         gboolean events_first)
{
  g_autofree char *settings =
      g_strdup_printf ("startup=1ns,per-byte=1ps,channels=%u,%s", k, slow_settings[kind]);
  TestHost *host = host_new ("myrinet", settings, n_endpoints, all->len);

  for (guint i = 0; i < all->len; i++)
    {
      Slow *t = &g_array_index (all, Slow, i);
      slow_advance (all, i, k, kind, i > 0 ? (t - 1)->requested : 0, t->requested);
      slow_start (all, t, k, kind, t->requested, 1000 + t->bytes);
      host_run (host, t->requested, events_first);
      host_request (host, i, t->source, t->target, t->bytes, t->requested);
    }
  slow_advance (all, all->len, k, kind, g_array_index (all, Slow, all->len - 1).requested,
                G_MAXINT64 - 1);
  host_run (host, G_MAXINT64, TRUE);
  for (guint i = 0; i < all->len; i++)
    g_assert_cmpint (host->delivered[i], ==, g_array_index (all, Slow, i).end);
  test_host_free (host);
}

/* Equal lengths, so that many ends coincide; a few endpoints, so that many
 * transfers oppose each other. */
static void
test_against_slow_model (gconstpointer data)
{
  SlowKind kind = GPOINTER_TO_UINT (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed (20 + GPOINTER_TO_UINT (data));

  for (guint round = 0; round < 150; round++)
    {
      guint32 k = 1 + round % 3, n_endpoints = 2 + round % 5;
      g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Slow));
      make_traffic (rand, all, n_endpoints, 60);
      compare_with_slow_model (all, n_endpoints, k, kind, round % 2 == 0);
    }
}

/* Each of @n_senders sends to each of @n_endpoints, itself included, in an order
 * by chance; lengths are equal (@n_lengths is 1), of a few kinds or all
 * different. */
static void
make_dense_traffic (GRand *rand, GArray *all, guint32 n_senders, guint32 n_endpoints,
                    gint32 n_lengths)
{
  for (guint32 i = 0; i < n_senders * n_endpoints; i++)
    {
      Slow t = { .end = -1, .channels = { G_MAXUINT32, G_MAXUINT32 } };
      t.source = i / n_endpoints;
      t.target = i % n_endpoints;
      t.bytes = 37 * g_rand_int_range (rand, 0, n_lengths);
      g_array_append_val (all, t);
    }
  for (guint i = all->len - 1; i > 0; i--)
    {
      Slow *a = &g_array_index (all, Slow, i);
      Slow *b = &g_array_index (all, Slow, (guint) g_rand_int_range (rand, 0, (gint32) i + 1));
      Slow swapped = *a;
      *a = *b;
      *b = swapped;
    }
  for (guint i = 0; i < all->len; i++)
    g_array_index (all, Slow, i).requested = i < all->len / 2 ? 0 : (gint64) i * 100;
}

/* Queues of many, most of whose other ends are busy. */
static void
test_dense_against_slow_model (void)
{
  static const gint32 lengths[] = { 1, 3, 1000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 72; round++)
    {
      guint32 k = 1 + round / 9 % 3, n_endpoints = 14 + round % 7;
      guint32 n_senders = round % 4 == 3 ? n_endpoints / 4 : n_endpoints;
      g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Slow));
      make_dense_traffic (rand, all, n_senders, n_endpoints, lengths[round / 3 % 3]);
      compare_with_slow_model (all, n_endpoints, k, round % N_SLOW, round % 2 == 0);
    }
}

/* Each endpoint sends to each: first requested target by target; when half of that is over, source
 * by source. Of equal lengths, so that all channels get empty at the same moments. */
static void
test_dense_in_turn (void)
{
  const guint32 n = 16;

  for (guint round = 0; round < 6; round++)
    {
      g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Slow));
      for (guint32 i = 0; i < 2 * n * n; i++)
        {
          gboolean by_source = i / (n * n) == 1;
          guint32 major = i / n % n, minor = i % n;
          Slow t = { .end = -1, .requested = by_source ? 1000 * n / 2 : 0 };
          t.source = by_source ? major : minor;
          t.target = by_source ? minor : major;
          g_array_append_val (all, t);
        }
      compare_with_slow_model (all, n, 1 + round / N_SLOW, round % N_SLOW, round % 2 == 0);
    }
}

/* ---- size */

/* 65,535 senders to one endpoint: one after the other, in order of request;
 * finishes only if it is not quadratic. */
static void
test_gather (void)
{
  const guint32 n = 65536;
  TestHost *host = host_new ("myrinet", "startup=1us,per-byte=0", n, n);

  for (guint32 i = 1; i < n; i++)
    host_request (host, i, i, 0, 8, 0);
  host_run (host, G_MAXINT64, TRUE);
  for (guint32 i = 1; i < n; i++)
    g_assert_cmpint (host->delivered[i], ==, i * PD_PS_PER_US);
  g_assert_cmpuint (host->n_events, <=, n);
  test_host_free (host);
}

/* 0 sends to all, and all to 0: each answer shares the channel of its pair, or comes in order of
 * request. */
static void
test_scatter_and_gather (gconstpointer data)
{
  const guint32 n = 4096;
  gboolean is_pair = GPOINTER_TO_INT (data);
  TestHost *host = host_new (
      "myrinet", is_pair ? "startup=1us,per-byte=0,duplex=pair" : "startup=1us,per-byte=0", n,
      2 * n);

  for (guint32 i = 1; i < n; i++)
    host_request (host, i, 0, i, 8, 0);
  for (guint32 i = n - 1; i >= 1; i--)
    host_request (host, n + i, i, 0, 8, 0);
  host_run (host, G_MAXINT64, TRUE);
  for (guint32 i = 1; i < n; i++)
    {
      g_assert_cmpint (host->delivered[i], ==, i * PD_PS_PER_US);
      g_assert_cmpint (host->delivered[n + i], ==, (is_pair ? i : n - i) * PD_PS_PER_US);
    }
  test_host_free (host);
}

/* Each endpoint of a ring sends to both neighbours: the two directions of an
 * edge share; even edges first, then odd ones. */
static void
test_halo (void)
{
  const guint32 n = 65536;
  TestHost *host = host_new ("myrinet", "startup=1us,per-byte=0,channels=2", n, 2 * n);

  for (guint32 i = 0; i < n; i++)
    {
      host_request (host, 2 * i, i, (i + 1) % n, 8, 0);
      host_request (host, 2 * i + 1, i, (i + n - 1) % n, 8, 0);
    }
  host_run (host, G_MAXINT64, TRUE);
  for (guint32 i = 0; i < 2 * n; i++)
    g_assert_cmpint (host->delivered[i], ==, PD_PS_PER_US);
  g_assert_cmpuint (host->n_events, ==, 0);
  test_host_free (host);
}

static void
test_overflow (void)
{
  TestHost *host = host_new ("myrinet", "startup=1us,per-byte=1s", 2, 2);

  host_request (host, 0, 0, 1, G_MAXINT64, 0);
  host_request (host, 1, 0, 1, 1, 0);
  host_run (host, G_MAXINT64, TRUE);
  g_assert_cmpint (host->delivered[0], ==, G_MAXINT64);
  g_assert_cmpint (host->delivered[1], ==, G_MAXINT64);
  test_host_free (host);
}

static void
test_registry (void)
{
  guint n = 0;

  for (const PdNetworkClass *class; (class = pd_network_class_get (n)) != NULL; n++)
    g_assert_true (pd_network_class_find (class->type) == class);
  g_assert_cmpuint (n, >=, 4);
  g_assert_null (pd_network_class_find ("token-ring"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comsys/networks/registry", test_registry);
  for (gsize i = 0; i < G_N_ELEMENTS (sequences); i++)
    {
      g_autofree char *path = g_strconcat ("/comsys/networks/", sequences[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_sequence);
    }
  for (guint kind = 0; kind < N_SLOW; kind++)
    {
      g_autofree char *path =
          g_strconcat ("/comsys/networks/myrinet/slow-model/", slow_settings[kind], NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (kind), test_against_slow_model);
    }
  g_test_add_func ("/comsys/networks/myrinet/dense-slow-model", test_dense_against_slow_model);
  g_test_add_func ("/comsys/networks/myrinet/dense-in-turn", test_dense_in_turn);
  g_test_add_func ("/comsys/networks/myrinet/gather", test_gather);
  g_test_add_data_func ("/comsys/networks/myrinet/scatter-and-gather/full", GINT_TO_POINTER (FALSE),
                        test_scatter_and_gather);
  g_test_add_data_func ("/comsys/networks/myrinet/scatter-and-gather/pair", GINT_TO_POINTER (TRUE),
                        test_scatter_and_gather);
  g_test_add_func ("/comsys/networks/myrinet/halo", test_halo);
  g_test_add_func ("/comsys/networks/myrinet/overflow", test_overflow);
  return g_test_run ();
}
