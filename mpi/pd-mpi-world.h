/* Coordinator and workers of a study as the ranks of an MPI program: rank 0 coordinates.
 *
 * No rank waits inside MPI, where most implementations keep a processor busy: all probe for
 * messages, less and less often, and sleep between probes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MPI_WORLD_H
#define PD_MPI_WORLD_H

#include "sweep/run/pd-transport.h"

typedef struct _PdMpiWorld PdMpiWorld;

/**
 * pd_mpi_world_new:
 * @argc: (inout): as in main()
 * @argv: (inout): as in main()
 *
 * Starts MPI. Every rank calls it.
 *
 * Returns: (transfer full) (nullable): the world, for pd_mpi_world_end(); %NULL if
 *   MPI cannot be had together with threads.
 */
PdMpiWorld *pd_mpi_world_new (int *argc, char ***argv);

/**
 * pd_mpi_world_get_rank:
 * Returns: this one.
 */
int pd_mpi_world_get_rank (const PdMpiWorld *self);

/**
 * pd_mpi_world_get_size:
 * Returns: how many ranks there are.
 */
int pd_mpi_world_get_size (const PdMpiWorld *self);

/**
 * pd_mpi_world_new_transport:
 * @self: of rank 0; stays the caller's
 *
 * Returns: (transfer full): the ranks from 1 on, as workers 0 and up. When freed, it notifies
 *   them that there is nothing more to do.
 */
PdTransport *pd_mpi_world_new_transport (PdMpiWorld *self);

/**
 * pd_mpi_world_get_link:
 * @self: of another rank
 *
 * Returns: (transfer none): its link to rank 0.
 */
PdWorkerLink *pd_mpi_world_get_link (PdMpiWorld *self);

/**
 * pd_mpi_world_is_over:
 * Returns: whether rank 0 has said that there is nothing more to do.
 */
gboolean pd_mpi_world_is_over (const PdMpiWorld *self);

/**
 * pd_mpi_world_end:
 * @self: (transfer full): the world
 * @status: of the program, should others have to be stopped by force
 *
 * Ends MPI, when all others have come to this, too; those that do not, within a few
 * seconds, are in the middle of a point, and are stopped.
 */
void pd_mpi_world_end (PdMpiWorld *self, int status);

#endif
