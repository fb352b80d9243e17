/* How many processors of a machine a search may use.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVISE_MACHINE_PRIVATE_H
#define PD_ADVISE_MACHINE_PRIVATE_H

#include "predictor/search/pd-advise.h"

/* The most ranks up to @n that can be placed, 0 with @error set. @machine (inout)
 * (nullable): the machine for so many. */
guint32 pd_advise_get_room (const PdPredictOptions *predict, guint32 n, PdMachine **machine,
                            GError **error);
/* The processors of the largest grid to be considered, whether or not there are
 * so many; 0 with @error set. */
guint32 pd_advise_get_wanted (const PdAdviseOptions *options, GError **error);

#endif
