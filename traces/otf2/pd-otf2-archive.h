/* How an OTF2 archive comes about, whatever is in it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_ARCHIVE_H
#define PD_OTF2_ARCHIVE_H

#include "traces/io/pd-trace-error.h"

#include <otf2/otf2.h>

/* The first moment, in ticks of the clock. At 0 the library writes a time twice where
 * a chunk begins, which it cannot read again. */
#define PD_OTF2_ORIGIN G_GUINT64_CONSTANT (1)

/* The property of the anchor with the digests (base/pd-digest.h) of the other files, so that files
 * of two runs are not taken for one archive: of the definitions, hexadecimal, then LOCATION:DIGEST
 * for each file of events. */
#define PD_OTF2_DIGESTS "PREDICTOR::DIGESTS"

/* Writes events and definitions to @archive, which has just been opened; returns whether
 * the library took all. */
typedef gboolean (*PdOtf2Fill) (OTF2_Archive *archive, gpointer data);

/**
 * pd_otf2_archive_check_name:
 * @path: of an archive
 * @error: return location for %PD_TRACE_ERROR_FORMAT
 *
 * Returns: whether it is NAME.otf2.
 */
gboolean pd_otf2_archive_check_name (const char *path, GError **error);

/**
 * pd_otf2_archive_make:
 * @path: the anchor file, NAME.otf2; NAME.def and the folder NAME lie beside it
 * @fill: writes its contents
 * @data: for @fill
 * @error: return location for a #PdTraceError: FORMAT if @path is not NAME.otf2, OPEN
 *   if it cannot be written, or the folder exists
 *
 * Nothing is left behind if it fails.
 *
 * Returns: whether the archive is complete.
 */
gboolean pd_otf2_archive_make (const char *path, PdOtf2Fill fill, gpointer data, GError **error);

/**
 * pd_otf2_archive_skip_definitions:
 * @archive: one that is being written; its events are closed
 * @n: locations, which have the numbers from 0 on
 *
 * Each location has definitions of its own, which are empty.
 *
 * Returns: whether the library took them.
 */
gboolean pd_otf2_archive_skip_definitions (OTF2_Archive *archive, guint64 n);

#endif
