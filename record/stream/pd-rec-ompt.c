/* The tool that a runtime of OpenMP finds by the name ompt_start_tool. It counts outermost
 * parallel regions. A thread is busy from the beginning of its implicit task to its wait
 * in a barrier, and between barriers. A thread reports before it waits, since the runtime may
 * end its task as late as the beginning of the next region, when this one is gone.
 * Types and numbers are those of OpenMP API 5.0, section 4.4.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-ompt.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef union
{
  uint64_t value;
  void *ptr;
} Data; /* ompt_data_t */

typedef void (*Callback) (void);
typedef int (*SetCallback) (int which, Callback callback);
typedef Callback (*Lookup) (const char *name);

typedef struct
{
  int (*initialize) (Lookup lookup, int device, Data *data);
  void (*finalize) (Data *data);
  Data data;
} StartTool; /* ompt_start_tool_result_t */

enum
{
  PARALLEL_BEGIN = 3, /* ompt_callbacks_t */
  PARALLEL_END = 4,
  IMPLICIT_TASK = 7,
  SYNC_REGION_WAIT = 16,
  SCOPE_BEGIN = 1, /* ompt_scope_endpoint_t */
  SCOPE_END = 2,
  TASK_INITIAL = 1, /* ompt_task_flag_t */
};

typedef struct
{
  uint64_t began;
  _Atomic uint64_t busy;    /* of all threads */
  _Atomic uint64_t longest; /* of one */
  unsigned n_threads;
} Region;

static struct
{
  pthread_mutex_t lock;
  PdRecRegions sums; /* n: 1 + how many; 0 = no runtime has asked for the tool */
  PdRecRegions before;
} self = { .lock = PTHREAD_MUTEX_INITIALIZER };

static _Thread_local struct
{
  Region *region; /* NULL: none */
  uint64_t since; /* busy since; 0 = it waits */
  uint64_t busy;  /* in the region */
} own;

static uint64_t
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

/* ---- what a thread does */

static void
stop_work (void)
{
  uint64_t busy, longest;

  if (own.region == NULL || own.since == 0)
    return;
  busy = now () - own.since;
  own.since = 0;
  own.busy += busy;
  atomic_fetch_add (&own.region->busy, busy);
  longest = atomic_load (&own.region->longest);
  while (own.busy > longest
         && !atomic_compare_exchange_weak (&own.region->longest, &longest, own.busy))
    ;
}

static void
on_implicit_task (int endpoint, Data *parallel, Data *task, unsigned n_threads, unsigned index,
                  int flags)
{
  Region *region = parallel != NULL ? parallel->ptr : NULL;

  if ((flags & TASK_INITIAL) != 0)
    return;
  if (endpoint == SCOPE_BEGIN && region != NULL && own.region == NULL)
    {
      own.region = region;
      own.busy = 0;
      own.since = now ();
      task->ptr = region;
      if (index == 0)
        region->n_threads = n_threads;
    }
  else if (endpoint == SCOPE_END && own.region != NULL && task->ptr == own.region)
    {
      if (index == 0) /* the region is still there, and it may have had no barrier */
        stop_work ();
      own.region = NULL;
    }
}

static void
on_wait (int kind, int endpoint, Data *parallel, Data *task, const void *address)
{
  (void) kind, (void) parallel, (void) task, (void) address;
  if (endpoint == SCOPE_BEGIN)
    stop_work ();
  else if (endpoint == SCOPE_END && own.region != NULL)
    own.since = now ();
}

/* ---- regions */

static void
on_parallel_begin (Data *encountering, const void *frame, Data *parallel, unsigned requested,
                   int flags, const void *address)
{
  Region *region = own.region == NULL ? calloc (1, sizeof *region) : NULL;

  (void) encountering, (void) frame, (void) requested, (void) flags, (void) address;
  parallel->ptr = region;
  if (region != NULL)
    region->began = now ();
}

static void
on_parallel_end (Data *parallel, Data *encountering, int flags, const void *address)
{
  Region *region = parallel->ptr;
  PdRecRegions *sums = &self.sums;
  uint64_t time;

  (void) encountering, (void) flags, (void) address;
  if (region == NULL)
    return;
  time = now () - region->began;
  pthread_mutex_lock (&self.lock);
  sums->n++;
  sums->time += time;
  sums->busy += atomic_load (&region->busy);
  sums->longest += atomic_load (&region->longest);
  sums->capacity += time * region->n_threads;
  if (region->n_threads > sums->n_threads)
    sums->n_threads = region->n_threads;
  pthread_mutex_unlock (&self.lock);
  parallel->ptr = NULL;
  free (region);
}

/* ---- the tool */

static int
initialize (Lookup lookup, int device, Data *data)
{
  SetCallback set = (SetCallback) lookup ("ompt_set_callback");

  (void) device, (void) data;
  if (set == NULL)
    return 0;
  set (PARALLEL_BEGIN, (Callback) on_parallel_begin);
  set (PARALLEL_END, (Callback) on_parallel_end);
  set (IMPLICIT_TASK, (Callback) on_implicit_task);
  set (SYNC_REGION_WAIT, (Callback) on_wait);
  self.sums.n = 1;
  return 1;
}

static void
finalize (Data *data)
{
  (void) data;
}

StartTool *ompt_start_tool (unsigned version, const char *runtime);

__attribute__ ((visibility ("default"))) StartTool *
ompt_start_tool (unsigned version, const char *runtime)
{
  static StartTool tool = { initialize, finalize, { 0 } };

  (void) version, (void) runtime;
  return &tool;
}

void
pd_rec_ompt_begin (void)
{
  pthread_mutex_lock (&self.lock);
  self.before = self.sums;
  pthread_mutex_unlock (&self.lock);
}

void
pd_rec_ompt_end (PdRecRegions *regions)
{
  pthread_mutex_lock (&self.lock);
  *regions = self.sums;
  pthread_mutex_unlock (&self.lock);
  if (regions->n == 0)
    return;
  regions->n -= self.before.n > 0 ? self.before.n - 1 : 0;
  regions->time -= self.before.time;
  regions->busy -= self.before.busy;
  regions->longest -= self.before.longest;
  regions->capacity -= self.before.capacity;
}
