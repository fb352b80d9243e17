/* Points of a study that do what their value on the first axis says, in place of
 * predictions.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_STUDY_POINTS_H
#define PD_TEST_STUDY_POINTS_H

#include "sweep/run/pd-worker.h"

/* "crash", "kill" and "exit" end the process; "fatal" is an error of the study, "fail" of
 * the point; "nonsense" is no result; "slow" takes a time that differs from run to run.
 * Others take 1000 + 7 * point % 100 picoseconds on one processor. A study with a parameter
 * "broken" cannot be begun. */
extern const PdPointClass test_study_points;

/**
 * test_study_new:
 * @whats: the values of the first axis, "what"
 * @n: how many the second, "n", has, from 1
 * @parameter: (nullable): is set to "yes"
 *
 * Returns: (transfer full): the study, complete.
 */
PdStudy *test_study_new (const char *whats, guint n, const char *parameter);

/* Of tests that write databases. */
typedef struct
{
  char *folder;
  char *path; /* of a file in it that is not there yet */
} TestStudyFolder;

/* A fixture of tests. */
void test_study_folder_set_up (TestStudyFolder *self, gconstpointer data);
void test_study_folder_tear_down (TestStudyFolder *self, gconstpointer data);

#endif
