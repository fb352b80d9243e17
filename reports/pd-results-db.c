/* SPDX-License-Identifier: MIT */
#include "reports/pd-report-sqlite.h"

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

sqlite3_stmt *
pd_report_db_prepare (sqlite3 *db, const char *sql, gint64 parameter, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK)
    {
      pd_report_db_fail (db, PD_REPORT_ERROR_READ, error);
      return NULL;
    }
  if (sqlite3_bind_parameter_count (statement) > 0)
    sqlite3_bind_int64 (statement, 1, parameter);
  return g_steal_pointer (&statement);
}

gboolean
pd_report_db_next (sqlite3 *db, sqlite3_stmt *statement, GError **error)
{
  int status = sqlite3_step (statement);

  if (status != SQLITE_ROW && status != SQLITE_DONE)
    pd_report_db_fail (db, PD_REPORT_ERROR_READ, error);
  return status == SQLITE_ROW;
}

gint64
pd_report_db_get_version (sqlite3 *db)
{
  gint64 version;

  return pd_report_db_get_integer (db, "PRAGMA user_version", &version) ? version : 0;
}

void
pd_report_db_set_no_run (const char *path, gint64 run, GError **error)
{
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "'%s' has no run %" G_GINT64_FORMAT,
               path, run);
}
