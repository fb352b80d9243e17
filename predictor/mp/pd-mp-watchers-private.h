/* The observers of the prediction of a message-passing program, with the critical path: each
 * requested one is notified of actions (PdDeed.what points to a cell).
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_WATCHERS_PRIVATE_H
#define PD_MP_WATCHERS_PRIVATE_H

#include "predictor/common/pd-log.h"
#include "predictor/common/pd-watch-timeline.h"
#include "traces/program/pd-program.h"

/**
 * pd_mp_log_watch:
 * @log: (nullable): where lines go; borrowed
 * @trace: name of the trace, for the heading
 *
 * The protocol: what each rank did, and when; complete also of a program that cannot go on.
 */
void pd_mp_log_watch (PdWatcher **watchers, PdLog *log, const PdProgram *program,
                      const char *trace);

/**
 * pd_mp_replay_watch:
 * @replayed: (nullable) (out): at the end, unless the prediction fails
 *
 * A predicted run as a measured one: the same program, computation in time, calls with recorded
 * times, which are those of the prediction.
 */
void pd_mp_replay_watch (PdWatcher **watchers, PdProgram **replayed, const PdProgram *program);

/* A timeline: PdTimelineRun.what points to a #PdProgram. */
extern const PdWatcherClass pd_mp_timeline;

#endif
