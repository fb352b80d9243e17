/* The archive of a run that could not write it itself.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_FINISH_H
#define PD_REC_FINISH_H

#include "record/stream/pd-rec-error.h"

#include <stdint.h>

/* A message on a rank; @rank: -1 = on the whole. */
typedef void (*PdRecNotify) (void *data, int64_t rank, const char *text);

/**
 * pd_rec_finish:
 * @folder: has the streams "rank-N.raw" of a run, and "rank-N.T.raw" of further threads;
 *   one that still runs is refused
 * @target: (nullable): where the archive goes; NULL: into @folder
 * @notify: called with @data for each rank whose events end early, in order
 *
 * Makes the archive "traces.otf2" in this process, in place of one that is not
 * complete, and removes the streams. Of damaged streams what comes
 * before the damage is used; ranks without a stream have no events.
 *
 * Returns: 0, or -1 with @error; the streams are left then, and no archive.
 */
int pd_rec_finish (const char *folder, const char *target, PdRecNotify notify, void *data,
                   PdRecError *error);

/**
 * pd_rec_remove: removes what a recording of ours left in @folder: streams and the
 * archive, and nothing else.
 */
void pd_rec_remove (const char *folder);

#endif
