/* What the run-time library itself does with messages: it packs and unpacks parts of arrays,
 * takes fresh memory, begins exchanges. The machine's "software" says what that costs on a
 * processor of speed 1; a faster one does it faster, as it computes faster.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPROC_LIBRARY_PRIVATE_H
#define PD_CPROC_LIBRARY_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/* Some of it, collected: how much of what each parameter is the cost of, and how long that takes
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
 * Where nothing costs anything, and nobody watches, messages need not be looked at.
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
