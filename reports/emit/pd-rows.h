/* The fields of rows, described once: the description writes XML attributes, JSON keys, columns
 * of CSV and tables of SQLite with their rows.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ROWS_H
#define PD_ROWS_H
#include "base/pd-time.h"

#include <glib.h>

typedef enum
{
  PD_FIELD_END,     /* behind the last field */
  PD_FIELD_KEY,     /* of SQLite: none of the row, but keys[offset]; negative: NULL */
  PD_FIELD_TEXT,    /* const char *; NULL: "", but JSON null, and NULL in a column that may be */
  PD_FIELD_LABEL,   /* likewise; but NULL is left out by XML and JSON, "" by XML */
  PD_FIELD_CONTENT, /* likewise; in XML what stands inside the element */
  PD_FIELD_KIND,    /* likewise: one of a few static texts */
  PD_FIELD_NUMBER,  /* guint32 */
  PD_FIELD_INTEGER, /* gint64 */
  PD_FIELD_ID,      /* gint64; negative: unknown */
  PD_FIELD_INDEX,   /* gint64; PD_INTERVAL_NO_INDEX: unknown */
  PD_FIELD_COUNT,   /* guint64 */
  PD_FIELD_WIDE,    /* PdTimeSum that is not time; PD_FIELD_NO_SUM: unknown */
  PD_FIELD_BOOLEAN, /* gboolean */
  PD_FIELD_TIME,    /* PdTime, in seconds */
  PD_FIELD_PS,      /* PdTime, in picoseconds */
  PD_FIELD_SUM,     /* PdTimeSum, in seconds; may be negative; PD_FIELD_NO_SUM: unknown */
  PD_FIELD_REAL,    /* gdouble; NaN: unknown */
  PD_FIELD_PART,    /* a structure with fields; with a name an object of its own in JSON */
} PdFieldType;

#define PD_FIELD_NO_SUM ((PdTimeSum){ -((PdWide) 1 << 126) })

/* The places of a field. An unknown value is null in JSON, NULL in SQLite, empty in CSV, and
 * no attribute in XML. */
typedef enum
{
  PD_IN_XML = 1 << 0,
  PD_IN_JSON = 1 << 1,
  PD_IN_CSV = 1 << 2,
  PD_IN_DB = 1 << 3,
} PdFieldForm;

typedef struct PdField PdField;
struct PdField
{
  const char *name;
  PdFieldType type;
  gsize offset;        /* in the row */
  const char *meaning; /* (nullable): comment of the column */
  guint in;            /* of #PdFieldForm; 0 = all */
  const char *sql;     /* (nullable): instead of "INTEGER NOT NULL" and the like */
  gboolean added;      /* to a table that was there before: the column has the default 0 */
  const char *format;  /* (nullable): of a real instead of "%.12g" */
  const char *title;   /* (nullable): for people */
  /* of a PART; the names of parts of an item of several are put behind the item's */
  const PdField *fields;
  /* of several, one every @size bytes: gives the name and the meaning of item @i; FALSE: it is
   * left out, as of no interest to @which */
  guint n;
  gsize size;
  guint which;
  gboolean (*item) (guint which, guint i, const char **name, const char **meaning);
};

/* An initialiser, which a macro can stand for. */
#define PD_FIELD(...)                                                                              \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }
#define PD_FIELDS_END PD_FIELD (.type = PD_FIELD_END) /* behind the last one */

/* Rows of a kind; those forms are left out for which it has no name. */
typedef struct
{
  const char *table;   /* (nullable): SQLite */
  const char *element; /* (nullable): XML */
  const char *list;    /* (nullable): JSON: the key of the list, */
  gboolean single;     /* or of the only object */
  const char *with;    /* (nullable): option that the rows come with */
  const char *meaning; /* (nullable): comment of the table, behind that */
  const char *key;     /* (nullable): primary key of a table without row numbers; "": a column's */
  gboolean again;      /* a row may come again, and is inserted once */
  gboolean quoted;     /* the columns but the keys may be called as words of SQL are */
  const PdField *fields;
} PdRecord;
#define PD_RECORD PD_FIELD

#endif
