/* Reading what predictor-measure writes as CSV: blocks of lines, each behind a line that
 * names the columns and whose first field is "table".
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHEET_READ_H
#define PD_SHEET_READ_H

#include <glib.h>

#define PD_FIT_ERROR (pd_fit_error_quark ())
typedef enum
{
  PD_FIT_ERROR_READ,    /* no such file */
  PD_FIT_ERROR_FORMAT,  /* not such a file, or a value that is none */
  PD_FIT_ERROR_DATA,    /* a necessary value has not been measured */
  PD_FIT_ERROR_MIXED,   /* of several machines or libraries */
  PD_FIT_ERROR_CROWDED, /* more processes than processors */
  PD_FIT_ERROR_POOR,    /* the model does not fit */
  PD_FIT_ERROR_USAGE,   /* the command line is wrong */
} PdFitError;

/**
 * pd_fit_error_quark:
 * Returns: the domain of #PdFitError.
 */
GQuark pd_fit_error_quark (void);

typedef struct _PdSheetFile PdSheetFile;
typedef struct _PdSheetBlock PdSheetBlock;

/**
 * pd_sheet_file_parse:
 * @text: (array length=size): the bytes of the file
 * @name: what messages call it
 * @error: return location for %PD_FIT_ERROR_FORMAT; messages name file and line
 *
 * Returns: (transfer full) (nullable): the sheet.
 */
PdSheetFile *pd_sheet_file_parse (const char *text, gsize size, const char *name, GError **error);

/**
 * pd_sheet_file_load:
 * @path: "-" is standard input
 * @error: return location for %PD_FIT_ERROR_READ, %PD_FIT_ERROR_FORMAT
 *
 * Returns: (transfer full) (nullable): the sheet.
 */
PdSheetFile *pd_sheet_file_load (const char *path, GError **error);

/**
 * pd_sheet_file_free:
 * @self: (nullable): the file
 */
void pd_sheet_file_free (PdSheetFile *self);

/**
 * pd_sheet_file_get_name:
 * Returns: (transfer none): what messages call it.
 */
const char *pd_sheet_file_get_name (const PdSheetFile *self);

/**
 * pd_sheet_file_get_fact:
 * Returns: (transfer none) (nullable): the value of the fact, %NULL if it is not there.
 */
const char *pd_sheet_file_get_fact (const PdSheetFile *self, const char *name);

/**
 * pd_sheet_file_get_block:
 * Returns: (transfer none) (nullable): the table of that name; %NULL if it has no rows.
 */
const PdSheetBlock *pd_sheet_file_get_block (const PdSheetFile *self, const char *name);

/**
 * pd_sheet_block_get_length:
 * Returns: the number of rows.
 */
guint pd_sheet_block_get_length (const PdSheetBlock *self);

/**
 * pd_sheet_block_has:
 * Returns: whether there is a column of that name.
 */
gboolean pd_sheet_block_has (const PdSheetBlock *self, const char *column);

/**
 * pd_sheet_block_get_text:
 * @error: return location for %PD_FIT_ERROR_FORMAT
 *
 * Returns: (transfer none) (nullable): the field; %NULL if there is no such column.
 */
const char *pd_sheet_block_get_text (const PdSheetBlock *self, guint row, const char *column,
                                     GError **error);

/**
 * pd_sheet_block_get_integer:
 * @value: (out): at least 0
 * @error: return location for %PD_FIT_ERROR_FORMAT
 */
gboolean pd_sheet_block_get_integer (const PdSheetBlock *self, guint row, const char *column,
                                     gint64 *value, GError **error);

/**
 * pd_sheet_block_get_real:
 * @value: (out): finite; NaN of an empty field, or where the column is absent
 * @error: return location for %PD_FIT_ERROR_FORMAT
 */
gboolean pd_sheet_block_get_real (const PdSheetBlock *self, guint row, const char *column,
                                  gdouble *value, GError **error);

/**
 * pd_sheet_block_fail:
 * @format: as in printf: the error of the row
 *
 * Returns: %FALSE, with %PD_FIT_ERROR_FORMAT set, which names file and line.
 */
gboolean pd_sheet_block_fail (const PdSheetBlock *self, guint row, GError **error,
                              const char *format, ...) G_GNUC_PRINTF (4, 5);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdSheetFile, pd_sheet_file_free)

#endif
