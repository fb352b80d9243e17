/* Sections in short texts, who owns their elements, and checks of copy plans.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_COPIES_H
#define PD_TEST_COPIES_H

#include "predictor/pd-dvm-copy.h"
#include "tests/support/random-layouts.h"

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

typedef struct
{
  gint64 bytes[TEST_MAX_PROCESSORS][TEST_MAX_PROCESSORS]; /* from, to */
  /* nothing is sent there, or only because of a rule: bounds the total of a plan */
  gboolean near[TEST_MAX_PROCESSORS][TEST_MAX_PROCESSORS];
} TestTraffic;

/* Who owns element @number of the section in linear order, found in the boxes of
 * the processors alone. */
void test_find_owners (const PdSection *section, gint64 number, TestOwners *owners);

/* Compares all messages; returns how many there are, and adds the plan's own
 * total to @bound. */
guint64 test_check_plan (const PdPlan *plan, const TestTraffic *traffic, gboolean sends_first,
                         guint64 *bound);

#endif
