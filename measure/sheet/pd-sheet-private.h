/* Shared declarations of the writers of a measurement.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHEET_PRIVATE_H
#define PD_SHEET_PRIVATE_H

#include "measure/sheet/pd-sheet.h"

typedef struct
{
  char *name;
  char *value;
} PdFact;

typedef struct
{
  const PdTableSpec *spec;
  GArray *cells; /* PdSheetCell, row after row; texts are in the chunk */
} PdSheetTable;

struct _PdSheet
{
  char *command;
  GArray *facts;     /* PdFact */
  GPtrArray *tables; /* PdSheetTable *, owned */
  GStringChunk *texts;
  GString *notes;
};

/* The number of rows. */
gsize pd_sheet_table_length (const PdSheetTable *table);

/* The cells of a row. */
const PdSheetCell *pd_sheet_table_row (const PdSheetTable *table, gsize row);

/* Appends a cell as it is in machine-readable forms: 17 digits at most, "." in any
 * locale, nothing for NaN. Returns FALSE if nothing is known. */
gboolean pd_sheet_append (GString *out, const PdColumn *column, PdSheetCell cell);

#endif
