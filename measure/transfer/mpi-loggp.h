/* Parametrised round trips: what LogGP parameters come from.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_LOGGP_H
#define MPI_LOGGP_H

#include "measure/transfer/mpi-pair.h"

/**
 * pd_pair_round_trips:
 * One size's parametrised round trips; those of rank 0 of the pair count.
 */
void pd_pair_round_trips (PdPair *pair, gint64 bytes, PdRoundTrips *trips);

#endif
