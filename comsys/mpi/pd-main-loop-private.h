/* The handlers of events and completions. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MAIN_LOOP_PRIVATE_H
#define PD_MAIN_LOOP_PRIVATE_H

#include "comsys/state/pd-comsys-data.h"

extern const PdHandlers pd_handlers;

#endif
