/* What calls cost besides the network: the copy and the reduction of a byte, and a
 * constant for each operation, fitted to the operations measured. ComSys says what an
 * operation takes with given costs, and how that changes with each of them; the rest is
 * a robust linear regression of relative residuals, repeated where the costs have come
 * to. What an operation takes longer then, from some size on and in proportion to it, as
 * for memory that it has not touched before, becomes a cost of its function.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIT_SOFTWARE_H
#define PD_FIT_SOFTWARE_H

#include "fit/pd-fit-model.h"

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

#endif
