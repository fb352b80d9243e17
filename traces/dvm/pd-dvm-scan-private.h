/* The scanner: lines, header lines, bodies. This is where the time of reading a trace
 * goes, so most lines are only looked at in their first character.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_SCAN_PRIVATE_H
#define PD_DVM_SCAN_PRIVATE_H

#include "traces/dvm/pd-dvm-reader-private.h"

/* Reads the body of @next, up to the following header line, which becomes
 * @next; without one @has_next becomes FALSE, and if it is too long, @failure is set,
 * too. Nothing before offset @keep is needed any more; the offsets of @self are kept
 * right. */
void pd_dvm_reader_scan_body (PdDvmReader *self, gsize keep);

/* Drops the bytes before @keep and adds further ones; FALSE at the end of the input. */
gboolean pd_dvm_reader_fill (PdDvmReader *self, gsize keep);

/* Adds a warning or note about @record. */
void pd_dvm_reader_report (PdDvmReader *self, PdSeverity severity, const char *id,
                           const PdDvmRecord *record, const char *text);

#endif
