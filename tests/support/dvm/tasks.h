/* Task records of synthetic DVM traces. Times are microseconds.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_TASKS_H
#define PD_TEST_TASKS_H

#include "tests/support/dvm/dvm-trace.h"

/* crtps_: the part @first to @last ("0,1") of @parent, 0 = the current one. */
gint64 test_task_system (TestTrace *self, gint64 parent, const char *first, const char *last);

/* psview_: the processors of @parent in another shape ("2,2"). */
gint64 test_task_view (TestTrace *self, gint64 parent, const char *sizes);

/* A template on the processor system @system; see test_trace_template(). */
gint64 test_task_template (TestTrace *self, const char *sizes, const char *axes, gint64 system);

/* crtamv_ of @n elements; getamr_ of one. */
gint64 test_task_machines (TestTrace *self, guint n);
gint64 test_task_machine (TestTrace *self, gint64 view, guint index);

/* mapam_ */
void test_task_map (TestTrace *self, gint64 machine, gint64 system);

/* Both: one machine of its own, mapped on @system. */
gint64 test_task_on (TestTrace *self, gint64 system);

/* runam_, stopam_ with their two times. */
void test_task_run (TestTrace *self, gint64 machine, gint64 call, gint64 ret);
void test_task_stop (TestTrace *self, gint64 call, gint64 ret);

#endif
