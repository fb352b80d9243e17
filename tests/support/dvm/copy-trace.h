/* Records of copying for synthetic DVM traces: copies, redistribution, buffers of
 * remote access. Times are microseconds.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_COPY_TRACE_H
#define PD_TEST_COPY_TRACE_H

#include "tests/support/dvm/dvm-trace.h"

/* One side of a copy. */
typedef struct
{
  gint64 array;      /* 0: memory */
  const char *where; /* sections "0:8:2,-1", elements "4,4" */
} TestSide;

/* arrcpy_, elmcpy_, copelm_, rwelm_ …; @more: further parameters, "CopyRegim=1;" */
void test_trace_copy (TestTrace *self, const char *name, TestSide from, TestSide to,
                      const char *more, gint64 ret);

/* waitcp_ for CopyFlagPtr=@flag (hexadecimal) */
void test_trace_waitcp (TestTrace *self, const char *flag, gint64 ret);

/* redis_ of a template by AxisArray @axes; @array: of the one this array lies on. */
void test_trace_redis (TestTrace *self, gint64 id, gboolean array, const char *axes, int new_sign);

/* realn_ on a template or an array. */
void test_trace_realn (TestTrace *self, gint64 array, gint64 pattern, gboolean on_array,
                       const char *rules, int new_sign);

/* An array that is aligned with another one. */
gint64 test_trace_array_on (TestTrace *self, const char *sizes, gint64 pattern, const char *rules);

/* crtrbl_ or crtrba_ for a loop or an array; crtrbp_ for the current processor
 * system, where @rules is CoordArray ("-1,3"). Returns the buffer. */
gint64 test_trace_buffer (TestTrace *self, const char *name, gint64 remote, gint64 space,
                          const char *rules);

/* loadrb_ (with RenewSign), waitrb_, delrb_ */
void test_trace_load (TestTrace *self, const char *name, gint64 buffer, int renew, gint64 ret);

/* A group of buffers; loadbg_ and so on are test_trace_buffer_group(). */
gint64 test_trace_crtbg (TestTrace *self, gboolean deletes);
void test_trace_insrb (TestTrace *self, gint64 group, gint64 buffer);
void test_trace_buffer_group (TestTrace *self, const char *name, gint64 group, int renew,
                              gint64 ret);

/* A random program of copies, redistributions and buffers of @n_parts parts. */
TestTrace *test_copy_program (GRand *random, guint n_parts);

#endif
