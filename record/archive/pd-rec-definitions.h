/* The definitions of an archive.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_DEFINITIONS_H
#define PD_REC_DEFINITIONS_H

#include "record/archive/pd-rec-otf2.h"

/**
 * pd_rec_write_definitions:
 * (array length=self->size): @infos.
 */
int pd_rec_write_definitions (OTF2_Archive *archive, PdRecMerged *self, const PdRecRankInfo *infos,
                              uint64_t realtime, PdRecError *error);

#endif
