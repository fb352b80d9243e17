/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sweep/study/pd-study-db-private.h"
#include "base/pd-sha256.h"
#include "reports/results/pd-results-db.h"
#include "sweep/study/pd-study-db-add-private.h"
#include "sweep/study/pd-study-db-add.h"
#include "sweep/study/pd-study-schema.h"
#include "sweep/study/pd-study-xml.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const PdReportDbKind kind = { PD_STUDY_DB_APPLICATION_ID, PD_STUDY_DB_USER_VERSION,
                                     "study's database" };

gboolean
pd_study_db_fail (PdStudyDb *self, PdReportError code, GError **error)
{
  int status = sqlite3_errcode (self->db);
  gboolean damaged = status == SQLITE_CORRUPT || status == SQLITE_NOTADB || status == SQLITE_ERROR
                     || status == SQLITE_FORMAT;
  const char *what = damaged                         ? "a damaged study's database"
                     : code == PD_REPORT_ERROR_WRITE ? "cannot be written"
                                                     : "cannot be read";

  g_set_error (error, PD_REPORT_ERROR, (gint) (damaged ? PD_REPORT_ERROR_READ : code),
               "'%s': %s: %s", self->path, what, sqlite3_errmsg (self->db));
  return FALSE;
}

void
pd_study_db_close (PdStudyDb *self)
{
  GStatBuf info;

  if (self == NULL)
    return;
  for (guint i = 0; i < PD_N_INSERTS; i++)
    pd_insert_clear (&self->inserts[i]);
  if (self->is_open)
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  if (self->lock >= 0 && self->db != NULL)
    {
      /* not for long: who reads may go on reading the log */
      sqlite3_busy_timeout (self->db, 0);
      sqlite3_exec (self->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
  g_clear_pointer (&self->db, sqlite3_close);
  /* a file that is not empty was written by another process in the meantime */
  if (self->is_new && g_stat (self->path, &info) == 0 && info.st_size == 0)
    g_unlink (self->path);
  if (self->lock >= 0)
    close (self->lock);
  g_clear_pointer (&self->intervals, g_hash_table_unref);
  g_free (self->done);
  g_free (self->path);
  g_free (self);
}

static gboolean
execute (PdStudyDb *self, const char *sql, GError **error)
{
  return sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK
         || pd_study_db_fail (self, PD_REPORT_ERROR_WRITE, error);
}

/* ---- a new file */

static gboolean
insert_axes (PdStudyDb *self)
{
  gboolean ok = TRUE;

  for (guint a = 0; a < pd_study_get_n_axes (self->study) && ok; a++)
    {
      const PdAxis *axis = pd_study_get_axis (self->study, a);
      PdStudyAxisRow row = {
        a, axis->name, axis->unit, pd_axis_kind_name (axis->kind), 0, NULL, NAN
      };
      ok = pd_study_db_insert (self, PD_INSERT_AXIS, &row);
      for (guint i = 0; i < axis->texts->len && ok; i++)
        {
          row.number = i;
          row.text = g_ptr_array_index (axis->texts, i);
          if (axis->kind != PD_AXIS_WORD)
            row.value = g_array_index (axis->numbers, gdouble, i);
          ok = pd_study_db_insert (self, PD_INSERT_AXIS_VALUE, &row);
        }
    }
  return ok;
}

static gboolean
insert_study (PdStudyDb *self, const PdStudyOrigin *origin)
{
  g_autoptr (GString) text = g_string_new (NULL);

  pd_study_write (self->study, text);
  g_autofree char *sum = pd_sha256_of (text->str, text->len);
  const PdStudyHead row = { .id = 1,
                            .description = text->str,
                            .checksum = sum,
                            .program = "predictor",
                            .version = PD_VERSION,
                            .command_line = origin->command_line,
                            .made = origin->made,
                            .n_points = pd_study_get_n_points (self->study),
                            .shard = MAX (origin->shard, 1),
                            .n_shards = MAX (origin->n_shards, 1),
                            .per_processor = pd_study_get_per_processor (self->study) };
  return pd_study_db_insert (self, PD_INSERT_STUDY, &row);
}

static gboolean
insert_origin (PdStudyDb *self, const PdStudyOrigin *origin)
{
  const GArray *parameters = pd_study_get_parameters (self->study);
  gboolean ok = insert_study (self, origin) && insert_axes (self);

  for (guint i = 0; i < parameters->len && ok; i++)
    ok =
        pd_study_db_insert (self, PD_INSERT_PARAMETER, &g_array_index (parameters, PdParameter, i));
  for (guint i = 0; origin->inputs != NULL && i < origin->inputs->len && ok; i++)
    ok = pd_study_db_insert (self, PD_INSERT_INPUT,
                             &g_array_index (origin->inputs, PdStudyInput, i));
  return ok;
}

/* A file without tables becomes ours, in one transaction. */
static gboolean
create (PdStudyDb *self, const PdStudyOrigin *origin, GError **error)
{
  g_autofree char *schema = pd_study_db_schema (self->study);
  gint64 n_tables;

  if (!execute (self, "BEGIN IMMEDIATE", error))
    return FALSE;
  self->is_open = TRUE;
  if (!pd_report_db_get_integer (self->db, "SELECT count (*) FROM sqlite_master", &n_tables))
    return pd_study_db_fail (self, PD_REPORT_ERROR_READ, error);
  if (n_tables > 0)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_FOREIGN,
                   "'%s': a database with tables of another application", self->path);
      return FALSE;
    }
  if (!execute (self, schema, error))
    return FALSE;
  if (!insert_origin (self, origin))
    return pd_study_db_fail (self, PD_REPORT_ERROR_WRITE, error);
  return pd_study_db_commit (self, error);
}

/* ---- a file that is there */

static char *
read_text (PdStudyDb *self, const char *sql)
{
  g_autoptr (sqlite3_stmt) s = NULL;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &s, NULL) != SQLITE_OK
      || sqlite3_step (s) != SQLITE_ROW)
    return NULL;
  return g_strdup ((const char *) sqlite3_column_text (s, 0));
}

PdStudy *
pd_study_db_read_study (PdStudyDb *self, const PdStudyNames *names, GError **error)
{
  g_autofree char *text = read_text (self, "SELECT description FROM study");
  g_autoptr (PdStudy) study = pd_study_new (names);

  if (text == NULL)
    {
      pd_study_db_fail (self, PD_REPORT_ERROR_READ, error);
      return NULL;
    }
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  if (!pd_study_read (study, bytes, self->path, error)
      || !pd_study_complete (study, PD_STUDY_MAX_POINTS, error))
    return NULL;
  return g_steal_pointer (&study);
}

static gboolean
check_version (PdStudyDb *self, GError **error)
{
  g_autofree char *version = read_text (self, "SELECT program_version FROM study");

  if (g_strcmp0 (version, PD_VERSION) == 0)
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS,
               "begun by version %s of this program, and this is %s: their results may differ",
               version != NULL ? version : "(unknown)", PD_VERSION);
  return FALSE;
}

static gboolean
check_shard (PdStudyDb *self, const PdStudyOrigin *origin, GError **error)
{
  gint64 shard = 0, n_shards = 0;

  if (pd_report_db_get_integer (self->db, "SELECT shard FROM study", &shard)
      && pd_report_db_get_integer (self->db, "SELECT shards FROM study", &n_shards)
      && shard == MAX (origin->shard, 1) && n_shards == MAX (origin->n_shards, 1))
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS,
               "another part of the study: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
               " is in the file",
               shard, n_shards);
  return FALSE;
}

/* The inputs at the beginning of the study. */
static gboolean
check_inputs (PdStudyDb *self, const GArray *inputs, GError **error)
{
  g_autoptr (sqlite3_stmt) s = NULL;

  if (inputs == NULL)
    return TRUE;
  if (sqlite3_prepare_v2 (self->db, "SELECT sha256 FROM input WHERE name = ?", -1, &s, NULL)
      != SQLITE_OK)
    return pd_study_db_fail (self, PD_REPORT_ERROR_READ, error);
  for (guint i = 0; i < inputs->len; i++)
    {
      const PdStudyInput *input = &g_array_index (inputs, PdStudyInput, i);
      sqlite3_bind_text (s, 1, input->name, -1, SQLITE_STATIC);
      gboolean known = sqlite3_step (s) == SQLITE_ROW;
      gboolean same =
          known && g_strcmp0 ((const char *) sqlite3_column_text (s, 0), input->sha256) == 0;
      sqlite3_reset (s);
      if (same)
        continue;
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS, "'%s' %s", input->name,
                   known ? "has changed since the study was begun"
                         : "was not part of the study when it was begun");
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_study (PdStudyDb *self, const PdStudyNames *names, const PdStudyOrigin *origin,
             GError **error)
{
  g_autoptr (PdStudy) there = pd_study_db_read_study (self, names, error);

  if (there == NULL)
    return FALSE;
  if (pd_study_compare (self->study, there, error) && check_version (self, error)
      && check_shard (self, origin, error) && check_inputs (self, origin->inputs, error))
    return TRUE;
  g_prefix_error (error, "'%s': ", self->path);
  return FALSE;
}

static PdPointStatus
find_status (const char *name)
{
  guint status = 0;

  while (status + 1 < PD_N_POINT_STATUSES
         && g_strcmp0 (name, pd_point_status_name ((PdPointStatus) status)) != 0)
    status++;
  return (PdPointStatus) status;
}

/* The points and the intervals that are in the file. */
static gboolean
read_done (PdStudyDb *self, GError **error)
{
  static const char points[] =
      "SELECT p.number, p.status, f.value FROM point p LEFT JOIN figure f "
      "ON f.point = p.number AND f.name = 'execution_time_ps' ORDER BY p.number";
  g_autoptr (sqlite3_stmt) s = NULL, t = NULL;

  if (sqlite3_prepare_v2 (self->db, points, -1, &s, NULL) != SQLITE_OK
      || sqlite3_prepare_v2 (self->db, "SELECT id FROM interval", -1, &t, NULL) != SQLITE_OK)
    return pd_study_db_fail (self, PD_REPORT_ERROR_READ, error);
  while (pd_report_db_next (self->db, s, error))
    {
      gint64 point = sqlite3_column_int64 (s, 0);
      PdPointStatus status = find_status ((const char *) sqlite3_column_text (s, 1));
      if (point < 0 || point >= pd_study_get_n_points (self->study))
        {
          g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                       "'%s': a damaged study's database: there is no point %" G_GINT64_FORMAT,
                       self->path, point);
          return FALSE;
        }
      pd_study_db_note (self, point, status);
      if (pd_point_status_has_result (status))
        pd_study_db_note_time (self, point, sqlite3_column_int64 (s, 2));
    }
  while (*error == NULL && pd_report_db_next (self->db, t, error))
    pd_study_db_note_interval (self, sqlite3_column_int64 (t, 0));
  return *error == NULL;
}

/* ---- opening */

/* No other process may add: two would compute the same points twice. Readers may read. */
static gboolean
take_lock (PdStudyDb *self, GError **error)
{
  self->is_new = !g_file_test (self->path, G_FILE_TEST_EXISTS);
  self->lock = open (self->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (self->lock < 0)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE, "cannot write '%s': %s",
                   self->path, g_strerror (errno));
      self->is_new = FALSE;
      return FALSE;
    }
  /* file systems without such locks are taken as they are */
  if (flock (self->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return TRUE;
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE,
               "cannot write '%s': another sweep is adding to it", self->path);
  self->is_new = FALSE;
  return FALSE;
}

/* In a log, commits need not wait for the disk: what a power failure takes are the last
 * points, never the file. */
static gboolean
set_up (PdStudyDb *self, GError **error)
{
  return execute (self, "PRAGMA journal_mode = WAL", error)
         && execute (self, "PRAGMA synchronous = NORMAL", error)
         && execute (self, "PRAGMA cache_size = -16384", error);
}

static gboolean
open_to_add (PdStudyDb *self, PdReportFile what, const PdStudyNames *names,
             const PdStudyOrigin *origin, GError **error)
{
  g_autoptr (GError) local = NULL;

  self->db = pd_report_db_open (
      self->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, error);
  if (self->db == NULL)
    return FALSE;
  if (what == PD_REPORT_FILE_OURS ? !check_study (self, names, origin, error)
                                  : !create (self, origin, error))
    return FALSE;
  self->done = g_new0 (guint8, pd_study_get_n_points (self->study) / 8 + 1);
  if (read_done (self, &local) && set_up (self, &local) && pd_study_db_prepare (self, &local))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

PdStudyDb *
pd_study_db_open (const char *path, const PdStudy *study, const PdStudyNames *names,
                  const PdStudyOrigin *origin, GError **error)
{
  g_autoptr (PdStudyDb) self = NULL;
  PdReportFile what;

  g_return_val_if_fail (path != NULL && study != NULL && origin != NULL, NULL);

  what = pd_report_db_identify_kind (path, &kind, error);
  if (what == PD_REPORT_FILE_BAD)
    return NULL;
  self = g_new0 (PdStudyDb, 1);
  self->path = g_strdup (path);
  self->study = study;
  self->lock = -1;
  self->best = -1;
  self->intervals = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  if (!take_lock (self, error))
    return NULL;
  /* another process may have begun it just before */
  if (what != PD_REPORT_FILE_OURS)
    what = pd_report_db_identify_kind (path, &kind, error);
  if (what == PD_REPORT_FILE_BAD || !open_to_add (self, what, names, origin, error))
    return NULL;
  return g_steal_pointer (&self);
}

PdStudyDb *
pd_study_db_open_to_read (const char *path, GError **error)
{
  g_autoptr (PdStudyDb) self = NULL;
  PdReportFile what;

  g_return_val_if_fail (path != NULL, NULL);

  what = pd_report_db_identify_kind (path, &kind, error);
  if (what == PD_REPORT_FILE_BAD)
    return NULL;
  if (what != PD_REPORT_FILE_OURS)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                   what == PD_REPORT_FILE_ABSENT ? "'%s': no study in this file, or no such file"
                                                 : "'%s': not a study's database",
                   path);
      return NULL;
    }
  self = g_new0 (PdStudyDb, 1);
  self->path = g_strdup (path);
  self->lock = -1;
  self->best = -1;
  self->db = pd_report_db_open (path, SQLITE_OPEN_READONLY, error);
  return self->db == NULL ? NULL : g_steal_pointer (&self);
}

gboolean
pd_study_db_is_study (const char *path)
{
  return pd_report_db_identify_kind (path, &kind, NULL) == PD_REPORT_FILE_OURS;
}

gboolean
pd_study_db_is_whole (PdStudyDb *self)
{
  int n_logged = 0, n_moved = 0;

  if (self->is_open)
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  self->is_open = FALSE;
  return sqlite3_wal_checkpoint_v2 (self->db, NULL, SQLITE_CHECKPOINT_PASSIVE, &n_logged, &n_moved)
             == SQLITE_OK
         && n_moved == n_logged;
}

sqlite3 *
pd_study_db_get_sqlite (PdStudyDb *self)
{
  return self->db;
}

char *
pd_study_db_describe_failure (PdStudyDb *self)
{
  return read_text (self,
                    "SELECT 'point ' || number || ', ' || status || ': ' || message FROM point "
                    "WHERE status NOT IN ('done', 'incomplete') ORDER BY number LIMIT 1");
}
