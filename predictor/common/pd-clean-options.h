/* How recorded times are cleaned, as options and parameters of studies give it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CLEAN_OPTIONS_H
#define PD_CLEAN_OPTIONS_H

#include "comsys/machine/pd-machine.h"
#include "traces/dvm/pd-dvm-cleaning.h"

/**
 * pd_clean_options_set:
 * @name: "clamped", "outliers" or "recorder-cost"
 * @value: one of its words; of the last also a machine, as for pd_machine_load()
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if @value is none of the words; @self is not to be used then.
 */
gboolean pd_clean_options_set (PdDvmCleanOptions *self, const char *name, const char *value,
                               GError **error);

/**
 * pd_clean_options_get_cost:
 * @self: options
 * @software: of the machine that is predicted
 *
 * Returns: the cost of recording that is subtracted from recorded times.
 */
PdDvmRecorderCost pd_clean_options_get_cost (const PdDvmCleanOptions *self,
                                             const PdSoftware *software);

#endif
