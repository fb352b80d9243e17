/* The command line of collective. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLLECTIVE_OPTIONS_H
#define PD_COLLECTIVE_OPTIONS_H

#include "measure/sheet/pd-sheet.h"
#include "measure/plan/pd-arrival.h"
#include "measure/plan/pd-stages.h"
#include "measure/stats/pd-stats.h"

typedef struct
{
  PdSheetFiles files;
  char *append;     /* (nullable): launches of the program are collected there */
  char *summary;    /* (nullable): of such a file, nothing is measured */
  char *operations; /* names or groups, with commas */
  char *sizes;      /* (nullable): with commas; else as in transfer: */
  char *unit;
  gint64 min;
  gint64 max;
  gdouble factor;
  gint64 step;
  char *processes; /* (nullable): "2,4-8" or "all"; NULL: as many as there are */
  gint64 root;
  char *datatype;
  char *op;
  gint64 alignment; /* bytes, of buffers; 0: another one in each round */
  char *timer;
  char *sync;
  gdouble sync_time; /* seconds */
  gdouble max_age;   /* seconds */
  gdouble bound;     /* microseconds */
  gdouble shift;     /* microseconds */
  gdouble trim;
  gdouble slack;  /* microseconds; 0: what the timer needs */
  gdouble window; /* microseconds; 0: adaptive */
  gint64 rounds;
  gint64 progress;   /* calls in a computation that is to overlap; 0: no overlap measured */
  gint64 warm_up;    /* launches before stage 0 */
  PdArrival arrival; /* of processes at each launch */
  PdStageRule stages;
  PdStopRule stop;
  gboolean in_place;
  gboolean cold;
  gboolean warm;
  gboolean untouched;
  gboolean no_sync;
  gboolean no_bind;
  gboolean overlap;
  gboolean per_rank;
  gboolean force;
  gboolean quiet;
} PdCollectiveOptions;

/**
 * pd_collective_options_parse:
 * @self: (out caller-allocated): the options; to be cleared whatever is returned
 * @argc: as in main(), argv[0] is the command
 * @argv: is changed
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 *
 * --help prints and ends the program.
 *
 * Returns: %FALSE with @error set if the command line is wrong.
 */
gboolean pd_collective_options_parse (PdCollectiveOptions *self, int argc, char **argv,
                                      GError **error);

/**
 * pd_collective_options_clear:
 * Frees the contents of @self.
 */
void pd_collective_options_clear (PdCollectiveOptions *self);

/**
 * pd_collective_sizes:
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 * Returns: (transfer full) (element-type gint64): bytes, as asked for; %NULL with @error
 *   set if that cannot be understood.
 */
GArray *pd_collective_sizes (const PdCollectiveOptions *self, GError **error);

/**
 * pd_collective_processes:
 * @most: as many there are, at least 2
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 * Returns: (transfer full) (element-type int): rising, 2 to @most; %NULL with @error set
 *   if that cannot be understood.
 */
GArray *pd_collective_processes (const PdCollectiveOptions *self, int most, GError **error);

#endif
