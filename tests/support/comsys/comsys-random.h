/* Random programs that cannot deadlock: their operations have one global
 * order in which every rank could perform them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_COMSYS_RANDOM_H
#define PD_TEST_COMSYS_RANDOM_H

#include "tests/support/comsys/comsys-script.h"

typedef struct
{
  GArray *steps; /* TestStep */
  guint32 n_ranks;
  gint64 n_messages; /* point to point, those to oneself included */
  gint64 n_bytes;    /* theirs */
  gint64 n_calls;    /* of collectives */
  gboolean wildcard; /* uses wildcards */
  gboolean one_sided;
  gboolean locks_all;
  guint *next_slot;
  gint32 *color;
  gint32 *sub_rank; /* in its part of the split */
} TestProgram;

/* Besides messages that are matched exactly, and collective operations. */
typedef enum
{
  TEST_EXACT,
  TEST_WILDCARD,  /* some receives use wildcards */
  TEST_ONE_SIDED, /* there are fences and locks */
} TestKind;

/* A program of @seed. */
TestProgram *test_program_new (guint32 seed, TestKind kind);
void test_program_free (TestProgram *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestProgram, test_program_free)

#endif
