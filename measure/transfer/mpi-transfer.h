/* Times of messages between a pair of processes.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_TRANSFER_H
#define MPI_TRANSFER_H

#include "measure/transfer/mpi-pair.h"

/**
 * pd_pair_begin:
 * At ranks @first and @second of the world, which call it; buffers are written.
 */
void pd_pair_begin (PdPair *pair, int first, int second, gint64 most_bytes,
                    const PdTransferOptions *options);

/**
 * pd_pair_end:
 * Ends what pd_pair_begin() began; the same ranks call it.
 */
void pd_pair_end (PdPair *pair);

/**
 * pd_pair_check:
 * One exchange that is not timed; returns FALSE at both if either got wrong data.
 */
gboolean pd_pair_check (PdPair *pair, const PdVariant *variant);

/**
 * pd_pair_measure:
 * Fills @times at both; those of rank 0 of the pair count.
 */
void pd_pair_measure (PdPair *pair, const PdTransferOptions *options, gint64 bytes,
                      PdTransferTimes *times);

/**
 * pd_pair_compare:
 * Medians of a variant's ping-pong and of a plain loop in turns, seconds of a message.
 */
void pd_pair_compare (PdPair *pair, const PdTransferOptions *options, gint64 bytes,
                      gdouble medians[2]);

#endif
