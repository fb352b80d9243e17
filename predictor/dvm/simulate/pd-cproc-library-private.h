/* The work of the run-time library itself for messages: it packs and unpacks parts of arrays,
 * takes fresh memory, begins exchanges. The machine's "software" has the costs on a
 * processor of speed 1; on other processors they are divided by the speed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPROC_LIBRARY_PRIVATE_H
#define PD_CPROC_LIBRARY_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/* A sum of such work: the amount that each parameter is the cost of, and its time
 * at speed 1. */
typedef struct
{
  const PdSoftware *software; /* (nullable): nothing costs anything */
  gboolean packs;             /* messages have to be looked at one by one, before and after them */
  gboolean begins;            /* … before them only */
  gint64 amounts[PD_N_LIBRARY_PARTS];
  PdTime times[PD_N_LIBRARY_PARTS];
} PdLibraryWork;

/**
 * pd_library_work_begin:
 * If all costs are 0, and there is no observer, messages need not be inspected.
 *
 * Returns: nothing done yet.
 */
PdLibraryWork pd_library_work_begin (const PdSimulation *self);

/* Copies @bytes that lie in @runs pieces, at least one, to or from a buffer. */
void pd_library_work_copy (PdLibraryWork *work, gint64 bytes, gint64 runs);

/* Touches @bytes of fresh memory. */
void pd_library_work_touch (PdLibraryWork *work, gint64 bytes);

/* Begins to exchange messages. */
void pd_library_work_exchange (PdLibraryWork *work);

/**
 * pd_cproc_do_library_work:
 * @node: the interval
 * @work: at speed 1
 *
 * The processor does @work: its clock advances.
 */
void pd_cproc_do_library_work (PdSimulation *self, guint32 rank, guint32 node,
                               const PdLibraryWork *work);

#endif
