/* A machine description that fits what was measured.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIT_MODEL_H
#define PD_FIT_MODEL_H

#include "fit/pd-fit-lines.h"

G_BEGIN_DECLS

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

/* What a description is made of. */
typedef struct
{
  const PdFitData *data;
  const PdFitOptions *options;
  PdFitLines *lines[PD_FIT_N_LEVELS]; /* %NULL: nothing was measured */
  gdouble send;                       /* overheads, s */
  gdouble receive;
  gdouble wait;
} PdFitModel;

/**
 * pd_fit_description:
 * @data: what was measured
 * @options: what is wanted
 * @error: return location for a #PdFitError, or what is wrong with the description
 *
 * Fits the network to the transfers, and then what calls cost to the operations that
 * were measured, as ComSys plays them on the network.
 *
 * Returns: (transfer full) (nullable): the description as XML.
 */
char *pd_fit_description (const PdFitData *data, const PdFitOptions *options, GError **error);

/* ---- pd-fit-network.c */

/**
 * pd_fit_network_check:
 * Returns: %FALSE with @error set if there is no such type, or it needs what was not measured.
 */
gboolean pd_fit_network_check (const PdFitModel *self, GError **error);

/**
 * pd_fit_network_write:
 * @self: what is fitted; overheads are written
 * @out: the element "network" is appended
 */
void pd_fit_network_write (PdFitModel *self, GString *out);

/* ---- pd-fit-software.c */

/* What is fitted to the operations, s. */
typedef struct
{
  gdouble copy_per_byte;
  gdouble reduction_per_byte;
  guint n_functions;
  const char *functions[32]; /* (transfer none): "MPI_Bcast" … */
  gdouble overheads[32];     /* … and what a call costs besides … */
  gdouble per_byte[32];      /* … and for each byte … */
  gint64 from[32];           /* … where it has at least so many */
  gdouble r2;                /* of the logarithms of times; 0 without operations */
} PdFitSoftware;

/**
 * pd_fit_software_find:
 * @xml: the description without it
 * @out: (out caller-allocated): what fits best, nothing negative
 * @error: return location for what is wrong with the description
 */
gboolean pd_fit_software_find (const char *xml, PdFitSoftware *out, GError **error);

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

G_END_DECLS

#endif
