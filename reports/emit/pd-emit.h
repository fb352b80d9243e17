/* Rows in XML, JSON, CSV and SQLite, from descriptions of their fields.
 * SPDX-License-Identifier: MIT */
#ifndef PD_EMIT_H
#define PD_EMIT_H

#include "intervals/pd-interval.h"
#include "reports/emit/pd-json.h"
#include "reports/emit/pd-rows-db.h"

#include <math.h>

/**
 * pd_field_append_csv:
 * Appends @value of @field, which is no part and has no items.
 */
void pd_field_append_csv (GString *out, const PdField *field, gconstpointer value);

/**
 * pd_csv_append_fields:
 * @row: (nullable): %NULL: the headings
 *
 * Appends the fields to the line under way, whose first field is not empty.
 */
void pd_csv_append_fields (GString *out, const PdField *fields, gconstpointer row);

/**
 * pd_csv_end_line:
 * Ends a line.
 */
void pd_csv_end_line (GString *out);

/**
 * pd_xml_append_fields:
 * Appends the fields as attributes of the tag under way.
 */
void pd_xml_append_fields (GString *out, const PdField *fields, gconstpointer row);

/**
 * pd_xml_append_row:
 * A whole element, without elements inside.
 */
void pd_xml_append_row (GString *out, guint depth, const char *element, const PdField *fields,
                        gconstpointer row);

/**
 * pd_json_add_fields:
 * Adds the fields to the object under way.
 */
void pd_json_add_fields (PdJson *json, const PdField *fields, gconstpointer row);

/* ---- one walk over rows and their inner rows, for XML, JSON or SQLite */

/* The first key is the number of a row in its list. */
#define PD_EMIT_POSITION 0
#define PD_EMIT_KEYS     5

typedef struct
{
  GString *xml; /* one of these three */
  PdJson *json;
  sqlite3 *db;
  guint depth;               /* of XML */
  GHashTable *inserts;       /* of @db: PdRecord to PdInsert */
  gint64 keys[PD_EMIT_KEYS]; /* of @db */
  gboolean failed;           /* of @db */
} PdEmit;

/**
 * pd_emit_open:
 * Writes a row that has others inside, until pd_emit_close().
 */
void pd_emit_open (PdEmit *self, const PdRecord *record, gconstpointer row);

/**
 * pd_emit_close:
 * Ends the row that pd_emit_open() began.
 */
void pd_emit_close (PdEmit *self, const PdRecord *record);

/**
 * pd_emit_row:
 * A row without others.
 */
void pd_emit_row (PdEmit *self, const PdRecord *record, gconstpointer row);

/**
 * pd_emit_open_list:
 * Rows of @record stand between these.
 */
void pd_emit_open_list (PdEmit *self, const PdRecord *record);

/**
 * pd_emit_close_list:
 * Ends the list that pd_emit_open_list() began.
 */
void pd_emit_close_list (PdEmit *self);

/**
 * pd_emit_rows:
 * A list of such rows, those of the array @rows.
 */
void pd_emit_rows (PdEmit *self, const PdRecord *record, const GArray *rows);

/**
 * pd_emit_end:
 * Ends writing to @db. Returns: whether all has been written.
 */
gboolean pd_emit_end (PdEmit *self);

/* ---- for new forms */

/* A field met on a walk. */
typedef struct
{
  const PdField *field;
  const char *name;
  const char *meaning;
  gboolean added;
  gsize offset;        /* in the row as a whole */
  gconstpointer value; /* NULL without a row */
} PdFieldAt;

/* What @value points to. */
#define PD_FIELD_AT(type, value) (*(const type *) (value))

/**
 * pd_field_is_text:
 * Returns: whether the value of @field is a text.
 */
static inline gboolean
pd_field_is_text (const PdField *field)
{
  return field->type >= PD_FIELD_TEXT && field->type <= PD_FIELD_KIND;
}

/**
 * pd_field_is_time:
 * Returns: whether @field is written in seconds.
 */
static inline gboolean
pd_field_is_time (const PdField *field)
{
  return field->type == PD_FIELD_TIME || field->type == PD_FIELD_SUM;
}

/**
 * pd_field_is_known:
 * Returns: whether @value is not the one of @field that says "unknown".
 */
static inline gboolean
pd_field_is_known (const PdField *field, gconstpointer value)
{
  return !(field->type == PD_FIELD_REAL && isnan (PD_FIELD_AT (gdouble, value)))
         && !((field->type == PD_FIELD_ID || field->type == PD_FIELD_KEY)
              && PD_FIELD_AT (gint64, value) < 0)
         && !((field->type == PD_FIELD_SUM || field->type == PD_FIELD_WIDE)
              && PD_FIELD_AT (PdTimeSum, value).ps == PD_FIELD_NO_SUM.ps)
         && !(field->type == PD_FIELD_INDEX && PD_FIELD_AT (gint64, value) == PD_INTERVAL_NO_INDEX);
}

/**
 * pd_field_get_integer:
 * Returns: @value, an integer, of time in picoseconds.
 */
PdWide pd_field_get_integer (const PdField *field, gconstpointer value);

typedef void (*PdFieldVisit) (const PdFieldAt *at, gpointer to);

/**
 * pd_fields_walk:
 * Visits the fields of @form, those inside parts too. Inside items the names are those of
 * columns, and without @row only.
 */
void pd_fields_walk (const PdField *fields, PdFieldForm form, gconstpointer row, PdFieldVisit visit,
                     gpointer to);

#endif
