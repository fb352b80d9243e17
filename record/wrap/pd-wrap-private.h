/* Shared declarations of the wrappers of MPI functions: they are made by make-wrappers.awk
 * from mpi-functions.txt. A wrapper enters (which lets no thread in that is already
 * inside), puts the arguments into a PdWrapCall, calls MPI, and hands
 * the PdWrapCall to the function that knows what such a call does.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WRAP_PRIVATE_H
#define PD_WRAP_PRIVATE_H

#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-processor.h"
#include "record/stream/pd-rec-stream.h"

/* Not all libraries say so of their functions, and the wrappers are these. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of functions: PD_FN_Send, … */
enum
{
#define PD_FUNCTION(name, text) PD_FN_##name,
#include <mpi-names.inc>
#undef PD_FUNCTION
  PD_FN_N
};

typedef struct
{
  MPI_Fint words[sizeof (MPI_Status) / sizeof (MPI_Fint)];
} PdFortranStatus;

/* A call. Which of the arguments are set depends on the function. Pointers
 * marked (F) point to values of Fortran if the call came from Fortran. */
typedef struct
{
  uint64_t t0;
  void *return_address;
  void *frame; /* of the wrapper: the same frame and address, most often the same stack */
  uint16_t function;
  uint8_t is_fortran;
  uint8_t is_wide;     /* @counts, @rcounts are MPI_Count */
  uint8_t is_on;       /* calls are recorded, as opposed to: paused */
  uint8_t is_timed;    /* the clock is read */
  uint8_t is_recorded; /* its action may be recorded */
  uint64_t t1;
  uint64_t processor[2]; /* time at t0, at t1; 0 = not read */
  uint64_t own[2];       /* likewise, of the thread */

  const void *sendbuf;
  const void *recvbuf;
  MPI_Count count, rcount;
  MPI_Datatype type, rtype;
  const void *counts, *rcounts;
  const void *types, *rtypes; /* (F) */
  int peer, rpeer;            /* or the root, or the target */
  int tag, rtag;
  int n;         /* of requests */
  void *request; /* (F): one, or @n */
  void *status;  /* (F): likewise */
  int *flag;     /* a logical value in Fortran */
  int *index;    /* counted from 1 in Fortran; or how many @indices */
  int *indices;  /* likewise */
  MPI_Comm comm;
  MPI_Win win;
  MPI_File file;
  MPI_Offset offset;
  const char *name; /* not ended if @name_length says where it does */
  size_t name_length;
  void *newfile; /* (F) */
  MPI_Group group;
  void *newcomm;         /* (F) */
  void *newwin;          /* (F) */
  void *message;         /* (F) */
  uint32_t kept;         /* by pd_before_…(): a request's, message's, window's number */
  const void *kept_comm; /* likewise */
} PdWrapCall;

#define PD_KEY(handle) ((uintptr_t) (handle))

/* ---- not again inside MPI; what threads share: pd-wrap-call.c */

extern _Thread_local char pd_guard_is_inside __attribute__ ((tls_model ("initial-exec")));

static inline int
pd_guard_enter (void)
{
  if (pd_guard_is_inside)
    return 0;
  pd_guard_is_inside = 1;
  return 1;
}

static inline void
pd_guard_leave (void)
{
  pd_guard_is_inside = 0;
}

/* Several threads may call at once. */
extern int pd_wrap_is_threaded;

void pd_tables_lock_now (void);
void pd_tables_unlock_now (void);

/* Around all that reads or writes tables of handles: pd_before_…(), pd_did_…(). */
static inline void
pd_tables_lock (void)
{
  if (pd_wrap_is_threaded)
    pd_tables_lock_now ();
}

static inline void
pd_tables_unlock (void)
{
  if (pd_wrap_is_threaded)
    pd_tables_unlock_now ();
}

/* ---- calls */

/* Between MPI_Init and MPI_Finalize of a program that is recorded, whether or
 * not recording has stopped since. */
extern int pd_wrap_is_begun;

#define PD_RETURN_ADDRESS __builtin_extract_return_addr (__builtin_return_address (0))
#define PD_FRAME          __builtin_frame_address (0)

/* Records the call itself, if that has not been done. */
void pd_call_record (PdWrapCall *call);
/* The first call of a thread. */
void pd_call_begin_thread (void);

static inline void
pd_call_fill (PdWrapCall *call, uint16_t function, int is_fortran, int is_wide,
              void *return_address, void *frame)
{
  call->function = function;
  call->is_fortran = (uint8_t) is_fortran;
  call->is_wide = (uint8_t) is_wide;
  call->return_address = return_address;
  call->frame = frame;
  if (!pd_rec_has_stream () && pd_rec_is_open ())
    pd_call_begin_thread ();
  call->is_timed = call->is_on = (uint8_t) pd_rec_is_on ();
  call->is_recorded = 0;
  call->processor[0] = call->processor[1] = call->own[0] = call->own[1] = 0;
}

/* Whether the call is to be looked at at all; if so, it must be left. */
static inline int
pd_call_enter (PdWrapCall *call, uint16_t function, int is_fortran, int is_wide,
               void *return_address, void *frame)
{
  if (!pd_rec_is_open () || !pd_guard_enter ())
    return 0;
  pd_call_fill (call, function, is_fortran, is_wide, return_address, frame);
  return 1;
}

/* Likewise, of collective operations, in which ranks agree even after the end. */
static inline int
pd_call_enter_coll (PdWrapCall *call, uint16_t function, int is_fortran, int is_wide,
                    void *return_address, void *frame)
{
  if ((!pd_rec_is_open () && !pd_wrap_is_begun) || !pd_guard_enter ())
    return 0;
  pd_call_fill (call, function, is_fortran, is_wide, return_address, frame);
  return 1;
}

static inline void
pd_call_start (PdWrapCall *call)
{
  if (!call->is_timed)
    return;
  call->t0 = pd_rec_own_is_read ? pd_rec_now_at_entry (&call->own[0]) : pd_rec_now ();
  call->processor[0] = pd_rec_processor_at_entry (call->t0);
  pd_rec_entering (call->function, call->t0);
}

static inline void
pd_call_stop (PdWrapCall *call)
{
  if (!call->is_timed)
    return;
  call->t1 = pd_rec_own_is_read ? pd_rec_now_at_exit (&call->own[1]) : pd_rec_now ();
  call->processor[1] = pd_rec_processor_at_exit (call->t1);
  if (call->is_on)
    pd_call_record (call);
}

static inline void
pd_call_leave (const PdWrapCall *call)
{
  (void) call;
  pd_guard_leave ();
}

/* Likewise, of calls that are recorded without details. */
static inline int
pd_call_enter_region (PdWrapCall *call, uint16_t function, void *return_address, void *frame)
{
  if (!pd_rec_is_on () || !pd_call_enter (call, function, 0, 0, return_address, frame))
    return 0;
  pd_call_start (call);
  return 1;
}

static inline void
pd_call_leave_region (PdWrapCall *call)
{
  pd_call_stop (call);
  pd_call_leave (call);
}

#define PD_REGION(function, call_of_mpi)                                                           \
  PdWrapCall call;                                                                                 \
  int rc;                                                                                          \
                                                                                                   \
  if (!pd_call_enter_region (&call, function, PD_RETURN_ADDRESS, PD_FRAME))                        \
    return call_of_mpi;                                                                            \
  rc = call_of_mpi;                                                                                \
  pd_call_leave_region (&call);                                                                    \
  return rc

/* ---- call stacks: pd-wrap-stack.c */

/* Before the first call. */
void pd_stack_begin (void);
void pd_stack_thread_begin (void);
void pd_stack_thread_end (void);
uint32_t pd_stack_get (void *return_address, void *frame);

/* ---- the objects behind handles and pointers: pd-wrap-values.c */

MPI_Comm pd_value_comm (const PdWrapCall *call);
MPI_Win pd_value_win (const PdWrapCall *call);
MPI_File pd_value_file (const PdWrapCall *call);
MPI_Message pd_value_message (const PdWrapCall *call);
MPI_Request pd_value_request (const PdWrapCall *call, int i);
/* The handle of one of @types. */
MPI_Datatype pd_value_type (const PdWrapCall *call, const void *types, int i);
MPI_Count pd_value_count (const PdWrapCall *call, const void *counts, int i);
/* @own holds what had to be translated. NULL: there is none, for lack of memory. */
const MPI_Status *pd_value_status (const PdWrapCall *call, int i, MPI_Status *own);
/* @count elements in bytes. */
uint64_t pd_value_bytes (MPI_Count count, MPI_Datatype type);
/* Bytes of a file that have moved, as @status says; without one, those that were asked for. */
uint64_t pd_value_moved (const MPI_Status *status, uint64_t asked);
/* Room for @n statuses that the program does not want, until the next call; NULL: none. */
void *pd_own_statuses (int n);
void pd_values_thread_end (void);
int pd_fortran_ignores (const void *status);
int pd_fortran_ignores_all (const void *statuses);
/* How Fortran passes buffers: their address, or that of a descriptor. */
enum
{
  PD_FORTRAN_77,
  PD_FORTRAN_MODULE, /* mpi_f08, but addresses */
  PD_FORTRAN_2008,
};
/* MPI_IN_PLACE of Fortran is that of C then. */
void *pd_fortran_buffer (int layer, void *buffer);

/* ---- communicators: pd-wrap-comms.c */

/* Those whom a rank receives from, or sends to, in the topology of a communicator. */
typedef struct
{
  int n;          /* of them */
  int n_blocks;   /* of a vector for them: with those of MPI_PROC_NULL */
  int *ranks;     /* (array length=n_blocks): in the communicator, or MPI_PROC_NULL */
  uint32_t group; /* 1 + its number in the stream; 0: not recorded */
} PdWrapSide;

typedef struct
{
  PdWrapSide sources;
  PdWrapSide targets;
} PdWrapNeighbours;

typedef struct
{
  uint32_t number; /* in the stream */
  int rank;
  int size;                     /* of the own group */
  int n_remote;                 /* members of the other group; 0: no inter-communicator */
  PdWrapNeighbours *neighbours; /* owned; NULL: not known yet */
  uint64_t identity;
  uint64_t n_made; /* communicators and windows from this one */
} PdWrapComm;

void pd_comms_begin (void);
/* NULL: unknown, as those to other worlds. The pointer holds until
 * communicators are made or freed. */
PdWrapComm *pd_comm_find (MPI_Comm comm);
/* The number of the next thing made from @self on all its members. */
uint64_t pd_comm_next_identity (PdWrapComm *self, uint64_t salt);
/* Defines them as groups at the first call. NULL: no memory. */
const PdWrapNeighbours *pd_comm_get_neighbours (PdWrapComm *self, MPI_Comm comm);
void pd_neighbours_free (PdWrapNeighbours *self);
/* One that MPI_Comm_idup has made from @parent, by now. */
void pd_comm_add_duplicate (MPI_Comm comm, uint64_t identity, uint32_t parent);

void pd_did_make_comm (PdWrapCall *call);
void pd_did_make_comm_of_group (PdWrapCall *call);
void pd_did_make_inter_comm (PdWrapCall *call);
void pd_did_idup (PdWrapCall *call);
void pd_before_free_comm (PdWrapCall *call);
void pd_did_free_comm (PdWrapCall *call);
void pd_did_name_comm (PdWrapCall *call);

/* ---- requests: pd-wrap-requests.c */

typedef enum
{
  PD_WRAP_REQUEST_SEND,
  PD_WRAP_REQUEST_RECV,
  PD_WRAP_REQUEST_BOTH, /* MPI_Isendrecv: one request that is two */
  PD_WRAP_REQUEST_COLL,
  PD_WRAP_REQUEST_RMA,     /* its communicator is the window */
  PD_WRAP_REQUEST_DUP,     /* MPI_Comm_idup */
  PD_WRAP_REQUEST_FILE,    /* @comm: the file's number; @bytes: that it was called with */
  PD_WRAP_REQUEST_MESSAGE, /* none, but matched by MPI_Mprobe */
} PdWrapRequestKind;

typedef struct
{
  PdWrapRequestKind kind;
  uint8_t is_persistent;
  uint8_t is_active;
  uint8_t is_cancelled; /* MPI_Cancel was called */
  uint8_t is_fortran;   /* of the handle at @newcomm */
  uint8_t mode;         /* of a send; PD_REC_ALLREDUCE, …: of a collective */
  uint32_t number;      /* in the stream */
  uint32_t second;      /* likewise, of the receive in %PD_WRAP_REQUEST_BOTH */
  uint32_t comm;
  int32_t peer; /* or the root */
  int32_t tag;
  int32_t rpeer; /* of the receive in %PD_WRAP_REQUEST_BOTH */
  int32_t rtag;
  uint64_t bytes;    /* or sent */
  uint64_t received; /* of a collective; of a receive its room; of a duplicate its identity */
  uint32_t sources;  /* 1 + group in the stream: of an operation of neighbours; 0: of none */
  uint32_t targets;
  const void *newcomm;
  const void *owner; /* the thread that began it */
  uintptr_t key;     /* the handle; 0: free */
  uint32_t next;     /* older one with the same handle, or the next free */
} PdWrapRequest;

uint32_t pd_request_new_number (void);
void pd_request_add (MPI_Request handle, const PdWrapRequest *request);
/* The collective operation that it is, as it begins. */
void pd_request_record_coll (const PdWrapRequest *request);
/* A matched message, until it is received. */
void pd_message_add (MPI_Message handle, int32_t source, int32_t tag, uint32_t comm);
/* Takes it out; 0 = not known. */
int pd_message_take (MPI_Message handle, PdWrapRequest *message);

void pd_requests_thread_end (void);

void pd_before_wait (PdWrapCall *call);
void pd_before_waitany (PdWrapCall *call);
void pd_before_waitall (PdWrapCall *call);
void pd_before_waitsome (PdWrapCall *call);
void pd_before_test (PdWrapCall *call);
void pd_before_testany (PdWrapCall *call);
void pd_before_testall (PdWrapCall *call);
void pd_before_testsome (PdWrapCall *call);
void pd_did_wait (PdWrapCall *call);
void pd_did_waitany (PdWrapCall *call);
void pd_did_waitall (PdWrapCall *call);
void pd_did_waitsome (PdWrapCall *call);
void pd_did_test (PdWrapCall *call);
void pd_did_testany (PdWrapCall *call);
void pd_did_testall (PdWrapCall *call);
void pd_did_testsome (PdWrapCall *call);
void pd_did_start (PdWrapCall *call);
void pd_did_startall (PdWrapCall *call);
void pd_before_request_free (PdWrapCall *call);
void pd_did_request_free (PdWrapCall *call);
void pd_did_cancel (PdWrapCall *call);

/* ---- messages: pd-wrap-messages.c */

void pd_did_send (PdWrapCall *call, int mode);
void pd_did_recv (PdWrapCall *call);
void pd_did_isend (PdWrapCall *call, int mode);
void pd_did_irecv (PdWrapCall *call);
void pd_did_send_init (PdWrapCall *call, int mode);
void pd_did_recv_init (PdWrapCall *call);
void pd_did_sendrecv (PdWrapCall *call);
void pd_did_sendrecv_replace (PdWrapCall *call);
void pd_did_isendrecv (PdWrapCall *call);
void pd_did_isendrecv_replace (PdWrapCall *call);
void pd_did_mprobe (PdWrapCall *call);
void pd_did_improbe (PdWrapCall *call);
void pd_before_mrecv (PdWrapCall *call);
void pd_did_mrecv (PdWrapCall *call);
void pd_before_imrecv (PdWrapCall *call);
void pd_did_imrecv (PdWrapCall *call);

/* ---- collective operations: pd-wrap-colls.c */

void pd_did_coll (PdWrapCall *call, int op);
void pd_did_icoll (PdWrapCall *call, int op);
void pd_did_coll_init (PdWrapCall *call, int op);
void pd_did_neighbour (PdWrapCall *call, int op);
void pd_did_ineighbour (PdWrapCall *call, int op);
void pd_did_neighbour_init (PdWrapCall *call, int op);

/* ---- one-sided: pd-wrap-wins.c */

void pd_did_make_win (PdWrapCall *call);
void pd_before_free_win (PdWrapCall *call);
void pd_did_free_win (PdWrapCall *call);
void pd_did_rma (PdWrapCall *call, int what);
void pd_did_rma_request (PdWrapCall *call, int what);
void pd_did_rma_one (PdWrapCall *call, int what);
void pd_did_fence (PdWrapCall *call);
void pd_did_lock (PdWrapCall *call);
void pd_did_lock_all (PdWrapCall *call);
/* PD_REC_UNLOCK and PD_REC_FLUSH. */
void pd_did_at_target (PdWrapCall *call, int what);
void pd_did_at_all (PdWrapCall *call, int what);
/* PD_REC_POST and PD_REC_START; PD_REC_COMPLETE and PD_REC_WAIT. */
void pd_did_begin_group (PdWrapCall *call, int what);
void pd_did_end_group (PdWrapCall *call, int what);
void pd_did_win_test (PdWrapCall *call);

/* ---- files: pd-wrap-files.c */

/* @all: %PD_REC_FILE_ALL, if the call is collective */
void pd_did_file_open (PdWrapCall *call);
void pd_before_file_close (PdWrapCall *call);
void pd_did_file_close (PdWrapCall *call);
void pd_did_file_read (PdWrapCall *call, int all);
void pd_did_file_write (PdWrapCall *call, int all);
void pd_did_file_iread (PdWrapCall *call, int all);
void pd_did_file_iwrite (PdWrapCall *call, int all);
void pd_did_file_begin_read (PdWrapCall *call);
void pd_did_file_begin_write (PdWrapCall *call);
void pd_did_file_end (PdWrapCall *call);
void pd_did_file_seek (PdWrapCall *call);
void pd_did_file_sync (PdWrapCall *call);
void pd_did_file (PdWrapCall *call);

/* ---- what recording costs: pd-wrap-costs.c */

/* Before the first call is recorded. */
void pd_costs_measure (void);

/* ---- beginning and end: pd-wrap-life.c, pd-wrap-group.c */

/* Whether one thread calls after the other, so that all ranks count alike. */
int pd_wrap_may_synchronise (void);
/* What MPI does for the recorder; NULL: it cannot. */
const PdRecMpi *pd_wrap_group_begin (void);
void pd_wrap_group_end (void);

#endif
