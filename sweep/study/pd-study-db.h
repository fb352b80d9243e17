/* The database of a study: one SQLite file that holds what the study is and what
 * has come of its points so far. A point is in it as a whole or not at all, whenever
 * the program is killed; others may read while it grows. See predictor-study(5).
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_DB_H
#define PD_STUDY_DB_H

#include "sweep/study/pd-result-message.h"
#include "sweep/study/pd-study.h"
#include "reports/emit/pd-sqlite.h"

#define PD_STUDY_DB_APPLICATION_ID 0x50645301 /* "PdS", 1 */
#define PD_STUDY_DB_USER_VERSION   1

/* A file that predictions read. */
typedef struct
{
  char *name;
  char *sha256;
  char *path;  /* (nullable): where it is, for who knows the file; the database does not */
  char *stamp; /* (nullable): equal where it is the same file, unchanged; likewise */
} PdStudyInput;

/* The origin of a new database. Everything is borrowed. */
typedef struct
{
  const char *command_line; /* (nullable) */
  const char *made;         /* (nullable): ISO 8601 */
  const GArray *inputs;     /* (nullable) (element-type PdStudyInput): compared when it is
                             * continued */
  gint64 shard;             /* from 1; the part of the points that it is to hold */
  gint64 n_shards;          /* 0 = all of them */
} PdStudyOrigin;

typedef struct _PdStudyDb PdStudyDb;

/**
 * pd_study_db_open:
 * @path: the file; it is made if there is none
 * @study: complete; of an existing file it must be the same
 * @names: (nullable): those that @study was made with
 * @origin: of a new file; its inputs must be those of an existing one
 * @error: return location for a #PdReportError; %PD_STUDY_ERROR_DIFFERS, which says
 *   in what; or %PD_REPORT_ERROR_WRITE, also if another process has it open so
 *
 * Opens a database to be added to. On an error an existing file is as before.
 *
 * Returns: (transfer full) (nullable): the database.
 */
PdStudyDb *pd_study_db_open (const char *path, const PdStudy *study, const PdStudyNames *names,
                             const PdStudyOrigin *origin, GError **error);

/**
 * pd_study_db_open_to_read:
 * @path: the file
 * @error: return location for a #PdReportError
 *
 * Returns: (transfer full) (nullable): the database, as it is now.
 */
PdStudyDb *pd_study_db_open_to_read (const char *path, GError **error);

/**
 * pd_study_db_is_study:
 * Returns: whether @path is a database of a study, as its first bytes say.
 */
gboolean pd_study_db_is_study (const char *path);

/**
 * pd_study_db_read_study:
 * @self: the database
 * @names: (nullable): what names of parameters mean
 * @error: return location for %PD_REPORT_ERROR_READ or a #PdStudyError
 *
 * Returns: (transfer full) (nullable): its study, complete.
 */
PdStudy *pd_study_db_read_study (PdStudyDb *self, const PdStudyNames *names, GError **error);

/**
 * pd_study_db_describe_failure:
 * Returns: (transfer full) (nullable): the first point without a result, and why.
 */
char *pd_study_db_describe_failure (PdStudyDb *self);

/**
 * pd_study_db_is_whole:
 * @self: a database that is added to
 *
 * Moves committed data from the log, FILE-wal, to the file, as far as the disk has room
 * and no other process reads the old contents. Uncommitted data are given up.
 *
 * Returns: whether all of it is in the file, which can be copied without the log.
 */
gboolean pd_study_db_is_whole (PdStudyDb *self);

/**
 * pd_study_db_get_sqlite:
 * Returns: (transfer none): its connection, for those who read its tables.
 */
sqlite3 *pd_study_db_get_sqlite (PdStudyDb *self);

/* The work for a point; the only table whose rows differ between executions. */
typedef struct
{
  guint attempts;
  const char *host; /* (nullable) */
  gint64 finished;  /* seconds since 1970; 0 = not to be kept, as the seconds are not */
} PdStudyWork;

/**
 * pd_study_db_close:
 * @self: (nullable): what has not been committed is not in the file
 *
 * Leaves one file behind, unless others have it open, or it cannot be written.
 */
void pd_study_db_close (PdStudyDb *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdStudyDb, pd_study_db_close)

#endif
