/* How recorded times are cleaned, as options and parameters of studies give it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CLEAN_OPTIONS_H
#define PD_CLEAN_OPTIONS_H

#include "traces/dvm/pd-dvm-cleaning.h"

/**
 * pd_clean_options_set:
 * @name: "clamped" or "outliers"
 * @value: one of its words
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if @value is none of the words; @self is as it was then.
 */
gboolean pd_clean_options_set (PdDvmCleanOptions *self, const char *name, const char *value,
                               GError **error);

#endif
