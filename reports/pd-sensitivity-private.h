/* The sensitivity of a run in documents and result files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SENSITIVITY_PRIVATE_H
#define PD_SENSITIVITY_PRIVATE_H

#include "reports/pd-insert-private.h"
#include "reports/pd-json-private.h"
#include "reports/pd-xml-private.h"

G_BEGIN_DECLS

void pd_json_add_sensitivity (PdJson *json, const PdSensitivity *self);
void pd_xml_append_sensitivity (GString *out, const PdSensitivity *self);

/* The rows of @table; the array is that of @self. */
static inline GArray *
pd_sensitivity_rows (const PdSensitivity *self, const PdSensitivityTable *table)
{
  return G_STRUCT_MEMBER (GArray *, self, table->rows);
}

static inline gconstpointer
pd_sensitivity_row (const PdSensitivity *self, const PdSensitivityTable *table, guint i)
{
  const GArray *rows = pd_sensitivity_rows (self, table);

  return rows->data + (gsize) i * g_array_get_element_size ((GArray *) rows);
}

static inline PdTimeSum
pd_sensitivity_time (gconstpointer row, const PdSensitivityColumn *column)
{
  return (PdTimeSum){ G_STRUCT_MEMBER (PdTime, row, column->offset).ps };
}

/* ---- in pd-sensitivity-db.c */

/* Appends the statements that make the tables. */
void pd_sensitivity_append_schema (GString *sql);
/* And the one that version 6 has come with. */
void pd_sensitivity_append_head_schema (GString *sql);
/* @found: (out) (nullable) (transfer full): that of run @id, if it is stored. Returns: %FALSE
 * if the file is damaged. */
gboolean pd_sensitivity_read (sqlite3 *db, gint64 id, PdSensitivity **found, GError **error);
/* Returns: whether the rows of run @id have been inserted. */
gboolean pd_insert_sensitivity (sqlite3 *db, gint64 id, const PdSensitivity *self);

G_END_DECLS

#endif
