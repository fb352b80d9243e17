/* One prediction from beginning to end: a trace, a machine, a grid.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PREDICT_H
#define PD_PREDICT_H

#include "comsys/critical/pd-critical-path.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/dvm/handlers/pd-dvm.h"
#include "predictor/common/pd-log.h"
#include "reports/run/pd-report.h"
#include "traces/dvm/pd-dvm-cleaning.h"
#include "timeline/pd-timeline.h"

#include <signal.h>

/* Everything is borrowed. */
typedef struct
{
  const char *trace;           /* file name; what messages call it */
  GBytes *bytes;               /* (nullable): the trace itself, if it is in memory */
  const char *machine;         /* as for pd_machine_load() */
  PdMachineSource *source;     /* (nullable): @machine, already read */
  const char *const *settings; /* (nullable) (array zero-terminated=1): --set */
  const char *map;             /* (nullable): --map */
  const PdObserver *observer;  /* (nullable): sees every message */
  const PdCpuRatios *ratios;   /* (nullable): --cpu-ratio */
  guint64 seed;                /* --seed: what the machine's noise depends on */
  PdLog *log;                  /* (nullable): --log; gets a section */
  PdTimelineFeed *timeline;    /* (nullable): observer of the activity of processors, up to, not
                                * with, its end */
  PdDvmOptions dvm;
  PdDvmCleanOptions clean;     /* what of the recorded times is changed */
  GPtrArray *cleanings;        /* (nullable): of pd_recorded_clean() with @clean, for several
                                * predictions; else each reads the trace once more for them */
  gboolean one_step;           /* every step goes through the queue: the same result, slower */
  gboolean ideal;              /* communication costs nothing: pd_machine_make_ideal() */
  gdouble network_factor;      /* 0, or by how many times networks are faster, */
  gdouble processor_factor;    /* and processors */
  gboolean check;              /* verify the identities of the characteristics */
  PdCriticalResult **critical; /* (nullable) (out) (transfer full): what the last moment follows
                                * from; places are nodes of the tree */
  gboolean sensitivity;        /* what the run time depends on, in the report */
  gboolean range;              /* results and the range of the time, of the run without samples */
  const volatile sig_atomic_t *stop; /* (nullable): not 0: stop as soon as possible */
} PdPredictOptions;

/**
 * pd_predict_options_unobserved:
 * @options: of a prediction
 *
 * Returns: those of the same prediction without observers, protocol, timeline and sensitivity.
 */
PdPredictOptions pd_predict_options_unobserved (const PdPredictOptions *options);

/**
 * pd_predict:
 * @options: what and how
 * @rank: of the grid, 1 to %PD_MAX_GRID_RANK
 * @sizes: (array length=rank): the grid
 * @error: return location for errors of the trace, the machine, the model
 *   (%PD_DVM_MODEL_ERROR), or a #PdSimulationError
 *
 * Returns: (transfer full) (nullable): the result, its tree not folded yet.
 */
PdReportRun *pd_predict (const PdPredictOptions *options, guint rank, const gint64 *sizes,
                         GError **error);

#endif
