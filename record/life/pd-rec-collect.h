/* The archive of a run, by all its ranks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_COLLECT_H
#define PD_REC_COLLECT_H

#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec.h"

/**
 * pd_rec_collect:
 * @folder: has the streams of all ranks, which are closed
 * @n_streams: how many of them are this rank's
 *
 * Collective: makes the archive "traces.otf2" in @folder. Rank 0 says on stderr
 * which ranks' events end early.
 *
 * Returns: 0 at all ranks, or -1 at all, with @error, which is most exact where
 * it happened; nothing of the archive is left then.
 */
int pd_rec_collect (const PdRecMpi *mpi, const char *folder, int n_streams, PdRecError *error);

#endif
