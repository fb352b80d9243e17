/* Shared declarations of pd-dim-reader.c and pd-dim-collective.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIM_READER_PRIVATE_H
#define PD_DIM_READER_PRIVATE_H

#include "traces/graph/pd-mp-trace.h"
#include "traces/program/pd-pending.h"
#include "traces/program/pd-repeats.h"
#include "traces/dim/pd-dim-lines-private.h"
#include "traces/dim/pd-dim-survey-private.h"

#define PD_DIM_N_SENDS 4

/* The key of requests that no wait for a receive finds. */
#define PD_DIM_OWN_KEY G_MAXUINT64

/* A block that is open. */
typedef struct
{
  gint64 type;
  guint32 interval;
  guint64 at; /* where it was opened: as in #PdRepeats */
} PdDimBlock;

/* A non-blocking collective operation that is pending. */
typedef struct
{
  guint32 slot;
  guint32 comm;
  gint64 op;
} PdDimStarted;

typedef struct
{
  PdDimSurvey survey;
  PdDimLines lines;
  PdMessages *messages;
  PdAction burst; /* templates: each has the properties common to its kind */
  PdAction delay;
  PdAction sends[PD_DIM_N_SENDS]; /* by synchronisation bits */
  PdAction recv;
  PdAction irecv;
  PdAction wait;
  PdAction give_back;
  PdAction collective;
  PdAction icollective;
  PdAction mark;
  gint64 task;        /* whose records are read; -1 = none yet */
  guint64 place;      /* its records begin so behind their type: "TASK:THREAD:" */
  guint64 place_mask; /* bytes of that; 0: there are more */
  gsize n_place;      /* bytes */
  guint8 *seen;       /* (array length=n_tasks): has records; borrowed */
  PdRepeats repeats;
  PdPending pending;
  GArray *blocks;  /* PdDimBlock, innermost last */
  GArray *started; /* PdDimStarted, oldest first */
  GError **error;
} PdDimReader;

void pd_dim_reader_init (PdDimReader *self, PdMessages *messages, GError **error);
void pd_dim_reader_clear (PdDimReader *self);
/* All records of self->lines, of tasks that are not seen yet. */
gboolean pd_dim_reader_records (PdDimReader *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdDimReader, pd_dim_reader_clear)

/* Sets the error, with the line. Returns FALSE. */
#define pd_dim_reader_fail(self, code, ...)                                                        \
  pd_dim_fail (&(self)->lines, code, (self)->error, __VA_ARGS__)
/* Where the reader is, for messages. */
PdPlace pd_dim_reader_place (const PdDimReader *self);
/* The present record is no part of a repetition: it gives a warning, or depends on more than its
 * text. */
static inline void
pd_dim_reader_stop_repeats (PdDimReader *self)
{
  self->repeats.whole = self->repeats.at + 1;
}
/* The record at @p, of lines from @begin to @end, if what has come since a former one like it comes
 * again. Returns: (nullable): behind all repetitions; %NULL: the record is to be read. */
const char *pd_dim_reader_repeat (PdDimReader *self, const char *begin, const char *p,
                                  const char *end);
/* Adds an action of the task at hand. */
gboolean pd_dim_reader_add (PdDimReader *self, const PdAction *action);

#endif
