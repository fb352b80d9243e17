/* SPDX-License-Identifier: MIT */
#include "tests/support/timelines.h"

#include "timeline/pd-timeline-format.h"
#include "timeline/pd-timeline-feed.h"

#include <glib/gstdio.h>

void
test_watch_init (TestWatch *self)
{
  self->feed = pd_timeline_feed_new ();
  self->timeline = pd_timeline_new (NULL, NULL);
  pd_timeline_feed_add (self->feed, &pd_timeline_class, self->timeline);
}

void
test_watch_clear (TestWatch *self)
{
  pd_timeline_feed_free (self->feed);
  pd_timeline_free (self->timeline);
}

TestTraceEvents *
test_watch_read (const TestWatch *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("pd-test-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "run.json.gz", NULL);
  const PdTimelineFormat *format = pd_timeline_format_find (path, &error);

  g_assert_no_error (error);
  g_assert_true (format->write (self->timeline, path, &error));
  TestTraceEvents *read = test_trace_events_read (path);
  g_unlink (path);
  g_rmdir (folder);
  return read;
}

/* The thread of CPU 0 of @rank. */
static const TestThread *
find_thread (const TestTraceEvents *events, guint32 rank)
{
  for (guint i = 0; i < events->threads->len; i++)
    {
      const TestThread *thread = &g_array_index (events->threads, TestThread, i);
      if (thread->tid == rank)
        return thread;
    }
  g_assert_not_reached ();
}

static void
check_rank (const PdTimeline *t, const PdReportRun *run, guint32 rank)
{
  gint64 compute = 0, io = 0, others = 0;

  for (gsize i = 0; i < t->n_slices; i++)
    {
      const PdTimelineSlice *slice = &t->slices[i];
      gint64 length = slice->end.ps - slice->begin.ps;
      if (slice->rank != rank)
        continue;
      if (pd_timeline_is_computation ((PdTimelineState) slice->state))
        compute += length;
      else
        *(slice->state == PD_TL_IO ? &io : &others) += length;
    }
  g_assert_cmpint (compute, ==, test_value (run, 0, rank, PD_C_CPU_TIME));
  g_assert_cmpint (io, ==, test_value (run, 0, rank, PD_C_IO_TIME));
  g_assert_cmpint (others, ==, test_value (run, 0, rank, PD_C_COMMUNICATION));
}

void
test_watch_check_sums (const TestWatch *self, const TestTraceEvents *events, const PdReportRun *run,
                       const PdProgram *program)
{
  gint64 last = 0;

  for (guint32 rank = 0; rank < run->n_processors; rank++)
    {
      const TestThread *thread = find_thread (events, rank);
      PdTime begin = program != NULL ? pd_program_get_recorded_begin (program, rank) : PD_TIME_ZERO;
      gint64 end = (begin.ps + run->end_times[rank].ps + 500) / 1000 * 1000;
      check_rank (self->timeline, run, rank);
      g_assert_cmpint (thread->begin, ==, (begin.ps + 500) / 1000 * 1000);
      g_assert_cmpint (thread->end, ==, end);
      last = MAX (last, end);
    }
  g_assert_cmpint (events->last, ==, last);
}

void
test_watch_check (TestWatch *self, const PdReportRun *run)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_timeline_feed_end (self->feed, &error));
  g_autoptr (TestTraceEvents) events = test_watch_read (self);
  g_assert_cmpuint (events->threads->len, ==, run->n_processors);
  g_assert_cmpuint (events->n_flows, ==, self->timeline->n_messages);
  g_test_message ("%u of %u messages have an end outside calls", events->n_odd, events->n_flows);
  test_watch_check_sums (self, events, run, NULL);
}

void
test_watch_compare (const TestWatch *first, const TestWatch *second)
{
  const PdTimeline *a = first->timeline, *b = second->timeline;

  g_assert_cmpuint (a->n_slices, ==, b->n_slices);
  g_assert_cmpuint (a->n_messages, ==, b->n_messages);
  g_assert_cmpuint (a->n_marks, ==, b->n_marks);
  g_assert_cmpuint (a->n_regions, ==, b->n_regions);
  for (gsize i = 0; i < a->n_regions; i++)
    g_assert_cmpstr (a->regions[i], ==, b->regions[i]);
  for (gsize i = 0; i < a->n_messages; i++)
    g_assert_cmpint (memcmp (&a->messages[i], &b->messages[i], sizeof *a->messages), ==, 0);
  for (gsize i = 0; i < a->n_slices; i++)
    g_assert_cmpint (memcmp (&a->slices[i], &b->slices[i], sizeof *a->slices), ==, 0);
  for (gsize i = 0; i < a->n_marks; i++)
    {
      const PdTimelineMark *x = &a->marks[i], *y = &b->marks[i];
      g_assert_cmpint (x->at.ps, ==, y->at.ps);
      g_assert_cmpuint (x->rank, ==, y->rank);
      g_assert_cmpuint (x->region, ==, y->region);
      g_assert_cmpint (x->enters, ==, y->enters);
    }
}
