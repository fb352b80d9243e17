/* Options that say where a report goes, and in which forms.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OUTPUT_OPTIONS_H
#define PD_OUTPUT_OPTIONS_H

#include "reports/run/pd-report.h"

#define PD_N_OUTPUT_OPTIONS 7

/* The outputs: first the documents, which may go to standard output. */
typedef enum
{
  PD_OUTPUT_XML,
  PD_OUTPUT_CSV,
  PD_OUTPUT_HTML,
  PD_N_DOCUMENTS,
  PD_OUTPUT_TEXT = PD_N_DOCUMENTS,
  PD_OUTPUT_DB,
  PD_N_OUTPUTS,
} PdOutputFormat;

/* All zero at first. */
typedef struct
{
  char *files[PD_N_OUTPUTS]; /* "-" = standard output, %NULL = none */
  gboolean json;
  gboolean quiet;
  gboolean sensitivity; /* may be in the report: CSV has a second table for it */
  gboolean what_if;     /* likewise */
} PdOutputOptions;

/* Appends the text report to @out; @width: columns of the terminal, 0 = a file. */
typedef void (*PdWriteText) (const PdReport *report, gconstpointer data, guint width, GString *out);

/**
 * pd_output_options_fill:
 * @self: gets the values when the table is used
 * @entries: (array) (out caller-allocated): %PD_N_OUTPUT_OPTIONS options and
 *   an end, for pd_command_parse_tables()
 */
void pd_output_options_fill (PdOutputOptions *self, GOptionEntry *entries);

/**
 * pd_output_options_check:
 * @inputs: (array zero-terminated=1): names of inputs; "" for none
 * @log: (nullable): another file that is written
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: whether no file is written that is read, or written twice, and at most
 *   one document goes to standard output; there is no text report then.
 */
gboolean pd_output_options_check (PdOutputOptions *self, const char *const *inputs, const char *log,
                                  GError **error);

/**
 * pd_output_options_write:
 * @write_text: makes the text report, if one is wanted
 * @data: for @write_text
 * @error: return location for a #PdReportError
 *
 * Files first: if one cannot be written, nothing has been printed.
 */
gboolean pd_output_options_write (const PdOutputOptions *self, const PdReport *report,
                                  PdWriteText write_text, gconstpointer data, GError **error);

/**
 * pd_output_options_clear:
 * Releases what @self holds.
 */
void pd_output_options_clear (PdOutputOptions *self);

#endif
