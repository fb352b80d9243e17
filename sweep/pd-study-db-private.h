/* What the files of a study's database share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_DB_PRIVATE_H
#define PD_STUDY_DB_PRIVATE_H

#include "sweep/pd-study-db.h"

#include "reports/pd-report-sqlite.h"

G_BEGIN_DECLS

enum
{
  PD_INSERT_POINT,
  PD_INSERT_POINT_VALUE,
  PD_INSERT_FIGURE,
  PD_INSERT_INTERVAL,
  PD_INSERT_RESULT,
  PD_INSERT_PROCESSOR,
  PD_INSERT_WARNING,
  PD_INSERT_WORK,
  PD_N_INSERTS,
};

struct _PdStudyDb
{
  char *path;
  sqlite3 *db;
  int lock;             /* of a file that is added to: nobody else does; -1 = none */
  gboolean is_new;      /* the file was not there */
  const PdStudy *study; /* (nullable): of a file that is added to; the caller's */
  guint8 *done;         /* (array): a bit for each point */
  gint64 counts[PD_N_POINT_STATUSES];
  gint64 best; /* the point; -1 = none */
  PdTime best_time;
  GHashTable *intervals; /* (set of gint64*): those in the file */
  sqlite3_stmt *inserts[PD_N_INSERTS];
  gboolean is_open; /* a transaction */
};

/* Says in @error what SQLite says. Returns FALSE. */
gboolean pd_study_db_fail (PdStudyDb *self, PdReportError code, GError **error);

/* ---- pd-study-db-add.c */

/* Prepares the statements that add a point. */
gboolean pd_study_db_prepare (PdStudyDb *self, GError **error);

/* The statement that adds a row to @table. */
sqlite3_stmt *pd_study_db_insert_into (PdStudyDb *self, const char *table, guint n_columns);

/* Ends a row of @statement. */
gboolean pd_study_db_end_row (sqlite3_stmt *statement);

/* Notes that @point is done. */
void pd_study_db_note (PdStudyDb *self, gint64 point, PdPointStatus status);

/* Notes its time. */
void pd_study_db_note_time (PdStudyDb *self, gint64 point, gint64 ps);

/* Notes that an interval is in the file. */
void pd_study_db_note_interval (PdStudyDb *self, gint64 id);

G_END_DECLS

#endif
