/* Tables of aligned columns for people.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TABLE_H
#define PD_TABLE_H

#include <glib.h>

typedef struct _PdTable PdTable;

/**
 * pd_table_new:
 * @headings: (array zero-terminated=1): of the columns; the texts are borrowed; one that
 *   begins with "<" is aligned to the left, without that sign
 *
 * Returns: (transfer full): a table without rows.
 */
PdTable *pd_table_new (const char *const *headings);

/**
 * pd_table_add:
 * @cell: (nullable): valid UTF-8; copied
 *
 * Adds the next cell; rows fill up from left to right.
 */
void pd_table_add (PdTable *self, const char *cell);

/**
 * pd_table_take:
 * @cell: (transfer full): valid UTF-8
 *
 * As pd_table_add().
 */
void pd_table_take (PdTable *self, char *cell);

/**
 * pd_table_write:
 * @self: the table; its last row is full
 * @width: columns of the terminal; the first column is cut where the table
 *   would be wider
 * @out: the table is appended
 */
void pd_table_write (const PdTable *self, guint width, GString *out);

/**
 * pd_table_free:
 * @self: (nullable): the table
 */
void pd_table_free (PdTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTable, pd_table_free)

#endif
