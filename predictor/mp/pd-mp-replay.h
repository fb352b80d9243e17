/* A predicted run as a measured one: the same program, its recorded times those of
 * the prediction.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_REPLAY_H
#define PD_MP_REPLAY_H

#include "traces/program/pd-program.h"

typedef struct _PdMpReplay PdMpReplay;

/**
 * pd_mp_replay_new:
 * @program: that is predicted; borrowed
 *
 * Returns: (transfer full): nothing has happened yet.
 */
PdMpReplay *pd_mp_replay_new (const PdProgram *program);

/**
 * pd_mp_replay_free:
 * @self: (nullable): one that was not finished
 */
void pd_mp_replay_free (PdMpReplay *self);

/**
 * pd_mp_replay_add:
 * @rank: of the program
 * @cell: its action, behind the one that was added last
 * @begin: its clock before …
 * @end: … and after it
 * @computed: so much of it, the last, was computation: that of a reduction, or all
 *
 * What the rank has done. Time that has passed since its last action was spent on
 * messages that arrived.
 */
void pd_mp_replay_add (PdMpReplay *self, guint32 rank, const PdProgramCell *cell, PdTime begin,
                       PdTime end, PdTime computed);

/**
 * pd_mp_replay_finish:
 * @self: (transfer full): gone afterwards
 *
 * Returns: (transfer full): the program: computation in time, calls with recorded
 *   times.
 */
PdProgram *pd_mp_replay_finish (PdMpReplay *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMpReplay, pd_mp_replay_free)

#endif
