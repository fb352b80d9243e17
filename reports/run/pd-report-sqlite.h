/* Shared declarations for reading and writing result files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_SQLITE_H
#define PD_REPORT_SQLITE_H

#include "reports/run/pd-report-types.h"
#include "intervals/pd-interval-rows.h"
#include "reports/emit/pd-sqlite.h"

#define PD_REPORT_APPLICATION_ID 0x50724463 /* "PrDc" */
#define PD_REPORT_USER_VERSION   7

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3, sqlite3_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

/* The kind of a file, by its first bytes: foreign files are not opened, and so
 * never changed. */
typedef enum
{
  PD_REPORT_FILE_BAD,    /* an error is set */
  PD_REPORT_FILE_ABSENT, /* no such file, or an empty one */
  PD_REPORT_FILE_BLANK,  /* SQLite, of no application: perhaps without tables */
  PD_REPORT_FILE_OURS,
} PdReportFile;

/* A kind of databases of this program. */
typedef struct
{
  guint32 application_id;
  guint32 user_version; /* the newest of its tables */
  const char *what;     /* "result file": of messages */
} PdReportDbKind;

/**
 * pd_report_db_identify_kind:
 * @kind: the expected kind
 * @error: return location for %PD_REPORT_ERROR_FOREIGN, _VERSION, _READ
 *
 * Returns: %PD_REPORT_FILE_OURS if @path is of that kind.
 */
PdReportFile pd_report_db_identify_kind (const char *path, const PdReportDbKind *kind,
                                         GError **error);

/**
 * pd_report_db_identify:
 * @error: return location for %PD_REPORT_ERROR_FOREIGN, _VERSION, _READ
 *
 * As pd_report_db_identify_kind(), of result files.
 */
PdReportFile pd_report_db_identify (const char *path, GError **error);

/**
 * pd_report_db_open:
 * @flags: of sqlite3_open_v2()
 * @error: return location for %PD_REPORT_ERROR_READ, _WRITE
 *
 * Returns: (transfer full): the database, or %NULL.
 */
sqlite3 *pd_report_db_open (const char *path, int flags, GError **error);

/**
 * pd_report_db_fail:
 * Sets @error to the error of @db: _READ if the file is damaged, else @code.
 */
void pd_report_db_fail (sqlite3 *db, PdReportError code, GError **error);

/**
 * pd_report_db_get_integer:
 * Returns: whether @sql gave one row, whose first column is then in @value.
 */
gboolean pd_report_db_get_integer (sqlite3 *db, const char *sql, gint64 *value);

/**
 * pd_report_db_is_added:
 * Version 2 of the tables added what only message-passing programs have, behind
 * the columns of version 1.
 *
 * Returns: whether @c is one of these.
 */
static inline gboolean
pd_report_db_is_added (PdCharacteristic c)
{
  return !pd_characteristic_applies (c, PD_MODEL_DVM);
}

/**
 * pd_report_db_is_added_counter:
 * Returns: the same of the counter %PD_N_TIMES + @q.
 */
static inline gboolean
pd_report_db_is_added_counter (guint q)
{
  return !pd_counter_applies (PD_N_TIMES + q, PD_MODEL_DVM);
}

/**
 * pd_report_db_get_version:
 * Returns: that of the tables: files of older versions are read as they are.
 */
gint64 pd_report_db_get_version (sqlite3 *db);

/**
 * pd_report_db_prepare:
 * @parameter: for the one "?" in @sql, if it has one
 * @error: return location for a #PdReportError
 *
 * Returns: (transfer full): the statement, or %NULL.
 */
sqlite3_stmt *pd_report_db_prepare (sqlite3 *db, const char *sql, gint64 parameter, GError **error);

/**
 * pd_report_db_next:
 * Returns: whether there is another row; @error is set where there should be.
 */
gboolean pd_report_db_next (sqlite3 *db, sqlite3_stmt *statement, GError **error);

#endif
