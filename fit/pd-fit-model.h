/* A machine description fitted to measurements.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIT_MODEL_H
#define PD_FIT_MODEL_H

#include "fit/pd-fit-library.h"
#include "fit/pd-fit-lines.h"

#define PD_FIT_BOUND 0.95

typedef struct
{
  const char *name;        /* of the machine */
  const char *network;     /* type: "contention", "loggops", "memory", "ethernet", "myrinet" */
  const char *collectives; /* (nullable): set; %NULL: that of the MPI measured */
  gint64 nodes;            /* 0: as many as were measured */
  gint64 processors;       /* of each; likewise */
  gdouble bound;           /* least R2 */
  gboolean force;          /* whatever it is */
} PdFitOptions;

/* The parts of a description. */
typedef struct
{
  const PdFitData *data;
  const PdFitOptions *options;
  PdFitLines *lines[PD_FIT_N_LEVELS]; /* %NULL: nothing was measured */
  gdouble send;                       /* overheads, s */
  gdouble receive;
  gdouble wait;
  PdFitLibrary library;
} PdFitModel;

/**
 * pd_fit_description:
 * @data: the measurements
 * @options: the requested description
 * @error: return location for a #PdFitError, or for an error of the description
 *
 * Fits the network to the transfers, and then the costs of calls to the measured
 * operations, as ComSys simulates them on the network.
 *
 * Returns: (transfer full) (nullable): the description as XML.
 */
char *pd_fit_description (const PdFitData *data, const PdFitOptions *options, GError **error);

/* ---- numbers in descriptions, with at most 7 digits */

/**
 * pd_fit_append_time:
 * Appends ' name="1.25us"'; @seconds of less than a picosecond are 0.
 */
void pd_fit_append_time (GString *out, const char *name, gdouble seconds);

/**
 * pd_fit_append_number:
 * Appends ' name="1.25UNIT"'.
 */
void pd_fit_append_number (GString *out, const char *name, gdouble number, const char *unit);

#endif
