/* What is kept of a timeline, what its file looks like, and that the checker of files
 * finds what is wrong with them.
 * SPDX-License-Identifier: MIT */
#include "tests/support/trace-events.h"
#include "timeline/pd-timeline-format.h"
#include "timeline/pd-timeline-levels.h"
#include "timeline/pd-timeline-feed.h"
#include "timeline/pd-timeline-json.h"
#include "timeline/pd-timeline-select.h"

#include <glib/gstdio.h>
#include <string.h>

/* ---- windows */

static const struct
{
  const char *text;
  gint64 begin; /* -1: wrong */
  gint64 end;   /* -1: none */
} windows[] = {
  { "1ms:2ms", PD_PS_PER_MS, 2 * PD_PS_PER_MS },
  { "1 ns : 1.5ns", 1000, 1500 },
  { ":7us", 0, 7 * PD_PS_PER_US },
  { "7us:", 7 * PD_PS_PER_US, -1 },
  { "0:1ps", 0, 1 },
  { ":", 0, -1 },
  { "2ms:1ms", -1, 0 },
  { "1ms:1ms", -1, 0 },
  { "1ms", -1, 0 },
  { "1:2", -1, 0 },
  { "1ms:2MB", -1, 0 },
  { "-1ms:2ms", -1, 0 },
  { "1ms:2ms:3ms", -1, 0 },
  { "", -1, 0 },
};

static void
test_windows (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      PdTimelineSelection selection = { .limit = 1 };
      g_autoptr (GError) error = NULL;
      gboolean ok = pd_timeline_parse_window (windows[i].text, &selection, &error);
      g_test_message ("'%s'", windows[i].text);
      g_assert_cmpint (ok, ==, windows[i].begin >= 0);
      if (!ok)
        g_assert_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_SELECTION);
      else
        {
          g_assert_cmpint (selection.begin.ps, ==, windows[i].begin);
          g_assert_cmpint (selection.end.ps, ==, windows[i].end < 0 ? G_MAXINT64 : windows[i].end);
        }
    }
}

static void
test_ranks (void)
{
  static const char *const wrong[] = { "", "a", "1,", "3-1", "1-2-3", "-1", "4294967296", "0 1" };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      const PdTimelineSelection selection = { .end = PD_TIME_MAX, .ranks = wrong[i], .limit = 9 };
      g_autoptr (GError) error = NULL;
      g_assert_null (pd_timeline_new (&selection, &error));
      g_assert_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_SELECTION);
    }
}

static void
test_formats (void)
{
  static const char *const paths[] = { "a.json", "a.b.json.gz", "a/b.json" };
  static const char *const wrong[] = { "a", "json", "a.json.bz2", "a.txt", "-", "" };

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    g_assert_nonnull (pd_timeline_format_find (paths[i], NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (pd_timeline_format_find (wrong[i], &error));
      g_assert_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_FORMAT);
    }
}

/* ---- what is kept */

static const guint32 nodes[] = { 0, 0, 1 };

/* Three ranks, in units of @unit ps: each is in "outer" from 10 to 60, and waits from 20 to 40;
 * rank 0 sends to 1 from 15 to 35, 1 to 2 from 25 to 45; a call at 40 takes no time. Ranks end at
 * 60 and 70. */
static void
feed_run_in (PdTimelineFeed *feed, gint64 unit)
{
  const PdTimelineHead head = { .n_ranks = 3, .n_cpus = 1, .node_of = nodes, .title = "a \"b\"\n" };
  guint32 outer, wait, call;

  pd_timeline_feed_begin (feed, &head);
  call = pd_timeline_feed_region (feed, "call");
  outer = pd_timeline_feed_region (feed, "outer");
  wait = pd_timeline_feed_region (feed, "wait\xff");
  g_assert_cmpuint (pd_timeline_feed_region (feed, "call"), ==, call);
  for (guint32 rank = 3; rank-- > 0;)
    {
      PdTime end = PD_TIME ((rank == 1 ? 70 : 60) * unit);
      const PdTimelineMark marks[] = { { PD_TIME (0), rank, PD_TL_PROGRAM, TRUE },
                                       { PD_TIME (10 * unit), rank, outer, TRUE },
                                       { PD_TIME (60 * unit), rank, outer, FALSE },
                                       { end, rank, PD_TL_PROGRAM, FALSE } };
      const PdTimelineSlice slices[] = {
        { PD_TIME (20 * unit), PD_TIME (40 * unit), rank, wait, outer, PD_TL_WAIT, 0, { 0, 0 } },
        { PD_TIME (40 * unit), PD_TIME (40 * unit), rank, call, outer, PD_TL_OTHER, 0, { 0, 0 } },
        { PD_TIME (40 * unit), PD_TIME (40 * unit), rank, call, outer, PD_TL_COMPUTE, 0, { 0, 0 } },
      };
      pd_timeline_feed_mark (feed, &marks[0]);
      pd_timeline_feed_mark (feed, &marks[1]);
      for (gsize i = 0; i < G_N_ELEMENTS (slices); i++)
        pd_timeline_feed_slice (feed, &slices[i]);
      pd_timeline_feed_mark (feed, &marks[2]);
      pd_timeline_feed_mark (feed, &marks[3]);
    }
  pd_timeline_feed_message (
      feed, &(PdTimelineMessage){ PD_TIME (25 * unit), PD_TIME (45 * unit), 1000, 1, 2, 7, 0 });
  pd_timeline_feed_message (
      feed, &(PdTimelineMessage){ PD_TIME (15 * unit), PD_TIME (35 * unit), 10, 0, 1, 7, 0 });
  pd_timeline_feed_message (
      feed, /* when its receiver is gone */
      &(PdTimelineMessage){ PD_TIME (15 * unit), PD_TIME (65 * unit), 10, 0, 2, 7, 0 });
}

static void
feed_run (PdTimelineFeed *feed)
{
  feed_run_in (feed, 1);
}

static char *
show (const PdTimeline *t)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < t->n_marks; i++)
    g_string_append_printf (text, "%s%u%s%" G_GINT64_FORMAT, i > 0 ? " " : "", t->marks[i].rank,
                            t->marks[i].enters ? "+" : "-", t->marks[i].at.ps);
  g_string_append (text, " |");
  for (gsize i = 0; i < t->n_slices; i++)
    g_string_append_printf (text, " %u:%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, t->slices[i].rank,
                            t->slices[i].begin.ps, t->slices[i].end.ps);
  g_string_append (text, " |");
  for (gsize i = 0; i < t->n_messages; i++)
    g_string_append_printf (text, " %u>%u", t->messages[i].from, t->messages[i].to);
  g_string_append_printf (text, " | %" G_GUINT64_FORMAT, t->n_left_out);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const struct
{
  const char *name;
  gint64 begin;
  gint64 end; /* 0: none */
  const char *ranks;
  guint64 limit;
  gint code; /* -1: none */
  const char *expected;
} kept[] = {
  { "all", 0, 0, NULL, 100, -1,
    "0+0 0+10 0-60 0-60 1+0 1+10 1-60 1-70 2+0 2+10 2-60 2-60 | 0:20-40 0:40-40 1:20-40 1:40-40 "
    "2:20-40 2:40-40 | 0>1 1>2 | 1" },
  { "rank", 0, 0, "1", 100, -1, "1+0 1+10 1-60 1-70 | 1:20-40 1:40-40 | | 2" },
  { "ranks", 0, 0, "2-9,0", 100, -1,
    "0+0 0+10 0-60 0-60 2+0 2+10 2-60 2-60 | 0:20-40 0:40-40 2:20-40 2:40-40 | | 3" },
  { "inside", 30, 36, "0-1", 100, -1,
    "0+30 0+30 0-36 0-36 1+30 1+30 1-36 1-36 | 0:30-36 1:30-36 | | 1" },
  { "edges", 10, 40, "0-1", 100, -1,
    "0+10 0+10 0-40 0-40 1+10 1+10 1-40 1-40 | 0:20-40 0:40-40 1:20-40 1:40-40 | 0>1 | 2" },
  { "beginning", 0, 5, "0", 100, -1, "0+0 0-5 | | | 0" },
  { "end", 60, 80, "0-1", 100, -1, "0+60 0+60 0-60 0-60 1+60 1+60 1-60 1-70 | | | 0" },
  { "as-many", 0, 0, NULL, 21, -1,
    "0+0 0+10 0-60 0-60 1+0 1+10 1-60 1-70 2+0 2+10 2-60 2-60 | 0:20-40 0:40-40 1:20-40 1:40-40 "
    "2:20-40 2:40-40 | 0>1 1>2 | 1" },
  { "too-many", 0, 0, NULL, 20, PD_TIMELINE_ERROR_LIMIT, NULL },
  { "behind", 70, 0, NULL, 100, PD_TIMELINE_ERROR_SELECTION, NULL },
  { "nobody", 0, 0, "3-5", 100, PD_TIMELINE_ERROR_SELECTION, NULL },
};

static void
test_kept (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const PdTimelineSelection selection = { PD_TIME (kept[i].begin),
                                          kept[i].end > 0 ? PD_TIME (kept[i].end) : PD_TIME_MAX,
                                          kept[i].ranks, kept[i].limit };
  g_autoptr (PdTimeline) timeline = pd_timeline_new (&selection, NULL);
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  g_autoptr (GError) error = NULL;

  pd_timeline_feed_add (feed, &pd_timeline_class, timeline);
  feed_run (feed);
  gboolean ok = pd_timeline_feed_end (feed, &error);
  g_assert_cmpint (ok, ==, kept[i].code < 0);
  if (!ok)
    {
      g_assert_error (error, PD_TIMELINE_ERROR, kept[i].code);
      g_assert_null (timeline->slices);
      return;
    }
  g_autofree char *text = show (timeline);
  g_assert_cmpstr (text, ==, kept[i].expected);
}

/* How many there are, and what would do, is said. */
static void
test_limit_text (void)
{
  const PdTimelineSelection selection = { .end = PD_TIME_MAX, .limit = 10 };
  g_autoptr (PdTimeline) timeline = pd_timeline_new (&selection, NULL);
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  g_autoptr (GError) error = NULL;

  pd_timeline_feed_add (feed, &pd_timeline_class, timeline);
  feed_run (feed);
  g_assert_false (pd_timeline_feed_end (feed, &error));
  g_assert_nonnull (strstr (error->message, "21 events (6 slices, 3 messages, 12 "));
  g_assert_nonnull (strstr (error->message, "--timeline-window 0s:3e-11s"));
  g_assert_nonnull (strstr (error->message, "--timeline-ranks 0-0"));
}

/* Every consumer is told, also those without some of the functions. */
static void
count (gpointer data, const PdTimelineSlice *slice G_GNUC_UNUSED)
{
  ++*(guint *) data;
}

static void
test_consumers (void)
{
  static const PdTimelineClass none = { NULL, NULL, NULL, NULL, NULL };
  static const PdTimelineClass counts = { NULL, count, NULL, NULL, NULL };
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  guint n = 0;

  pd_timeline_feed_add (feed, &none, NULL);
  pd_timeline_feed_add (feed, &counts, &n);
  feed_run (feed);
  g_assert_true (pd_timeline_feed_end (feed, NULL));
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpuint (pd_timeline_feed_get_n_regions (feed), ==, 4);
  g_assert_cmpstr (pd_timeline_feed_get_region (feed, PD_TL_PROGRAM), ==, "program");
}

/* ---- the file */

/* In units of 1.43 ns: the wait, from 28.6 to 57.2, is written from 29 to 57, although its length
 * rounds to 29. */
static const char expected[] =
    "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"program\":\"a \\\"b\\\"\\u000a\","
    "\"version\":\"predictor " PD_VERSION "\",\"ranks\":3,\"ranks_selected\":1,"
    "\"execution_time_us\":0.1001,\"window_us\":[0.0143,0.1001],\"messages_left_out\":2},\n"
    "\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_name\",\"args\":{\"name\":\"all ranks\"}},\n"
    "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":-1}},\n"
    "{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"node 0\"}},\n"
    "{\"ph\":\"M\",\"pid\":0,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":0}},\n"
    "{\"ph\":\"M\",\"pid\":0,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"rank 1\"}},\n"
    "{\"ph\":\"M\",\"pid\":0,\"tid\":1,\"name\":\"thread_sort_index\",\"args\":"
    "{\"sort_index\":1}},\n"
    "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":0.014,\"dur\":0.086,\"cat\":\"interval\","
    "\"name\":\"program\"},\n"
    "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":0.014,\"dur\":0.072,\"cat\":\"interval\","
    "\"name\":\"outer\"},\n"
    "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":0.029,\"dur\":0.028,\"cat\":\"wait\","
    "\"name\":\"wait\xef\xbf\xbd\"},\n"
    "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":0.057,\"dur\":0,\"cat\":\"other\","
    "\"name\":\"call\"}";

static void
test_file (void)
{
  const PdTimelineSelection selection = { PD_TIME (10 * 1430), PD_TIME_MAX, "1", 100 };
  g_autoptr (PdTimeline) timeline = pd_timeline_new (&selection, NULL);
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("pd-test-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "a.json", NULL), *text = NULL;

  pd_timeline_feed_add (feed, &pd_timeline_class, timeline);
  feed_run_in (feed, 1430);
  g_assert_true (pd_timeline_feed_end (feed, &error));
  g_assert_true (pd_timeline_write_json (timeline, path, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  if (strlen (text) > strlen (expected))
    text[strlen (expected)] = '\0';
  g_assert_cmpstr (text, ==, expected);
  g_autoptr (TestTraceEvents) events = test_trace_events_read (path);
  /* at the beginning, and twice where the wait begins and ends, within parts of the window */
  g_assert_cmpuint (events->n_counters, ==, 5);
  g_unlink (path);
  g_rmdir (folder);
  g_assert_false (pd_timeline_write_json (timeline, path, &error));
  g_assert_nonnull (error);
}

/* A slice of no function is called what it is; counters hold whatever messages may be. */
static void
test_extremes (void)
{
  static const guint32 node_of[] = { 3 };
  const PdTimelineHead head = { .n_ranks = 1, .n_cpus = 1, .node_of = node_of, .title = "t" };
  const PdTimelineSlice slice = {
    .end = PD_TIME (1000), .region = PD_TL_NONE, .interval = PD_TL_NONE, .state = PD_TL_IO
  };
  const PdTimelineMessage message = { .received = PD_TIME (1000), .bytes = G_MAXINT64 };
  g_autoptr (PdTimeline) timeline = pd_timeline_new (NULL, NULL);
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("pd-test-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "a.json", NULL), *text = NULL;

  pd_timeline_feed_add (feed, &pd_timeline_class, timeline);
  pd_timeline_feed_begin (feed, &head);
  pd_timeline_feed_mark (feed, &(PdTimelineMark){ .region = PD_TL_PROGRAM, .enters = TRUE });
  pd_timeline_feed_slice (feed, &slice);
  pd_timeline_feed_message (feed, &message);
  pd_timeline_feed_mark (feed, &(PdTimelineMark){ PD_TIME (1000), 0, PD_TL_PROGRAM, FALSE });
  g_assert_true (pd_timeline_feed_end (feed, &error));
  g_assert_true (pd_timeline_write_json (timeline, path, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_assert_nonnull (strstr (text, "\"cat\":\"io\",\"name\":\"io\"}"));
  g_assert_nonnull (strstr (text, "{\"ph\":\"X\",\"pid\":3,\"tid\":1,")); /* thread 0 would be 3 */
  g_assert_nonnull (strstr (text, "\"args\":{\"under way\":9223372036854775808}"));
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_levels (void)
{
  g_autoptr (PdTimeline) timeline = pd_timeline_new (NULL, NULL);
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();

  pd_timeline_feed_add (feed, &pd_timeline_class, timeline);
  feed_run (feed);
  g_assert_true (pd_timeline_feed_end (feed, NULL));
  g_autoptr (PdTimelineLevels) levels = pd_timeline_levels_new (timeline);
  g_assert_cmpuint (levels->n, ==, 70);
  for (guint i = 0; i < levels->n; i++)
    {
      gdouble bytes = (i >= 15 && i < 35 ? 10 : 0) + (i >= 25 && i < 45 ? 1000 : 0);
      g_assert_cmpfloat (levels->values[PD_LEVEL_WAITING][i], ==, i >= 20 && i < 40 ? 3 : 0);
      g_assert_cmpfloat (levels->values[PD_LEVEL_BYTES][i], ==, bytes);
      g_assert_cmpfloat (levels->values[PD_LEVEL_COMPUTING][i], ==, 0);
    }
}

/* Parts of the time that slices do not fill have their share of them; nothing is lost. */
static void
test_shares (void)
{
  PdTimelineSlice slices[] = {
    { .begin = PD_TIME (100), .end = PD_TIME (2700), .state = PD_TL_COMPUTE },
    { .begin = PD_TIME (2701), .end = PD_TIME (2702), .state = PD_TL_IO },
    { .begin = PD_TIME (2702), .end = PD_TIME (3001), .state = PD_TL_COLLECTIVE },
  };
  const PdTimeline timeline = { .window = { PD_TIME (1), PD_TIME (3002) },
                                .slices = slices,
                                .n_slices = G_N_ELEMENTS (slices) };
  g_autoptr (PdTimelineLevels) levels = pd_timeline_levels_new (&timeline);
  const gdouble sums[PD_N_LEVELS] = { 2600, 299, 0, 1, 0 };

  g_assert_cmpint (levels->width.ps, ==, 4);
  g_assert_cmpuint (levels->n, ==, 751);
  g_assert_cmpfloat (levels->values[PD_LEVEL_COMPUTING][24], ==, 0.25); /* from 97 */
  g_assert_cmpfloat (levels->values[PD_LEVEL_COMPUTING][25], ==, 1);
  for (guint k = 0; k < PD_N_LEVELS; k++)
    {
      gdouble sum = 0;
      for (guint i = 0; i < levels->n; i++)
        sum += levels->values[k][i] * (gdouble) MIN (4, 3001 - (gint64) i * 4);
      g_assert_cmpfloat_with_epsilon (sum, sums[k], 1e-9);
    }
}

/* ---- the checker */

#define HEAD "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["
#define SLICE(tid, ts, dur, cat)                                                                   \
  "{\"ph\":\"X\",\"pid\":0,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur ",\"cat\":\"" cat           \
  "\",\"name\":\"a\"}"
#define SENT(ts) "{\"ph\":\"s\",\"pid\":0,\"tid\":0,\"ts\":" ts ",\"id\":1,\"name\":\"m\"}"
#define RECEIVED(ts)                                                                               \
  "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":0,\"tid\":1,\"ts\":" ts ",\"id\":1,\"name\":\"m\"}"
#define BOTH SLICE ("0", "0", "9", "interval") "," SLICE ("1", "0", "9", "interval")

static const struct
{
  const char *text;
  gboolean is_right;
} checked[] = {
  { HEAD BOTH "]}", TRUE },
  { HEAD BOTH "," SENT ("1") "," RECEIVED ("2.5") "]}\n", TRUE },
  { HEAD BOTH "," SLICE ("0", "9", "0", "send") "," SLICE ("0", "3", "2", "wait") "]}", TRUE },
  { HEAD "]}", FALSE },
  { "{\"traceEvents\":[" BOTH "]}", FALSE },
  { HEAD BOTH "]", FALSE },
  { HEAD BOTH "]}]", FALSE },
  { HEAD BOTH ",]}", FALSE },
  { HEAD SLICE ("0", "01", "1", "a") "]}", FALSE },
  { HEAD SLICE ("0", "1", "1", "a\\x") "]}", FALSE },
  { HEAD SLICE ("0", "1", "1", "a\n") "]}", FALSE },
  { HEAD SLICE ("0", "1", "-1", "a") "]}", FALSE },
  { HEAD SLICE ("0", "-1", "1", "a") "]}", FALSE },
  { HEAD SLICE ("0", "1", "1e3", "a") "]}", FALSE },
  { HEAD SLICE ("0", "1", "0.0001", "a") "]}", FALSE },
  { HEAD SLICE ("0", "1", "5", "interval") "," SLICE ("0", "2", "5", "interval") "]}", FALSE },
  { HEAD SLICE ("0", "1", "5", "send") "," SLICE ("0", "2", "1", "send") "]}", FALSE },
  { HEAD SLICE ("0", "1", "5", "send") "," SLICE ("0", "5.999", "1", "send") "]}", FALSE },
  { HEAD BOTH "," SENT ("1") "]}", FALSE },
  { HEAD BOTH "," RECEIVED ("1") "]}", FALSE },
  { HEAD BOTH "," SENT ("1") "," SENT ("1") "]}", FALSE },
  { HEAD BOTH "," SENT ("2") "," RECEIVED ("1") "]}", FALSE },
  { HEAD BOTH "," SENT ("1") "," RECEIVED ("9.1") "]}", FALSE },
  { HEAD SLICE ("1", "0", "9", "interval") "," SENT ("1") "," RECEIVED ("2") "]}", FALSE },
  { HEAD "{\"ph\":\"Z\",\"pid\":0,\"tid\":0,\"ts\":0,\"name\":\"a\"}]}", FALSE },
  { HEAD "{\"ph\":\"C\",\"pid\":0,\"name\":\"a\"}]}", FALSE },
};

static void
test_checker (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (checked); i++)
    {
      g_autofree char *wrong = NULL;
      TestTraceEvents *events = test_trace_events_parse (checked[i].text, &wrong);
      g_test_message ("%s: %s, %u threads", checked[i].text, wrong, events->threads->len);
      test_trace_events_free (events);
      g_assert_cmpint (wrong == NULL, ==, checked[i].is_right);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/select/window", test_windows);
  g_test_add_func ("/timeline/select/ranks", test_ranks);
  g_test_add_func ("/timeline/format", test_formats);
  for (gsize i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline/kept/", kept[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_kept);
    }
  g_test_add_func ("/timeline/limit", test_limit_text);
  g_test_add_func ("/timeline/consumers", test_consumers);
  g_test_add_func ("/timeline/file", test_file);
  g_test_add_func ("/timeline/file/extremes", test_extremes);
  g_test_add_func ("/timeline/levels/whole", test_levels);
  g_test_add_func ("/timeline/levels/shares", test_shares);
  g_test_add_func ("/timeline/checker", test_checker);
  return g_test_run ();
}
