/* Changes to traces that nobody is told of: one record is deleted, doubled, swapped with the next
 * one, or has a digit changed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_SILENT_CHANGES_H
#define PD_TEST_SILENT_CHANGES_H

#include <glib.h>

/* What is done to a record. */
typedef enum
{
  TEST_DELETE,
  TEST_DOUBLE,
  TEST_SWAP,
  TEST_DIGIT,
  TEST_N_CHANGES,
} TestChange;

extern const char *const test_change_names[TEST_N_CHANGES];

/* What comes of it. */
typedef enum
{
  TEST_SAME,
  TEST_TOLD,
  TEST_SILENT,
  TEST_N_OUTCOMES,
} TestOutcome;

typedef struct
{
  const char *name;
  const char *path; /* NULL: @text is the trace */
  const char *text;
  const char *machine;
  gboolean is_dvm;
  guint step; /* one record of so many is changed */
} TestSample;

/* What a user sees of a prediction. */
typedef struct
{
  char *figures;  /* NULL: nothing came of it */
  char *messages; /* and other reasons for a status that is not 0 */
} TestSeen;

void test_seen_clear (TestSeen *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestSeen, test_seen_clear)

/**
 * test_predict_sample:
 * Returns: (transfer full): what a prediction of @bytes on the machine of @sample gives.
 */
TestSeen test_predict_sample (const TestSample *sample, GBytes *bytes);

/**
 * test_split_records:
 * Returns: (transfer full) (element-type utf8): the records of @text; what is before the first
 *   one is part of it.
 */
GPtrArray *test_split_records (const TestSample *sample, const char *text);

/**
 * test_change_record:
 * Returns: (transfer full): @records as one text, with @change done to the one at @at.
 */
GBytes *test_change_record (const GPtrArray *records, guint at, TestChange change, GRand *random);

/**
 * test_judge_change:
 * Returns: what a user who knows @expected is told of @changed.
 */
TestOutcome test_judge_change (const TestSample *sample, const TestSeen *expected, GBytes *changed);

/**
 * test_may_be_silent:
 * @record: what was changed, and how, by which @whole became @changed
 *
 * Returns: whether nothing else in the format contradicts it.
 */
gboolean test_may_be_silent (const TestSample *sample, const char *record, TestChange change,
                             GBytes *whole, GBytes *changed);

#endif
