/* Timelines in tests: who is told of a run, and what its file must say.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_TIMELINES_H
#define PD_TEST_TIMELINES_H

#include "tests/support/predict.h"
#include "tests/support/trace-events.h"
#include "timeline/pd-timeline.h"
#include "traces/program/pd-program.h"

/* Somebody who is told. */
typedef struct
{
  PdTimelineFeed *feed;
  PdTimeline *timeline;
} TestWatch;

void test_watch_init (TestWatch *self);
void test_watch_clear (TestWatch *self);

/* Ends the feed, and asserts that what it has kept, in a file, says of every rank what the
 * report says, and is right in itself. Ranks have one CPU. */
void test_watch_check (TestWatch *self, const PdReportRun *run);

/* The timeline in a file, read back. */
TestTraceEvents *test_watch_read (const TestWatch *self);

/* Asserts that the slices of each rank add up to the times of the report, to the picosecond, and
 * that it begins and ends in @events, the file, as in the report, to the nanosecond. @program:
 * (nullable): its recorded beginnings, else 0. */
void test_watch_check_sums (const TestWatch *self, const TestTraceEvents *events,
                            const PdReportRun *run, const PdProgram *program);

/* Asserts that both have the same in it. */
void test_watch_compare (const TestWatch *first, const TestWatch *second);

#endif
