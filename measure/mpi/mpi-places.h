/* Nodes, sockets and cores of all processes; binding.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_PLACES_H
#define MPI_PLACES_H

#include "measure/mpi/mpi-sharers.h"

/**
 * pd_places_find: (collective)
 * Finds where all processes are, and binds them unless that is not wanted.
 * Fails at all with PD_MEASURE_ERROR_ABSENT, PD_MEASURE_ERROR_USAGE. @out is to be cleared
 * whatever is returned.
 */
gboolean pd_places_find (MPI_Comm comm, const PdContentionOptions *options, PdPlaces *out,
                         GError **error);

/**
 * pd_places_clear:
 * Frees the contents of @self, not itself.
 */
void pd_places_clear (PdPlaces *self);

#endif
