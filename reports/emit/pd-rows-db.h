/* Tables of SQLite and their rows, from descriptions of the fields.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ROWS_DB_H
#define PD_ROWS_DB_H

#include "reports/emit/pd-rows.h"
#include "reports/emit/pd-sqlite.h"

/**
 * pd_record_append_schema:
 * Appends the statement that makes the table.
 */
void pd_record_append_schema (const PdRecord *self, GString *sql);

/**
 * pd_fields_append_added:
 * Appends the statements that add @fields to a table of an older version.
 */
void pd_fields_append_added (const PdField *fields, const char *table, GString *sql);

/* Rows on their way into a table, column by name. */
typedef struct
{
  sqlite3_stmt *statement;
  GArray *columns; /* the fields, and where they are in rows */
  gboolean ok;     /* the table has the columns */
} PdInsert;

/**
 * pd_insert_into:
 * Returns: for rows of @record; to be cleared by pd_insert_clear().
 */
PdInsert pd_insert_into (sqlite3 *db, const PdRecord *record);

/**
 * pd_insert_clear:
 * Frees what @self has.
 */
void pd_insert_clear (PdInsert *self);

/**
 * pd_insert_row:
 * @keys: (array): of the PD_FIELD_KEY columns
 *
 * Returns: whether it is inserted.
 */
gboolean pd_insert_row (PdInsert *self, const gint64 *keys, gconstpointer row);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdInsert, pd_insert_clear)

#endif
