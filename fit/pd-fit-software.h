/* The costs of calls besides the network: the copy and the reduction of a byte, and a
 * constant for each operation, fitted to the measured operations. ComSys gives the time of
 * an operation with given costs, and its derivatives; a robust linear regression of relative
 * residuals is repeated at the new costs. A remaining difference that grows in proportion to
 * the size from some size on, as for memory that is touched for the first time, becomes a
 * cost of its function.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIT_SOFTWARE_H
#define PD_FIT_SOFTWARE_H

#include "fit/pd-fit-model.h"

/* The parameters fitted to the operations, s. */
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
 * @xml: the description without them
 * @out: (out caller-allocated): the best fit, without negative values
 * @error: return location for an error of the description
 */
gboolean pd_fit_software_find (const char *xml, PdFitSoftware *out, GError **error);

#endif
