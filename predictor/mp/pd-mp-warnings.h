/* Warnings, counted; the first place is that of the lowest * rank, in whatever order
 * they happened.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_WARNINGS_H
#define PD_MP_WARNINGS_H

#include "predictor/mp/pd-mp-state.h"

/**
 * pd_mp_warnings_new:
 * Returns: (transfer full): no warnings.
 */
PdMpWarnings *pd_mp_warnings_new (void);

/**
 * pd_mp_warnings_free:
 * @self: (nullable): the warnings
 */
void pd_mp_warnings_free (PdMpWarnings *self);

/**
 * pd_mp_note:
 * @subject: (nullable): lives as long as the program
 *
 * Notes a warning, whose place is the cell of @rank.
 */
void pd_mp_note (PdMp *self, guint32 rank, const char *id, const char *subject, const char *text);

/**
 * pd_mp_warnings_tell:
 * Writes the noted warnings to the messages of the run, in a fixed order.
 */
void pd_mp_warnings_tell (PdMp *self);

#endif
