/* The ways to exchange messages between two processes: 1 to 3 as in the original
 * TRANSFER, 4 to 6 are ours.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_VARIANTS_H
#define MPI_VARIANTS_H

#include "measure/transfer/mpi-pair.h"

/**
 * pd_variant_get:
 * Returns: (transfer none): variant @number, counted from 1.
 */
const PdVariant *pd_variant_get (gint64 number);

/**
 * pd_variant_messages:
 * Messages of one repetition that follow each other: time divided by them is of one.
 */
gint64 pd_variant_messages (const PdVariant *variant, const PdPair *pair);

#endif
