/* When the processor time of the process is read: where calls begin and end, so that what is
 * between is known, but seldom enough to cost little; only where several threads compute.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_PROCESSOR_H
#define PD_REC_PROCESSOR_H

#include "record/stream/pd-rec-format.h"

/* From when on the beginning of a call, and its end, is to be looked at; ns of the clock. */
extern struct PdRecProcessorNext
{
  uint64_t entry;
  uint64_t exit;
} pd_rec_processor_next;

/**
 * pd_rec_processor_begin:
 * @usage: of the process, which keeps its threads there
 * @now: when MPI_Init ends; with several threads processor time is read at once
 *
 * Returns: processor time, ns; 0 = not read.
 */
uint64_t pd_rec_processor_begin (PdRecUsage *usage, uint64_t now);

/**
 * pd_rec_processor_end: nothing is read any more.
 */
void pd_rec_processor_end (void);

/**
 * pd_rec_processor_look_entry: for the following.
 */
uint64_t pd_rec_processor_look_entry (uint64_t now);

/**
 * pd_rec_processor_look_exit: likewise.
 */
uint64_t pd_rec_processor_look_exit (uint64_t now);

/**
 * pd_rec_processor_at_entry: of a call of the rank's first thread at @now.
 */
static inline uint64_t
pd_rec_processor_at_entry (uint64_t now)
{
  return __builtin_expect (now >= pd_rec_processor_next.entry, 0)
             ? pd_rec_processor_look_entry (now)
             : 0;
}

/**
 * pd_rec_processor_at_exit: likewise, where it ends.
 */
static inline uint64_t
pd_rec_processor_at_exit (uint64_t now)
{
  return __builtin_expect (now >= pd_rec_processor_next.exit, 0) ? pd_rec_processor_look_exit (now)
                                                                 : 0;
}

#endif
