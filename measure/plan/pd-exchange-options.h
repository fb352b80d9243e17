/* The command line of exchange. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_EXCHANGE_OPTIONS_H
#define PD_EXCHANGE_OPTIONS_H

#include "measure/sheet/pd-sheet.h"

typedef struct
{
  PdSheetFiles files;
  char *timer;
  char *kinds;     /* names or groups, with commas */
  GArray *sizes;   /* gint64: bytes, rising */
  GArray *windows; /* gint64: rising */
  GArray *threads; /* gint64: rising */
  gint64 repetitions;
  gdouble at_least; /* milliseconds */
  gint64 rounds;
  gboolean force;
  gboolean no_bind;
  gboolean quiet;
} PdExchangeOptions;

/**
 * pd_exchange_options_parse:
 * @self: (out caller-allocated): the options; to be cleared whatever is returned
 * @argc: as in main(), argv[0] is the command
 * @argv: is changed
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 *
 * --help prints and ends the program.
 *
 * Returns: %FALSE with @error set if the command line is wrong.
 */
gboolean pd_exchange_options_parse (PdExchangeOptions *self, int argc, char **argv, GError **error);

/**
 * pd_exchange_options_clear:
 * Frees the contents of @self.
 */
void pd_exchange_options_clear (PdExchangeOptions *self);

/**
 * pd_exchange_wants_threads:
 * Returns: whether the command line, which need not be right, asks for several threads:
 *   what MPI has to be told before anything else.
 */
gboolean pd_exchange_wants_threads (int argc, char **argv);

#endif
