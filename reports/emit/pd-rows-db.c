/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-emit.h"

/* ---- tables */

static const char *
column_type (const PdField *field)
{
  if (field->sql != NULL)
    return field->sql;
  if (field->type == PD_FIELD_ID || field->type == PD_FIELD_INDEX)
    return "INTEGER";
  if (pd_field_is_text (field))
    return "TEXT NOT NULL";
  return pd_field_is_time (field) || field->type == PD_FIELD_REAL ? "REAL NOT NULL"
                                                                  : "INTEGER NOT NULL";
}

/* The column before the one under way: whether a comma follows shows later. */
typedef struct
{
  GString *sql;
  const PdRecord *record;
  const char *meaning; /* (nullable): of the last column, which lacks its end */
  gboolean any;
} Schema;

static void
end_column (Schema *self, const char *comma)
{
  g_string_append (self->sql, comma);
  if (self->meaning != NULL)
    g_string_append_printf (self->sql, " -- %s", self->meaning);
  g_string_append_c (self->sql, '\n');
}

static void
append_column (const PdFieldAt *at, gpointer to)
{
  Schema *self = to;
  gboolean quoted = self->record->quoted && at->field->type != PD_FIELD_KEY;

  const char *type = column_type (at->field);

  if (self->any)
    end_column (self, ",");
  g_string_append_printf (self->sql, quoted ? "  \"%s\"%s%s%s" : "  %s%s%s%s", at->name,
                          type[0] != '\0' ? " " : "", type, at->added ? " DEFAULT 0" : "");
  self->meaning = at->meaning;
  self->any = TRUE;
}

void
pd_record_append_schema (const PdRecord *self, GString *sql)
{
  Schema schema = { .sql = sql, .record = self };

  g_string_append_printf (sql, "CREATE TABLE %s (", self->table);
  if (self->with != NULL || self->meaning != NULL)
    g_string_append_printf (sql, " -- %s%s%s%s", self->with != NULL ? "with " : "",
                            self->with != NULL ? self->with : "",
                            self->with != NULL && self->meaning != NULL ? ": " : "",
                            self->meaning != NULL ? self->meaning : "");
  g_string_append_c (sql, '\n');
  pd_fields_walk (self->fields, PD_IN_DB, NULL, append_column, &schema);
  end_column (&schema, self->key != NULL && self->key[0] != '\0' ? "," : "");
  if (self->key != NULL && self->key[0] != '\0')
    g_string_append_printf (sql, "  PRIMARY KEY (%s)\n", self->key);
  g_string_append (sql, self->key != NULL ? ") WITHOUT ROWID;\n" : ");\n");
}

/* @to: { what stands in front, the statements } */
static void
append_added (const PdFieldAt *at, gpointer to)
{
  gpointer *parts = to;

  /* ADD COLUMN wants a default */
  g_string_append_printf (parts[1], "ALTER TABLE %s ADD COLUMN %s %s%s;\n", (const char *) parts[0],
                          at->name, column_type (at->field), at->added ? " DEFAULT 0" : "");
}

void
pd_fields_append_added (const PdField *fields, const char *table, GString *sql)
{
  gpointer parts[] = { (gpointer) table, sql };

  pd_fields_walk (fields, PD_IN_DB, NULL, append_added, parts);
}

/* ---- rows */

typedef struct
{
  const PdField *field;
  gsize offset;
} Column;

/* The names as they stand in a statement, and the columns. */
typedef struct
{
  GString *names;
  GString *values;
  GArray *columns;
} Columns;

static void
add_column (const PdFieldAt *at, gpointer to)
{
  Columns *self = to;
  const char *comma = self->columns->len > 0 ? "," : "";
  Column column = { at->field, at->offset };

  g_string_append_printf (self->names, "%s\"%s\"", comma, at->name);
  g_string_append_printf (self->values, "%s?", comma);
  g_array_append_val (self->columns, column);
}

PdInsert
pd_insert_into (sqlite3 *db, const PdRecord *record)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GString) values = g_string_new (NULL);
  Columns columns = { names, values, g_array_new (FALSE, FALSE, sizeof (Column)) };
  PdInsert self = { .columns = columns.columns };

  pd_fields_walk (record->fields, PD_IN_DB, NULL, add_column, &columns);
  g_autofree char *sql =
      g_strdup_printf ("INSERT %sINTO %s (%s) VALUES (%s)", record->again ? "OR IGNORE " : "",
                       record->table, names->str, values->str);
  self.ok = sqlite3_prepare_v3 (db, sql, -1, SQLITE_PREPARE_PERSISTENT, &self.statement, NULL)
            == SQLITE_OK;
  return self;
}

void
pd_insert_clear (PdInsert *self)
{
  g_clear_pointer (&self->statement, sqlite3_finalize);
  g_clear_pointer (&self->columns, g_array_unref);
}

static void
bind_text (sqlite3_stmt *s, int column, const PdField *field, const char *text)
{
  /* of a column that may not be NULL */
  const char *kept = text != NULL || field->sql != NULL ? text : "";
  gboolean valid = kept == NULL || g_utf8_validate (kept, -1, NULL);

  sqlite3_bind_text (s, column, valid ? kept : g_utf8_make_valid (kept, -1), -1,
                     valid ? SQLITE_STATIC : g_free);
}

static void
bind_number (sqlite3_stmt *s, int column, const PdField *field, gconstpointer value)
{
  PdWide number = pd_field_get_integer (field, value);

  if (pd_field_is_time (field))
    sqlite3_bind_double (s, column, pd_time_sum_to_seconds ((PdTimeSum){ number }));
  else
    sqlite3_bind_int64 (s, column, (gint64) MIN (number, (PdWide) G_MAXINT64));
}

gboolean
pd_insert_row (PdInsert *self, const gint64 *keys, gconstpointer row)
{
  if (!self->ok)
    return FALSE;
  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = &g_array_index (self->columns, Column, i);
      const PdField *field = column->field;
      gboolean is_key = field->type == PD_FIELD_KEY;
      gconstpointer value =
          is_key ? (gconstpointer) &keys[field->offset] : (const char *) row + column->offset;

      if (pd_field_is_text (field))
        bind_text (self->statement, (int) i + 1, field, PD_FIELD_AT (char *, value));
      else if (!pd_field_is_known (field, value))
        sqlite3_bind_null (self->statement, (int) i + 1);
      else if (field->type == PD_FIELD_REAL)
        sqlite3_bind_double (self->statement, (int) i + 1, PD_FIELD_AT (gdouble, value));
      else
        bind_number (self->statement, (int) i + 1, field, value);
    }
  gboolean ok = sqlite3_step (self->statement) == SQLITE_DONE;
  return sqlite3_reset (self->statement) == SQLITE_OK && ok;
}

/* ---- a walk */

gboolean
pd_emit_end (PdEmit *self)
{
  GHashTableIter all;
  gpointer insert;

  if (self->inserts == NULL)
    return TRUE;
  g_hash_table_iter_init (&all, self->inserts);
  while (g_hash_table_iter_next (&all, NULL, &insert))
    pd_insert_clear (insert);
  g_clear_pointer (&self->inserts, g_hash_table_unref);
  return !self->failed;
}
