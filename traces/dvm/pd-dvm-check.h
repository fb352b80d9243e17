/* What can be wrong in a trace that can be read.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CHECK_H
#define PD_DVM_CHECK_H

#include "traces/dvm/pd-dvm-reader.h"

/* What a check found. */
typedef enum
{
  PD_DVM_CHECK_OK,         /* nothing, or only what does no harm */
  PD_DVM_CHECK_INCOMPLETE, /* the trace ends early, what is there is good */
  PD_DVM_CHECK_BAD,        /* a prediction from it is not to be trusted */
} PdDvmVerdict;

/**
 * pd_dvm_check_reader:
 * @reader: a reader nothing was read from; afterwards it is at its end
 * @messages: the collector that @reader reports to
 * @strict: whether every warning, a time sum that differs and an early end
 *   make the trace bad
 * @error: return location for a #PdDvmError, where reading stopped
 *
 * Reads the whole trace and adds to what the reader itself reports: values
 * that cannot be read as their key says ("bad-value"), and references to
 * objects that no record created ("unknown-reference"); each once for every
 * function.
 *
 * Returns: the verdict; %PD_DVM_CHECK_BAD with @error set.
 */
PdDvmVerdict pd_dvm_check_reader (PdDvmReader *reader, PdMessages *messages, gboolean strict,
                                  GError **error);

#endif
