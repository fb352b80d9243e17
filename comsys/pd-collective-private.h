/* Schedules of collective operations. A schedule is an iterator: called again
 * and again for one rank it yields the next step, so that no rank ever stores
 * more than a few words. A set is a table of schedules. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLLECTIVE_PRIVATE_H
#define PD_COLLECTIVE_PRIVATE_H

#include "comsys/pd-comsys-private.h"

G_BEGIN_DECLS

typedef enum
{
  PD_STEP_SEND,     /* to, send_bytes */
  PD_STEP_RECV,     /* from, recv_bytes */
  PD_STEP_SENDRECV, /* both */
  PD_STEP_ISEND,
  PD_STEP_IRECV,
  PD_STEP_WAITALL, /* for all since the last one */
  PD_STEP_REDUCE,  /* local reduction of send_bytes */
  PD_STEP_COPY,    /* local copy of send_bytes */
  PD_STEP_DONE,
} PdStepKind;

typedef struct
{
  PdStepKind kind;
  guint32 to; /* ranks in the communicator */
  guint32 from;
  gint64 send_bytes;
  gint64 recv_bytes;
} PdStep;

/* One rank's progress through one operation. */
struct _PdPlay
{
  PdComm *comm;
  PdCollective args;
  guint32 rank; /* in the communicator */
  guint32 n;    /* size of the communicator, >= 1 */
  guint part;   /* of the schedule */
  guint stage;  /* the schedule's own; 0 at its start */
  guint32 i;    /* likewise */
  PdBundle bundle;
  PdTime slot; /* return of the step under way */
  PdTime *ret; /* slot of the caller */
};

/* Writes the next step and moves on; PD_STEP_DONE ends. */
typedef void (*PdScheduleFunc) (PdPlay *play, PdStep *step);

#define PD_MAX_PARTS 3

typedef struct
{
  const char *algorithm;              /* its name in machine descriptions */
  PdScheduleFunc parts[PD_MAX_PARTS]; /* played one after the other; up to a NULL */
  gint64 bytes[PD_MAX_PARTS];         /* of each part, where own_bytes */
  gboolean own_bytes;                 /* @bytes instead of the caller's */
} PdSchedule;

struct _PdCollectiveSet
{
  const char *name;
  PdSchedule schedules[PD_N_OPS]; /* without parts: a constant time */
};

extern const PdCollectiveSet pd_collectives_mpich1;
extern const PdCollectiveSet pd_collectives_simple;

G_END_DECLS

#endif
