/* Result files: what they are, and how they are read.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-sqlite.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* Of the header of an SQLite file: see "The Database Header" in the
 * description of its format. Numbers are big-endian. */
#define HEADER_SIZE     100
#define AT_PAGE_SIZE    16
#define AT_CHANGES      24
#define AT_N_PAGES      28
#define AT_USER_VERSION 60
#define AT_APPLICATION  68
#define AT_VALID_FOR    92

static const char magic[16] = "SQLite format 3"; /* with its NUL */

/* ---- identification */

static guint32
read_number (const guint8 *header, gsize at)
{
  guint32 value;

  memcpy (&value, header + at, sizeof value);
  return GUINT32_FROM_BE (value);
}

/* Whether a file of @length bytes lacks pages that its header counts; with a journal or a log
 * beside it, it is being written, or will be repaired. */
static gboolean
is_cut (const char *path, const guint8 *header, gint64 length)
{
  g_autofree char *journal = g_strconcat (path, "-journal", NULL);
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  gint64 page = header[AT_PAGE_SIZE] << 8 | header[AT_PAGE_SIZE + 1];
  gint64 n_pages = read_number (header, AT_N_PAGES);

  return read_number (header, AT_CHANGES) == read_number (header, AT_VALID_FOR)
         && length < n_pages * (page == 1 ? 65536 : page)
         && !g_file_test (journal, G_FILE_TEST_EXISTS) && !g_file_test (log, G_FILE_TEST_EXISTS);
}

/* @size: of the present part of @header */
static PdReportFile
judge_header (const char *path, const PdReportDbKind *kind, const guint8 *header, gsize size,
              GError **error)
{
  GStatBuf info;

  if (size < HEADER_SIZE || memcmp (header, magic, sizeof magic) != 0)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                   "'%s' is not a %s: expected an SQLite database", path, kind->what);
      return PD_REPORT_FILE_BAD;
    }

  guint32 application = read_number (header, AT_APPLICATION);
  guint32 version = read_number (header, AT_USER_VERSION);
  if (application == 0 && version == 0)
    return PD_REPORT_FILE_BLANK;
  if (application != kind->application_id)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_FOREIGN,
                   "'%s' is a database of another application (0x%08x), expected 0x%08x, a %s",
                   path, application, kind->application_id, kind->what);
      return PD_REPORT_FILE_BAD;
    }
  if (version < 1 || version > kind->user_version)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_VERSION,
                   "'%s' has version %u of the tables, this program knows %u", path, version,
                   kind->user_version);
      return PD_REPORT_FILE_BAD;
    }
  if (g_stat (path, &info) == 0 && is_cut (path, header, info.st_size))
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                   "'%s' is a damaged %s: its end is missing", path, kind->what);
      return PD_REPORT_FILE_BAD;
    }
  return PD_REPORT_FILE_OURS;
}

/* To open a pipe would wait for who writes to it, and devices do as they like. */
static gboolean
is_file (const char *path, GError **error)
{
  GStatBuf info;

  if (g_stat (path, &info) != 0 || S_ISREG (info.st_mode))
    return TRUE;
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
               "'%s': expected a regular file for a database, not a folder, pipe, socket or device",
               path);
  return FALSE;
}

PdReportFile
pd_report_db_identify_kind (const char *path, const PdReportDbKind *kind, GError **error)
{
  guint8 header[HEADER_SIZE];

  if (!is_file (path, error))
    return PD_REPORT_FILE_BAD;
  FILE *file = fopen (path, "rb");
  if (file == NULL && errno == ENOENT)
    return PD_REPORT_FILE_ABSENT;
  errno = 0;
  gsize size = file != NULL ? fread (header, 1, sizeof header, file) : 0;
  gboolean bad = file == NULL || ferror (file);
  int saved = errno;
  if (file != NULL)
    fclose (file);
  if (bad)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "cannot read '%s': %s", path,
                   g_strerror (saved));
      return PD_REPORT_FILE_BAD;
    }
  return size == 0 ? PD_REPORT_FILE_ABSENT : judge_header (path, kind, header, size, error);
}

PdReportFile
pd_report_db_identify (const char *path, GError **error)
{
  static const PdReportDbKind results = { PD_REPORT_APPLICATION_ID, PD_REPORT_USER_VERSION,
                                          "result file" };

  return pd_report_db_identify_kind (path, &results, error);
}

/* ---- access */

void
pd_report_db_fail (sqlite3 *db, PdReportError code, GError **error)
{
  int status = sqlite3_errcode (db);
  /* SQLITE_ERROR: a statement does not fit the tables */
  gboolean damaged = status == SQLITE_CORRUPT || status == SQLITE_NOTADB || status == SQLITE_ERROR
                     || status == SQLITE_FORMAT;

  g_set_error (error, PD_REPORT_ERROR, (gint) (damaged ? PD_REPORT_ERROR_READ : code), "%s: %s",
               damaged ? "damaged result file" : "result file", sqlite3_errmsg (db));
}

sqlite3 *
pd_report_db_open (const char *path, int flags, GError **error)
{
  /* a relative name is never one of SQLite's special ones, like ":memory:" */
  g_autofree char *name =
      g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (".", path, NULL);
  g_autoptr (sqlite3) db = NULL;

  if (!pd_sqlite_load (error))
    return NULL;
  if (sqlite3_open_v2 (name, &db, flags, NULL) != SQLITE_OK)
    {
      g_set_error (error, PD_REPORT_ERROR,
                   flags & SQLITE_OPEN_READONLY ? PD_REPORT_ERROR_READ : PD_REPORT_ERROR_WRITE,
                   "cannot open '%s': %s", path, db != NULL ? sqlite3_errmsg (db) : "no memory");
      return NULL;
    }
  /* others may append at the same time */
  sqlite3_busy_timeout (db, 10000);
  return g_steal_pointer (&db);
}

gboolean
pd_report_db_get_integer (sqlite3 *db, const char *sql, gint64 *value)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK
      || sqlite3_step (statement) != SQLITE_ROW)
    return FALSE;
  *value = sqlite3_column_int64 (statement, 0);
  return TRUE;
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

  /* where it cannot be read, nothing is left out as of an older version: what comes next fails, too
   */
  return pd_report_db_get_integer (db, "PRAGMA user_version", &version) ? version : G_MAXINT64;
}
