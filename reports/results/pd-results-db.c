/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-sqlite.h"
#include "reports/results/pd-results-db.h"

sqlite3 *
pd_report_db_open_results (const char *path, GError **error)
{
  PdReportFile kind = pd_report_db_identify (path, error);

  if (kind == PD_REPORT_FILE_BAD)
    return NULL;
  if (kind != PD_REPORT_FILE_OURS)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "'%s' %s", path,
                   kind == PD_REPORT_FILE_ABSENT ? "does not exist or is empty"
                                                 : "is not a result file");
      return NULL;
    }
  return pd_report_db_open (path, SQLITE_OPEN_READONLY, error);
}

void
pd_report_db_set_no_run (const char *path, gint64 run, GError **error)
{
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "'%s' has no run %" G_GINT64_FORMAT,
               path, run);
}
