/* The header block and the trailer, and files that are no traces.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_HEAD_PRIVATE_H
#define PD_DVM_HEAD_PRIVATE_H

#include "traces/dvm/pd-dvm-reader-private.h"

/* Finds where the program begins, and reads the header block before it. */
gboolean pd_dvm_reader_read_head (PdDvmReader *self, GError **error);

/* Takes rc and the times from the lines of a record after the program. */
void pd_dvm_reader_read_trailer (PdDvmReader *self, PdDvmSpan body, PdDvmFunction function);

/* Compares the sums of times that the trailer states with those of the records. */
void pd_dvm_reader_check_sums (PdDvmReader *self);

#endif
