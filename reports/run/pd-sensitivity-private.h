/* The sensitivity of a run in documents and result files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SENSITIVITY_PRIVATE_H
#define PD_SENSITIVITY_PRIVATE_H

#include "reports/run/pd-report-sqlite.h"
#include "reports/emit/pd-emit.h"

extern const PdRecord pd_sensitivity_head;

void pd_emit_sensitivity (PdEmit *to, const PdSensitivity *self);

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

#endif
