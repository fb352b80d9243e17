/* Programs that repeat another one, written out or as loops.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_LOOPS_H
#define PD_TEST_LOOPS_H

#include "traces/program/pd-program.h"

/* How often: @outer times, what is repeated @inner times and once more. */
typedef struct
{
  guint32 outer;
  guint32 inner;
  gboolean varies; /* computation, from one time to the next */
} TestRepeat;

/**
 * test_repeat_program:
 * @program: what every rank does each time
 * @as_loops: whether there are loops, and samples; else all is written out
 *
 * Returns: (transfer full): what both forms of are the same program.
 */
PdProgram *test_repeat_program (const PdProgram *program, TestRepeat repeat, gboolean as_loops);

#endif
