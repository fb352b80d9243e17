/* The use of processors by messages, and the order of ranks at one moment. On most machines a rank
 * has its processor for itself, and at one moment the lower rank is first; on networks whose order
 * is that of entry (#PdNetworkClass.is_fifo) the rank that was queued first is; on networks with
 * endpoint resources (#PdNetworkEndpoints) messages keep processors busy, and actions of a rank
 * wait for its processor. Each rule that depends on this is a function of a table. There are three
 * tables; PdComsys has one of them from its beginning. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESOURCES_H
#define PD_RESOURCES_H

#include "comsys/state/pd-comsys-data.h"

struct _PdResources
{
  /* whether the acting rank may act at @when without the queue */
  gboolean (*may_go_on) (const PdComsys *self, guint32 rank, PdTime when);
  /* it goes on at @when, having computed perhaps: with @event, a turn or a play */
  void (*resume) (PdComsys *self, guint32 rank, PdEvent event, PdTime when);
  /* a nonblocking operation begins at @when; its next step is due; a message of it is complete */
  void (*nonblocking_begin) (PdComsys *self, PdNonblocking *nonblocking, PdTime when);
  void (*nonblocking_event) (PdComsys *self, PdNonblocking *nonblocking);
  void (*nonblocking_completed) (PdComsys *self, PdNonblocking *nonblocking, PdAwaited awaited);

  /* (nullable): the acting rank has come to @when; @is_ahead: as if by a turn */
  void (*advance) (PdComsys *self, guint32 rank, PdTime when, gboolean is_ahead);

  gboolean is_fifo; /* at one moment the first queued is first, see pd-fifo-order.h */
  gboolean keeps;   /* messages keep processors; else the following functions are NULL */
  /* it goes on within its call at @when, which may be a turn of its own */
  void (*come_to) (PdComsys *self, guint32 rank, PdTime when);
  /* it has posted @recv: *@ret becomes the moment when it goes on */
  void (*posted) (PdComsys *self, guint32 recv, PdTime *ret);
};

/**
 * pd_keeps_processors:
 * Returns: whether messages keep processors: @self->cpus are there.
 */
static inline gboolean
pd_keeps_processors (const PdComsys *self)
{
  return self->resources->keeps;
}

/* Further functions for networks whose messages keep processors. */
#define PD_RESOURCES(comsys, hook, ...)                                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (G_UNLIKELY (pd_keeps_processors (comsys)))                                                 \
      (comsys)->resources->hook ((comsys), __VA_ARGS__);                                           \
  }                                                                                                \
  G_STMT_END

#endif
