/* The parts that write OTF2 archives. Internal to record/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_OTF2_PRIVATE_H
#define PD_REC_OTF2_PRIVATE_H

#include "record/pd-rec-merge-private.h"
#include "record/pd-rec.h"

#include <otf2/otf2.h>

#define PD_REC_ARCHIVE "traces"

/* Numbers in the archive. */
enum
{
  PD_REC_ATTRIBUTE_STACK, /* on Enter: where the call is */
  PD_REC_ATTRIBUTE_WILD,  /* on receives: PD_REC_ANY_SOURCE, PD_REC_ANY_TAG */
  PD_REC_ATTRIBUTE_ROOM,  /* on posted receives: bytes */
  PD_REC_ATTRIBUTE_MODE,  /* on sends: PD_REC_BUFFERED, … */
};

enum
{
  PD_REC_PARAMETER_LEVEL,
  PD_REC_PARAMETER_ID,
};

/* What became of a rank. */
typedef struct
{
  uint64_t n_events;
  uint64_t n_calls;
  uint64_t first; /* ns of the common clock; first > last: no events */
  uint64_t last;
  uint64_t cost;   /* picoseconds per call */
  uint32_t reason; /* PdRecReason */
  uint32_t is_damaged;
  uint32_t host; /* string; known at rank 0 */
  uint32_t unused;
} PdRecRankInfo;

/* ---- pd-rec-align.c */

/* @t of the rank's clock, by the clock of rank 0. */
uint64_t pd_rec_aligned (const PdRecHead *head, uint64_t t);

/* ---- pd-rec-events.c */

/* Writes the events of a rank. Reads @reader up to its end, or to what is no record. */
int pd_rec_write_events (OTF2_Archive *archive, PdRecReader *reader, const PdRecMap *map,
                         PdRecRankInfo *info, PdRecError *error);

/* A rank of which nothing is known: that nothing was recorded from @time on. */
int pd_rec_write_nothing (OTF2_Archive *archive, uint32_t rank, uint64_t time, PdRecRankInfo *info,
                          PdRecError *error);

/* ---- pd-rec-definitions.c */

/* (array length=self->size): @infos. */
int pd_rec_write_definitions (OTF2_Archive *archive, PdRecMerged *self, const PdRecRankInfo *infos,
                              uint64_t realtime, PdRecError *error);

/* ---- pd-rec-otf2-mpi.c */

/* The library's collective operations over those of @mpi, which it keeps. */
int pd_rec_set_collectives (OTF2_Archive *archive, const PdRecMpi *mpi);

/* ---- pd-rec-archive.c */

OTF2_Archive *pd_rec_open_archive (const char *folder, PdRecError *error);
/* Notes what the library complained about. Always -1. */
int pd_rec_otf2_failed (PdRecError *error);
/* Removes what there is of the archive in @folder, of which ranks up to @size may
 * have written. */
void pd_rec_remove_archive (const char *folder, uint32_t size);
/* Communicators of which nobody told the members are nothing. */
void pd_rec_settle (const PdRecMerged *merged, PdRecMap *map);
/* (out) @path: of the stream of @rank. */
void pd_rec_stream_path (char *path, size_t n, const char *folder, int rank);

/* A stream in memory. */
typedef struct
{
  void *bytes; /* NULL: none */
  uint64_t n;
} PdRecFile;

/* -1 with @error; no such file is one with errno ENOENT. */
int pd_rec_file_map (PdRecFile *self, const char *path, PdRecError *error);
void pd_rec_file_unmap (PdRecFile *self);

/* Why a rank's events end early; NULL: they do not. */
const char *pd_rec_reason_text (const PdRecRankInfo *info);
/* Properties of the archive: PREDICTOR::TRUNCATED has the first ranks whose events
 * end early, PREDICTOR::CALL_COST what recording a call costs, in ns, at most,
 * PREDICTOR::CALLS their number. */
void pd_rec_note_truncated (OTF2_Archive *archive, const PdRecRankInfo *infos, uint32_t n);

#endif
