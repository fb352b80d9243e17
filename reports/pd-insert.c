/* SPDX-License-Identifier: MIT */
#include "reports/pd-insert-private.h"

gboolean
pd_insert_prepare (sqlite3 *db, const char *table, int n_columns, PdInsert *insert)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_printf (sql, "INSERT INTO %s VALUES (?", table);
  for (int i = 1; i < n_columns; i++)
    g_string_append (sql, ",?");
  g_string_append_c (sql, ')');
  insert->column = 1;
  return sqlite3_prepare_v2 (db, sql->str, -1, &insert->statement, NULL) == SQLITE_OK;
}

void
pd_insert_integer (PdInsert *insert, gint64 value)
{
  sqlite3_bind_int64 (insert->statement, insert->column++, value);
}

void
pd_insert_count (PdInsert *insert, guint64 value)
{
  pd_insert_integer (insert, (gint64) MIN (value, (guint64) G_MAXINT64));
}

void
pd_insert_double (PdInsert *insert, gdouble value)
{
  sqlite3_bind_double (insert->statement, insert->column++, value);
}

void
pd_insert_text (PdInsert *insert, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  sqlite3_bind_text (insert->statement, insert->column++, valid, -1, SQLITE_TRANSIENT);
}

void
pd_insert_null (PdInsert *insert)
{
  sqlite3_bind_null (insert->statement, insert->column++);
}

gboolean
pd_insert_end_row (PdInsert *insert)
{
  gboolean ok = sqlite3_step (insert->statement) == SQLITE_DONE;

  insert->column = 1;
  return sqlite3_reset (insert->statement) == SQLITE_OK && ok;
}
