/* Launches of the program from CSV and SQLite.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SUMMARY_READ_PRIVATE_H
#define PD_SUMMARY_READ_PRIVATE_H

#include "measure/sheet/pd-summary-private.h"

void pd_summary_list_init (PdSummaryList *self);
void pd_summary_list_clear (PdSummaryList *self);

/* Adds a row; texts of numbers have been checked. */
void pd_summary_list_add (PdSummaryList *self, const PdSummaryRow *numbers, PdSheetGet get,
                          gpointer source);

/* Adds the rows of a database. */
gboolean pd_summary_read_db (PdSummaryList *self, const char *path, GError **error);

/* Adds the rows of a text. */
gboolean pd_summary_read_csv (PdSummaryList *self, const char *text, gsize length, const char *path,
                              GError **error);

#endif
