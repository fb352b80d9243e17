/* The activity of the threads of OpenMP in parallel regions, if the runtime reports it (OMPT,
 * OpenMP API 5.0, chapter 4; LLVM's runtime and its relatives).
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_OMPT_H
#define PD_REC_OMPT_H

#include "record/stream/pd-rec-format.h"

/**
 * pd_rec_ompt_begin:
 * Earlier regions of this process do not count.
 */
void pd_rec_ompt_begin (void);

/**
 * pd_rec_ompt_end:
 * @regions: (out): those that ended since pd_rec_ompt_begin(); all 0: no runtime reports it
 */
void pd_rec_ompt_end (PdRecRegions *regions);

#endif
