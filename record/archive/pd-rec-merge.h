/* Merges the definitions of the ranks, each with its own numbers, into one set of
 * definitions. Internal to record/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_MERGE_H
#define PD_REC_MERGE_H

#include "record/stream/pd-rec-pool.h"
#include "record/stream/pd-rec-reader.h"

/* ---- pd-rec-extract.c: the definitions of one rank, as a stream of their own */

typedef struct
{
  uint64_t *words;
  uint32_t n;
  uint32_t room;
} PdRecExtract;

/* ---- pd-rec-merge.c */

/* A return address; contexts are numbered with callers first. */
typedef struct
{
  uint64_t offset;
  uint32_t caller; /* %PD_REC_NONE = none */
  uint32_t module; /* string */
} PdRecContext;

typedef struct
{
  int is_inter;
  uint32_t parent;  /* %PD_REC_NONE = none */
  uint32_t name;    /* string; %PD_REC_NONE = none */
  uint32_t n[2];    /* members of its groups; the second is of inter-communicators */
  int32_t *members; /* (nullable): of both; NULL: not recorded */
} PdRecComm;

/* A window, or a file that is open. */
typedef struct
{
  uint32_t comm;
  uint32_t name; /* string; %PD_REC_NONE = none */
} PdRecOfComm;

typedef struct
{
  uint32_t size; /* ranks */
  PdRecPool strings;
  PdRecPool functions;
  PdRecPool contexts; /* PdRecContext */
  PdRecPool comm_identities;
  PdRecPool window_identities;
  PdRecPool file_identities;
  PdRecPool groups; /* int32_t: how many members, then these */
  PdRecComm *comms; /* the first two are of the world, and each rank's own */
  uint32_t comms_room;
  PdRecOfComm *windows;
  uint32_t windows_room;
  PdRecOfComm *files;
  uint32_t files_room;
} PdRecMerged;

/* From a rank's numbers to those of all; %PD_REC_NONE: nothing. */
typedef struct
{
  uint32_t *words; /* five counts, then the following */
  uint32_t n_words;
  uint32_t *functions;
  uint32_t *stacks; /* by number - 1 */
  uint32_t *comms;
  uint32_t *windows;
  uint32_t *files;
  uint32_t *groups;
} PdRecMap;

/**
 * pd_rec_merged_init:
 * @size: ranks
 *
 * Nothing but the world, and each rank for itself. -1 with @error.
 */
int pd_rec_merged_init (PdRecMerged *self, uint32_t size, PdRecError *error);

/**
 * pd_rec_merged_clear:
 * Frees the contents of @self, not itself.
 */
void pd_rec_merged_clear (PdRecMerged *self);

/**
 * pd_rec_merged_add:
 * Adds what a rank's extract defines. (out) @map.
 */
int pd_rec_merged_add (PdRecMerged *self, const char *name, const PdRecExtract *extract,
                       PdRecMap *map, PdRecError *error);

/**
 * pd_rec_map_set:
 * @words came from another process's map. -1: they are none.
 */
int pd_rec_map_set (PdRecMap *map, uint32_t *words, uint32_t n);

/**
 * pd_rec_map_clear:
 * Also frees @words.
 */
void pd_rec_map_clear (PdRecMap *map);

/**
 * pd_rec_map_find:
 * Returns: what @number of a rank is in all; %PD_REC_NONE: it has not defined that.
 */
static inline uint32_t
pd_rec_map_find (const uint32_t *numbers, uint32_t n, uint32_t number)
{
  return number < n ? numbers[number] : PD_REC_NONE;
}

#endif
