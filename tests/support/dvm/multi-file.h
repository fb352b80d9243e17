/* Runs on several processors in tests: a folder with one trace for each.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_MULTI_FILE_H
#define PD_TEST_MULTI_FILE_H

#include "tests/support/predict.h"

/* The traces of a run, and where they lie. */
typedef struct
{
  char *folder;
  GPtrArray *names; /* char*: "p0_0.ptr", … */
} TestSet;

/* What processor @rank records. */
typedef void (*TestProgram) (TestTrace *trace, guint rank);

/* The traces of @program on @ps, of @n processors: an empty one, which @program
 * fills, for each. They are ended if need be. */
TestSet *test_set_record (const char *ps, guint n, TestProgram program);

/* Writes @texts, traces that name one processor, as those of a run on @ps,
 * "2 1": file i is that of processor i. */
TestSet *test_set_new (const char *ps, const char *const *texts);

/* Removes the files and the folder. */
void test_set_free (TestSet *self);

/* The path of one file; to release with g_free(). */
char *test_set_path (const TestSet *self, guint i);

/* The text of file @i, to release with g_free(); and another one in its place. */
char *test_set_read (const TestSet *self, guint i);
void test_set_write (const TestSet *self, guint i, const char *text);

/* Predicts the run on @grid, "2x3". */
PdReportRun *test_set_predict (const TestSet *self, const char *grid,
                               const PdPredictOptions *options, GError **error);

/* … which must succeed. */
PdReportRun *test_set_run (const TestSet *self, const char *grid, const PdPredictOptions *options);

/* Records @program on @ps and predicts it on @grid of the machine "ideal". */
PdReportRun *test_set_try (const char *ps, guint n, TestProgram program, const char *grid);

/* 3, 1 and 2 of ordinary time, and an array of 12 in a loop of 6, 2 and 10. */
void test_set_unequal (TestTrace *trace, guint rank);

/* An array of 12 elements in blocks. */
gint64 test_set_array (TestTrace *trace);

/* Fails unless the values of the processors are @expected, "4 2". */
void test_set_assert (const PdReportRun *run, guint32 node, PdCharacteristic c,
                      const char *expected);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestSet, test_set_free)

#endif
