/* Paraver traces, read back: what a reader of them relies on, and that they say what
 * the timeline says.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "tests/support/random-timelines.h"
#include "timeline/pd-paraver.h"
#include "traces/io/pd-trace-error.h"
#include "timeline/pd-timeline-feed.h"

#include <glib/gstdio.h>
#include <string.h>

/* ---- a reader of ours */

typedef struct
{
  gint64 end;
  guint32 n_nodes, n_tasks, n_threads; /* threads of each task */
  gint64 *node_cpus;                   /* (array): of each node */
  gint64 *task_node;                   /* (array): of each task, from 1 */
  GArray *records;                     /* Fields */
} Trace;

/* A record, all its numbers. */
typedef struct
{
  gint64 f[15];
  guint n;
} Fields;

/* How many numbers a record of each kind has; they are all of the same length, since
 * we write one event each. */
static const guint n_fields[] = { 0, 8, 8, 15 };

static gint64
take (const char **p)
{
  char *end;
  gint64 value = g_ascii_strtoll (*p, &end, 10);

  g_assert_true (end > *p);
  *p = end;
  return value;
}

static void
skip (const char **p, const char *text)
{
  g_assert_true (g_str_has_prefix (*p, text));
  *p += strlen (text);
}

static void
read_header (Trace *self, const char *p)
{
  skip (&p, "#Paraver (");
  p = strchr (p, ')');
  g_assert_nonnull (p);
  skip (&p, "):");
  self->end = take (&p);
  skip (&p, "_ns:");
  self->n_nodes = (guint32) take (&p);
  self->node_cpus = g_new0 (gint64, self->n_nodes);
  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      skip (&p, i == 0 ? "(" : ",");
      self->node_cpus[i] = take (&p);
    }
  skip (&p, "):1:");
  self->n_tasks = (guint32) take (&p);
  self->task_node = g_new0 (gint64, self->n_tasks);
  for (guint32 i = 0; i < self->n_tasks; i++)
    {
      skip (&p, i == 0 ? "(" : ",");
      self->n_threads = (guint32) take (&p);
      skip (&p, ":");
      self->task_node[i] = take (&p);
      g_assert_cmpint (self->task_node[i], >=, 1);
      g_assert_cmpint (self->task_node[i], <=, self->n_nodes);
    }
  g_assert_cmpstr (p, ==, ")");
}

static Trace *
read_trace (const char *path)
{
  Trace *self = g_new0 (Trace, 1);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_suffix (text, "\n"));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  read_header (self, lines[0]);
  self->records = g_array_new (FALSE, FALSE, sizeof (Fields));
  for (guint i = 1; lines[i + 1] != NULL; i++)
    {
      Fields fields = { .n = 0 };
      const char *p = lines[i];
      while (TRUE)
        {
          g_assert_cmpuint (fields.n, <, 15);
          fields.f[fields.n++] = take (&p);
          if (*p == '\0')
            break;
          skip (&p, ":");
        }
      g_assert_cmpint (fields.f[0], >=, 1);
      g_assert_cmpint (fields.f[0], <=, 3);
      g_assert_cmpuint (fields.n, ==, n_fields[fields.f[0]]);
      g_array_append_val (self->records, fields);
    }
  return self;
}

static void
trace_free (Trace *self)
{
  g_free (self->node_cpus);
  g_free (self->task_node);
  g_array_unref (self->records);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Trace, trace_free)

/* ---- rules of the format */

/* CPU, application, task and thread agree with the header; each thread has a CPU of its
 * own, on the node of its task. Returns: the thread of all. */
static guint32
check_place (const Trace *self, const gint64 *f, gint64 *cpu_of)
{
  guint32 thread;
  gint64 first = 1;

  g_assert_cmpint (f[1], ==, 1);
  g_assert_cmpint (f[2], >=, 1);
  g_assert_cmpint (f[2], <=, self->n_tasks);
  g_assert_cmpint (f[3], >=, 1);
  g_assert_cmpint (f[3], <=, self->n_threads);
  thread = (guint32) ((f[2] - 1) * self->n_threads + f[3] - 1);
  for (gint64 node = 1; node < self->task_node[f[2] - 1]; node++)
    first += self->node_cpus[node - 1];
  g_assert_cmpint (f[0], >=, first);
  g_assert_cmpint (f[0], <, first + self->node_cpus[self->task_node[f[2] - 1] - 1]);
  g_assert_true (cpu_of[thread] == 0 || cpu_of[thread] == f[0]);
  cpu_of[thread] = f[0];
  return thread;
}

/* Records are in the order of time, and states cover each thread from 0 to the end. */
static void
check_rules (const Trace *self)
{
  guint32 n = self->n_tasks * self->n_threads;
  g_autofree gint64 *covered = g_new0 (gint64, n), *cpu_of = g_new0 (gint64, n);
  g_autoptr (GHashTable) cpus = g_hash_table_new (g_int64_hash, g_int64_equal);
  gint64 last = 0;

  for (guint i = 0; i < self->records->len; i++)
    {
      const Fields *r = &g_array_index (self->records, Fields, i);
      guint32 thread = check_place (self, r->f + 1, cpu_of);
      g_assert_cmpint (r->f[5], >=, last);
      last = r->f[5];
      g_assert_cmpint (last, <=, self->end);
      if (r->f[0] == 1)
        {
          g_assert_cmpint (r->f[5], ==, covered[thread]);
          g_assert_cmpint (r->f[6], >, r->f[5]);
          covered[thread] = r->f[6];
        }
      if (r->f[0] == 3)
        check_place (self, r->f + 7, cpu_of);
      if (r->f[0] == 3)
        g_assert_cmpint (r->f[11], >=, r->f[5]);
    }
  for (guint32 thread = 0; thread < n; thread++)
    {
      g_assert_cmpint (covered[thread], ==, self->end);
      g_assert_true (g_hash_table_add (cpus, &cpu_of[thread]));
    }
}

/* ---- what the timeline says */

static gint64
nearest_ns (PdTime t)
{
  return (t.ps + 500) / 1000;
}

/* The function of every thread at any moment: what was entered, is left. */
static void
check_events (const Trace *self, const PdTimeline *t)
{
  guint32 n = self->n_tasks * self->n_threads;
  g_autofree gint64 *open = g_new0 (gint64, n);
  gsize n_calls = 0, n_events = 0, n_marks = 0;

  for (gsize i = 0; i < t->n_slices; i++)
    n_calls += t->slices[i].region != PD_TL_NONE;
  for (guint i = 0; i < self->records->len; i++)
    {
      const Fields *r = &g_array_index (self->records, Fields, i);
      if (r->f[0] != 2)
        continue;
      guint32 thread = (guint32) ((r->f[3] - 1) * self->n_threads + r->f[4] - 1);
      if (r->f[6] == 60000019)
        {
          n_marks++;
          continue;
        }
      n_events++;
      g_assert_true ((open[thread] == 0) == (r->f[7] != 0));
      open[thread] = r->f[7] != 0 ? r->f[6] : 0;
    }
  g_assert_cmpuint (n_events, ==, 2 * n_calls);
  g_assert_cmpuint (n_marks, ==, t->n_marks);
  for (guint32 thread = 0; thread < n; thread++)
    g_assert_cmpint (open[thread], ==, 0);
}

/* Communications are the messages, in the same order. */
static void
check_messages (const Trace *self, const PdTimeline *t)
{
  gsize n = 0;

  for (guint i = 0; i < self->records->len; i++)
    {
      const Fields *r = &g_array_index (self->records, Fields, i);
      if (r->f[0] != 3)
        continue;
      g_assert_cmpuint (n, <, t->n_messages);
      const PdTimelineMessage *m = &t->messages[n++];
      g_assert_cmpint (r->f[3], ==, m->from + 1);
      g_assert_cmpint (r->f[5], ==, nearest_ns (m->sent));
      g_assert_cmpint (r->f[6], ==, nearest_ns (m->sent));
      g_assert_cmpint (r->f[9], ==, m->to + 1);
      g_assert_cmpint (r->f[11], ==, nearest_ns (m->received));
      g_assert_cmpint (r->f[12], ==, nearest_ns (m->received));
      g_assert_cmpint (r->f[13], ==, m->bytes);
      g_assert_cmpint (r->f[14], ==, MAX (0, m->tag));
    }
  g_assert_cmpuint (n, ==, t->n_messages);
}

/* Each state of the trace that is neither idle nor disabled is a slice. */
static void
check_states (const Trace *self, const PdTimeline *t)
{
  static const gint64 numbers[PD_TL_N_STATES] = { 1, 1, 12, 4, 3, 8, 13, 25, 15 };
  gsize n = 0, expected = 0;

  for (gsize i = 0; i < t->n_slices; i++)
    {
      const PdTimelineSlice *s = &t->slices[i];
      expected += nearest_ns (s->end) > nearest_ns (s->begin);
    }
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < self->records->len; i++)
    {
      const Fields *r = &g_array_index (self->records, Fields, i);
      if (r->f[0] != 1 || r->f[7] == 0 || r->f[7] == 14)
        continue;
      n++;
      g_hash_table_add (known, g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                                                " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                                                " %" G_GINT64_FORMAT,
                                                r->f[3], r->f[4], r->f[5], r->f[6], r->f[7]));
    }
  g_assert_cmpuint (n, ==, expected);
  for (gsize i = 0; i < t->n_slices; i++)
    {
      const PdTimelineSlice *s = &t->slices[i];
      g_autofree char *key = g_strdup_printf (
          "%u %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, s->rank + 1,
          s->cpu + 1, nearest_ns (s->begin), nearest_ns (s->end), numbers[s->state]);
      if (nearest_ns (s->end) > nearest_ns (s->begin))
        g_assert_true (g_hash_table_contains (known, key));
    }
}

/* Every state and every value of an event that is used has a label. */
static void
check_labels (const Trace *self, const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint type = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      guint first;
      if (sscanf (*line, "9 %u", &first) == 1 && g_str_has_prefix (*line, "9    "))
        type = first;
      else if (sscanf (*line, "%u", &first) == 1)
        g_hash_table_add (known, g_strdup_printf ("%u/%u", type, first));
    }
  for (guint i = 0; i < self->records->len; i++)
    {
      const Fields *r = &g_array_index (self->records, Fields, i);
      if (r->f[0] == 3)
        continue;
      g_autofree char *key =
          r->f[0] == 1
              ? g_strdup_printf ("0/%" G_GINT64_FORMAT, r->f[7])
              : g_strdup_printf ("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, r->f[6], r->f[7]);
      if (!g_hash_table_contains (known, key))
        g_error ("no label for %s", key);
    }
}

static void
check_names (const Trace *self, const char *path)
{
  g_autofree char *text = NULL;
  const guint32 sizes[] = { self->n_tasks * self->n_threads, self->n_nodes,
                            self->n_tasks * self->n_threads };
  static const char *const levels[] = { "CPU", "NODE", "THREAD" };

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  char **line = lines;
  for (gsize level = 0; level < G_N_ELEMENTS (levels); level++)
    {
      g_autofree char *title = g_strdup_printf ("LEVEL %s SIZE %u", levels[level], sizes[level]);
      g_assert_cmpstr (*line++, ==, title);
      for (guint32 i = 0; i < sizes[level]; i++)
        g_assert_cmpint ((*line++)[0], !=, '\0');
      g_assert_cmpstr (*line++, ==, "");
    }
  g_assert_null (*line);
}

/* ---- cases */

static const struct
{
  const char *name;
  TestRandomTimeline what;
} random_traces[] = {
  { "small", { 3, 1, 0, 20, 5000, 10, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
  { "nodes", { 12, 1, 4, 100, 100000, 300, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
  { "below-a-nanosecond", { 4, 1, 2, 200, 900, 50, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
  { "cpus", { 5, 3, 2, 80, 20000, 20, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
  { "window",
    { 6, 1, 2, 100, 20000, 200, { .begin = { 150700 }, .end = { 400499 }, .limit = G_MAXINT } } },
  { "ranks",
    { 9, 1, 3, 50, 20000, 200, { .end = { G_MAXINT64 }, .ranks = "1,4-6", .limit = G_MAXINT } } },
  { "long", { 2, 1, 1, 50, PD_PS_PER_S * 3600, 9, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
};

static void
test_random (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = g_dir_make_tmp ("paraver-XXXXXX", NULL);
  g_autofree char *prv = g_build_filename (folder, "t.prv", NULL);
  g_autofree char *pcf = g_build_filename (folder, "t.pcf", NULL);
  g_autofree char *row = g_build_filename (folder, "t.row", NULL);

  for (guint32 seed = 1; seed <= 4; seed++)
    {
      g_autoptr (PdTimeline) timeline = test_random_timeline_new (&random_traces[i].what, seed);
      g_autoptr (GError) error = NULL;
      g_assert_true (pd_paraver_write (timeline, prv, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (timeline->n_messages, >, 0);
      g_autoptr (Trace) trace = read_trace (prv);
      g_assert_cmpint (trace->end, ==, nearest_ns (timeline->window[1]));
      g_assert_cmpuint (trace->n_tasks, ==, timeline->n_ranks);
      check_rules (trace);
      check_states (trace, timeline);
      check_events (trace, timeline);
      check_messages (trace, timeline);
      check_labels (trace, pcf);
      check_names (trace, row);
    }
  test_remove_all (folder);
}

/* By hand: two ranks on one node, a message, times that are rounded: 499 ps are 0 ns,
 * 1500 ps are 2 ns. */
static PdTimeline *
hand_made (void)
{
  const guint32 nodes[] = { 9, 9 };
  const PdTimelineHead head = { 2, 1, nodes, "hand", NULL };
  const PdTimelineMessage message = { PD_TIME (1499), PD_TIME (2500), 8, 0, 1, 3, 0 };
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  PdTimeline *timeline = pd_timeline_new (NULL, NULL);

  pd_timeline_feed_add (feed, &pd_timeline_class, timeline);
  pd_timeline_feed_begin (feed, &head);
  guint32 send = pd_timeline_feed_region (feed, "MPI_Send");
  guint32 wait = pd_timeline_feed_region (feed, "MPI_Unheard_of");
  const PdTimelineSlice slices[] = {
    { PD_TIME (0), PD_TIME (499), 0, PD_TL_NONE, 0, PD_TL_COMPUTE, 0, { 0 } },
    { PD_TIME (499), PD_TIME (1499), 0, send, 0, PD_TL_SEND, 0, { 0 } },
    { PD_TIME (1500), PD_TIME (2500), 1, wait, 0, PD_TL_WAIT, 0, { 0 } },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (slices); i++)
    pd_timeline_feed_slice (feed, &slices[i]);
  pd_timeline_feed_message (feed, &message);
  pd_timeline_feed_mark (feed, &(PdTimelineMark){ PD_TIME (0), 0, 0, TRUE });
  pd_timeline_feed_mark (feed, &(PdTimelineMark){ PD_TIME (3499), 0, 0, FALSE });
  pd_timeline_feed_mark (feed, &(PdTimelineMark){ PD_TIME (0), 1, 0, TRUE });
  pd_timeline_feed_mark (feed, &(PdTimelineMark){ PD_TIME (2500), 1, 0, FALSE });
  pd_timeline_feed_end (feed, NULL);
  return timeline;
}

static void
test_by_hand (void)
{
  static const char expected[] = "#Paraver (01/01/1970 at 00:00):3_ns:1(2):1:2(1:1,1:1)\n"
                                 "2:1:1:1:1:0:60000019:1\n"
                                 "2:1:1:1:1:0:50000001:1\n"
                                 "1:1:1:1:1:0:1:4\n"
                                 "1:2:1:2:1:0:2:0\n"
                                 "2:2:1:2:1:0:60000019:1\n"
                                 "2:1:1:1:1:1:50000001:0\n"
                                 "1:1:1:1:1:1:3:0\n"
                                 "3:1:1:1:1:1:1:2:1:2:1:3:3:8:3\n"
                                 "2:2:1:2:1:2:50000001:1002\n"
                                 "1:2:1:2:1:2:3:8\n"
                                 "2:1:1:1:1:3:60000019:0\n"
                                 "2:2:1:2:1:3:50000001:0\n"
                                 "2:2:1:2:1:3:60000019:0\n";
  g_autofree char *folder = g_dir_make_tmp ("paraver-XXXXXX", NULL);
  g_autofree char *prv = g_build_filename (folder, "t.prv", NULL);
  g_autofree char *text = NULL;
  g_autoptr (PdTimeline) timeline = hand_made ();

  g_setenv ("SOURCE_DATE_EPOCH", "0", TRUE);
  g_assert_true (pd_paraver_write (timeline, prv, NULL));
  g_unsetenv ("SOURCE_DATE_EPOCH");
  g_assert_true (g_file_get_contents (prv, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
  test_remove_all (folder);
}

/* ---- what cannot be written */

static void
test_all_or_none (void)
{
  static const char *const blocked[] = { "t.prv", "t.pcf", "t.row" };
  g_autoptr (PdTimeline) timeline = hand_made ();

  for (gsize i = 0; i < G_N_ELEMENTS (blocked); i++)
    {
      g_autofree char *folder = g_dir_make_tmp ("paraver-XXXXXX", NULL);
      g_autofree char *prv = g_build_filename (folder, "t.prv", NULL);
      g_autofree char *block = g_build_filename (folder, blocked[i], NULL);
      g_autoptr (GError) error = NULL;
      g_assert_cmpint (g_mkdir (block, 0755), ==, 0);
      g_assert_false (pd_paraver_write (timeline, prv, &error));
      g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN);
      g_assert_cmpuint (test_count_entries (folder), ==, 1);
      test_remove_all (folder);
    }
}

static void
test_name (void)
{
  g_autoptr (PdTimeline) timeline = hand_made ();
  g_autoptr (GError) error = NULL;

  g_assert_false (pd_paraver_write (timeline, "t.par", &error));
  g_assert_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_FORMAT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/paraver/by-hand", test_by_hand);
  for (gsize i = 0; i < G_N_ELEMENTS (random_traces); i++)
    {
      g_autofree char *path =
          g_strconcat ("/timeline/paraver/random/", random_traces[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_random);
    }
  g_test_add_func ("/timeline/paraver/all-or-none", test_all_or_none);
  g_test_add_func ("/timeline/paraver/name", test_name);
  return g_test_run ();
}
