/* Measurements on a machine, and their operations: an element "measured".
 * pd-point-simulate.h simulates them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINTS_H
#define PD_POINTS_H

#include "base/pd-time.h"

G_BEGIN_DECLS

/* The most bytes of a point: with these nothing overflows. */
#define PD_POINT_MAX_BYTES ((gint64) 1 << 40)

/* One measured time: from the start of an operation on all ranks at once to its last end. */
typedef struct
{
  const char *what; /* (transfer none): see pd_point_find() */
  gint64 processes; /* ranks that take part, at least 2 */
  gint64 per_node;  /* so many of them on each node; 0 = all on one */
  gint64 bytes;     /* of a message; of a block, or vector, of an operation */
  PdTime time;      /* median */
  PdTime low;       /* its confidence interval; both 0 if that is not known */
  PdTime high;
} PdPoint;

/* A line startup + bytes * per_byte that holds for some sizes. */
typedef struct
{
  const char *level; /* (transfer none): "memory" or "network" */
  gint64 from;       /* the least and the greatest size measured */
  gint64 to;
  PdTime startup;
  gdouble per_byte; /* ps */
  gdouble residual; /* relative, root of the mean square */
} PdPointLine;

/* Parameters of LogGP that hold for some sizes. */
typedef struct
{
  gint64 from;
  gint64 to;
  PdTime latency;
  PdTime send;
  PdTime receive;
  PdTime gap;
  gdouble gap_of_byte; /* ps */
} PdPointLogGP;

/* The contents of an element "measured". */
typedef struct
{
  char *date;           /* (nullable) */
  char *mpi;            /* (nullable): which library */
  char *host;           /* (nullable) */
  gdouble transfer_r2;  /* of the logarithms of times, 0 = not known: of the lines … */
  gdouble operation_r2; /* … and of the whole model for operations */
  GArray *lines;        /* PdPointLine */
  GArray *loggp;        /* PdPointLogGP */
  GArray *points;       /* PdPoint, as described */
} PdPoints;

/**
 * pd_points_new:
 * Returns: (transfer full): nothing measured.
 */
PdPoints *pd_points_new (void);

/**
 * pd_points_free:
 * @self: (nullable): the points
 */
void pd_points_free (PdPoints *self);

/**
 * pd_point_find:
 * @what: "ping-pong", half the time there and back; "sendrecv" or "isend-irecv", one
 *   exchange of both; or a collective operation of MPI, as "allreduce"
 *
 * Returns: (nullable): the name as it is in #PdPoint; %NULL if nothing is played for it.
 */
const char *pd_point_find (const char *what);

/**
 * pd_point_is_transfer:
 * Returns: whether the point is of two processes that exchange messages.
 */
gboolean pd_point_is_transfer (const PdPoint *self);

/**
 * pd_point_function:
 * Returns: (transfer none) (nullable): "MPI_Allreduce"; %NULL of a transfer.
 */
const char *pd_point_function (const PdPoint *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdPoints, pd_points_free)

G_END_DECLS

#endif
