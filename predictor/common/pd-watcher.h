/* The observers of a prediction: timeline, protocol, replay, critical path. The interpreters of all
 * kinds of traces notify them of the activity of ranks by PD_WATCH(). Observers never affect
 * results, and interpreters know none of them by name. Without observers a notification costs one
 * test.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WATCHER_H
#define PD_WATCHER_H

#include "base/pd-time.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/state/pd-comsys-types.h"

typedef enum
{
  PD_SPAN_COMPUTE,
  PD_SPAN_DELAY, /* no processor speed changes it */
  PD_SPAN_IO,    /* in an I/O function */
} PdSpanKind;

/* Time that a rank has spent by itself, up to its clock. */
typedef struct
{
  PdSpanKind kind;
  guint32 rank;
  guint32 node; /* its interval */
  PdTime since;
  PdTime until;
} PdSpan;

/* The work of a library above MPI on a rank's messages. */
typedef struct
{
  guint32 rank;
  PdLibraryPart part;
  gdouble amount; /* in the unit of the parameter of @part, divided by the rank's speed */
  PdTime since;
  PdTime until;
} PdLibrarySpan;

/* An action of a rank, in progress or completed; an interpreter fills in the fields that its
 * watchers use. */
typedef struct
{
  gconstpointer what; /* the interpreter's: a cell of a program, a step */
  guint64 number;     /* of it within the rank */
  guint32 rank;
  PdTime begin;
  PdTime end;
  PdTime computed; /* so much of it, the last, was computation */
  gint64 portion;  /* of a pipeline, from 1; 0: of a deed as a whole */
} PdDeed;

/* An occupation of a CPU. */
typedef struct
{
  guint32 rank;
  guint kind; /* the interpreter's */
  guint8 cpu;
  gboolean is_only; /* its rank has no other one */
  PdTime since;
  PdTime until;
} PdKept;

/* The next action of a rank is … */
typedef enum
{
  PD_TOKEN_KEEP,   /* … what it goes on with when a token comes */
  PD_TOKEN_JOIN,   /* … so, too; the token does not come by itself */
  PD_TOKEN_FOLLOW, /* … what makes an operation ready, too, which the token names */
} PdTokenUse;

/* The notifications of a watcher; a hole is not needed. */
typedef struct
{
  void (*spent) (gpointer self, const PdSpan *span);
  void (*packed) (gpointer self, const PdLibrarySpan *span);
  /* a rank is in interval @node from @when on */
  void (*moved) (gpointer self, guint32 rank, guint32 node, PdTime when);
  /* it begins a deed, or goes on with it; is through with it; never will be */
  void (*is_at) (gpointer self, const PdDeed *deed);
  void (*done) (gpointer self, const PdDeed *deed);
  void (*blocked) (gpointer self, const PdDeed *deed);
  /* in a deed, which may be over, it has waited for others; the last one came at @came */
  void (*waited) (gpointer self, const PdDeed *deed, PdTime waited, guint32 last, PdTime came);
  void (*kept) (gpointer self, const PdKept *kept);
  /* of ranks that go on by tokens: see comsys/critical/pd-critical-path-tokens.h */
  void (*turn) (gpointer self, const PdTurn *turn);
  void (*token) (gpointer self, PdTokenUse use, guint32 rank, guint32 token);
  void (*go_on) (gpointer self, guint32 rank);
  /* all is over; @ends: of all ranks; NULL: of a prediction that failed */
  gboolean (*finish) (gpointer self, const PdTime *ends, GError **error);
  void (*free) (gpointer self);
} PdWatcherClass;

/* A list. */
typedef struct _PdWatcher
{
  const PdWatcherClass *class;
  gpointer self;
  struct _PdWatcher *next;
} PdWatcher;

/* Tells all of @watchers (nullable) of @event. */
#define PD_WATCH(watchers, event, ...)                                                             \
  G_STMT_START                                                                                     \
  {                                                                                                \
    for (const PdWatcher *each = (watchers); G_UNLIKELY (each != NULL); each = each->next)         \
      if (each->class->event != NULL)                                                              \
        each->class->event (each->self, __VA_ARGS__);                                              \
  }                                                                                                \
  G_STMT_END

/**
 * pd_watch:
 * @watchers: (inout): get one more
 * @self: its data, which is freed with it if @class says how
 */
void pd_watch (PdWatcher **watchers, const PdWatcherClass *class, gpointer self);

/**
 * pd_watchers_finish:
 * @watchers: (nullable): are notified of the end
 * @ends: (nullable) (array): of all ranks; %NULL: of a prediction that failed
 * @error: return location for errors of files, unless that failed
 *
 * Returns: %FALSE if one of them cannot write its results.
 */
gboolean pd_watchers_finish (const PdWatcher *watchers, const PdTime *ends, GError **error);

/**
 * pd_watchers_free:
 * @watchers: (nullable): all are freed
 */
void pd_watchers_free (PdWatcher *watchers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdWatcher, pd_watchers_free)

#endif
