/* Predictions in tests: runs a trace, watches its messages, reads values.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_PREDICT_H
#define PD_TEST_PREDICT_H

#include "predictor/dvm/predict/pd-predict.h"
#include "tests/support/dvm/dvm-trace.h"

/* What an observer sees. */
typedef struct
{
  GArray *messages;    /* TestMessage, in order of departure */
  GArray *collectives; /* TestCollective, in order of entry */
} TestLog;

typedef struct
{
  guint32 source;
  guint32 target;
  gint64 bytes;
  gboolean collective;
} TestMessage;

typedef struct
{
  guint32 rank;
  const char *name;
  gint64 bytes;
} TestCollective;

TestLog *test_log_new (void);
void test_log_free (TestLog *self);
PdObserver test_log_observer (TestLog *self);

/* The messages that belong to no collective, sorted: "0>1:8 2>3:16". */
char *test_log_show (const TestLog *self);

/* Their number and bytes. */
guint test_log_count (const TestLog *self, gint64 *bytes);

/* What rank @rank entered, in order: "bcast:4 allreduce:8". */
char *test_log_show_collectives (const TestLog *self, guint32 rank);

/* How often any rank entered @name with @bytes (-1: any). */
guint test_log_count_collectives (const TestLog *self, const char *name, gint64 bytes);

/* Options with check, keep_startup and mpi_reduce; machine "ideal". */
PdPredictOptions test_options (const char *machine);

/* Runs the trace @text on @grid, "2x3". */
PdReportRun *test_predict (const char *text, const char *grid, const PdPredictOptions *options,
                           GError **error);

/* Runs @trace, which is ended if need be; must succeed. */
PdReportRun *test_run (TestTrace *trace, const char *grid, const PdPredictOptions *options);

/* Runs @trace with @script behind it, a call a line, "name|parameters|results",
 * on 4 processors. It ends with the error @code of the model, at line t.fdv:10;
 * @code -1: it does not, and the only message is @warning (nullable: none). */
void test_run_script (TestTrace *trace, const char *script, int code, const char *warning);

/* The same for what an observer sees of it. */
void test_watch (TestTrace *trace, const char *grid, const PdPredictOptions *options);

/* Runs @path on @grid. */
PdReportRun *test_predict_file (const char *path, const char *grid, const PdPredictOptions *options,
                                GError **error);

/* … which must succeed. */
PdReportRun *test_run_file (const char *path, const char *grid, const PdPredictOptions *options);

void test_report_run_free (PdReportRun *run);

/* The value of one processor, picoseconds; @node: 0 is the whole program. */
gint64 test_value (const PdReportRun *run, guint32 node, guint32 processor, PdCharacteristic c);

/* The values of all processors, microseconds: "4 2". */
char *test_values (const PdReportRun *run, guint32 node, PdCharacteristic c);

/* The results of one node, to release with g_free(). */
PdIntervalResult *test_result (const PdReportRun *run, guint32 node);

/* The node in preorder of type and line, or G_MAXUINT32. */
guint32 test_node (const PdReportRun *run, PdIntervalType type, gint64 line);

/* Everything that a prediction gives, in one text; to compare two of them. */
char *test_dump (const PdReportRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestLog, test_log_free)
typedef PdReportRun TestRun;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestRun, test_report_run_free)

/* Predicts @trace with messages over ethernet; in @messages what they were, as test_log_show(). */
PdReportRun *test_run_watched (TestTrace *trace, const char *grid, char **messages);

#endif
