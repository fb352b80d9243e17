/* The result of one point, and its form between processes: the same on sockets and
 * under MPI, little-endian, with lengths that are checked.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULT_MESSAGE_H
#define PD_RESULT_MESSAGE_H

#include "reports/run/pd-report.h"

/* How a point ended. */
typedef enum
{
  PD_POINT_DONE,
  PD_POINT_INCOMPLETE, /* the trace ends early: its readable part is predicted */
  PD_POINT_DEADLOCK,   /* the simulated program cannot go on */
  PD_POINT_FAILED,     /* its parameters do not make a prediction */
  PD_POINT_CRASHED,    /* it ended the process that computed it, more than once */
  PD_N_POINT_STATUSES,
} PdPointStatus;

/**
 * pd_point_status_name:
 * Returns: "done", "incomplete", "deadlock", "failed" or "crashed".
 */
const char *pd_point_status_name (PdPointStatus status);

/**
 * pd_point_status_has_result:
 * Returns: whether there are values of such a point.
 */
static inline gboolean
pd_point_status_has_result (PdPointStatus status)
{
  return status == PD_POINT_DONE || status == PD_POINT_INCOMPLETE;
}

#define PD_POINT_N_COUNTERS (PD_N_QUANTITIES - PD_N_TIMES)

/* A value of the run as a whole. */
typedef struct
{
  const char *name;
  gboolean is_real;
  gint64 integer;
  gdouble real;
} PdPointFigure;

/* One interval of the run. */
typedef struct
{
  gint64 id;      /* of the interval whatever the point: from its key and its parents' */
  guint32 parent; /* number among the intervals of the point; its own of number 0 */
  guint32 depth;
  guint32 type; /* PdIntervalType */
  const char *file;
  gint64 line;
  gint64 index; /* %PD_INTERVAL_NO_INDEX = none */
  const char *name;
  guint32 n_processors;
  gint64 execution_time_ps;
  gdouble total_time; /* seconds */
  gdouble efficiency;
  guint64 counts[PD_POINT_N_COUNTERS];
  gdouble values[PD_N_CHARACTERISTICS]; /* sums over the processors, seconds */
} PdPointInterval;

/* Values of one processor in one interval. */
typedef struct
{
  guint32 interval;
  guint32 processor;
  gint64 values[PD_N_CHARACTERISTICS]; /* picoseconds */
} PdPointProcessor;

/* A warning of the run. */
typedef struct
{
  const char *id;
  const char *subject;
  const char *text;
  const char *place;
  guint64 count;
} PdPointWarning;

/* The result of a point. Texts are borrowed from its source. */
typedef struct
{
  gint64 point;
  PdPointStatus status;
  const char *message; /* "" of one that is done */
  gdouble seconds;     /* of our own */
  GArray *figures;     /* PdPointFigure */
  GArray *intervals;   /* PdPointInterval, in preorder */
  GArray *processors;  /* PdPointProcessor; empty unless they were asked for */
  GArray *warnings;    /* PdPointWarning */
} PdPointResult;

#define PD_RESULT_ERROR (pd_result_error_quark ())
typedef enum
{
  PD_RESULT_ERROR_TRUNCATED, /* the message ends early */
  PD_RESULT_ERROR_VALUE,     /* a value out of its range, or another version */
} PdResultError;

/**
 * pd_result_error_quark:
 * Returns: the domain of #PdResultError.
 */
GQuark pd_result_error_quark (void);

/**
 * pd_point_result_init:
 * @self: (out caller-allocated): an empty result, for pd_result_message_read()
 */
void pd_point_result_init (PdPointResult *self);

/**
 * pd_point_result_clear:
 * Frees what @self holds; a second time does nothing.
 */
void pd_point_result_clear (PdPointResult *self);

/**
 * pd_point_result_find:
 * @name: of a figure: "execution_time_ps"
 *
 * Returns: (transfer none) (nullable): that figure.
 */
const PdPointFigure *pd_point_result_find (const PdPointResult *self, const char *name);

/**
 * pd_result_message_write_run:
 * @out: the message is appended
 * @point: its number
 * @run: (inout): the prediction; its tree is folded if it has not been
 * @per_processor: whether values of each processor are part of it
 */
void pd_result_message_write_run (GByteArray *out, gint64 point, PdReportRun *run,
                                  gboolean per_processor);

/**
 * pd_result_message_write_failure:
 * @out: the message is appended
 * @status: one without a result
 * @text: why
 * @seconds: of our own
 */
void pd_result_message_write_failure (GByteArray *out, gint64 point, PdPointStatus status,
                                      const char *text, gdouble seconds);

/**
 * pd_result_message_read:
 * @data: (array length=size): one message
 * @result: (inout): an empty or a used one; borrows texts from @data
 * @error: return location for a #PdResultError
 *
 * Returns: %FALSE if it is no message.
 */
gboolean pd_result_message_read (const guint8 *data, gsize size, PdPointResult *result,
                                 GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdPointResult, pd_point_result_clear)

#endif
