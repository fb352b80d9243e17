/* Data of a trace that single records do not have. Only the root's record of a collective
 * operation marks the root, and only all events of a type show whether they mark blocks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIM_SURVEY_PRIVATE_H
#define PD_DIM_SURVEY_PRIVATE_H

#include "traces/graph/pd-mp-trace.h"
#include "traces/dim/pd-dim-lines-private.h"

/* A call of a collective operation on a communicator, of all its members. */
typedef struct
{
  guint8 op;
  guint8 has_root;
  guint32 root; /* task */
} PdDimCall;

typedef struct
{
  guint32 task;
  guint32 rank;
} PdDimMember;

typedef struct
{
  gint64 id;            /* in the trace */
  guint32 index;        /* in the program; 0 = all tasks, by number */
  guint32 n;            /* members */
  PdDimMember *members; /* (nullable): by task; %NULL for index 0 */
  GArray *calls;        /* PdDimCall, in the order of each member */
  guint32 task;         /* 1 + that of the last call */
  guint32 n_called;     /* its calls so far */
} PdDimComm;

/* A type of events. */
typedef struct
{
  gint64 type;
  guint32 n_open;
  guint32 broken_in;  /* 1 + the last task where events that open and close are not in pairs */
  gboolean closes;    /* value 0 closes what another value has opened, */
  gboolean is_broken; /* but not always */
  gboolean is_mpi;    /* a call of MPI, no block */
} PdDimEventType;

typedef struct
{
  PdDimLines lines;
  guint32 n_tasks;
  guint64 definitions; /* offset of the s: lines; 0 = not given */
  gboolean is_late;    /* a communicator is used that is not defined yet */
  gboolean is_short;   /* the trace ends before these */
  PdProgramBuilder *builder;
  GArray *comms;          /* PdDimComm */
  GHashTable *comm_index; /* of a number: 1 + index */
  guint n_indexed;        /* so many are in it */
  guint comm;             /* the last one that was looked for */
  GArray *types;          /* PdDimEventType */
  GHashTable *type_index; /* of a type: 1 + index */
  guint type;             /* the last one that was looked for */
  GArray *open;           /* guint: events of the task that are open */
  guint32 task;           /* that of the last event; 1 + */
} PdDimSurvey;

/**
 * pd_dim_survey:
 * @self: (out caller-allocated): the data; to clear in any case
 * @source: the trace
 * @error: return location for a #PdTraceError
 *
 * Reads the header and the communicators, and looks at all collective
 * operations and events.
 */
gboolean pd_dim_survey (PdDimSurvey *self, const PdTraceSource *source, GError **error);

/* Empty. */
void pd_dim_survey_init (PdDimSurvey *self);

void pd_dim_survey_clear (PdDimSurvey *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdDimSurvey, pd_dim_survey_clear)

/* Looks at all of self->lines: of a whole trace, or of a part of its records. */
gboolean pd_dim_survey_lines (PdDimSurvey *self, GError **error);

/* The calls of communicators are read again. */
void pd_dim_survey_rewind (PdDimSurvey *self);

/**
 * pd_dim_survey_begin:
 * @self: (out caller-allocated): to clear in any case
 * @records: (out): offset of the first record; self->lines.line is its line
 *
 * Reads the header and the communicators before the first record, for parts.
 *
 * Returns: %FALSE if that is not possible.
 */
gboolean pd_dim_survey_begin (PdDimSurvey *self, const PdTraceSource *source, guint64 *records);

/* A part of the records of @whole, whose communicators it has; members are shared. One that
 * defines others cannot be looked at alone. */
void pd_dim_survey_init_part (PdDimSurvey *self, const PdDimSurvey *whole);

/* Calls and types of @part become those of @self. FALSE: they contradict each other. */
gboolean pd_dim_survey_merge (PdDimSurvey *self, const PdDimSurvey *part);

/* A part gets the calls and types of all parts, which are not changed any more. */
void pd_dim_survey_share (PdDimSurvey *self, const PdDimSurvey *whole);

/**
 * pd_dim_survey_find_comm:
 * Returns: (nullable): the communicator of that number.
 */
PdDimComm *pd_dim_survey_find_comm (PdDimSurvey *self, gint64 id);

/**
 * pd_dim_survey_find_type:
 * Returns: (nullable): the data of events of that type.
 */
PdDimEventType *pd_dim_survey_find_type (PdDimSurvey *self, gint64 type);

/* Likewise; one that is new is added. */
PdDimEventType *pd_dim_survey_get_type (PdDimSurvey *self, gint64 type);

/* A record 20 from its task on. */
void pd_dim_look_at_event (PdDimSurvey *self, const char *p);

/* Of the events that are open, all above the first @n were not closed in time. */
void pd_dim_break_open (PdDimSurvey *self, guint n);

/* Has @number found as number @index of its array. */
static inline void
pd_dim_add_index (GHashTable *table, gint64 number, guint index)
{
  gint64 *key = g_new (gint64, 1);

  *key = number;
  g_hash_table_insert (table, key, GUINT_TO_POINTER (index + 1));
}

/**
 * pd_dim_comm_get_rank:
 * Returns: the rank of a task in @self; -1 if it is no member.
 */
gint64 pd_dim_comm_get_rank (const PdDimComm *self, gint64 task);

/* The same two, quick for the communicator that was looked for last, and for that of all tasks. */
static inline PdDimComm *
pd_dim_survey_get_comm (PdDimSurvey *self, gint64 id)
{
  PdDimComm *comms = (PdDimComm *) (gpointer) self->comms->data;

  if (self->comm < self->comms->len && comms[self->comm].id == id)
    return &comms[self->comm];
  return pd_dim_survey_find_comm (self, id);
}

static inline gint64
pd_dim_comm_find_rank (const PdDimComm *self, gint64 task)
{
  if (self->members == NULL)
    return task >= 0 && task < self->n ? task : -1;
  return pd_dim_comm_get_rank (self, task);
}

/* Names of the collective operations, in Dimemas' order. */
#define PD_DIM_N_OPS 16
extern const PdCollKind pd_dim_ops[PD_DIM_N_OPS];

/* Of a record 10 behind its task and thread: operation, communicator, is root,
 * thread of the root, bytes sent and received, kind of synchronisation. */
enum
{
  PD_DIM_ASYNC,     /* starts */
  PD_DIM_SYNC,      /* as a whole */
  PD_DIM_WAIT,      /* waits for one that was started */
  PD_DIM_ROOT_SYNC, /* as a whole, waits for the root only */
};

/**
 * pd_dim_get_sync:
 * @values: (array length=n): of a record 10 from its operation on
 *
 * Returns: its kind of synchronisation, also where it is left out.
 */
static inline gint64
pd_dim_get_sync (const gint64 *values, guint n)
{
  if (n > 6 && values[6] == PD_DIM_WAIT)
    return PD_DIM_WAIT;
  if (values[0] >= PD_DIM_N_OPS)
    return PD_DIM_ASYNC;
  return n > 6 ? values[6] : PD_DIM_SYNC;
}

#endif
