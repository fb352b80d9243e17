/* Aggregates of timelines against what is added up slice by slice.
 * SPDX-License-Identifier: MIT */
#include "timeline/pd-comm-matrix.h"
#include "timeline/pd-timeline-bins.h"
#include "timeline/pd-timeline-feed.h"

#include <string.h>

/* ---- groups */

static const struct
{
  const char *name;
  guint32 n_ranks, most, n, size, last;
} grouped[] = {
  { "one", 1, 256, 1, 1, 1 },
  { "each", 256, 256, 256, 1, 1 },
  { "one-too-many", 257, 256, 129, 2, 1 },
  { "even", 65536, 256, 256, 256, 256 },
  { "uneven", 100000, 256, 256, 391, 295 },
  { "all-together", 7, 1, 1, 7, 7 },
  { "huge", G_MAXUINT32, 256, 256, 16777216, 16777215 },
};

static void
test_groups (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdRankGroups groups = pd_rank_groups (grouped[i].n_ranks, grouped[i].most);

  g_assert_cmpuint (groups.n, ==, grouped[i].n);
  g_assert_cmpuint (groups.size, ==, grouped[i].size);
  g_assert_cmpuint (pd_rank_groups_count (&groups, groups.n - 1), ==, grouped[i].last);
  if (groups.n > 1)
    g_assert_cmpuint (pd_rank_groups_count (&groups, 0), ==, groups.size);
}

/* ---- bins */

static PdTimelineBins *
begin_bins (guint32 n_ranks)
{
  const PdTimelineHead head = { .n_ranks = n_ranks, .n_cpus = 1 };
  PdTimelineBins *bins = pd_timeline_bins_new ();

  pd_timeline_bins_class.begin (bins, NULL, &head);
  return bins;
}

static void
add (PdTimelineBins *bins, guint32 rank, PdTimelineState state, gint64 begin, gint64 end)
{
  const PdTimelineSlice slice = { .begin = PD_TIME (begin),
                                  .end = PD_TIME (end),
                                  .rank = rank,
                                  .region = PD_TL_NONE,
                                  .interval = PD_TL_NONE,
                                  .state = (guint8) state };

  pd_timeline_bins_class.slice (bins, &slice);
}

static gint64
in_bin (const PdTimelineBins *bins, guint32 bin, guint32 group, PdTimelineState state)
{
  return (gint64) pd_timeline_bins_get (bins, bin, group)[state].ps;
}

/* By hand: 512 bins of 1 ps hold 512 ps, so one that ends at 513 has them doubled. */
static void
test_widen (void)
{
  g_autoptr (PdTimelineBins) bins = begin_bins (2);

  add (bins, 0, PD_TL_COMPUTE, 1, 3);
  add (bins, 0, PD_TL_WAIT, 3, 3);
  add (bins, 1, PD_TL_COMPUTE, 0, 512);
  g_assert_cmpint (bins->width.ps, ==, 1);
  g_assert_cmpuint (bins->n_bins, ==, 512);
  g_assert_cmpint (in_bin (bins, 0, 0, PD_TL_COMPUTE), ==, 0);
  g_assert_cmpint (in_bin (bins, 1, 0, PD_TL_COMPUTE), ==, 1);
  add (bins, 0, PD_TL_WAIT, 3, 513);
  g_assert_cmpint (bins->width.ps, ==, 2);
  g_assert_cmpuint (bins->n_bins, ==, 257);
  g_assert_cmpint (in_bin (bins, 0, 0, PD_TL_COMPUTE), ==, 1);
  g_assert_cmpint (in_bin (bins, 1, 0, PD_TL_COMPUTE), ==, 1);
  g_assert_cmpint (in_bin (bins, 1, 0, PD_TL_WAIT), ==, 1);
  g_assert_cmpint (in_bin (bins, 2, 0, PD_TL_WAIT), ==, 2);
  g_assert_cmpint (in_bin (bins, 256, 0, PD_TL_WAIT), ==, 1);
  g_assert_cmpint (in_bin (bins, 256, 1, PD_TL_COMPUTE), ==, 0);
  g_assert_cmpint (in_bin (bins, 255, 1, PD_TL_COMPUTE), ==, 2);
  /* What takes no time is no slice to be seen. */
  g_assert_cmpuint (bins->exact->len, ==, 3);
}

static void
test_longest (void)
{
  g_autoptr (PdTimelineBins) bins = begin_bins (1);
  PdWide sum = 0;

  add (bins, 0, PD_TL_IO, 0, 5);
  add (bins, 0, PD_TL_IO, 5, G_MAXINT64);
  g_assert_cmpuint (bins->n_bins, <=, PD_TIMELINE_MAX_BINS);
  for (guint32 bin = 0; bin < bins->n_bins; bin++)
    sum += pd_timeline_bins_get (bins, bin, 0)[PD_TL_IO].ps;
  g_assert_true (sum == G_MAXINT64);
}

static void
test_empty (void)
{
  g_autoptr (PdTimelineBins) bins = begin_bins (3);

  add (bins, 2, PD_TL_OTHER, 7, 7);
  g_assert_cmpuint (bins->n_bins, ==, 0);
  g_assert_cmpuint (bins->groups.n, ==, 3);
  g_autoptr (PdTimelineBins) coarse = pd_timeline_bins_coarsen (bins, 10, 2);
  g_assert_cmpuint (coarse->n_bins, ==, 0);
  g_assert_cmpuint (coarse->groups.n, ==, 2);
}

static void
test_exact_limit (void)
{
  g_autoptr (PdTimelineBins) bins = begin_bins (1);

  for (gint64 i = 0; i < PD_TIMELINE_MAX_EXACT; i++)
    add (bins, 0, PD_TL_COMPUTE, i, i + 1);
  g_assert_nonnull (bins->exact);
  g_assert_cmpuint (bins->exact->len, ==, PD_TIMELINE_MAX_EXACT);
  add (bins, 0, PD_TL_COMPUTE, PD_TIMELINE_MAX_EXACT, PD_TIMELINE_MAX_EXACT);
  g_assert_nonnull (bins->exact);
  add (bins, 0, PD_TL_COMPUTE, PD_TIMELINE_MAX_EXACT, PD_TIMELINE_MAX_EXACT + 1);
  g_assert_null (bins->exact);
}

/* Regions of what is kept exactly are counted anew, by their first use. */
static void
test_regions (void)
{
  const PdTimelineHead head = { .n_ranks = 1, .n_cpus = 1, .title = "regions" };
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  g_autoptr (PdTimelineBins) bins = pd_timeline_bins_new ();
  PdTimelineSlice slice = { .end = PD_TIME (7), .state = PD_TL_SEND };
  g_autoptr (GError) error = NULL;

  pd_timeline_feed_add (feed, &pd_timeline_bins_class, bins);
  pd_timeline_feed_begin (feed, &head);
  pd_timeline_feed_region (feed, "never");
  slice.region = pd_timeline_feed_region (feed, "MPI_Send");
  slice.interval = PD_TL_PROGRAM;
  pd_timeline_feed_slice (feed, &slice);
  slice.region = PD_TL_NONE;
  slice.interval = pd_timeline_feed_region (feed, "loop");
  pd_timeline_feed_slice (feed, &slice);
  g_assert_true (pd_timeline_feed_end (feed, &error));
  g_assert_cmpuint (bins->regions->len, ==, 3);
  g_assert_cmpstr (g_ptr_array_index (bins->regions, 0), ==, "MPI_Send");
  g_assert_cmpstr (g_ptr_array_index (bins->regions, 1), ==, "program");
  g_assert_cmpstr (g_ptr_array_index (bins->regions, 2), ==, "loop");
  const PdTimelineSlice *exact = &g_array_index (bins->exact, PdTimelineSlice, 0);
  g_assert_cmpuint (exact[0].region, ==, 0);
  g_assert_cmpuint (exact[0].interval, ==, 1);
  g_assert_cmpuint (exact[1].region, ==, PD_TL_NONE);
  g_assert_cmpuint (exact[1].interval, ==, 2);
}

/* CPUs of a rank work at once: its time is theirs, and one row cannot show it. */
static void
test_cpus (void)
{
  const PdTimelineHead head = { .n_ranks = 2, .n_cpus = 3 };
  g_autoptr (PdTimelineBins) bins = pd_timeline_bins_new ();

  pd_timeline_bins_class.begin (bins, NULL, &head);
  g_assert_null (bins->exact);
  add (bins, 1, PD_TL_COMPUTE, 0, 4);
  add (bins, 1, PD_TL_COMPUTE, 2, 4);
  g_assert_cmpint (in_bin (bins, 1, 1, PD_TL_COMPUTE), ==, 1);
  g_assert_cmpint (in_bin (bins, 2, 1, PD_TL_COMPUTE), ==, 2);
  g_autoptr (PdTimelineBins) coarse = pd_timeline_bins_coarsen (bins, 1, 1);
  g_assert_cmpint (in_bin (coarse, 0, 0, PD_TL_COMPUTE), ==, 6);
  g_assert_cmpuint (coarse->n_cpus, ==, 3);
}

/* ---- random slices against a picosecond count of each slice */

static const struct
{
  const char *name;
  guint32 n_ranks;
  gint64 longest; /* ps, of a slice */
  guint n_slices; /* of each rank that has any */
} random_runs[] = {
  { "short", 5, 40, 30 },
  { "long", 3, G_GINT64_CONSTANT (1000000000000000), 200 },
  { "many-ranks", 1000, 100000, 12 },
  { "uneven-groups", 65537, 1000, 1 },
};

static gint64
random_below (GRand *random, gint64 limit)
{
  gint64 high = g_rand_int (random), low = g_rand_int (random);

  return ((high << 31) ^ low) % limit;
}

/* Slices of one rank after the other, each behind the last, with gaps. */
static GArray *
random_slices (GRand *random, gsize run)
{
  GArray *slices = g_array_new (FALSE, FALSE, sizeof (PdTimelineSlice));

  for (guint32 rank = 0; rank < random_runs[run].n_ranks; rank++)
    {
      gint64 at = random_below (random, random_runs[run].longest);
      for (guint i = 0; i < random_runs[run].n_slices; i++)
        {
          gint64 length = random_below (random, random_runs[run].longest);
          PdTimelineSlice slice = { .begin = PD_TIME (at),
                                    .end = PD_TIME (at + length),
                                    .rank = rank,
                                    .state =
                                        (guint8) g_rand_int_range (random, 0, PD_TL_N_STATES) };
          g_array_append_val (slices, slice);
          at += length + (g_rand_boolean (random) ? random_below (random, 1000) : 0);
        }
    }
  return slices;
}

/* How much of @slice is in [begin, end). */
static gint64
overlap (const PdTimelineSlice *slice, PdWide begin, PdWide end)
{
  PdWide from = MAX (begin, slice->begin.ps), to = MIN (end, slice->end.ps);

  return from < to ? (gint64) (to - from) : 0;
}

/* Each bin, group by group, with all slices of the group gone through. */
static void
assert_bins (const PdTimelineBins *bins, GArray *slices)
{
  PdWide total = 0, expected_total = 0;

  for (guint i = 0; i < slices->len; i++)
    {
      const PdTimelineSlice *s = &g_array_index (slices, PdTimelineSlice, i);
      expected_total += s->end.ps - s->begin.ps;
    }
  for (guint32 bin = 0; bin < bins->n_bins; bin++)
    {
      g_autofree PdWide *expected = g_new0 (PdWide, bins->groups.n * PD_TL_N_STATES);
      PdWide begin = (PdWide) bin * bins->width.ps;
      for (guint i = 0; i < slices->len; i++)
        {
          const PdTimelineSlice *s = &g_array_index (slices, PdTimelineSlice, i);
          expected[s->rank / bins->groups.size * PD_TL_N_STATES + s->state] +=
              overlap (s, begin, begin + bins->width.ps);
        }
      for (guint32 group = 0; group < bins->groups.n; group++)
        for (guint state = 0; state < PD_TL_N_STATES; state++)
          {
            PdWide sum = pd_timeline_bins_get (bins, bin, group)[state].ps;
            g_assert_true (sum == expected[group * PD_TL_N_STATES + state]);
            total += sum;
          }
    }
  g_assert_true (total == expected_total);
}

static PdTimelineBins *
bins_of (GArray *slices, guint32 n_ranks, gboolean backwards)
{
  PdTimelineBins *bins = begin_bins (n_ranks);

  for (guint i = 0; i < slices->len; i++)
    pd_timeline_bins_class.slice (
        bins, &g_array_index (slices, PdTimelineSlice, backwards ? slices->len - 1 - i : i));
  return bins;
}

static void
test_random (gconstpointer data)
{
  gsize run = GPOINTER_TO_SIZE (data);
  guint32 n_ranks = random_runs[run].n_ranks;

  for (guint32 seed = 1; seed <= (n_ranks > 1000 ? 1 : 5); seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (GArray) slices = random_slices (random, run);
      g_autoptr (PdTimelineBins) bins = bins_of (slices, n_ranks, FALSE);
      g_autoptr (PdTimelineBins) again = bins_of (slices, n_ranks, TRUE);
      g_assert_cmpuint (bins->n_bins, <=, PD_TIMELINE_MAX_BINS);
      g_assert_cmpuint (bins->groups.n, <=, PD_TIMELINE_MAX_GROUPS);
      g_assert_true (bins->width.ps == 1 || bins->n_bins > PD_TIMELINE_MAX_BINS / 2);
      assert_bins (bins, slices);
      /* Whatever comes first. */
      g_assert_cmpuint (bins->n_bins, ==, again->n_bins);
      g_assert_true (
          memcmp (bins->sum, again->sum,
                  (gsize) bins->n_bins * bins->groups.n * PD_TL_N_STATES * sizeof (PdTimeSum))
          == 0);
      g_autoptr (PdTimelineBins) coarse = pd_timeline_bins_coarsen (bins, 37, 11);
      g_assert_cmpuint (coarse->n_bins, <=, 37);
      g_assert_cmpuint (coarse->groups.n, <=, 11);
      assert_bins (coarse, slices);
    }
}

/* ---- matrix */

static const struct
{
  const char *name;
  guint32 n_ranks;
  guint32 n_groups;
} matrices[] = {
  { "exact", 9, 9 },
  { "just-exact", 128, 128 },
  { "grouped", 129, 65 },
  { "large", 65536, 128 },
};

static void
test_matrix (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const PdTimelineHead head = { .n_ranks = matrices[i].n_ranks };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (PdCommMatrix) matrix = pd_comm_matrix_new ();
  g_autoptr (GHashTable) bytes =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  guint32 size = 1 + (matrices[i].n_ranks - 1) / matrices[i].n_groups;

  pd_comm_matrix_class.begin (matrix, NULL, &head);
  g_assert_cmpuint (matrix->groups.n, ==, matrices[i].n_groups);
  for (guint m = 0; m < 5000; m++)
    {
      gint32 n = (gint32) matrices[i].n_ranks;
      PdTimelineMessage message = { .bytes = g_rand_int_range (random, 0, 1000),
                                    .from = (guint32) g_rand_int_range (random, 0, n),
                                    .to = (guint32) g_rand_int_range (random, 0, n) };
      gint64 key = (gint64) (message.from / size) * 1000 + message.to / size;
      gint64 *old = g_hash_table_lookup (bytes, &key), sum[2] = { message.bytes, 1 };
      if (old != NULL)
        {
          sum[0] += old[0];
          sum[1] += old[1];
        }
      g_hash_table_insert (bytes, g_memdup (&key, sizeof key), g_memdup (sum, sizeof sum));
      pd_comm_matrix_class.message (matrix, &message);
    }
  for (guint32 from = 0; from < matrix->groups.n; from++)
    for (guint32 to = 0; to < matrix->groups.n; to++)
      {
        gint64 key = (gint64) from * 1000 + to;
        const gint64 none[2] = { 0, 0 }, *expected = g_hash_table_lookup (bytes, &key);
        const PdCommCell *cell = pd_comm_matrix_get (matrix, from, to);
        g_assert_cmpint ((gint64) cell->bytes, ==, (expected ? expected : none)[0]);
        g_assert_cmpint ((gint64) cell->n_messages, ==, (expected ? expected : none)[1]);
      }
  g_assert_cmpuint (matrix->total.n_messages, ==, 5000);
}

static void
test_matrix_sums (void)
{
  const PdTimelineHead head = { .n_ranks = 200 };
  const PdTimelineMessage message = { .bytes = G_MAXINT64, .from = 2, .to = 199 };
  g_autoptr (PdCommMatrix) matrix = pd_comm_matrix_new ();

  pd_comm_matrix_class.begin (matrix, NULL, &head);
  for (int i = 0; i < 3; i++)
    pd_comm_matrix_class.message (matrix, &message);
  g_assert_true (pd_comm_matrix_get (matrix, 1, 99)->bytes == (PdWide) 3 * G_MAXINT64);
  g_assert_true (matrix->total.bytes == (PdWide) 3 * G_MAXINT64);
}

#define ADD_ROWS(rows, folder, function)                                                           \
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)                                                  \
    {                                                                                              \
      g_autofree char *path = g_strconcat (folder, rows[i].name, NULL);                            \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), function);                                 \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_ROWS (grouped, "/timeline/groups/", test_groups)
  g_test_add_func ("/timeline/bins/widen", test_widen);
  g_test_add_func ("/timeline/bins/longest", test_longest);
  g_test_add_func ("/timeline/bins/empty", test_empty);
  g_test_add_func ("/timeline/bins/exact-limit", test_exact_limit);
  g_test_add_func ("/timeline/bins/regions", test_regions);
  g_test_add_func ("/timeline/bins/cpus", test_cpus);
  ADD_ROWS (random_runs, "/timeline/bins/random/", test_random)
  ADD_ROWS (matrices, "/timeline/matrix/", test_matrix)
  g_test_add_func ("/timeline/matrix/sums", test_matrix_sums);
  return g_test_run ();
}
