/* Traces whose lines come again, at random, and whether two of them are read alike.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_REPEATS_H
#define TEST_REPEATS_H

#include <glib.h>

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
/* Two traces of @n_ranks ranks are read alike: program, messages, and whether it is complete.
 * Returns: whether the program is far shorter than its actions. */
gboolean test_repeats_check (const GString *a, const GString *b, guint32 n_ranks);

#endif
