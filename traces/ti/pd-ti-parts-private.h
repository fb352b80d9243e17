/* Time-independent traces by several threads.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_PARTS_PRIVATE_H
#define PD_TI_PARTS_PRIVATE_H

#include "traces/ti/pd-ti-private.h"

/* Of one file of all ranks, where the lines of each are together. @n_threads: see
 * #PdTraceReadOptions. FALSE: it is to be read line by line; @ti is empty, nothing is reported. */
gboolean pd_ti_read_parts (const PdTraceSource *source, guint n_threads, PdTi *ti,
                           PdMessages *messages);

/* Likewise, of a file for each rank. */
gboolean pd_ti_read_files (const GPtrArray *paths, guint n_threads, PdTi *ti, PdMessages *messages);

/* The file of @rank. */
gboolean pd_ti_read_file (PdTi *ti, const GPtrArray *paths, guint32 rank, GError **error);

#endif
