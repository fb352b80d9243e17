/* OTF2 archives: the events of a location, as the library tells them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_EVENTS_PRIVATE_H
#define PD_OTF2_EVENTS_PRIVATE_H

#include "traces/otf2/pd-otf2-decode-private.h"
#include "traces/otf2/pd-otf2-rank-private.h"

/* The rank, or its further thread, goes through the events of @location. */
gboolean pd_otf2_read_rank_events (PdOtf2Rank *self, OTF2_LocationRef location, GError **error);

/* ---- pd-otf2-events-windows.c: the events of one-sided communication, for a PdOtf2Rank */

void pd_otf2_set_window_handlers (PdOtf2Handlers *handlers);

/* ---- pd-otf2-files.c: files of MPI-IO, and what calls do with them */

#define PD_OTF2_MPI_IO "MPI-IO" /* the identification of its paradigm */

/* For a PdOtf2Archive. */
void pd_otf2_files_define (OTF2_GlobalDefReaderCallbacks *callbacks);
/* For a PdOtf2Rank. */
void pd_otf2_set_file_handlers (PdOtf2Handlers *handlers);
/* The call works on @handle: @op, unless more is known of it. */
void pd_otf2_files_note (PdOtf2Rank *self, OTF2_IoHandleRef handle, PdFileOp op);

#endif
