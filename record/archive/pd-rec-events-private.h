/* Shared declarations of the writers of events. Internal to record/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_EVENTS_PRIVATE_H
#define PD_REC_EVENTS_PRIVATE_H

#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-merge.h"
#include "record/archive/pd-rec-otf2.h"

/* A rank on its way through its stream. */
typedef struct
{
  OTF2_EvtWriter *out;
  OTF2_AttributeList *attributes;
  const PdRecHead *head;
  const PdRecMap *map;
  PdRecRankInfo *info;
  int failed;
  uint64_t now;    /* of the last event */
  uint32_t region; /* the call that is open, or PD_REC_NONE; its: */
  uint64_t t0;
  uint64_t t1;
  uint64_t raw_t0; /* by the rank's clock */
  uint64_t raw_t1;
  uint32_t function;
  PdRecCost cost; /* its kind, as far as its details show it */
  uint64_t n_calls;
  uint64_t n_counted;
  uint64_t n_one_sided;
  /* of the process and of the thread, where the call that follows begins, and where the one that
   * is open ends; 0 = not read */
  uint64_t processor[PD_REC_N_OF][2];
  uint64_t n_file_works;
} PdRecRank;

static inline void
pd_rec_check (PdRecRank *self, OTF2_ErrorCode status)
{
  self->failed |= status != OTF2_SUCCESS;
}

/* Time in the archive does not go back. */
static inline uint64_t
pd_rec_at (PdRecRank *self, uint64_t time)
{
  if (time > self->now)
    self->now = time;
  if (self->info->first == UINT64_MAX)
    self->info->first = self->now;
  return self->now;
}

/* ---- pd-rec-events-windows.c */

void pd_rec_write_one_sided (PdRecRank *self, const PdRecRecord *record);
/* Its request has completed, or was tested. */
void pd_rec_write_access_end (PdRecRank *self, const PdRecRecord *record);

#endif
