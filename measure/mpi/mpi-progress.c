/* Messages on the progress of a measurement.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-progress.h"

#include <stdarg.h>
#include <stdio.h>

void
pd_progress (gboolean quiet, const char *format, ...)
{
  va_list arguments;

  if (quiet)
    return;
  va_start (arguments, format);
  fputs ("predictor-measure: ", stderr);
  vfprintf (stderr, format, arguments);
  fputc ('\n', stderr);
  va_end (arguments);
}
