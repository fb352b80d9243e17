/* Random DVM programs, as the traces they would have recorded.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_PROGRAMS_H
#define PD_TEST_PROGRAMS_H

#include "tests/support/dvm/dvm-trace.h"

/* A program of @n_parts parts: loops, reductions, shadow edges, input and
 * output, intervals, barriers; on a template of rank 1 to 3. */
TestTrace *test_program (GRand *random, guint n_parts);

/* The same with tasks, nested up to three deep, on random parts of @grid, for
 * which alone it can be predicted. */
TestTrace *test_program_with_tasks (GRand *random, guint n_parts, const char *grid);
/* The same with loops that are ordered or cut, and halves of exchanges. */
TestTrace *test_ordered_program (GRand *random, guint n_parts);

/* A grid of at most 12 processors, "3x2". */
char *test_random_grid (GRand *random);

/* A machine, one of some twenty with all networks, overheads and protocols;
 * @is_uniform: whether all its processors have speed 1. */
const char *test_random_machine (GRand *random, gboolean *is_uniform);

#endif
