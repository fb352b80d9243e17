/* Statistics files that the run-time system of DVM writes at the end of a run, which PPPA shows.
 * The form is that of the writer (rts/src/statist.c, strall.h and initexit.c of the DVM system,
 * https://github.com/saveasguy/dvm-sys, 2025) and of PPPA's reader (tools/pppa).
 * SPDX-License-Identifier: MIT */
#ifndef PD_PPPA_H
#define PD_PPPA_H

#include "traces/graph/pd-mp-trace.h"

/* Groups of operations. A cell of an interval's matrix has the time that an operation of one
 * group, called by the program, spent in functions of another one. */
typedef enum
{
  PD_PPPA_USER = 0,
  PD_PPPA_MESSAGES = 1, /* of it, @lost is communication, and @productive its synchronisation */
  PD_PPPA_START_REDUCTION = 2,
  PD_PPPA_WAIT_REDUCTION = 3,
  PD_PPPA_START_SHADOW = 5,
  PD_PPPA_WAIT_SHADOW = 6,
  PD_PPPA_REDISTRIBUTION = 9,
  PD_PPPA_DO_LOOP = 11,
  PD_PPPA_IO = 13,
  PD_PPPA_REMOTE_ACCESS = 14,
  PD_PPPA_N_GROUPS = 28,
} PdPppaGroup;

typedef enum
{
  PD_PPPA_COLLECTIVE, /* an operation of its own */
  PD_PPPA_SEQ,
  PD_PPPA_PAR,
  PD_PPPA_INTERVAL, /* of the programmer */
} PdPppaType;

typedef struct
{
  PdPppaType type;
  gint64 parent; /* number of the interval around it, less than its own; -1: none */
  gint64 line;
  gint64 index;        /* 2000000000: none */
  gint64 n_processors; /* that executed it; 0: not always as many */
  gdouble entries;     /* over @n_processors; finite, >= 0 */
  const char *file;    /* borrowed from the statistics */
} PdPppaInterval;

/* Times are finite, 0 to 9e6 seconds. */
typedef struct
{
  gdouble calls; /* over the number of processors that made them together */
  gdouble productive;
  gdouble lost;
} PdPppaCell;

typedef struct _PdPppa PdPppa;

/**
 * pd_trace_pppa_matches:
 * Returns: whether @probe is the beginning of statistics: sizes of C's types in one byte order, or
 *   the head of compressed statistics.
 */
gboolean pd_trace_pppa_matches (const PdTraceProbe *probe);

/**
 * pd_pppa_read:
 * @source: a statistics file: plain, gzip, or with a zlib stream for each processor ("gz+")
 * @error: return location for a #PdTraceError
 *
 * Checks all of it.
 *
 * Returns: (transfer full) (nullable): the statistics.
 */
PdPppa *pd_pppa_read (const PdTraceSource *source, GError **error);

/**
 * pd_pppa_read_bytes:
 * @bytes: a file that is not compressed as a whole
 * @name: what messages call it
 *
 * As pd_pppa_read().
 */
PdPppa *pd_pppa_read_bytes (GBytes *bytes, const char *name, GError **error);

/**
 * pd_pppa_free:
 * @self: (nullable): the statistics
 */
void pd_pppa_free (PdPppa *self);

/**
 * pd_pppa_get_n_processors:
 * Returns: of how many processors @self is, >= 1.
 */
guint pd_pppa_get_n_processors (const PdPppa *self);

/**
 * pd_pppa_get_grid:
 * Returns: (transfer full): the processor system, "2x1".
 */
char *pd_pppa_get_grid (const PdPppa *self);

/**
 * pd_pppa_get_n_intervals:
 * Returns: how many intervals processor @p has.
 */
guint pd_pppa_get_n_intervals (const PdPppa *self, guint p);

/**
 * pd_pppa_get_interval:
 * @i: less than pd_pppa_get_n_intervals()
 *
 * Returns: interval @i of processor @p.
 */
PdPppaInterval pd_pppa_get_interval (const PdPppa *self, guint p, guint i);

/**
 * pd_pppa_get_cell:
 * @outer: the group of the operation that the program called
 * @inner: the group of the function inside it
 *
 * Returns: a cell of interval @i, without the intervals inside it.
 */
PdPppaCell pd_pppa_get_cell (const PdPppa *self, guint p, guint i, guint outer, guint inner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdPppa, pd_pppa_free)

#endif
