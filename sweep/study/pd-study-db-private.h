/* Shared declarations of the files of a study's database.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_DB_PRIVATE_H
#define PD_STUDY_DB_PRIVATE_H

#include "sweep/study/pd-study-db.h"

#include "reports/run/pd-report-sqlite.h"
#include "reports/emit/pd-rows-db.h"

/* Tables, as they are made, and another way to fill one. */
enum
{
  PD_INSERT_STUDY,       /* PdStudyHead */
  PD_INSERT_INPUT,       /* PdStudyInput */
  PD_INSERT_PARAMETER,   /* PdParameter */
  PD_INSERT_AXIS,        /* PdStudyAxisRow */
  PD_INSERT_AXIS_VALUE,  /* PdStudyAxisRow */
  PD_INSERT_POINT,       /* PdStudyPointRow */
  PD_INSERT_POINT_VALUE, /* gint64 */
  PD_INSERT_FIGURE,      /* PdPointFigure */
  PD_INSERT_INTERVAL,    /* PdStudyIntervalRow */
  PD_INSERT_WARNING,     /* PdPointWarning */
  PD_INSERT_WORK,        /* PdStudyWorkRow */
  PD_INSERT_RESULT,      /* PdPointInterval */
  PD_INSERT_PROCESSOR,   /* PdPointProcessor */
  PD_N_TABLES,
  PD_INSERT_REAL_FIGURE = PD_N_TABLES, /* PdPointFigure */
  PD_N_INSERTS,
};

/* Numbers in front of rows. */
enum
{
  PD_STUDY_KEY_POINT,
  PD_STUDY_KEY_NUMBER,
  PD_STUDY_N_KEYS,
};

/* ---- rows; texts are borrowed */

typedef struct
{
  gint64 id;
  const char *description;
  const char *checksum;
  const char *program;
  const char *version;
  const char *command_line;
  const char *made;
  gint64 n_points;
  gint64 shard;
  gint64 n_shards;
  gboolean per_processor;
} PdStudyHead;

/* An axis, or one of its values. */
typedef struct
{
  gint64 axis;
  const char *name;
  const char *unit;
  const char *kind;
  gint64 number;
  const char *text;
  gdouble value; /* NaN: of words */
} PdStudyAxisRow;

typedef struct
{
  const char *status;
  const char *message;
} PdStudyPointRow;

typedef struct
{
  gint64 parent; /* -1: none */
  const char *type;
  PdPointInterval of;
} PdStudyIntervalRow;

typedef struct
{
  PdStudyWork work;
  gdouble seconds;
} PdStudyWorkRow;

extern const PdRecord pd_study_records[PD_N_INSERTS]; /* in pd-study-schema.c */

struct _PdStudyDb
{
  char *path;
  sqlite3 *db;
  int lock;             /* the lock of a file that is added to; -1 = none */
  gboolean is_new;      /* the file was not there */
  const PdStudy *study; /* (nullable): of a file that is added to; the caller's */
  guint8 *done;         /* (array): a bit for each point */
  gint64 counts[PD_N_POINT_STATUSES];
  gint64 best; /* the point; -1 = none */
  PdTime best_time;
  GHashTable *intervals; /* (set of gint64*): those in the file */
  gint64 keys[PD_STUDY_N_KEYS];
  PdInsert inserts[PD_N_INSERTS]; /* prepared when they are first needed */
  gboolean is_open;               /* a transaction */
};

/* Says in @error what SQLite says. Returns FALSE. */
gboolean pd_study_db_fail (PdStudyDb *self, PdReportError code, GError **error);

#endif
