/* Shared declarations of the files of "predictor analyse".
 * SPDX-License-Identifier: MIT */
#ifndef CMD_ANALYSE_PRIVATE_H
#define CMD_ANALYSE_PRIVATE_H

#include "predictor/options/pd-output-options.h"
#include "traces/io/pd-trace-source.h"

/* The handling of a measured run of a DVM program. */
typedef struct
{
  const PdOutputOptions *output;
  gboolean full;        /* every interval and characteristic in the text */
  gboolean per_process; /* values of each processor in the documents */
  gboolean strict;      /* an incomplete trace is a failure */
  char *command_line;   /* (transfer full) */
} PdAnalyseDvm;

/* Returns the exit status. */
int pd_cmd_analyse_dvm (const PdAnalyseDvm *what, const PdTraceSource *source, GError **error);

#endif
