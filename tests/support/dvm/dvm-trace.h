/* Builds small synthetic DVM traces of one processor: what a program would
 * have recorded, record by record. Times are microseconds.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_DVM_TRACE_H
#define PD_TEST_DVM_TRACE_H

#include <glib.h>

/* Seconds in the unit of the times below. */
#define TEST_S(seconds) ((gint64) (seconds) *1000000)

typedef struct
{
  GString *text;
  gint64 next_id; /* references are handed out one after another */
  gint64 line;    /* LINE of the records; set it as needed */
  gint64 total;   /* of all times */
} TestTrace;

/* A trace with its header block; @ps is the traced processor system, "1 1". A
 * first record of no time carries the start-up. */
TestTrace *test_trace_new (const char *ps);

/* The same with a virtual processor system, "2 3". */
TestTrace *test_trace_new_virtual (const char *ps, const char *vps);

void test_trace_free (TestTrace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestTrace, test_trace_free)

/* Both records of a call; @params and @results are the lines below them. */
void test_trace_call (TestTrace *self, const char *name, gint64 call, gint64 ret,
                      const char *params, const char *results);

/* Event_dvm_exit after @time of computation. */
void test_trace_exit (TestTrace *self, gint64 time);

/* Ordinary time: a call that has no effect. */
void test_trace_ordinary (TestTrace *self, gint64 call, gint64 ret);

/* "name[0]=4; name[1]=9; " for "4,9" */
char *test_trace_list (const char *name, const char *values);

/* The lines of AxisArray, CoeffArray and ConstArray for "1*2+1,0*0+4,-1*0+0". */
char *test_trace_rules (const char *rules);

/* ---- objects; each costs no time and returns its reference */

/* A template of @sizes ("8,8"), distributed by @axes ("1,2": AxisArray). */
gint64 test_trace_template (TestTrace *self, const char *sizes, const char *axes);

/* An array of doubles, @rules ("1*2+1,0*0+4,-1*0+0": axis, coefficient,
 * constant per axis of the template) on @view, shadow widths 1. */
gint64 test_trace_array (TestTrace *self, const char *sizes, gint64 view, const char *rules);

/* A loop mapped on an array; @ranges: "1:6,0:7:2" */
gint64 test_trace_loop (TestTrace *self, gint64 array, const char *ranges, const char *rules);

/* The same with exfrst_ or imlast_, @name, of @group before mappl_. */
gint64 test_trace_cut_loop (TestTrace *self, gint64 array, const char *ranges, const char *rules,
                            const char *name, gint64 group);

/* Its execution in one portion of @time; then endpl_. */
void test_trace_run (TestTrace *self, gint64 loop, gint64 time);
void test_trace_end_loop (TestTrace *self, gint64 loop);

/* dopl_: @time before, the answer @more. */
void test_trace_dopl (TestTrace *self, gint64 loop, gint64 time, int more);

/* A reduction group of @vars, "function type length location" each, separated
 * by commas: "1 4 3 0,3 4 1 8"; over @loop, or over all if that is 0. */
gint64 test_trace_reduction (TestTrace *self, const char *vars, gint64 loop);

/* A shadow group of one array, widths @low, @high ("1,1"). */
gint64 test_trace_shadow (TestTrace *self, gint64 array, const char *low, const char *high,
                          gboolean corners);

/* @name ("strtsh_", "waitrd_", …) of a group, with its two times. */
void test_trace_group (TestTrace *self, const char *name, gint64 group, gint64 call, gint64 ret);

/* @name, an I/O function whose ret_ takes @ret, with @params and @results. */
void test_trace_io (TestTrace *self, const char *name, gint64 ret, const char *params,
                    const char *results);

/* bsloop_, bploop_ or binter_ at @line; enloop_ or einter_. */
void test_trace_open (TestTrace *self, const char *name, gint64 line, gint64 fragment, gint64 call,
                      gint64 ret);
void test_trace_close (TestTrace *self, const char *name, gint64 line, gint64 fragment, gint64 call,
                       gint64 ret);

#endif
