/* SQLite, loaded when a database is first opened. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SQLITE_H
#define PD_SQLITE_H

#include "base/pd-library.h"

#include <sqlite3.h>

/* clang-format off */
#define PD_SQLITE_FUNCTIONS(F) \
  F (sqlite3_backup_finish) F (sqlite3_backup_init) F (sqlite3_backup_step) \
  F (sqlite3_bind_double) F (sqlite3_bind_int64) F (sqlite3_bind_null) \
  F (sqlite3_bind_parameter_count) F (sqlite3_bind_text) F (sqlite3_busy_timeout) \
  F (sqlite3_close) F (sqlite3_column_count) F (sqlite3_column_double) F (sqlite3_column_int) \
  F (sqlite3_column_int64) F (sqlite3_column_name) F (sqlite3_column_text) \
  F (sqlite3_column_type) F (sqlite3_errcode) F (sqlite3_errmsg) F (sqlite3_errstr) \
  F (sqlite3_exec) F (sqlite3_finalize) F (sqlite3_get_autocommit) \
  F (sqlite3_last_insert_rowid) F (sqlite3_open_v2) F (sqlite3_prepare_v2) \
  F (sqlite3_prepare_v3) F (sqlite3_reset) F (sqlite3_step) F (sqlite3_wal_checkpoint_v2)
/* clang-format on */

extern struct pd_sqlite_functions
{
  PD_SQLITE_FUNCTIONS (PD_LIBRARY_POINTER)
} pd_sqlite;

/**
 * pd_sqlite_load:
 *
 * Before any other function of SQLite is called.
 *
 * Returns: as pd_library_load().
 */
gboolean pd_sqlite_load (GError **error);

#include "pd-sqlite-names.h"

#endif
