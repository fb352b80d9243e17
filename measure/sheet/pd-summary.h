/* Several launches of the program as one sample: what varies within a launch, and what
 * between launches. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SUMMARY_H
#define PD_SUMMARY_H

#include "measure/sheet/pd-sheet.h"

/**
 * pd_summary_append:
 * @sheet: of one launch
 * @path: ends with ".csv", or is a database
 * @error: return location for %PD_MEASURE_ERROR_WRITE, %PD_MEASURE_ERROR_FOREIGN
 *
 * Adds the launch to those that are there.
 *
 * Returns: %FALSE with @error set if that is impossible.
 */
gboolean pd_summary_append (const PdSheet *sheet, const char *path, GError **error);

/**
 * pd_summary_of_file:
 * @path: ends with ".csv", or is a database
 * @error: return location for %PD_MEASURE_ERROR_READ, %PD_MEASURE_ERROR_FOREIGN
 *
 * Summarises the tables "collective" of all launches in a file. Cases are the same if all
 * is the same that was asked for, and MPI and host, too.
 *
 * Returns: (transfer full): the summary, or %NULL with @error set.
 */
PdSheet *pd_summary_of_file (const char *path, GError **error);

/**
 * pd_summary_of_csv:
 * @text: (array length=length): the contents of a file
 * @length: bytes
 * @path: of messages
 * @error: return location for %PD_MEASURE_ERROR_READ
 *
 * As pd_summary_of_file().
 *
 * Returns: (transfer full): the summary, or %NULL with @error set.
 */
PdSheet *pd_summary_of_csv (const char *text, gsize length, const char *path, GError **error);

#endif
