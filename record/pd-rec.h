/* The recorder as the wrappers of MPI functions see it. One process records one
 * rank; all functions are for one thread at a time, which the wrappers see to.
 *
 * A wrapper does this:
 *
 *   if (!pd_rec_is_on ()) return PMPI_Send (…);
 *   t0 = pd_rec_now ();
 *   pd_rec_entering (PD_FN_SEND, t0);
 *   result = PMPI_Send (…);
 *   t1 = pd_rec_now ();
 *   pd_rec_call (PD_FN_SEND, pd_rec_stack (addresses, 1), t0, t1);
 *   pd_rec_send (…);                            the details of the call before
 *
 * The clock is read twice per recorded call, never elsewhere: tests prescribe
 * the readings. Nothing allocates but what defines something new. Once the
 * stream cannot grow any more, everything does nothing.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_H
#define PD_REC_H

#include <stdint.h>

/* ---- what MPI does for the recorder */

/* Over a communicator of the recorder's own with the members of MPI_COMM_WORLD.
 * All return 0 when all went well. Sizes are bytes and may exceed 2^31. */
typedef struct
{
  int rank;
  int size;
  void *data; /* handed to each function */
  int (*barrier) (void *data);
  /* from rank 0 */
  int (*broadcast) (void *data, void *bytes, uint64_t n);
  /* @n bytes of each rank, one after the other, at rank 0 */
  int (*gather) (void *data, const void *in, uint64_t n, void *out);
  /* @sizes[rank] bytes of each; @out and @sizes only at rank 0 */
  int (*gatherv) (void *data, const void *in, uint64_t n, void *out, const uint64_t *sizes);
  /* the other way round; @in and @sizes only at rank 0 */
  int (*scatterv) (void *data, const void *in, const uint64_t *sizes, void *out, uint64_t n);
  /* the largest of all ranks' @value, at all */
  int (*maximum) (void *data, uint64_t *value);
  int (*send) (void *data, const void *bytes, uint64_t n, int to);
  int (*receive) (void *data, void *bytes, uint64_t n, int from);
} PdRecMpi;

/* ---- life of a recording */

enum
{
  PD_REC_CLOSED, /* not begun, ended, or stopped */
  PD_REC_PAUSED, /* by MPI_Pcontrol (0) */
  PD_REC_ON,
};

extern int pd_rec_state;

/**
 * pd_rec_is_on: whether calls are recorded; where not, wrappers only call MPI.
 */
static inline int
pd_rec_is_on (void)
{
  return __builtin_expect (pd_rec_state == PD_REC_ON, 1) != 0;
}

/**
 * pd_rec_is_open: whether there is a stream, be it paused. New communicators and
 * windows are defined also while paused; calls that complete requests which
 * were recorded should be recorded, too.
 */
static inline int
pd_rec_is_open (void)
{
  return pd_rec_state != PD_REC_CLOSED;
}

/**
 * pd_rec_begin:
 * @mpi: kept until pd_rec_end()
 * @functions: (array length=n_functions): the names of all functions, by the
 *   number by which they will be called; kept
 * @t0: when MPI_Init was entered; replaced under a clock of a test
 *
 * Collective, after PMPI_Init. Reads the environment, makes the folder, opens
 * the stream, and compares clocks. All ranks record, or none does, and rank 0
 * says once on stderr why not. The wrapper of MPI_Init then reads the clock
 * and records its call as any other.
 *
 * Returns: whether recording is on.
 */
int pd_rec_begin (const PdRecMpi *mpi, const char *const *functions, unsigned n_functions,
                  uint64_t *t0);

/**
 * pd_rec_end:
 *
 * Collective over all ranks for which pd_rec_begin() returned true, whatever
 * their state is: writes the archive. Called before PMPI_Finalize, after the
 * call of MPI_Finalize has been recorded (with a t1 read before PMPI). Nothing
 * is recorded from then on.
 */
void pd_rec_end (void);

/**
 * pd_rec_was_begun: whether pd_rec_end() is still due.
 */
int pd_rec_was_begun (void);

/**
 * pd_rec_switch: MPI_Pcontrol (0) and (1), at @t: recorded calls before and
 * after belong to one stream with a gap. The call itself is recorded before
 * switching off, and after switching on.
 */
void pd_rec_switch (int on, uint64_t t);

/**
 * pd_rec_world_synchronised: collective; to be called, in any state while
 * pd_rec_was_begun(), after each blocking operation on MPI_COMM_WORLD itself that no
 * rank leaves before all have entered it (barrier, allreduce, allgather,
 * alltoall and their relatives). Here all ranks stop together when one is about
 * to reach the limit of its size; they agree by communication in one of 64 calls.
 */
void pd_rec_world_synchronised (void);

/**
 * pd_rec_stack_depth: how many return addresses to record: PREDICTOR_STACK_DEPTH,
 * 0 to %PD_REC_MAX_DEPTH.
 */
int pd_rec_stack_depth (void);
#define PD_REC_MAX_DEPTH 64

/**
 * pd_rec_set_cost: what recording one call costs, in picoseconds, if the
 * wrappers have measured it; for the estimate of the overhead.
 */
void pd_rec_set_cost (uint64_t picoseconds);

/* ---- calls */

/**
 * pd_rec_now: nanoseconds of CLOCK_MONOTONIC, or what the test prescribes.
 */
uint64_t pd_rec_now (void);

/**
 * pd_rec_stack:
 * @addresses: (array length=n): return addresses, that of the MPI call first
 *
 * Returns: the number of that stack, the same for the same addresses; 0 for none.
 */
uint32_t pd_rec_stack (void *const *addresses, int n);

/**
 * pd_rec_entering: notes where a rank is in case it never comes out.
 */
void pd_rec_entering (uint16_t function, uint64_t t0);

/**
 * pd_rec_call: a call, from @t0 to @t1; what it did follows.
 */
void pd_rec_call (uint16_t function, uint32_t stack, uint64_t t0, uint64_t t1);

/* ---- messages. Peers are ranks of the communicator, in inter-communicators of
 * the other group; messages to and from MPI_PROC_NULL have no details. Requests
 * are numbered from 1 and never again. */

enum
{
  PD_REC_STANDARD,
  PD_REC_BUFFERED,
  PD_REC_SYNCHRONOUS,
  PD_REC_READY,
};

#define PD_REC_ANY (-1) /* MPI_ANY_SOURCE, MPI_ANY_TAG */

enum
{
  PD_REC_ANY_SOURCE = 1, /* was asked for */
  PD_REC_ANY_TAG = 2,
};

/**
 * pd_rec_send: @request: 0 = the call blocked; @mode: PD_REC_STANDARD, …
 */
void pd_rec_send (int32_t dest, int32_t tag, uint32_t comm, uint64_t bytes, uint32_t request,
                  int mode);

/**
 * pd_rec_recv: a message that arrived in the call; @wild: PD_REC_ANY_SOURCE, …
 */
void pd_rec_recv (int32_t source, int32_t tag, uint32_t comm, uint64_t bytes, unsigned wild);

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

/* ---- collective operations */

enum
{
  PD_REC_BARRIER,
  PD_REC_BCAST,
  PD_REC_GATHER,
  PD_REC_GATHERV,
  PD_REC_SCATTER,
  PD_REC_SCATTERV,
  PD_REC_ALLGATHER,
  PD_REC_ALLGATHERV,
  PD_REC_ALLTOALL,
  PD_REC_ALLTOALLV,
  PD_REC_ALLTOALLW,
  PD_REC_ALLREDUCE,
  PD_REC_REDUCE,
  PD_REC_REDUCE_SCATTER,
  PD_REC_SCAN,
  PD_REC_EXSCAN,
  PD_REC_REDUCE_SCATTER_BLOCK,
  PD_REC_CREATE_HANDLE,  /* a communicator, from @comm */
  PD_REC_DESTROY_HANDLE, /* @comm */
  PD_REC_N_OPS,
};

#define PD_REC_NO_ROOT   (-1)
#define PD_REC_ROOT_SELF (-2) /* MPI_ROOT, of inter-communicators */
#define PD_REC_ROOT_NULL (-3) /* MPI_PROC_NULL, likewise */

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
 * pd_rec_coll_done: the request of a collective operation completed in this call.
 */
void pd_rec_coll_done (uint32_t request);

/* ---- one-sided communication */

enum
{
  PD_REC_PUT,
  PD_REC_GET,
  PD_REC_ACCUMULATE,
  PD_REC_GET_ACCUMULATE,
  PD_REC_FETCH_AND_OP,
  PD_REC_COMPARE_AND_SWAP,
  PD_REC_FENCE,
  PD_REC_LOCK_SHARED,
  PD_REC_LOCK_EXCLUSIVE,
  PD_REC_UNLOCK,
  PD_REC_WIN_CREATE,
  PD_REC_WIN_FREE,
  PD_REC_N_RMA,
};

#define PD_REC_ALL (-1) /* as a target: lock_all, unlock_all */

/**
 * pd_rec_rma: @target: a rank of the window's communicator, %PD_REC_ALL, or 0
 * where there is none; @sent, @received: bytes, from here and to here.
 */
void pd_rec_rma (int what, uint32_t window, int32_t target, uint64_t sent, uint64_t received);

/**
 * pd_rec_pcontrol: the arguments of MPI_Pcontrol.
 */
void pd_rec_pcontrol (int level, int64_t id);

/* ---- definitions, in any state but %PD_REC_CLOSED */

#define PD_REC_COMM_WORLD 0u
#define PD_REC_COMM_SELF  1u
#define PD_REC_COMM_NONE  UINT32_MAX

/**
 * pd_rec_comm:
 * @world_ranks: (array length=n): the members; read only on the first of them
 * @parent: the communicator it was made from, or %PD_REC_COMM_NONE
 * @identity: the same number on all members, and on no other communicator or
 *   window; not 0
 * @name: (nullable)
 *
 * Returns: its number on this rank.
 */
uint32_t pd_rec_comm (const int32_t *world_ranks, int n, uint32_t parent, uint64_t identity,
                      const char *name);

/**
 * pd_rec_inter_comm: likewise; @local: the own group, @remote: the other one;
 * both are needed on the first member of each group.
 */
uint32_t pd_rec_inter_comm (const int32_t *local, int n_local, const int32_t *remote, int n_remote,
                            uint64_t identity, const char *name);

/**
 * pd_rec_comm_name: by MPI_Comm_set_name; the last one counts.
 */
void pd_rec_comm_name (uint32_t comm, const char *name);

/**
 * pd_rec_window: a window over @comm; @identity as above.
 *
 * Returns: its number on this rank.
 */
uint32_t pd_rec_window (uint32_t comm, uint64_t identity, const char *name);

#endif
