/* What the writers of a measurement share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OUTPUT_PRIVATE_H
#define PD_OUTPUT_PRIVATE_H

#include "measure/pd-output.h"

typedef struct
{
  char *name;
  char *value;
} PdFact;

typedef struct
{
  const PdTableSpec *spec;
  GArray *cells; /* PdCell, row after row; texts are in the chunk */
} PdOutputTable;

struct _PdOutput
{
  char *command;
  GArray *facts;     /* PdFact */
  GPtrArray *tables; /* PdOutputTable *, owned */
  GStringChunk *texts;
};

/* The number of rows. */
gsize pd_output_table_length (const PdOutputTable *table);

/* The cells of a row. */
const PdCell *pd_output_table_row (const PdOutputTable *table, gsize row);

/* Appends a cell as it is in machine-readable forms: 17 digits at most, "." in any
 * locale, nothing for NaN. Returns FALSE if nothing is known. */
gboolean pd_output_append (GString *out, const PdColumn *column, PdCell cell);

#endif
