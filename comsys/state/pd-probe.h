/* The notifications of an observer of the running model: a table of functions, each of which may
 * be absent. The model calls them by PD_PROBE() at events, and uses no result: no probe
 * changes a moment. The headers of the critical path document each function, since it is the
 * probe that uses all of them (pd-critical-path-events.h and its neighbours). Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROBE_H
#define PD_PROBE_H

#include "comsys/state/pd-comsys-data.h"

struct _PdProbe
{
  void (*call) (PdComsys *self, guint32 rank, PdTime when);
  void (*untracked) (PdComsys *self, guint32 rank);
  void (*network_cpu) (PdComsys *self, const PdCall *call, PdTime when);
  void (*send) (PdComsys *self, guint32 send, PdTime when, PdTime ready, gboolean copies);
  void (*post) (PdComsys *self, guint32 recv, PdTime when);
  void (*copy) (PdComsys *self, guint32 send, PdTime until);
  void (*arrive) (PdComsys *self, guint32 send, gboolean control, PdTime when);
  void (*deliver) (PdComsys *self, guint32 send, PdTime when);
  void (*answer) (PdComsys *self, guint32 send);
  void (*match) (PdComsys *self, const PdReq *send, const PdReq *recv, PdTime received);
  void (*complete) (PdComsys *self, guint32 req);
  void (*await) (PdComsys *self, guint32 req);
  void (*wait) (PdComsys *self, const PdCall *call, PdTime overhead, gboolean is_any);
  void (*wait_begin) (PdComsys *self, guint32 first);
  void (*choose) (PdComsys *self, guint32 req);
  void (*waitany_continue) (PdComsys *self, guint32 rank, PdTime overhead);
  void (*test) (PdComsys *self, const PdCall *call);
  void (*probe_found) (PdComsys *self, guint32 rank, guint32 send, PdTime overhead);
  void (*step) (PdComsys *self, guint32 rank, PdTime when, const PdStep *step);
  void (*barrier_enter) (PdComsys *self, const PdCall *call, guint32 *latest);
  void (*barrier_leave) (PdComsys *self, guint32 rank, guint32 req, guint32 latest, PdTime when);
  void (*switch_actor) (PdComsys *self, const PdNonblocking *nonblocking);
  void (*nonblocking_start) (PdComsys *self, const PdNonblocking *nonblocking, PdTime when);
  void (*nonblocking_completed) (PdComsys *self, const PdNonblocking *nonblocking, guint32 req,
                                 PdAwaited awaited);
  void (*nonblocking_step) (PdComsys *self, gboolean waits);
  void (*nonblocking_work) (PdComsys *self, const PdNonblocking *nonblocking, PdTime when,
                            const PdStep *step);
  void (*nonblocking_wait) (PdComsys *self, const PdNonblocking *nonblocking, PdTime when,
                            PdAwaited awaited);
  void (*nonblocking_wait_end) (PdComsys *self, const PdNonblocking *nonblocking, PdTime when,
                                PdAwaited awaited);
  void (*nonblocking_end) (PdComsys *self, const PdNonblocking *nonblocking, PdTime when);
  void (*barrier_forget) (PdComsys *self, guint32 *latest);
  void (*known) (PdComsys *self, guint32 req, guint32 token);
  void (*launch) (PdComsys *self, guint32 send, const PdTransfer *transfer, PdTime arrival);
  void (*receive) (PdComsys *self, guint32 send, const PdTransfer *transfer);
  void (*post_after_send) (PdComsys *self, guint32 recv);
  void (*hold_cpu) (PdComsys *self, guint32 rank, PdTime when, gboolean computes);
  void (*follow_cpu) (PdComsys *self, guint32 rank);
  void (*return_by_cpu) (PdComsys *self, guint32 rank);
  void (*defer_compute) (PdComsys *self, guint32 rank, PdTime begin, PdTime when);
  void (*compute) (PdComsys *self, guint32 rank);
  void (*lanes) (PdComsys *self);
  void (*operation_enter) (PdComsys *self, guint32 rank, guint32 token);
  void (*operation_begin) (PdComsys *self, guint32 rank, guint32 token, const guint32 *peer);
  void (*operation_start) (PdComsys *self, guint32 rank);
  void (*operation_compute) (PdComsys *self, guint32 rank, guint32 token, PdTime until);
  void (*operation_end) (PdComsys *self, guint32 rank, guint32 token);
};

/* Tells the probe of @comsys, if there is one, that @event has happened. */
#define PD_PROBE(comsys, event, ...)                                                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (G_UNLIKELY ((comsys)->probe != NULL))                                                      \
      (comsys)->probe->event ((comsys), __VA_ARGS__);                                              \
  }                                                                                                \
  G_STMT_END

#endif
