/* SPDX-License-Identifier: MIT */
#include "tests/support/random-timelines.h"
#include "timeline/pd-timeline-feed.h"

static const char *const functions[PD_TL_N_STATES] = {
  [PD_TL_IO] = "write",
  [PD_TL_SEND] = "MPI_Send",
  [PD_TL_RECEIVE] = "MPI_Recv",
  [PD_TL_WAIT] = "MPI_Waitall",
  [PD_TL_COLLECTIVE] = "MPI_Allreduce",
  [PD_TL_ONE_SIDED] = "MPI_Put",
  [PD_TL_OTHER] = "MPI_Comm_rank",
};

typedef struct
{
  const TestRandomTimeline *what;
  PdTimelineFeed *feed;
  GRand *random;
  GArray *open; /* regions of the rank's intervals */
} Maker;

static gint64
below (GRand *random, gint64 limit)
{
  gint64 high = g_rand_int (random), low = g_rand_int (random);

  return ((high << 31) ^ low) % limit;
}

static void
enter (Maker *self, guint32 rank, gint64 at, guint32 region)
{
  pd_timeline_feed_mark (self->feed, &(PdTimelineMark){ PD_TIME (at), rank, region, TRUE });
  g_array_append_val (self->open, region);
}

static void
leave (Maker *self, guint32 rank, gint64 at)
{
  guint32 region = g_array_index (self->open, guint32, self->open->len - 1);

  pd_timeline_feed_mark (self->feed, &(PdTimelineMark){ PD_TIME (at), rank, region, FALSE });
  g_array_set_size (self->open, self->open->len - 1);
}

/* Sometimes an interval begins or ends. */
static void
change_interval (Maker *self, guint32 rank, gint64 at)
{
  gint32 what = g_rand_int_range (self->random, 0, 6);

  if (what == 0 && self->open->len < 4)
    {
      g_autofree char *name =
          g_strdup_printf ("interval %d", g_rand_int_range (self->random, 0, 5));
      enter (self, rank, at, pd_timeline_feed_region (self->feed, name));
    }
  else if (what == 1 && self->open->len > 1)
    leave (self, rank, at);
}

static void
make_slice (Maker *self, guint32 rank, guint8 cpu, gint64 begin, gint64 end)
{
  PdTimelineSlice slice = {
    .begin = PD_TIME (begin),
    .end = PD_TIME (end),
    .rank = rank,
    .region = PD_TL_NONE,
    .interval = g_array_index (self->open, guint32, self->open->len - 1),
    .state = (guint8) g_rand_int_range (self->random, 0, PD_TL_N_STATES),
    .cpu = cpu,
  };

  if (functions[slice.state] != NULL)
    slice.region = pd_timeline_feed_region (self->feed, functions[slice.state]);
  pd_timeline_feed_slice (self->feed, &slice);
}

/* Slices of several CPUs come as they end, as from a simulation. */
static void
make_rank (Maker *self, guint32 rank)
{
  gint64 at[256] = { 0 }, last = 0;

  enter (self, rank, 0, PD_TL_PROGRAM);
  for (guint i = 0; i < self->what->n_slices; i++)
    {
      guint8 cpu = (guint8) g_rand_int_range (self->random, 0, (gint32) self->what->n_cpus);
      gint64 begin = at[cpu];
      if (self->what->n_cpus > 1)
        begin = MAX (begin, last - self->what->longest / 2);
      if (g_rand_boolean (self->random))
        begin += below (self->random, 3000);
      gint64 end = begin
                   + (g_rand_int_range (self->random, 0, 5) == 0
                          ? below (self->random, 3)
                          : below (self->random, self->what->longest));
      if (end < last)
        continue;
      make_slice (self, rank, cpu, begin, end);
      at[cpu] = last = end;
      change_interval (self, rank, end);
    }
  while (self->open->len > 0)
    leave (self, rank, last + 1234);
}

static void
make_messages (Maker *self)
{
  gint64 length = self->what->longest * self->what->n_slices / 4;
  gint32 n = (gint32) self->what->n_ranks;

  for (guint i = 0; i < self->what->n_messages; i++)
    {
      gint64 sent = below (self->random, length);
      const PdTimelineMessage message = {
        .sent = PD_TIME (sent),
        .received = PD_TIME (sent + below (self->random, self->what->longest)),
        .bytes = below (self->random, G_GINT64_CONSTANT (10000000000)),
        .from = (guint32) g_rand_int_range (self->random, 0, n),
        .to = (guint32) g_rand_int_range (self->random, 0, n),
        .tag = g_rand_int_range (self->random, -1, 100),
      };
      pd_timeline_feed_message (self->feed, &message);
    }
}

PdTimeline *
test_random_timeline_new (const TestRandomTimeline *what, guint32 seed)
{
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *nodes = g_new (guint32, what->n_ranks);
  const PdTimelineHead head = { what->n_ranks, what->n_cpus, what->n_nodes > 0 ? nodes : NULL,
                                "random", "test" };
  PdTimeline *timeline = pd_timeline_new (&what->selection, &error);
  Maker self = { what, feed, random, open };

  g_assert_no_error (error);
  for (guint32 rank = 0; what->n_nodes > 0 && rank < what->n_ranks; rank++)
    nodes[rank] = 3 + 7 * ((rank * 5) % what->n_nodes);
  pd_timeline_feed_add (feed, &pd_timeline_class, timeline);
  pd_timeline_feed_begin (feed, &head);
  for (guint32 rank = 0; rank < what->n_ranks; rank++)
    make_rank (&self, rank);
  make_messages (&self);
  pd_timeline_feed_end (feed, &error);
  g_assert_no_error (error);
  return timeline;
}
