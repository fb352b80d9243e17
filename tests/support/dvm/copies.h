/* Sections in short texts, who owns their elements, and checks of copy plans.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_COPIES_H
#define PD_TEST_COPIES_H

#include "predictor/dvm/copy/pd-dvm-copy.h"
#include "tests/support/dvm/random-layouts.h"

#define TEST_MAX_PROCESSORS 72

/* An array aligned with a template, and a section of it, as test_section(). */
typedef struct
{
  const char *template_sizes;
  const char *axes;
  const char *sizes;
  const char *rules;
  const char *section;
} TestArray;

PdLayout *test_array (PdGrid *grid, const TestArray *array);

/* "first:last:step" of each axis, "first" alone is one index; NULL = the whole array. */
void test_section (PdSection *self, PdLayout *layout, const char *text);

/* All messages sent, "p>q:bytes", by sender in its posting order. Checks what
 * holds of every plan. */
char *test_show_plan (const PdPlan *plan, guint32 n_processors);

/* A part of the grid, or the same in another shape. */
PdGrid *test_random_part (GRand *random, PdGrid *whole);

/* As test_random_array(), aligned with a template or with an array. */
PdLayout *test_random_layout (GRand *random, PdGrid *grid, guint rank);

/* One bit per global processor. */
typedef struct
{
  gboolean of[TEST_MAX_PROCESSORS];
} TestOwners;

/* Elements that lie beside each other. */
typedef struct
{
  gint64 n;
  gint64 next; /* place in memory that would continue the last one */
} TestRuns;

typedef struct
{
  gint64 bytes[TEST_MAX_PROCESSORS][TEST_MAX_PROCESSORS];  /* from, to; local: to itself */
  TestRuns sent[TEST_MAX_PROCESSORS][TEST_MAX_PROCESSORS]; /* in the memory of the sender */
  TestRuns received[TEST_MAX_PROCESSORS][TEST_MAX_PROCESSORS];
  /* nothing is sent there, or only because of a rule: bounds the total of a plan */
  gboolean near[TEST_MAX_PROCESSORS][TEST_MAX_PROCESSORS];
} TestTraffic;

/* Who owns element @number of the section in linear order, found in the boxes of
 * the processors alone. */
void test_find_owners (const PdSection *section, gint64 number, TestOwners *owners);

/* The place of element @number, from 1, in the memory of a processor that owns it;
 * behind parts of axes there is room for shadow edges, and behind strided ones, so
 * that the last index of a row is not beside the first one of the next. */
gint64 test_find_place (const PdSection *section, gint64 number, guint32 processor);

/* An element of @bytes that goes from place @source of @p to place @target of @q. */
void test_add_element (TestTraffic *self, guint32 p, guint32 q, gint64 bytes, gint64 source,
                       gint64 target);

/* Compares all messages and what each processor copies itself, runs only roughly
 * unless @exact_runs; returns how many messages there are, and adds the plan's
 * own total to @bound. */
guint64 test_check_plan (const PdPlan *plan, const TestTraffic *traffic, gboolean sends_first,
                         gboolean exact_runs, guint64 *bound);

#endif
