/* One-sided communication of message-passing programs. Programs name windows by their
 * communicators: those of one are one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_WINDOWS_PRIVATE_H
#define PD_MP_WINDOWS_PRIVATE_H

#include "predictor/mp/pd-mp-state.h"

gboolean pd_mp_act_transfer (PdMp *self, guint32 rank, PdMpRank *r);
/* Locks, and the ends of epochs. */
gboolean pd_mp_act_epoch (PdMp *self, guint32 rank, PdMpRank *r);
/* MPI_Win_post and MPI_Win_start. */
gboolean pd_mp_act_group (PdMp *self, guint32 rank, PdMpRank *r);
/* That of the communicator; made when it is first asked for. */
PdWin *pd_mp_window_of (PdMp *self, guint32 comm);
/* Tells of those that have not been ended. */
void pd_mp_notify_epochs (PdMp *self);
void pd_mp_windows_free (PdMp *self);

#endif
