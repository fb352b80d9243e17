/* The command line of transfer, which understands that of the original test, too:
 * letters with the value glued on, "uK m1 M1024 K2 T10 f100 R2 otransfer.dat".
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRANSFER_OPTIONS_H
#define PD_TRANSFER_OPTIONS_H

#include "measure/sheet/pd-sheet.h"

typedef struct
{
  PdSheetFiles files;
  char *picture; /* (nullable): of the matrix of bandwidths, SVG */
  char *timer;
  char *unit;         /* "B", "K" (1024) or "M" (1024^2) */
  gint64 min;         /* units, >= 0 */
  gint64 max;         /* units, >= min */
  gdouble factor;     /* > 1; 0: arithmetic steps */
  gint64 step;        /* units, > 0 where factor is 0 */
  gint64 repetitions; /* at least so many, >= 1 */
  gdouble at_least;   /* milliseconds that the repetitions of one round take */
  gint64 rounds;      /* >= 1 */
  gint64 variant;     /* 1 to 6 */
  gint64 window;      /* messages of variant 5 between acknowledgements */
  gboolean all_pairs;
  gboolean loggp;
  gboolean check_loop;
  gboolean cold; /* of variants 1 to 3: other buffers in each exchange */
  gboolean force;
  gboolean no_bind;
  gboolean quiet;
} PdTransferOptions;

/**
 * pd_transfer_options_parse:
 * @self: (out caller-allocated): the options; to be cleared whatever is returned
 * @argc: as in main(), argv[0] is the command
 * @argv: is changed
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 *
 * --help prints and ends the program.
 *
 * Returns: %FALSE with @error set if the command line is wrong.
 */
gboolean pd_transfer_options_parse (PdTransferOptions *self, int argc, char **argv, GError **error);

/**
 * pd_transfer_options_clear:
 * Frees the contents of @self.
 */
void pd_transfer_options_clear (PdTransferOptions *self);

/**
 * pd_transfer_sizes:
 * Returns: (transfer full) (element-type gint64): lengths in bytes, rising, no two the
 *   same; without the 0 that is measured in any case.
 */
GArray *pd_transfer_sizes (const PdTransferOptions *self);

#endif
