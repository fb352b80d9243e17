/* The contents of a recording, for predictor record.
 * SPDX-License-Identifier: MIT */
#ifndef CMD_RECORD_VERIFY_H
#define CMD_RECORD_VERIFY_H

#include <glib.h>

/**
 * pd_cmd_record_verify:
 * @folder: has an archive of the recorder
 * @quiet: only errors are printed
 * @share: (out): how much of the run the archive has, 0 to 1
 * @error: return location for a #PdTraceError
 *
 * Looks up addresses, reads the archive as any other command does, and prints its contents on
 * standard error: standard output belongs to the program.
 */
gboolean pd_cmd_record_verify (const char *folder, gboolean quiet, gdouble *share, GError **error);

#endif
