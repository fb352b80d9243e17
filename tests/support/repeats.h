/* Traces whose lines come again, at random, and whether two of them are read alike.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_REPEATS_H
#define TEST_REPEATS_H

#include "traces/graph/pd-mp-trace.h"

/* Adds the lines of @kind, of @rank, with @number, to @lines. */
typedef void (*TestAddLines) (GPtrArray *lines, guint kind, guint32 rank, gint number);

typedef struct
{
  TestAddLines add;
  guint n_kinds;
  guint max_lines;
} TestRepeats;

/* Random lines of @rank, repeated at random, as loops in loops are: up to @depth. */
void test_repeats_add (const TestRepeats *self, GRand *rand, GPtrArray *lines, guint32 rank,
                       guint depth);
/* Programs with the same text, of as many actions. */
void test_repeats_assert_same (const PdMpTrace *a, const PdMpTrace *b, guint32 n_ranks);
void test_repeats_assert_same_messages (const PdMessages *a, const PdMessages *b);

#endif
