/* Up to which length a send goes on without its receive.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_EAGER_H
#define MPI_EAGER_H

#include "measure/transfer/mpi-pair.h"

/**
 * pd_pair_find_eager:
 * @sizes: (array length=n): lengths, bytes, rising
 *
 * Both of the pair call it. Rank 1 of the pair computes before it receives, and MPI_Send() of
 * rank 0 waits for it or does not. The first of @sizes that waits is found, then the limit to
 * the byte between it and the one before.
 *
 * Returns: at rank 0 of the pair the greatest length whose send does not wait; the last of @sizes
 * if none waits, 0 if all do. At rank 1: 0.
 */
gint64 pd_pair_find_eager (PdPair *pair, const gint64 *sizes, guint n);

#endif
