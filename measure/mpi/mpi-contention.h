/* Exchanges of processes that share a channel.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_CONTENTION_H
#define MPI_CONTENTION_H

#include "measure/mpi/mpi-sharers.h"

/**
 * pd_sharers_begin:
 * @exchanges has the own @rank of the world; @timer and @sync are used meanwhile.
 */
void pd_sharers_begin (PdSharers *self, const GArray *exchanges, int rank, gint64 most_bytes);

/**
 * pd_sharers_end:
 * Ends what pd_sharers_begin() began.
 */
void pd_sharers_end (PdSharers *self);

/**
 * pd_sharers_measure:
 * Fills @numbers, the same at all.
 */
void pd_sharers_measure (PdSharers *self, const PdContentionOptions *options, gint64 bytes,
                         gdouble *numbers);

#endif
