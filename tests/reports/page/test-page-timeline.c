/* Timelines and communication matrices on pages: what their data say, and how much they
 * may be.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-matrix-private.h"
#include "reports/page/pd-page-timeline-private.h"
#include "timeline/pd-timeline-feed.h"

#include <string.h>

static PdReportRun *
begin_run (guint32 n_ranks, guint32 n_cpus, PdTimelineFeed *feed)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);
  const PdTimelineHead head = { n_ranks, n_cpus, NULL, "test", NULL };

  run->n_processors = n_ranks;
  run->model = PD_MODEL_MPI;
  run->bins = pd_timeline_bins_new ();
  run->matrix = pd_comm_matrix_new ();
  pd_timeline_feed_add (feed, &pd_timeline_bins_class, run->bins);
  pd_timeline_feed_add (feed, &pd_comm_matrix_class, run->matrix);
  pd_timeline_feed_begin (feed, &head);
  return run;
}

/* Returns: the data of the page with both sections, for the rest of its room. */
static char *
make_page (const PdReportRun *run, gsize room, char **body)
{
  g_autoptr (PdPage) page = pd_page_new ("page");

  pd_page_set_room (page, room);
  pd_page_add_timeline (page, run, "run1");
  pd_page_add_matrix (page, run, "run1");
  if (body != NULL)
    *body = g_strdup (page->body->str);
  return g_strdup (page->json.out->str);
}

/* The column @name, behind @from. */
static GArray *
read_column (const char *data, const char *from, const char *name)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_autofree char *key = g_strdup_printf ("\"%s\": [", name);
  const char *p = strstr (data, from);

  g_assert_nonnull (p);
  p = strstr (p, key);
  g_assert_nonnull (p);
  p += strlen (key);
  while (*p != ']')
    {
      char *end;
      gdouble value = g_ascii_strtod (p, &end);
      g_assert_true (end > p);
      g_array_append_val (values, value);
      p = *end == ',' ? end + 1 : end;
    }
  return values;
}

static gdouble
read_number (const char *data, const char *from, const char *name)
{
  g_autofree char *key = g_strdup_printf ("\"%s\": ", name);
  const char *p = strstr (strstr (data, from), key);

  g_assert_nonnull (p);
  return g_ascii_strtod (p + strlen (key), NULL);
}

/* ---- few slices */

static void
test_slices (void)
{
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  PdReportRun *run = begin_run (2, 1, feed);
  guint32 loop = pd_timeline_feed_region (feed, "</loop>");
  const PdTimelineSlice slices[] = {
    { PD_TIME (0), PD_TIME (PD_PS_PER_US), 0, PD_TL_NONE, loop, PD_TL_COMPUTE, 0, { 0 } },
    { PD_TIME (PD_PS_PER_US),
      PD_TIME (PD_PS_PER_MS),
      1,
      loop,
      PD_TL_PROGRAM,
      PD_TL_WAIT,
      0,
      { 0 } },
  };
  static const struct
  {
    const char *name;
    gdouble values[2];
  } columns[] = {
    { "rank", { 0, 1 } },           { "begin", { 0, 1e-6 } }, { "end", { 1e-6, 1e-3 } },
    { "state", { 0, PD_TL_WAIT } }, { "region", { -1, 0 } },  { "interval", { 0, 1 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (slices); i++)
    pd_timeline_feed_slice (feed, &slices[i]);
  pd_timeline_feed_end (feed, NULL);
  g_autofree char *data = make_page (run, G_MAXSIZE, NULL);
  g_assert_nonnull (strstr (data, "\"run1-timeline\""));
  g_assert_null (strstr (data, "\"bins\""));
  g_assert_null (strstr (data, "\"run1-matrix\""));
  for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autoptr (GArray) column = read_column (data, "\"slices\"", columns[i].name);
      g_assert_cmpuint (column->len, ==, 2);
      g_assert_cmpfloat (g_array_index (column, gdouble, 0), ==, columns[i].values[0]);
      g_assert_cmpfloat (g_array_index (column, gdouble, 1), ==, columns[i].values[1]);
    }
  g_assert_cmpfloat (read_number (data, "timeline", "end"), ==, 1e-3);
  g_assert_cmpfloat (read_number (data, "timeline", "ranks"), ==, 2);
  pd_report_run_free (run);
}

/* ---- many: their time is in the bins, whatever room there is */

static const struct
{
  const char *name;
  guint32 n_ranks;
  guint32 n_cpus;
  guint n_slices; /* of each rank */
  gsize room;
  gsize most; /* bytes of data */
} large[] = {
  { "one-page", 65536, 1, 20, G_MAXSIZE, 2100000 }, { "long", 300, 1, 3000, G_MAXSIZE, 2100000 },
  { "cpus", 300, 4, 3000, G_MAXSIZE, 2100000 },     { "little-room", 65536, 1, 4, 300000, 300000 },
  { "very-little-room", 1000, 1, 40, 4000, 4000 },
};

static void
feed_large (PdTimelineFeed *feed, gsize i, gdouble *seconds)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint32 rank = 0; rank < large[i].n_ranks; rank++)
    {
      gint64 at = 0;
      for (guint k = 0; k < large[i].n_slices; k++)
        {
          gint64 end = at + g_rand_int_range (random, 1, 1000000);
          guint8 state = (guint8) g_rand_int_range (random, 0, PD_TL_N_STATES);
          const PdTimelineSlice slice = {
            PD_TIME (at), PD_TIME (end), rank, 0, 0, state, 0, { 0 }
          };
          const PdTimelineMessage message = {
            PD_TIME (at), PD_TIME (end), 1000, rank, (rank * 7 + k) % large[i].n_ranks, 0, 0
          };
          pd_timeline_feed_slice (feed, &slice);
          pd_timeline_feed_message (feed, &message);
          seconds[state] += (gdouble) (end - at) / PD_PS_PER_S;
          at = end;
        }
    }
  pd_timeline_feed_end (feed, NULL);
}

static void
test_large (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  PdReportRun *run = begin_run (large[i].n_ranks, large[i].n_cpus, feed);
  gdouble seconds[PD_TL_N_STATES] = { 0 }, found[PD_TL_N_STATES] = { 0 };
  g_autofree char *body = NULL;

  feed_large (feed, i, seconds);
  g_autofree char *text = make_page (run, large[i].room, &body);
  g_assert_cmpuint (strlen (text), <=, large[i].most);
  g_autoptr (GArray) group = read_column (text, "\"bins\"", "group");
  g_autoptr (GArray) bin = read_column (text, "\"bins\"", "bin");
  g_autoptr (GArray) state = read_column (text, "\"bins\"", "state");
  g_autoptr (GArray) values = read_column (text, "\"bins\"", "seconds");
  gdouble n_groups = read_number (text, "\"bins\"", "groups");
  gdouble size = read_number (text, "\"bins\"", "size"),
          n_bins = read_number (text, "\"bins\"", "n");
  gdouble width = read_number (text, "\"bins\"", "width");
  g_assert_true (size * n_groups >= large[i].n_ranks && size * (n_groups - 1) < large[i].n_ranks);
  g_assert_cmpfloat (width * n_bins, >=, read_number (text, "timeline", "end"));
  g_assert_cmpuint (values->len, ==, group->len);
  for (guint k = 0; k < values->len; k++)
    {
      gdouble value = g_array_index (values, gdouble, k);
      g_assert_cmpfloat (g_array_index (group, gdouble, k), <, n_groups);
      g_assert_cmpfloat (g_array_index (bin, gdouble, k), <, n_bins);
      g_assert_cmpfloat (value, <=, size * large[i].n_cpus * width * 1.0001);
      found[(gsize) g_array_index (state, gdouble, k)] += value;
    }
  for (guint s = 0; s < PD_TL_N_STATES; s++)
    g_assert_cmpfloat_with_epsilon (found[s], seconds[s], 1e-4 * seconds[s]);
  g_assert_nonnull (strstr (body, "data-chart=\"timeline\""));
  pd_report_run_free (run);
}

/* ---- messages */

static void
test_matrix (void)
{
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  PdReportRun *run = begin_run (300, 1, feed);
  const PdTimelineMessage messages[] = { { PD_TIME (0), PD_TIME (1), 100, 299, 0, 0, 0 },
                                         { PD_TIME (0), PD_TIME (1), 50, 0, 5, 0, 0 },
                                         { PD_TIME (0), PD_TIME (1), 7, 1, 4, 0, 0 },
                                         { PD_TIME (0), PD_TIME (1), 0, 3, 3, 0, 0 } };
  static const struct
  {
    const char *name;
    gdouble values[3];
  } columns[] = {
    { "from", { 0, 1, 99 } },
    { "to", { 1, 1, 0 } },
    { "messages", { 2, 1, 1 } },
    { "bytes", { 57, 0, 100 } },
  };
  g_autofree char *body = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (messages); i++)
    pd_timeline_feed_message (feed, &messages[i]);
  pd_timeline_feed_end (feed, NULL);
  g_autofree char *data = make_page (run, G_MAXSIZE, &body);
  g_assert_null (strstr (data, "\"run1-timeline\""));
  g_assert_cmpfloat (read_number (data, "matrix", "groups"), ==, 100);
  g_assert_cmpfloat (read_number (data, "matrix", "size"), ==, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autoptr (GArray) column = read_column (data, "matrix", columns[i].name);
      g_assert_cmpuint (column->len, ==, 3);
      for (guint k = 0; k < 3; k++)
        g_assert_cmpfloat (g_array_index (column, gdouble, k), ==, columns[i].values[k]);
    }
  /* the largest comes first */
  const char *first = strstr (body, "297 to 299"), *second = strstr (body, "<td>0 to 2</td><td>3");
  g_assert_true (first != NULL && second != NULL && first < second);
  pd_report_run_free (run);
}

/* Runs that nobody followed have neither. */
static void
test_nothing (void)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);
  g_autofree char *body = NULL, *data = make_page (run, G_MAXSIZE, &body);

  g_assert_null (strstr (data, "timeline"));
  g_assert_null (strstr (body, "data-chart"));
  pd_report_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reports/page-timeline/slices", test_slices);
  for (gsize i = 0; i < G_N_ELEMENTS (large); i++)
    {
      g_autofree char *path = g_strconcat ("/reports/page-timeline/large/", large[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_large);
    }
  g_test_add_func ("/reports/page-timeline/matrix", test_matrix);
  g_test_add_func ("/reports/page-timeline/nothing", test_nothing);
  return g_test_run ();
}
