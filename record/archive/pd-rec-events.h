/* The events of a rank, from its raw stream to the archive.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_EVENTS_H
#define PD_REC_EVENTS_H

#include "record/archive/pd-rec-otf2.h"

/**
 * pd_rec_write_events:
 * Writes the events of a rank. Reads @reader up to its end, or to the first invalid record.
 */
int pd_rec_write_events (OTF2_Archive *archive, PdRecReader *reader, const PdRecMap *map,
                         PdRecRankInfo *info, PdRecError *error);

/**
 * pd_rec_write_nothing:
 * A rank of which nothing is known: that nothing was recorded from @time on.
 */
int pd_rec_write_nothing (OTF2_Archive *archive, uint32_t rank, uint64_t time, PdRecRankInfo *info,
                          PdRecError *error);

#endif
