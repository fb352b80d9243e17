/* Records, which go to the stream of the calling thread.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_STREAM_H
#define PD_REC_STREAM_H

#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-format.h"
#include "record/stream/pd-rec-threads.h"

#include <stddef.h>

/**
 * pd_rec_trial_begin:
 * Records until pd_rec_trial_end() are taken back; no call may have been recorded before.
 * @n: words that it takes at most
 *
 * Returns: 0 if there is no room; then there is no trial.
 */
int pd_rec_trial_begin (size_t n);

/**
 * pd_rec_trial_end:
 * The stream is as before, and knows no stacks.
 */
void pd_rec_trial_end (void);

/**
 * pd_rec_define:
 * A record's words after the first one. @data: of a definition.
 */
void pd_rec_define (uint64_t first, const uint64_t *words, unsigned n, const void *data,
                    size_t n_data);

/**
 * pd_rec_put_switch: a pause begins or ends at @t, or when the last call ended, if that is
 * later; pd_rec_switch() is for the wrappers.
 */
void pd_rec_put_switch (int on, uint64_t t);

/**
 * pd_rec_entering: notes where a rank is in case it never comes out.
 */
void pd_rec_entering (uint16_t function, uint64_t t0);

/**
 * pd_rec_processor: processor time of the process (@of is %PD_REC_OF_PROCESS) or of the thread
 * (%PD_REC_OF_THREAD) at the beginning and at the end of the call that is recorded next; 0 = not
 * read.
 */
void pd_rec_processor (int of, uint64_t at_entry, uint64_t at_exit);

/**
 * pd_rec_call: a call, from @t0 to @t1; what it did follows.
 */
void pd_rec_call (uint16_t function, uint32_t stack, uint64_t t0, uint64_t t1);

/**
 * pd_rec_send: @request: 0 = the call blocked; @mode: PD_REC_STANDARD, …
 */
void pd_rec_send (int32_t dest, int32_t tag, uint32_t comm, uint64_t bytes, uint32_t request,
                  int mode);

/**
 * pd_rec_recv: a message that arrived in the call; @wildcard: PD_REC_ANY_SOURCE, …
 */
void pd_rec_recv (int32_t source, int32_t tag, uint32_t comm, uint64_t bytes, unsigned wildcard);

/**
 * pd_rec_recv_posted: @source, @tag may be %PD_REC_ANY; @bytes: room for it.
 */
void pd_rec_recv_posted (int32_t source, int32_t tag, uint32_t comm, uint64_t bytes,
                         uint32_t request);

/**
 * pd_rec_recv_done: the message that arrived; from MPI_PROC_NULL: not called.
 */
void pd_rec_recv_done (uint32_t request, int32_t source, int32_t tag, uint32_t comm,
                       uint64_t bytes);

/**
 * pd_rec_send_done: the request of a send completed in this call.
 */
void pd_rec_send_done (uint32_t request);

/**
 * pd_rec_cancelled: the request was cancelled, which this call has found out.
 */
void pd_rec_cancelled (uint32_t request);

/**
 * pd_rec_tested: the request was asked for and had not completed.
 */
void pd_rec_tested (uint32_t request);

/**
 * pd_rec_neighbours:
 * @sources: group of those that the rank receives from, in their order
 * @targets: likewise, that it sends to
 *
 * The collective operation that is recorded next, of the same call, is one of these neighbours;
 * its bytes are the sums of the blocks for them.
 */
void pd_rec_neighbours (uint32_t sources, uint32_t targets);

/**
 * pd_rec_collective:
 * @root: a rank of @comm, or one of the above
 * @sent: bytes; with n members and b bytes of a block: bcast: n b at the root;
 *   gather, reduce: b; scatter: n b at the root; allgather, alltoall, allreduce,
 *   reduce_scatter_block: n b; scan: (n - rank) b; exscan: (n - rank - 1) b;
 *   reduce_scatter: the sum of all blocks. With vectors: their sum.
 *   In place, what stays at its rank is counted like the rest, so that a block
 *   is the sum divided by n.
 * @received: bcast, scatter: b; gather: n b at the root; reduce: n b at the root;
 *   allgather, alltoall, allreduce, reduce_scatter_block: n b; reduce_scatter:
 *   n times the own block; scan: (rank + 1) b; exscan: rank b
 * @request: 0 = the call blocked
 */
void pd_rec_collective (int op, uint32_t comm, int32_t root, uint64_t sent, uint64_t received,
                        uint32_t request);

/**
 * pd_rec_coll_done: the request of a collective operation completed in this call; what
 * it was, as in pd_rec_collective(), perhaps of another thread.
 */
void pd_rec_coll_done (int op, uint32_t comm, int32_t root, uint64_t sent, uint64_t received,
                       uint32_t request);

/**
 * pd_rec_rma: something is done through a window.
 */
void pd_rec_rma (const PdRecRma *rma);

/**
 * pd_rec_rma_done: the request of an operation through @window completed in this call.
 */
void pd_rec_rma_done (uint32_t window, uint32_t request);

/**
 * pd_rec_rma_tested: it was asked for and had not completed.
 */
void pd_rec_rma_tested (uint32_t window, uint32_t request);

/**
 * pd_rec_file: @what: PD_REC_FILE_READ, …, perhaps with %PD_REC_FILE_ALL
 * @request: of the operation under way or ending; 0: the call does it all
 * @asked: bytes that it was called with; of an open, PD_REC_FILE_READS, …; of a seek, the offset
 * @moved: bytes that it moved; of a seek, PD_REC_FILE_FROM_START, …
 */
void pd_rec_file (int what, uint32_t file, uint32_t request, uint64_t asked, uint64_t moved);

/**
 * pd_rec_pcontrol: the arguments of MPI_Pcontrol.
 */
void pd_rec_pcontrol (int level, int64_t id);

#endif
