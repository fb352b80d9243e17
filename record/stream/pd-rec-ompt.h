/* What the threads of OpenMP do in parallel regions, where the runtime tells it (OMPT, OpenMP
 * API 5.0, chapter 4; LLVM's and its kin).
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_OMPT_H
#define PD_REC_OMPT_H

#include "record/stream/pd-rec-format.h"

/**
 * pd_rec_ompt_begin:
 * What the regions of this process have been so far does not count.
 */
void pd_rec_ompt_begin (void);

/**
 * pd_rec_ompt_end:
 * @regions: (out): those that ended since pd_rec_ompt_begin(); all 0: no runtime tells it
 */
void pd_rec_ompt_end (PdRecRegions *regions);

#endif
