/* Who watches a prediction: timeline, protocol, replay, critical path. The interpreters of all
 * kinds of traces tell what their ranks do by PD_WATCH(), and ask nothing of those they tell: no
 * watcher changes a moment, and none is known to them by name. Where nobody watches, one test.
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

/* What a library above MPI has done with a rank's messages. */
typedef struct
{
  guint32 rank;
  PdLibraryPart part;
  gdouble amount; /* of what the parameter of @part is the cost of, divided by the rank's speed */
  PdTime since;
  PdTime until;
} PdLibrarySpan;

/* What a rank does, or has done; an interpreter fills in what its watchers look at. */
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

/* What has kept a CPU. */
typedef struct
{
  guint32 rank;
  guint kind; /* the interpreter's */
  guint8 cpu;
  gboolean is_only; /* its rank has no other one */
  PdTime since;
  PdTime until;
} PdKept;

/* What a rank has come to is … */
typedef enum
{
  PD_TOKEN_KEEP,   /* … what it goes on with when a token comes */
  PD_TOKEN_JOIN,   /* … so, too; the token does not come by itself */
  PD_TOKEN_FOLLOW, /* … what makes an operation ready, too, which the token names */
} PdTokenUse;

/* What watchers are told; a hole is not wanted. */
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
 * @watchers: (nullable): are told that all is over
 * @ends: (nullable) (array): of all ranks; %NULL: of a prediction that failed
 * @error: return location for errors of files, unless that failed
 *
 * Returns: %FALSE if one of them cannot write what it has seen.
 */
gboolean pd_watchers_finish (const PdWatcher *watchers, const PdTime *ends, GError **error);

/**
 * pd_watchers_free:
 * @watchers: (nullable): all are freed
 */
void pd_watchers_free (PdWatcher *watchers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdWatcher, pd_watchers_free)

#endif
