/* A call from outside: the guard, its record, and what a thread leaves behind.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"
#include "record/archive/pd-rec-define.h"
#include "record/life/pd-rec-life.h"
#include "record/stream/pd-rec-stream.h"

#include <pthread.h>

_Thread_local char pd_guard_is_inside __attribute__ ((tls_model ("initial-exec")));
int pd_wrap_is_threaded;

static pthread_mutex_t tables = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t has_key = PTHREAD_ONCE_INIT;
static pthread_key_t key;

void
pd_tables_lock_now (void)
{
  pthread_mutex_lock (&tables);
}

void
pd_tables_unlock_now (void)
{
  pthread_mutex_unlock (&tables);
}

static void
thread_ends (void *data)
{
  (void) data;
  pd_stack_thread_end ();
  pd_requests_thread_end ();
  pd_values_thread_end ();
  pd_rec_stream_leave ();
}

static void
make_key (void)
{
  pthread_key_create (&key, thread_ends);
}

void
pd_call_begin_thread (void)
{
  pthread_once (&has_key, make_key);
  pd_rec_thread_begin ();
  if (!pd_rec_has_stream ())
    return;
  pthread_setspecific (key, &pd_guard_is_inside);
  pd_stack_thread_begin ();
}

void
pd_call_record (PdWrapCall *call)
{
  if (call->is_recorded)
    return;
  call->is_recorded = 1;
  if (pd_rec_n_streams > 1)
    {
      pd_rec_stream_catch_up (call->t0);
      pd_rec_define_catch_up ();
    }
  if (call->processor[0] != 0 || call->processor[1] != 0)
    pd_rec_processor (PD_REC_OF_PROCESS, call->processor[0], call->processor[1]);
  if (call->own[0] != 0 || call->own[1] != 0)
    pd_rec_processor (PD_REC_OF_THREAD, call->own[0], call->own[1]);
  pd_rec_call (call->function, pd_stack_get (call->return_address, call->frame), call->t0,
               call->t1);
}
