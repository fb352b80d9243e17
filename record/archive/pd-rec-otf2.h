/* The parts that write OTF2 archives. Internal to record/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_OTF2_H
#define PD_REC_OTF2_H

#include "record/archive/pd-rec-merge.h"
#include "record/stream/pd-rec.h"

#include <otf2/otf2.h>

#define PD_REC_ARCHIVE "traces"

/* Numbers in the archive. */
enum
{
  PD_REC_ATTRIBUTE_STACK,    /* on Enter: where the call is */
  PD_REC_ATTRIBUTE_WILDCARD, /* on receives: PD_REC_ANY_SOURCE, PD_REC_ANY_TAG */
  PD_REC_ATTRIBUTE_ROOM,     /* on posted receives: bytes */
  PD_REC_ATTRIBUTE_MODE,     /* on sends: PD_REC_BUFFERED, … */
  PD_REC_ATTRIBUTE_FILE,     /* on Leave: the handle, which no event has */
  PD_REC_ATTRIBUTE_SOURCES, /* of an operation of neighbours, where it begins or is recorded: groups
                             */
  PD_REC_ATTRIBUTE_TARGETS,
};

enum
{
  PD_REC_PARAMETER_LEVEL,
  PD_REC_PARAMETER_ID,
};

/* The first groups; those of windows follow by their numbers, then those of communicators. */
enum
{
  PD_REC_GROUP_LOCATIONS,
  PD_REC_GROUP_SELF,
  PD_REC_GROUP_WORLD,
  PD_REC_N_FIRST_GROUPS,
};

/* The results of a thread of a rank. */
typedef struct
{
  uint32_t rank;
  uint32_t thread;
  uint64_t n_events;
  uint64_t n_calls[PD_REC_N_COSTS]; /* by the cost of recording them */
  uint64_t first;                   /* ns of the common clock; first > last: no events */
  uint64_t last;
  uint64_t ended;                 /* when the run was over; 0 = not known */
  uint64_t costs[PD_REC_N_COSTS]; /* picoseconds per call, likewise */
  uint32_t reason;                /* PdRecReason */
  uint32_t is_damaged;
  uint32_t host;                       /* string; known at rank 0 */
  uint32_t has_processor[PD_REC_N_OF]; /* time of it was read */
  uint32_t clock;                      /* PdRecClock, of the first thread */
  PdRecUsage usage;                    /* of the process, at its first thread */
  uint64_t location;                   /* of its events in the archive */
  uint64_t digest;                     /* of the file of these */
} PdRecRankInfo;

/**
 * pd_rec_location:
 * Where the events of a stream are in the archive: first threads have the numbers of their
 * ranks, second ones the following as many, and so on.
 */
static inline OTF2_LocationRef
pd_rec_location (const PdRecHead *head)
{
  return (OTF2_LocationRef) head->rank
         + (OTF2_LocationRef) head->thread * (OTF2_LocationRef) head->size;
}

#endif
