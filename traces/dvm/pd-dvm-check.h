/* Checks for errors in a trace that can be read.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CHECK_H
#define PD_DVM_CHECK_H

#include "traces/dvm/pd-dvm-reader.h"

/**
 * pd_dvm_check_reader:
 * @reader: a reader nothing was read from; afterwards it is at its end
 * @messages: the collector that @reader reports to
 * @error: return location for a #PdDvmError, where reading stopped
 *
 * Reads the whole trace. Besides the messages of the reader itself, it reports
 * values that cannot be read as their key requires ("bad-value"), and references
 * to objects that no record created ("unknown-reference"), each once for every
 * function; and the messages of pd_dvm_cleaning_report() and
 * pd_dvm_recorder_share_report() about its times.
 * pd_messages_judge() returns how severe all that is.
 *
 * Returns: %FALSE if the trace could not be read to its end.
 */
gboolean pd_dvm_check_reader (PdDvmReader *reader, PdMessages *messages, GError **error);

#endif
