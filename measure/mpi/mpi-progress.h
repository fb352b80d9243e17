/* Messages on the progress of a measurement.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_PROGRESS_H
#define MPI_PROGRESS_H

#include <glib.h>

/**
 * pd_progress:
 * @quiet: says nothing
 * @format: of a line, as in printf
 *
 * At rank 0, on stderr; other processes do not call it.
 */
void pd_progress (gboolean quiet, const char *format, ...) G_GNUC_PRINTF (2, 3);

#endif
