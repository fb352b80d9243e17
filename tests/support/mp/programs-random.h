/* Random programs of every kind of action, for round trips.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_PROGRAMS_RANDOM_H
#define PD_TEST_PROGRAMS_RANDOM_H

#include "traces/graph/pd-mp-trace.h"

/**
 * test_random_program:
 * Returns: (transfer full): the program of @seed; its requests and messages
 *   need not make sense.
 */
PdProgram *test_random_program (guint32 seed);

/**
 * test_read_text:
 * Returns: (transfer full): what @text is as a trace; fails if it is none.
 */
PdMpTrace *test_read_text (const char *text);

#endif
