/* Where recording begins and ends.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/wrap/pd-wrap-fortran-private.h"
#include "record/life/pd-rec-life.h"
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-stream.h"
#include "record/stream/pd-rec-usage.h"

#include <pthread.h>
#include <stdarg.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *const names[] = {
/* Those with large counts do the same as those without: one name. */
#define PD_FUNCTION(name, text) text,
#include <mpi-names.inc>
#undef PD_FUNCTION
};

int pd_wrap_is_begun;
static int may_synchronise;

int
pd_wrap_may_synchronise (void)
{
  return may_synchronise && pd_wrap_is_begun && pd_rec_was_begun ();
}

/* The stream belongs to the parent. */
static void
after_fork (void)
{
  pd_rec_state = PD_REC_CLOSED;
  pd_rec_own_is_read = 0;
  pd_wrap_is_begun = pd_wrap_is_threaded = 0;
}

/* ---- MPI_Init */

/* Not so in worlds that others have spawned: their ranks would be taken for those
 * of the first one. */
static int
is_first_world (void)
{
  MPI_Comm parent = MPI_COMM_NULL;
  int rank;

  PMPI_Comm_get_parent (&parent);
  if (parent == MPI_COMM_NULL)
    return 1;
  PMPI_Comm_rank (MPI_COMM_WORLD, &rank);
  if (rank == 0)
    pd_rec_say ("processes started by MPI_Comm_spawn are not recorded");
  return 0;
}

/* Where some thread may call while another one does, ranks count world-wide operations
 * in orders of their own. */
static void
check_threads (const PdRecMpi *mpi)
{
  int level = MPI_THREAD_SINGLE;
  uint64_t is_any;

  PMPI_Query_thread (&level);
  pd_wrap_is_threaded = level > MPI_THREAD_FUNNELED;
  is_any = level == MPI_THREAD_MULTIPLE;
  may_synchronise = mpi->maximum (mpi->data, &is_any) == 0 && is_any == 0;
}

static void
begin (PdWrapCall *call)
{
  const PdRecMpi *mpi = is_first_world () ? pd_wrap_group_begin () : NULL;

  if (mpi == NULL)
    return;
  if (!pd_rec_begin (mpi, names, PD_FN_N, &call->t0))
    {
      pd_wrap_group_end ();
      return;
    }
  pd_wrap_is_begun = 1;
  check_threads (mpi);
  pthread_atfork (NULL, NULL, after_fork);
  pd_stack_begin ();
  pd_comms_begin ();
  pd_costs_measure ();
  pd_rec_clock_choose ();
  call->t1 = pd_rec_now ();
  call->processor[1] = pd_rec_usage_start (call->t1);
  if (pd_rec_own_is_read)
    call->own[1] = pd_rec_thread_time (call->t1);
  pd_call_record (call);
}

/* Only the outermost call begins something: Fortran's layer calls C. */
static int
enter_init (PdWrapCall *call, uint16_t function, void *return_address, void *frame)
{
  if (!pd_guard_enter ())
    return 0;
  pd_call_fill (call, function, 0, 0, return_address, frame);
  pd_rec_usage_before_mpi ();
  call->t0 = pd_rec_now ();
  return 1;
}

static void
leave_init (PdWrapCall *call, int rc)
{
  if (rc == MPI_SUCCESS)
    begin (call);
  pd_guard_leave ();
}

int
MPI_Init (int *argc, char ***argv)
{
  PdWrapCall call;
  int rc;

  if (!enter_init (&call, PD_FN_Init, PD_RETURN_ADDRESS, PD_FRAME))
    return PMPI_Init (argc, argv);
  rc = PMPI_Init (argc, argv);
  leave_init (&call, rc);
  return rc;
}

int
MPI_Init_thread (int *argc, char ***argv, int required, int *provided)
{
  PdWrapCall call;
  int rc;

  if (!enter_init (&call, PD_FN_Init_thread, PD_RETURN_ADDRESS, PD_FRAME))
    return PMPI_Init_thread (argc, argv, required, provided);
  rc = PMPI_Init_thread (argc, argv, required, provided);
  leave_init (&call, rc);
  return rc;
}

/* ---- MPI_Finalize, MPI_Abort */

static int
enter_last (PdWrapCall *call, uint16_t function, void *return_address, void *frame)
{
  if (!pd_wrap_is_begun || !pd_guard_enter ())
    return 0;
  pd_call_fill (call, function, 0, 0, return_address, frame);
  pd_call_start (call);
  return 1;
}

/* What MPI itself does at the end is not recorded any more. */
static void
end (PdWrapCall *call)
{
  pd_call_stop (call);
  pd_rec_end ();
  pd_wrap_is_begun = 0;
  pd_wrap_group_end ();
  pd_guard_leave ();
}

/* It ends a pause, so that how long that was is known. */
static int
enter_finalize (PdWrapCall *call, void *return_address, void *frame)
{
  if (pd_wrap_is_begun && pd_rec_is_open () && !pd_rec_is_on ())
    pd_rec_switch (1, pd_rec_now ());
  return enter_last (call, PD_FN_Finalize, return_address, frame);
}

int
MPI_Finalize (void)
{
  PdWrapCall call;

  if (enter_finalize (&call, PD_RETURN_ADDRESS, PD_FRAME))
    end (&call);
  return PMPI_Finalize ();
}

__attribute__ ((destructor)) static void
at_exit (void)
{
  if (pd_wrap_is_begun)
    pd_rec_exit ();
}

/* The stream says where the rank was: it does not come back. How long the run would
 * have been is not known. */
static void
abandon (void)
{
  pd_wrap_is_begun = 0;
  pd_guard_leave ();
}

int
MPI_Abort (MPI_Comm comm, int code)
{
  PdWrapCall call;

  if (enter_last (&call, PD_FN_Abort, PD_RETURN_ADDRESS, PD_FRAME))
    abandon ();
  return PMPI_Abort (comm, code);
}

/* ---- MPI_Pcontrol */

static int
has_id (int level)
{
  return level == 100 || level == 101 || level == 200 || level == 201;
}

static void
control (PdWrapCall *call, int level, int64_t id)
{
  pd_call_start (call);
  PMPI_Pcontrol (level);
  if (level == 1 && !call->is_on)
    {
      call->t0 = pd_rec_now ();
      pd_rec_switch (1, call->t0);
      call->is_on = call->is_timed = (uint8_t) pd_rec_is_on ();
    }
  pd_call_stop (call);
  if (!call->is_on)
    return;
  pd_rec_pcontrol (level, id);
  if (level == 0)
    pd_rec_switch (0, call->t1);
}

int
MPI_Pcontrol (const int level, ...)
{
  PdWrapCall call;
  int64_t id = 0;
  va_list arguments;

  if (!pd_call_enter (&call, PD_FN_Pcontrol, 0, 0, PD_RETURN_ADDRESS, PD_FRAME))
    return MPI_SUCCESS;
  va_start (arguments, level);
  if (has_id (level))
    id = va_arg (arguments, int);
  va_end (arguments);
  control (&call, level, id);
  pd_call_leave (&call);
  return MPI_SUCCESS;
}

/* ---- Fortran */

typedef void FnInit (MPI_Fint *e);
typedef void FnFinalize (MPI_Fint *e);
typedef void FnInit_thread (void *required, void *provided, MPI_Fint *e);
typedef void FnAbort (void *comm, void *code, MPI_Fint *e);
typedef void FnPcontrol (const MPI_Fint *level, const MPI_Fint *id);

static void
call_init (FnInit *pmpi, int layer, void *ra, void *frame, MPI_Fint *e)
{
  PdWrapCall call;
  MPI_Fint own_error;
  int is_outer = enter_init (&call, PD_FN_Init, ra, frame);

  (void) layer;
  e = e != NULL ? e : &own_error;
  pmpi (e);
  if (is_outer)
    leave_init (&call, *e);
}

static void
call_init_thread (FnInit_thread *pmpi, int layer, void *ra, void *frame, void *required,
                  void *provided, MPI_Fint *e)
{
  PdWrapCall call;
  MPI_Fint own_error;
  int is_outer = enter_init (&call, PD_FN_Init_thread, ra, frame);

  (void) layer;
  e = e != NULL ? e : &own_error;
  pmpi (required, provided, e);
  if (is_outer)
    leave_init (&call, *e);
}

static void
call_finalize (FnFinalize *pmpi, int layer, void *ra, void *frame, MPI_Fint *e)
{
  PdWrapCall call;
  MPI_Fint own_error;

  (void) layer;
  if (enter_finalize (&call, ra, frame))
    end (&call);
  pmpi (e != NULL ? e : &own_error);
}

static void
call_abort (FnAbort *pmpi, int layer, void *ra, void *frame, void *comm, void *code, MPI_Fint *e)
{
  PdWrapCall call;
  MPI_Fint own_error;

  (void) layer;
  if (enter_last (&call, PD_FN_Abort, ra, frame))
    abandon ();
  pmpi (comm, code, e != NULL ? e : &own_error);
}

/* MPI_Pcontrol has one argument in Fortran; as an external subroutine it may be
 * given a second one. Without a second one, the found value may be no address. */
static int64_t
read_id (const MPI_Fint *id)
{
  MPI_Fint value = 0;
  struct iovec here = { &value, sizeof value }, there = { (void *) (uintptr_t) id, sizeof *id };

  if (process_vm_readv (getpid (), &here, 1, &there, 1, 0) != (ssize_t) sizeof value)
    return 0;
  return value;
}

/* The library's own does nothing. */
static void
call_pcontrol (FnPcontrol *pmpi, int layer, void *ra, void *frame, const MPI_Fint *level,
               const MPI_Fint *id)
{
  PdWrapCall call;

  (void) pmpi;
  if (!pd_call_enter (&call, PD_FN_Pcontrol, 1, 0, ra, frame))
    return;
  control (&call, *level, layer == PD_FORTRAN_77 && has_id (*level) ? read_id (id) : 0);
  pd_call_leave (&call);
}

PD_FORTRAN (FnInit, init, INIT, (MPI_Fint * e), e)
PD_FORTRAN (FnFinalize, finalize, FINALIZE, (MPI_Fint * e), e)
PD_FORTRAN (FnInit_thread, init_thread, INIT_THREAD, (void *a1, void *a2, MPI_Fint *e), a1, a2, e)
PD_FORTRAN (FnAbort, abort, ABORT, (void *a1, void *a2, MPI_Fint *e), a1, a2, e)
PD_FORTRAN (FnPcontrol, pcontrol, PCONTROL, (const MPI_Fint *level, const MPI_Fint *id), level, id)
