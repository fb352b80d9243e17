/* Predictions of one message-passing program on several machines at once, each equal to
 * pd_mp_predict_program() for its machine, to the picosecond.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_BATCH_H
#define PD_MP_BATCH_H

#include "predictor/mp/pd-mp.h"

/**
 * pd_mp_predict_batch:
 * @options: (array length=k): what and how, of each prediction; log, retimed, observer
 *   and one_step lead to separate predictions
 * @k: >= 1; multiples of %PD_BATCH_SIZE are the fastest
 * @program: the program
 * @runs: (out caller-allocated) (array length=k): (transfer full) (nullable): the
 *   results; n_events is 0 of those that were predicted at once, and seconds their share
 * @errors: (array length=k): return locations for errors as of pd_mp_predict_program(),
 *   all %NULL before
 *
 * They are made at once for machines that differ in nothing but speeds, latencies, bandwidths,
 * overheads and other costs, whose messages do not share networks, without noise; and programs
 * that name source and tag of all they receive, and do not ask whether something has come; of
 * up to 65,536 ranks. Others are made one after the other.
 *
 * Returns: (transfer full) (nullable): why some were not predicted at once; %NULL: all
 *   were.
 */
char *pd_mp_predict_batch (const PdMpOptions *const *options, guint k, const PdProgram *program,
                           PdReportRun **runs, GError **errors);

#endif
