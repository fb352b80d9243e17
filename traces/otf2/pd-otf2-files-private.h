/* OTF2 archives: files of MPI-IO, and what calls do with them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_FILES_PRIVATE_H
#define PD_OTF2_FILES_PRIVATE_H

#include "traces/otf2/pd-otf2-rank-private.h"

#define PD_OTF2_MPI_IO "MPI-IO" /* the identification of its paradigm */

/* For a PdOtf2Archive. */
void pd_otf2_files_define (OTF2_GlobalDefReaderCallbacks *callbacks);
/* For a PdOtf2Rank. */
void pd_otf2_files_listen (OTF2_EvtReaderCallbacks *callbacks);

/* The call works on @handle: @op, unless more is known of it. */
void pd_otf2_files_note (PdOtf2Rank *self, OTF2_IoHandleRef handle, PdFileOp op);

#endif
