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

#define PD_REC_MAX_DEPTH 64

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
  PD_REC_FLUSH,
  PD_REC_POST, /* with a group instead of a target: */
  PD_REC_START,
  PD_REC_COMPLETE,
  PD_REC_WAIT,
  PD_REC_WIN_CREATE,
  PD_REC_WIN_FREE,
  PD_REC_N_RMA,
};

typedef struct
{
  int what; /* PD_REC_PUT, … */
  uint32_t window;
  int32_t target;   /* rank of the window's communicator, or PD_REC_ALL; a group; 0: none */
  uint32_t request; /* 0: none */
  uint64_t sent;    /* bytes, from here */
  uint64_t received;
} PdRecRma;

#define PD_REC_ALL (-1) /* as a target: lock_all, unlock_all, flush_all */

/* ---- files: what a call does, with flags */

enum
{
  PD_REC_FILE_OPEN,
  PD_REC_FILE_CLOSE,
  PD_REC_FILE_READ,
  PD_REC_FILE_WRITE,
  PD_REC_FILE_SEEK,
  PD_REC_FILE_SYNC,
  PD_REC_FILE_OTHER,
  PD_REC_FILE_ENDED, /* what a request stands for */
  PD_REC_N_FILE_WORKS,
};

#define PD_REC_FILE_ALONE 0
#define PD_REC_FILE_ALL   0x100 /* collective */

/* How a file is opened: bits. */
enum
{
  PD_REC_FILE_READS = 1 << 0,
  PD_REC_FILE_WRITES = 1 << 1,
  PD_REC_FILE_CREATES = 1 << 2,
  PD_REC_FILE_IS_NEW = 1 << 3,
};

/* From where it seeks. */
enum
{
  PD_REC_FILE_FROM_START,
  PD_REC_FILE_FROM_HERE,
  PD_REC_FILE_FROM_END,
};

#define PD_REC_FILE_WHAT(a) ((a) &0xff)

/* ---- definitions, in any state but %PD_REC_CLOSED */

#define PD_REC_COMM_WORLD 0u
#define PD_REC_COMM_SELF  1u
#define PD_REC_COMM_NONE  UINT32_MAX

#endif
