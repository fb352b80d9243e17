/* Input and output: the I/O processor reads and writes files alone, and collects a
 * distributed array from its holders, or deals it to them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPROC_IO_PRIVATE_H
#define PD_CPROC_IO_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/* The step PD_STEP_KIND_FILE_IO; those of a distributed array, PD_STEP_KIND_COLLECT
 * and _DEAL; see pd_cproc_perform(). */
gboolean pd_cproc_file_io (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 unused);
gboolean pd_cproc_collect (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear);

#endif
