/* The definitions of an archive of the recorder, copied with lines for addresses.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESOLVE_COPY_PRIVATE_H
#define PD_RESOLVE_COPY_PRIVATE_H

#include "predictor/symbols/pd-resolve-private.h"

/* Passes the definitions to a #PdRewriter, which writes them where it has @out. */
void pd_rewriter_set_callbacks (OTF2_GlobalDefReaderCallbacks *callbacks);

#endif
