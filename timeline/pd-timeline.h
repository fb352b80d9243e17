/* The activity of every rank of a run over time. The simulation or the analysis of the run is
 * the source: it feeds a #PdTimelineFeed, which notifies all consumers. The consumer
 * #PdTimeline keeps the selected part, for the writers of files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_H
#define PD_TIMELINE_H

#include "base/pd-time.h"

#define PD_TIMELINE_ERROR (pd_timeline_error_quark ())
typedef enum
{
  PD_TIMELINE_ERROR_SELECTION, /* a window or a list of ranks that is wrong */
  PD_TIMELINE_ERROR_LIMIT,     /* more events than are allowed */
  PD_TIMELINE_ERROR_FORMAT,    /* no format has that suffix, or it cannot hold the run */
} PdTimelineError;

/**
 * pd_timeline_error_quark:
 * Returns: the domain of #PdTimelineError.
 */
GQuark pd_timeline_error_quark (void);

/* The states of a rank. Those behind IO are communication. */
typedef enum
{
  PD_TL_COMPUTE,
  PD_TL_REPEATED, /* computation that other ranks do alike: insufficient parallelism */
  PD_TL_IO,
  PD_TL_SEND,
  PD_TL_RECEIVE,
  PD_TL_WAIT,
  PD_TL_COLLECTIVE,
  PD_TL_ONE_SIDED,
  PD_TL_OTHER, /* other calls */
  PD_TL_N_STATES,
} PdTimelineState;

/**
 * pd_timeline_is_computation:
 * Returns: whether a rank in @state computes, also if others do the same.
 */
static inline gboolean
pd_timeline_is_computation (PdTimelineState state)
{
  return state == PD_TL_COMPUTE || state == PD_TL_REPEATED;
}

/* The region of the whole program, the outermost interval of every rank. */
#define PD_TL_PROGRAM 0u

/* The longest moment that is not known: no region. */
#define PD_TL_NONE G_MAXUINT32

/* The state of a rank from @begin to @end, which may be equal for calls. Slices of one CPU
 * of a rank do not overlap. Between slices the rank is idle. */
typedef struct
{
  PdTime begin;
  PdTime end;
  guint32 rank;
  guint32 region;   /* function */
  guint32 interval; /* region of the innermost interval */
  guint8 state;     /* PdTimelineState */
  guint8 cpu;       /* of the rank; nearly always 0 */
  guint8 spare[2];
} PdTimelineSlice;

G_STATIC_ASSERT (sizeof (PdTimelineSlice) == 32);

/* A message between two ranks, also of a processor to itself. */
typedef struct
{
  PdTime sent;     /* when the call that sends it began, or what started it */
  PdTime received; /* when the receiver has it; >= sent */
  gint64 bytes;
  guint32 from; /* of all ranks */
  guint32 to;
  gint32 tag;
  guint32 comm; /* number of the communicator; 0: of all, or not known */
} PdTimelineMessage;

/* A rank enters or leaves an interval. They nest, and whatever is entered is left; the
 * outermost, PD_TL_PROGRAM, is entered at the beginning and left at the end of the rank. */
typedef struct
{
  PdTime at;
  guint32 rank;
  guint32 region;
  gboolean enters;
} PdTimelineMark;

/* The run. */
typedef struct
{
  guint32 n_ranks;
  guint32 n_cpus;         /* of a rank, at least 1 */
  const guint32 *node_of; /* (nullable) (array length=n_ranks): node of each rank; NULL: each
                           * rank is on its own one */
  const char *title;      /* name of the program, of its trace */
  const char *machine;    /* (nullable): where it ran; NULL: not known */
} PdTimelineHead;

typedef struct _PdTimelineFeed PdTimelineFeed;

/* A consumer. Every function may be NULL. begin() comes first, end() last; between them
 * slices and marks of a rank in the order of time (an interval is entered before, and left
 * after its contents), ranks in any order; messages in any order. Pointers are valid only
 * during the call; @feed lives until end() has returned. */
typedef struct
{
  void (*begin) (gpointer self, PdTimelineFeed *feed, const PdTimelineHead *head);
  void (*slice) (gpointer self, const PdTimelineSlice *slice);
  void (*message) (gpointer self, const PdTimelineMessage *message);
  void (*mark) (gpointer self, const PdTimelineMark *mark);
  gboolean (*end) (gpointer self, GError **error);
} PdTimelineClass;

/* ---- the consumer that keeps a run */

/* The selected part of a run. */
typedef struct
{
  PdTime begin;      /* of the window */
  PdTime end;        /* PD_TIME_MAX: the end of the run */
  const char *ranks; /* (nullable): "0,4-7"; NULL: all */
  guint64 limit;     /* of slices, messages and marks together; at most 2^31 - 1 */
} PdTimelineSelection;

#define PD_TIMELINE_LIMIT 5000000 /* the default */

/* A run, or a selected part. Filled when the feed has ended; read-only. */
typedef struct
{
  /* the run */
  guint32 n_ranks; /* all, also if some were not selected */
  guint32 n_cpus;
  guint32 *node_of; /* (array length=n_ranks) */
  char *title;
  char *machine; /* (nullable) */
  char *command; /* (nullable): the command line that made it; set by the owner */
  PdTime end;    /* of the run: its execution time */
  /* the selected part of it */
  PdTime window[2];  /* its begin and end, at most that of the run */
  guint8 *is_wanted; /* (array length=n_ranks): of each rank, 0 or 1 */
  guint32 n_wanted;
  /* what happened */
  char **regions; /* (array zero-terminated=1): names; the first one is PD_TL_PROGRAM */
  guint32 n_regions;
  PdTimelineSlice *slices; /* by rank and begin; cut at the edges of the window */
  gsize n_slices;
  PdTimelineMark *marks; /* by rank and moment; an interval that crosses an edge of the window
                          * begins or ends there */
  gsize n_marks;
  PdTimelineMessage *messages; /* by moments, then ranks; whose ends are both inside */
  gsize n_messages;
  guint64 n_left_out; /* messages of which one end was not selected, or whose receiver had ended
                       * when they came */
} PdTimeline;

extern const PdTimelineClass pd_timeline_class;

/**
 * pd_timeline_new:
 * @selection: (nullable): NULL: all, with the usual limit; copied
 * @error: return location for %PD_TIMELINE_ERROR_SELECTION
 *
 * A consumer, of #pd_timeline_class, which keeps the selected events. Ending its feed fails
 * with %PD_TIMELINE_ERROR_LIMIT if their number exceeds the limit; then no event is kept.
 *
 * Returns: (transfer full) (nullable): without a run so far.
 */
PdTimeline *pd_timeline_new (const PdTimelineSelection *selection, GError **error);

/**
 * pd_timeline_free:
 * @self: (nullable): the timeline
 */
void pd_timeline_free (PdTimeline *self);

/**
 * pd_timeline_state_name:
 * Returns: (transfer none): "compute", "wait", …
 */
const char *pd_timeline_state_name (PdTimelineState state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTimeline, pd_timeline_free)

#endif
