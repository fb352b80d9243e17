/* Epochs of one-sided communication: their pool, and how those of locks are found by
 * window, member and target: a table with linear probing.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WIN_EPOCHS_H
#define PD_WIN_EPOCHS_H

#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_get_n_epochs:
 * Returns: how many locks have not been released, and how many members of windows
 *   have done something since their last fence; part of pd_comsys_finalize().
 */
guint64 pd_comsys_get_n_epochs (const PdComsys *self);

G_END_DECLS

#endif
