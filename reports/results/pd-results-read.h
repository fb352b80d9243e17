/* Runs from result files and XML reports, to be compared.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_READ_H
#define PD_RESULTS_READ_H

#include "reports/run/pd-report-sqlite.h"
#include "reports/run/pd-report.h"

/* A run that was stored. */
typedef struct
{
  PdReportRun *run;   /* compacted: results without values of processors; with its messages */
  PdMessages *inputs; /* messages about the inputs of all runs of its report */
  gint64 id;          /* its number in the file */
  char *machine;      /* "" of a measured run */
} PdStoredRun;

/**
 * pd_results_read_run:
 * @path: an SQLite file written by pd_report_write_db()
 * @id: the number of a run; 0 = the last one
 * @stored: (out caller-allocated): the run, if %TRUE is returned
 * @error: return location for a #PdReportError; _READ also if there is no such run
 */
gboolean pd_results_read_run (const char *path, gint64 id, PdStoredRun *stored, GError **error);

/**
 * pd_results_read_messages:
 * @db: a result file
 * @where: a condition on the rows of table warning, with one parameter
 * @id: the value of that parameter
 * @messages: gets the messages of these rows, in their order
 * @error: return location for a #PdReportError
 */
gboolean pd_results_read_messages (sqlite3 *db, const char *where, gint64 id, PdMessages *messages,
                                   GError **error);

/**
 * pd_results_append_columns:
 * @sql: gets ", NAME" of each counter and characteristic in table interval, in order
 * @version: of the tables; what they do not have yet is 0
 */
void pd_results_append_columns (GString *sql, PdIntervalModel model, gint64 version);

/**
 * pd_stored_run_clear:
 * Frees what @self holds.
 */
void pd_stored_run_clear (PdStoredRun *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdStoredRun, pd_stored_run_clear)

#endif
