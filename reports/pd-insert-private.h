/* Inserting rows into result files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INSERT_PRIVATE_H
#define PD_INSERT_PRIVATE_H

#include "reports/pd-report-sqlite.h"

G_BEGIN_DECLS

/* A statement that inserts rows; its owner finalises it. */
typedef struct
{
  sqlite3_stmt *statement;
  int column; /* the next to bind, from 1 */
} PdInsert;

/* Returns: whether @insert is ready for rows of @table. */
gboolean pd_insert_prepare (sqlite3 *db, const char *table, int n_columns, PdInsert *insert);

/* The next column of the row. */
void pd_insert_integer (PdInsert *insert, gint64 value);
void pd_insert_count (PdInsert *insert, guint64 value);
void pd_insert_double (PdInsert *insert, gdouble value);
void pd_insert_text (PdInsert *insert, const char *text);
void pd_insert_null (PdInsert *insert);

/* Returns: whether the row has been inserted. */
gboolean pd_insert_end_row (PdInsert *insert);

/* ---- in pd-analysis-db.c */

/* Returns: whether what an analysis of @run says is in the tables; @ranks: what each has
 * of a call site, too. */
gboolean pd_insert_analysis (sqlite3 *db, gint64 id, const PdReportRun *run, gboolean ranks);

G_END_DECLS

#endif
