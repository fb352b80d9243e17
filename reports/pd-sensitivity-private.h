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

/* Appends the statements that make the tables. */
void pd_sensitivity_append_schema (GString *sql);
/* Returns: whether the rows of run @id have been inserted. */
gboolean pd_insert_sensitivity (sqlite3 *db, gint64 id, const PdSensitivity *self);

G_END_DECLS

#endif
