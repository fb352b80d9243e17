/* One prediction of a message-passing program from beginning to end: a trace and
 * a machine.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_H
#define PD_MP_H

#include "comsys/critical/pd-critical-path.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/common/pd-cpu-ratio.h"
#include "predictor/common/pd-log.h"
#include "predictor/range/pd-range-mp.h"
#include "reports/run/pd-report.h"
#include "timeline/pd-timeline.h"
#include "traces/graph/pd-mp-trace.h"

#include <signal.h>

/* The rate of computation where none is given, flops per second. */
#define PD_MP_DEFAULT_FLOPS 1e9

/* Everything is borrowed. */
typedef struct
{
  const char *trace;           /* file name; what messages call it */
  const char *machine;         /* as for pd_machine_load() */
  PdMachineSource *source;     /* (nullable): @machine, already read */
  const char *const *settings; /* (nullable) (array zero-terminated=1): --set */
  const char *map;             /* (nullable): --map */
  const PdObserver *observer;  /* (nullable): sees every message */
  const PdCpuRatios *ratios;   /* (nullable): --cpu-ratio */
  guint64 seed;                /* --seed: what the machine's noise depends on */
  gdouble flops;               /* --flops: per second, of a processor of speed 1; 0 = not given */
  gboolean simulated;          /* --wildcards simulated: not what the recorded run chose */
  gboolean one_step;           /* every step goes through the queue: the same result, slower */
  gboolean ideal;              /* communication costs nothing: pd_machine_make_ideal() */
  gboolean check;              /* verify the identities of the characteristics */
  gboolean sensitivity;        /* what the run time depends on, in the report */
  const PdRangeRecorded *recorded; /* (nullable): of the trace: the run gets results and the range
                                    * of its time, of the run without samples */
  gboolean incomplete;  /* the trace ends early: ranks that wait for missing messages end there */
  PdLog *log;           /* (nullable): the protocol */
  PdProgram **replayed; /* (nullable) (out) (transfer full): the run as a program with
                         * recorded times; not of graphs */
  PdTimelineFeed *timeline;    /* (nullable): observer of the ranks, up to, not with, its end */
  gboolean timeline_if_cheap;  /* no notifications, also of its beginning, if the timeline needs
                                * a slower prediction: of graphs with a kernel */
  PdCriticalResult **critical; /* (nullable) (out) (transfer full): what the last moment follows
                                * from; NULL where a run is cut; places are nodes of the tree */
  const volatile sig_atomic_t *stop; /* (nullable): not 0: stop as soon as possible */
} PdMpOptions;

/**
 * pd_mp_options_unobserved:
 * @options: of a prediction
 *
 * Returns: those of the same prediction without observers, protocol, timeline and sensitivity.
 */
PdMpOptions pd_mp_options_unobserved (const PdMpOptions *options);

/**
 * pd_mp_predict_program:
 * @options: what and how
 * @program: the program
 * @error: return location for errors of the machine, %PD_DVM_MODEL_ERROR_INTERVAL
 *   of a ratio for a place that does not exist, or a #PdSimulationError
 *
 * Returns: (transfer full) (nullable): the result, its tree not folded yet.
 */
PdReportRun *pd_mp_predict_program (const PdMpOptions *options, const PdProgram *program,
                                    GError **error);

/**
 * pd_mp_predict:
 * @trace: a trace of message passing
 * @error: as for pd_mp_predict_program(); also for a trace of dependencies that the
 *   machine's network cannot be asked for
 *
 * Returns: (transfer full) (nullable): the result, its tree not folded yet.
 */
PdReportRun *pd_mp_predict (const PdMpOptions *options, const PdMpTrace *trace, GError **error);

#endif
