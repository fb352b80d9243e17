/* Warnings and errors with the place of the current call.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_FAIL_H
#define PD_DVM_FAIL_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_warn:
 * @id: of the message, as in predictor-messages(7)
 * @subject: (nullable): messages of different subjects are counted separately
 *
 * Warns of something at the current call.
 */
void pd_dvm_warn (PdDvm *self, const char *id, const char *subject, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/**
 * pd_dvm_fail:
 * @code: a #PdDvmModelError
 *
 * Returns: %FALSE, with @error set: the text behind the place and name of the current
 *   call.
 */
gboolean pd_dvm_fail (PdDvm *self, GError **error, int code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

#endif
