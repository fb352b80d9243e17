/* Whether calls from another process can be read.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CALLS_CHECK_PRIVATE_H
#define PD_DVM_CALLS_CHECK_PRIVATE_H

#include "traces/dvm/pd-dvm-calls-private.h"

extern const PdSectionsKind pd_dvm_calls_kind;

#endif
