/* Programs as time-independent traces: one file of all ranks, in the order of ranks,
 * sizes in bytes. Actions that this form cannot express are left out or replaced by the
 * nearest one, with one message per kind that counts them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_WRITER_PRIVATE_H
#define PD_TI_WRITER_PRIVATE_H

#include "traces/graph/pd-mp-trace.h"
#include "traces/ti/pd-ti-write-private.h"

/* Reports a property that cannot be written; @subject (nullable) as of messages. */
void pd_ti_write_lose (const PdTiWriter *self, const char *id, const char *subject,
                       const char *text);
/* A line: its rank and @word; fields; its end. */
void pd_ti_write_begin (PdTiWriter *self, const char *word);
void pd_ti_write_int (PdTiWriter *self, gint64 value);
void pd_ti_write_double (PdTiWriter *self, gdouble value);
void pd_ti_write_end (PdTiWriter *self);
/* Computation in operations. */
gdouble pd_ti_write_get_flops (const PdTiWriter *self, PdAmount amount);
/* What @slot has begun. */
void pd_ti_write_open (PdTiWriter *self, guint32 slot, PdTiRequest request);

#endif
