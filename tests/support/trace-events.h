/* Checks files of trace events (JSON) as a viewer would read them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_TRACE_EVENTS_H
#define PD_TEST_TRACE_EVENTS_H

#include <glib.h>

/* A thread. Moments in ps, whole nanoseconds. */
typedef struct
{
  gint64 pid;
  gint64 tid;
  gint64 begin; /* of its first slice */
  gint64 end;   /* of its last one */
  guint n_slices;
  guint n_intervals;
} TestThread;

typedef struct
{
  GArray *threads; /* TestThread, by pid and tid */
  guint n_flows;   /* messages */
  guint n_counters;
  gint64 last; /* ps: the greatest moment of all */
  guint n_odd; /* ends of messages that are outside slices that communicate */
} TestTraceEvents;

/**
 * test_trace_events_read:
 * @path: .json, or .json.gz
 *
 * Asserts that it is JSON with nothing behind it; that every event has the fields of its phase,
 * with times of whole nanoseconds; that slices of a thread nest in the order of the file, and none
 * has a negative duration; that slices that are no intervals hold no others; that every message has
 * two ends, the first not after the second, both within slices of their threads; that counters
 * ascend.
 *
 * Returns: (transfer full): what is in it.
 */
TestTraceEvents *test_trace_events_read (const char *path);

/* What it asserts, as an error: of @text (nullable: none). */
TestTraceEvents *test_trace_events_parse (const char *text, char **wrong);

void test_trace_events_free (TestTraceEvents *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestTraceEvents, test_trace_events_free)

#endif
