/* The command line of contention.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CONTENTION_OPTIONS_H
#define PD_CONTENTION_OPTIONS_H

#include "measure/plan/pd-pairs.h"
#include "measure/sheet/pd-sheet.h"

typedef struct
{
  PdSheetFiles files;
  char *timer;
  char *algorithm; /* of synchronisation */
  char *unit;
  char *list; /* (nullable): of lengths */
  gint64 min;
  gint64 max;
  gdouble factor;
  gint64 step;
  GArray *sizes;  /* gint64: bytes, rising, 0 first */
  char *sharing;  /* (nullable): list of cf */
  GArray *counts; /* (nullable): gint64: cf, rising; %NULL: all */
  char *levels;   /* (nullable): list */
  gboolean wanted[PD_N_LEVELS];
  char *topology;     /* (nullable): pretended */
  gint64 per_node;    /* processes of a pretended node; 0: nodes as they are */
  gint64 repetitions; /* at least so many, >= 1 */
  gdouble at_least;   /* milliseconds that the repetitions of one round take */
  gint64 rounds;      /* >= 1 */
  gdouble bound;      /* microseconds that clocks may be apart */
  gdouble duration;   /* seconds in which the tree finds drift */
  gboolean as_published;
  gboolean keep_binding;
  gboolean threads;
  gboolean force;
  gboolean quiet;
} PdContentionOptions;

/**
 * pd_contention_options_parse:
 * @self: (out caller-allocated): the options; to be cleared whatever is returned
 * @argc: as in main(), argv[0] is the command
 * @argv: is changed
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 *
 * --help prints and ends the program.
 *
 * Returns: %FALSE with @error set if the command line is wrong.
 */
gboolean pd_contention_options_parse (PdContentionOptions *self, int argc, char **argv,
                                      GError **error);

/**
 * pd_contention_options_clear:
 * Frees the contents of @self.
 */
void pd_contention_options_clear (PdContentionOptions *self);

#endif
