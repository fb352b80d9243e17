/* Playing the steps of a schedule as point-to-point operations: by a rank that is
 * blocked in the operation, or beside a rank that does something else. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_EXECUTE_PRIVATE_H
#define PD_COLL_EXECUTE_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/state/pd-comsys-data.h"

/* The execution that blocks @rank; its former contents may be lost. */
PdExecution *pd_execution_of_rank (PdComsys *self, guint32 rank);
PdNonblocking *pd_nonblocking_new (PdComsys *self);
/* Of PdResources, where processors are free. */
void pd_nonblocking_begin (PdComsys *self, PdNonblocking *nonblocking, PdTime when);
void pd_nonblocking_go_on (PdComsys *self, PdNonblocking *nonblocking);
void pd_nonblocking_end_await (PdComsys *self, PdNonblocking *nonblocking, PdAwaited awaited);
void pd_nonblocking_free (PdComsys *self, PdNonblocking *nonblocking);
/* The end of a step that needs no other rank. */
PdTime pd_execution_work (const PdComsys *self, PdTime when, const PdStep *step);
/* Beside its rank: @req counts until it completes. */
void pd_nonblocking_add_request (PdComsys *self, PdNonblocking *nonblocking, guint32 req,
                                 PdAwaited awaited);
/* All that was awaited has completed: when its wait is over. */
PdTime pd_nonblocking_end_wait (PdComsys *self, PdNonblocking *nonblocking, PdAwaited awaited);

/* Continues at *@when; TRUE: the operation ended, at *@when. */
gboolean pd_execution_continue (PdComsys *self, guint32 rank, PdTime *when);
/* The event: a nonblocking operation goes on. */
void pd_nonblocking_event (PdComsys *self, guint32 rank, guint32 index);
/* A message of a nonblocking operation completed at @when. */
void pd_nonblocking_completed (PdComsys *self, guint32 req, PdTime when);
void pd_execution_pool_clear (PdExecutionPool *pool);

#endif
