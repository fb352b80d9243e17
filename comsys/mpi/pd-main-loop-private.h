/* The handlers of events and completions, and both policies of processors. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MAIN_LOOP_PRIVATE_H
#define PD_MAIN_LOOP_PRIVATE_H

#include "comsys/state/pd-resources.h"

extern const PdHandlers pd_handlers;
extern const PdResources pd_free_processors;
extern const PdResources pd_fifo_processors;
extern const PdResources pd_kept_processors;

#endif
