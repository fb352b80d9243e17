/* The definitions of an archive.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_DEFINITIONS_H
#define PD_REC_DEFINITIONS_H

#include "record/archive/pd-rec-otf2.h"

/**
 * pd_rec_write_definitions:
 * (array length=n): @infos, of all streams, rank by rank; each rank has one of thread 0.
 */
int pd_rec_write_definitions (OTF2_Archive *archive, PdRecMerged *self, const PdRecRankInfo *infos,
                              uint32_t n, uint64_t realtime, PdRecError *error);

#endif
