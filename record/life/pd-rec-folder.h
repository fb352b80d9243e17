/* The streams in the folder of a recording.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_FOLDER_H
#define PD_REC_FOLDER_H

#include "record/stream/pd-rec-error.h"

#include <stddef.h>
#include <stdint.h>

/* That of a thread of a rank; its name has the number of the thread. */
typedef struct
{
  int rank;
  int thread;
} PdRecStreamFile;

/**
 * pd_rec_folder_name:
 * (out) @path: that of @stream in @folder: "rank-N.raw", of further threads "rank-N.T.raw".
 */
void pd_rec_folder_name (char *path, size_t n, const char *folder, const PdRecStreamFile *stream);

/**
 * pd_rec_folder_list:
 * (out) @streams: those in @folder, at least one, by rank and thread; the caller's.
 * -1 with @error; @streams may be there then.
 */
int pd_rec_folder_list (const char *folder, PdRecStreamFile **streams, uint32_t *n,
                        PdRecError *error);

/**
 * pd_rec_folder_remove: removes all streams in @folder.
 */
void pd_rec_folder_remove (const char *folder);

/**
 * pd_rec_has_streams: whether raw streams of a run are left in @folder.
 */
int pd_rec_has_streams (const char *folder);

/**
 * pd_rec_still_runs:
 *
 * Returns: a rank whose process on this host still has a stream in @folder mapped,
 *   or -1.
 */
int64_t pd_rec_still_runs (const char *folder);

#endif
