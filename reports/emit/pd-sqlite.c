/* SQLite, loaded when a database is first opened.
 * SPDX-License-Identifier: MIT */
#include "reports/emit/pd-sqlite.h"

struct pd_sqlite_functions pd_sqlite;
PD_LIBRARY_DEFINE_SHARED (pd_sqlite, PD_SONAME_SQLITE3, PD_SQLITE_FUNCTIONS);

gboolean
pd_sqlite_load (GError **error)
{
  return pd_library_load (&pd_sqlite_library, error);
}
