/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sweep/study/pd-study-merge.h"
#include "base/pd-target.h"

#include "sweep/study/pd-study-db-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* More ranges of missing points are not listed. */
#define MAX_RANGES 10

typedef struct
{
  const PdStudyNames *names;
  GPtrArray *paths; /* (element-type utf8), owned: the target first, if it is there */
  GHashTable *real; /* (element-type utf8), owned: the same, behind symbolic links */
  char *target;     /* behind symbolic links */
  PdTarget *made;   /* (nullable): the file that replaces it */
  int lock;         /* of the target that is there; -1 = none */
  PdStudy *study;
  PdStudyDb *db;
  const char *part; /* the file that is added now */
  PdStudyMerged *merged;
} Merge;

static void
merge_clear (Merge *self)
{
  /* closing would touch attached databases */
  if (self->db != NULL && sqlite3_get_autocommit (self->db->db) == 0)
    sqlite3_exec (self->db->db, "ROLLBACK", NULL, NULL, NULL);
  if (self->db != NULL)
    sqlite3_exec (self->db->db, "DETACH part", NULL, NULL, NULL);
  pd_study_db_close (self->db);
  pd_study_free (self->study);
  pd_target_free (self->made);
  if (self->lock >= 0)
    close (self->lock);
  g_ptr_array_unref (self->paths);
  g_hash_table_unref (self->real);
  g_free (self->target);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Merge, merge_clear)

void
pd_study_merged_clear (PdStudyMerged *self)
{
  g_clear_pointer (&self->missing, g_free);
  g_clear_pointer (&self->best_text, g_free);
}

/* ---- SQL */

/* What SQLite says may be of the file that is read as well as of the other one. */
static gboolean
fail (Merge *self, GError **error)
{
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE, "cannot merge '%s' into '%s': %s",
               self->part, self->target, sqlite3_errmsg (self->db->db));
  return FALSE;
}

static gboolean
execute (Merge *self, const char *sql, GError **error)
{
  return sqlite3_exec (self->db->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail (self, error);
}

/* The first column of the first row of @sql; NULL if there is none. */
static gboolean
find (Merge *self, const char *sql, char **found, GError **error)
{
  g_autoptr (sqlite3_stmt) s = NULL;
  int status = sqlite3_prepare_v2 (self->db->db, sql, -1, &s, NULL);

  *found = NULL;
  if (status == SQLITE_OK)
    status = sqlite3_step (s);
  if (status == SQLITE_ROW)
    *found = g_strdup ((const char *) sqlite3_column_text (s, 0));
  return status == SQLITE_ROW || status == SQLITE_DONE || fail (self, error);
}

/* ---- rows in both */

/* The tables whose rows are of points, the work and the points themselves apart. */
static const char *const tables[] = { "point_value", "figure", "result", "processor_value",
                                      "warning" };

/* Whether no row of @table in @a, of points that @b has, is missing in @b. */
static gboolean
is_covered (Merge *self, const char *table, const char *a, const char *b, GError **error)
{
  const char *key = strcmp (table, "point") == 0 ? "number" : "point";
  g_autofree char *sql = g_strdup_printf (
      "SELECT min (%s) FROM (SELECT * FROM %s.%s WHERE %s IN (SELECT number FROM %s.point) "
      "EXCEPT SELECT * FROM %s.%s)",
      key, a, table, key, b, b, table);
  g_autofree char *point = NULL;

  if (!find (self, sql, &point, error))
    return FALSE;
  if (point == NULL)
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS,
               "'%s': point %s is not the same as in a file before (table '%s')", self->part, point,
               table);
  return FALSE;
}

static gboolean
is_equal (Merge *self, const char *table, GError **error)
{
  return is_covered (self, table, "part", "main", error)
         && is_covered (self, table, "main", "part", error);
}

static gboolean
check_shared (Merge *self, GError **error)
{
  g_autofree char *n = NULL;

  if (!find (self,
             "SELECT count (*) FROM part.point WHERE number IN (SELECT number FROM main.point)", &n,
             error))
    return FALSE;
  if (strcmp (n, "0") == 0)
    return TRUE;
  self->merged->n_shared += g_ascii_strtoll (n, NULL, 10);
  gboolean ok = is_equal (self, "point", error);
  for (gsize i = 0; i < G_N_ELEMENTS (tables) && ok; i++)
    ok = is_equal (self, tables[i], error);
  return ok;
}

/* ---- a file */

static gboolean
check_points (Merge *self, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT number FROM part.point WHERE number NOT BETWEEN 0 "
                       "AND %" G_GINT64_FORMAT " LIMIT 1",
                       pd_study_get_n_points (self->study) - 1);
  g_autofree char *point = NULL;

  if (!find (self, sql, &point, error))
    return FALSE;
  if (point == NULL)
    return TRUE;
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
               "'%s': a damaged study's database: there is no point %s", self->part, point);
  return FALSE;
}

/* Programs and inputs must be those of the first file, from which they are. */
static gboolean
check_origin (Merge *self, GError **error)
{
  static const char *const differences[][2] = {
    { "SELECT program_version FROM part.study EXCEPT SELECT program_version FROM main.study",
      "was computed by another version of this program" },
    { "SELECT name FROM (SELECT * FROM part.input EXCEPT SELECT * FROM main.input)",
      "has changed between the files" },
    { "SELECT name FROM (SELECT * FROM main.input EXCEPT SELECT * FROM part.input)",
      "has changed between the files" },
    { "SELECT id FROM (SELECT * FROM part.interval WHERE id IN (SELECT id FROM main.interval) "
      "EXCEPT SELECT * FROM main.interval)",
      "is an interval that is not the same in the files" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (differences); i++)
    {
      g_autofree char *what = NULL;
      if (!find (self, differences[i][0], &what, error))
        return FALSE;
      if (what == NULL)
        continue;
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS, "'%s': '%s' %s", self->part, what,
                   differences[i][1]);
      return FALSE;
    }
  return TRUE;
}

/* The points themselves last: they say which the others are of. */
static gboolean
copy (Merge *self, GError **error)
{
  static const char *const copied[] = { "work", "point" };
  g_autoptr (GString) sql = g_string_new (
      "BEGIN IMMEDIATE; INSERT OR IGNORE INTO main.interval SELECT * FROM part.interval;");

  for (gsize i = 0; i < G_N_ELEMENTS (tables) + G_N_ELEMENTS (copied); i++)
    {
      gsize k = i - G_N_ELEMENTS (tables);
      const char *table = i < G_N_ELEMENTS (tables) ? tables[i] : copied[k];
      g_string_append_printf (sql,
                              "INSERT INTO main.%s SELECT * FROM part.%s WHERE %s NOT IN "
                              "(SELECT number FROM main.point);",
                              table, table, strcmp (table, "point") == 0 ? "number" : "point");
    }
  g_string_append (sql, "COMMIT");
  return execute (self, sql->str, error);
}

static gboolean
attach (Merge *self, GError **error)
{
  g_autofree char *name = g_path_is_absolute (self->part)
                              ? g_strdup (self->part)
                              : g_build_filename (".", self->part, NULL);
  g_autoptr (sqlite3_stmt) s = NULL;

  if (sqlite3_prepare_v2 (self->db->db, "ATTACH ? AS part", -1, &s, NULL) != SQLITE_OK)
    return fail (self, error);
  sqlite3_bind_text (s, 1, name, -1, SQLITE_TRANSIENT);
  return sqlite3_step (s) == SQLITE_DONE || fail (self, error);
}

static gboolean
add_part (Merge *self, gboolean is_first, GError **error)
{
  if (!attach (self, error))
    return FALSE;
  if (is_first
      && !execute (self,
                   "BEGIN IMMEDIATE; INSERT INTO main.input SELECT * FROM part.input; UPDATE "
                   "main.study SET program_version = (SELECT program_version FROM part.study); "
                   "COMMIT",
                   error))
    return FALSE;
  return check_points (self, error) && check_origin (self, error) && check_shared (self, error)
         && copy (self, error) && execute (self, "DETACH part", error);
}

/* ---- the files to merge */

/* All must be of the study of the first. */
static gboolean
check_study (Merge *self, const char *path, GError **error)
{
  g_autoptr (PdStudyDb) db = pd_study_db_open_to_read (path, error);
  g_autoptr (PdStudy) study = db != NULL ? pd_study_db_read_study (db, self->names, error) : NULL;

  if (study == NULL)
    return FALSE;
  if (self->study == NULL)
    {
      self->study = g_steal_pointer (&study);
      return TRUE;
    }
  if (pd_study_compare (study, self->study, error))
    return TRUE;
  g_prefix_error (error, "'%s' and '%s': ", path,
                  (const char *) g_ptr_array_index (self->paths, 0));
  return FALSE;
}

/* No process may add to the target meanwhile. */
static gboolean
take_lock (Merge *self, GError **error)
{
  self->lock = open (self->target, O_RDWR | O_CLOEXEC);
  if (self->lock < 0)
    g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE, "cannot write '%s': %s",
                 self->target, g_strerror (errno));
  else if (flock (self->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE,
                 "cannot write '%s': a sweep is adding to it", self->target);
  else
    return TRUE;
  return FALSE;
}

/* Unless it is there already, under whatever name. */
static void
list_part (Merge *self, const char *path)
{
  char *real = realpath (path, NULL);

  if (g_hash_table_add (self->real, real != NULL ? real : g_strdup (path)))
    g_ptr_array_add (self->paths, g_strdup (path));
}

static gboolean
list_parts (Merge *self, const char *out, const char *const *paths, GError **error)
{
  GStatBuf info;

  self->target = realpath (out, NULL);
  if (self->target == NULL)
    self->target = g_strdup (out);
  if (g_stat (self->target, &info) == 0 && (info.st_size > 0 || !S_ISREG (info.st_mode)))
    {
      if (!check_study (self, self->target, error) || !take_lock (self, error))
        return FALSE;
      list_part (self, self->target);
    }
  for (guint i = 0; paths[i] != NULL; i++)
    {
      /* its creator was killed before it could begin */
      if (g_stat (paths[i], &info) == 0 && S_ISREG (info.st_mode) && info.st_size == 0)
        continue;
      if (!check_study (self, paths[i], error))
        return FALSE;
      list_part (self, paths[i]);
    }
  if (self->study != NULL)
    return TRUE;
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "'%s': no study in this file",
               paths[0]);
  return FALSE;
}

/* ---- what came of it */

/* Ranges of points that are not there, in order. */
static gboolean
find_missing (Merge *self, GError **error)
{
  g_autoptr (sqlite3_stmt) s = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 expected = 0, n = pd_study_get_n_points (self->study);
  guint n_ranges = 0;
  gboolean more = TRUE;

  if (sqlite3_prepare_v2 (self->db->db, "SELECT number FROM point ORDER BY number", -1, &s, NULL)
      != SQLITE_OK)
    return fail (self, error);
  while (more)
    {
      more = sqlite3_step (s) == SQLITE_ROW;
      gint64 point = more ? sqlite3_column_int64 (s, 0) : n;
      if (point > expected && n_ranges == MAX_RANGES)
        g_string_append (text, ", …");
      else if (point > expected && n_ranges < MAX_RANGES)
        {
          g_string_append_printf (text, "%s%" G_GINT64_FORMAT, n_ranges > 0 ? ", " : "", expected);
          if (point > expected + 1)
            g_string_append_printf (text, "-%" G_GINT64_FORMAT, point - 1);
        }
      n_ranges += point > expected;
      expected = point + 1;
      self->merged->n_done += more;
    }
  self->merged->missing = text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
  return TRUE;
}

static gboolean
find_best (Merge *self, GError **error)
{
  static const char sql[] =
      "SELECT f.point, f.value FROM figure f JOIN point p ON p.number = f.point "
      "WHERE f.name = 'execution_time_ps' AND p.status IN ('done', "
      "'incomplete') ORDER BY 2, 1 LIMIT 1";
  PdStudyMerged *merged = self->merged;
  g_autoptr (sqlite3_stmt) s = NULL;

  if (sqlite3_prepare_v2 (self->db->db, sql, -1, &s, NULL) != SQLITE_OK)
    return fail (self, error);
  merged->best = -1;
  if (sqlite3_step (s) != SQLITE_ROW)
    return TRUE;
  merged->best = sqlite3_column_int64 (s, 0);
  merged->best_time = PD_TIME (sqlite3_column_int64 (s, 1));
  merged->best_text = pd_study_describe_point (self->study, merged->best);
  return TRUE;
}

static gboolean
sum_up (Merge *self, GError **error)
{
  self->merged->n_points = pd_study_get_n_points (self->study);
  for (guint i = 0; i < PD_N_POINT_STATUSES; i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT count (*) FROM point WHERE status = '%s'",
                                              pd_point_status_name ((PdPointStatus) i));
      if (!pd_report_db_get_integer (self->db->db, sql, &self->merged->counts[i]))
        return fail (self, error);
    }
  return find_missing (self, error) && find_best (self, error);
}

/* ---- the new file */

static gboolean
make_temporary (Merge *self, GError **error)
{
  self->made = pd_target_new_temporary (self->target);
  if (self->made != NULL)
    return TRUE;
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE, "cannot write '%s': %s", self->target,
               g_strerror (errno));
  return FALSE;
}

/* The log does not move with the file: its contents must be in the file itself. */
static gboolean
leave_log (Merge *self, GError **error)
{
  int status = sqlite3_exec (self->db->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);

  if (status == SQLITE_OK)
    return TRUE;
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE, "cannot write '%s': %s", self->target,
               sqlite3_errstr (status));
  return FALSE;
}

/* Of a target that is not there. The log of one that was would become a part of it. */
static gboolean
rename_it (Merge *self, GError **error)
{
  g_autofree char *log = g_strconcat (self->target, "-wal", NULL);

  if (!leave_log (self, error))
    return FALSE;
  g_clear_pointer (&self->db, pd_study_db_close);
  if ((g_unlink (log) == 0 || errno == ENOENT) && pd_target_commit (self->made))
    return TRUE;
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE, "cannot write '%s': %s", self->target,
               g_strerror (errno));
  return FALSE;
}

/* Into a target that is there, in one transaction. Others may read it: a file of another
 * content in its place would get the contents of their log. */
static gboolean
copy_it (Merge *self, GError **error)
{
  g_autoptr (sqlite3) db = pd_report_db_open (self->target, SQLITE_OPEN_READWRITE, error);

  if (db == NULL)
    return FALSE;
  sqlite3_backup *backup = sqlite3_backup_init (db, "main", self->db->db, "main");
  int status = backup != NULL ? sqlite3_backup_step (backup, -1) : sqlite3_errcode (db);
  if (backup != NULL && sqlite3_backup_finish (backup) == SQLITE_OK && status == SQLITE_DONE)
    {
      sqlite3_busy_timeout (db, 0);
      sqlite3_exec (db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
      return TRUE;
    }
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE, "cannot write '%s': %s", self->target,
               sqlite3_errstr (status));
  return FALSE;
}

gboolean
pd_study_merge (const char *out, const char *const *paths, const PdStudyNames *names,
                const PdStudyOrigin *origin, PdStudyMerged *merged, GError **error)
{
  g_auto (Merge) self = { .names = names, .lock = -1, .merged = merged };
  const PdStudyOrigin whole = { .command_line = origin->command_line, .made = origin->made };

  g_return_val_if_fail (paths[0] != NULL, FALSE);

  *merged = (PdStudyMerged){ .best = -1 };
  self.paths = g_ptr_array_new_with_free_func (g_free);
  self.real = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!list_parts (&self, out, paths, error) || !make_temporary (&self, error))
    return FALSE;
  self.db = pd_study_db_open (pd_target_get_name (self.made), self.study, names, &whole, error);
  if (self.db == NULL)
    return FALSE;
  for (guint i = 0; i < self.paths->len; i++)
    {
      self.part = g_ptr_array_index (self.paths, i);
      if (!add_part (&self, i == 0, error))
        return FALSE;
    }
  return sum_up (&self, error)
         && (self.lock >= 0 ? copy_it (&self, error) : rename_it (&self, error));
}
