/* The protocol of a message-passing program: what each rank did, and when.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_LOG_H
#define PD_MP_LOG_H

#include "predictor/common/pd-log.h"
#include "traces/program/pd-program.h"

typedef struct _PdMpLog PdMpLog;

/**
 * pd_mp_log_new:
 * @log: where lines go; borrowed
 * @program: borrowed
 * @trace: name of the trace, for the heading
 *
 * Returns: (transfer full): a protocol of one simulation.
 */
PdMpLog *pd_mp_log_new (PdLog *log, const PdProgram *program, const char *trace);

/**
 * pd_mp_log_free:
 * @self: (nullable): the protocol
 */
void pd_mp_log_free (PdMpLog *self);

/**
 * pd_mp_log_action:
 * @rank: of the program
 * @cell: its action, not before the one that was noted last
 * @begin: its clock before …
 * @end: … and after it; PD_TIME_PENDING: it never returned
 *
 * Notes what the rank has done.
 */
void pd_mp_log_action (PdMpLog *self, guint32 rank, const PdProgramCell *cell, PdTime begin,
                       PdTime end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMpLog, pd_mp_log_free)

#endif
