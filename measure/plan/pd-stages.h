/* Stages of launches in windows of time: when the next launch starts, which ones count,
 * how long the windows of the next stage are (M. Kurnosov, MPIPerf, 2012, with the
 * changes described at PdStageRule). Times are seconds. A state machine on given times: needs no
 * MPI.
 *
 *   pd_stages_init (&stages, &rule);
 *   do
 *     {
 *       …                       // launch i at pd_stages_start (&stages, i), for each
 *                               // i < pd_stages_length (&stages), at all processes
 *       pd_stages_close (&stages, launches, faults);
 *     }
 *   while (!pd_stop_reached (…));
 *
 * SPDX-License-Identifier: MIT */
#ifndef PD_STAGES_H
#define PD_STAGES_H

#include <glib.h>

/* In stage 0 launches follow each other without windows; it is discarded, and the
 * windows of stage 1 are @factor times what a launch of it took. A stage with a larger
 * share of late launches than @share makes windows @factor times what one of its launches
 * took. Ours, since a stage that was disturbed leaves windows in which times are others:
 * windows more than @wide times as long as the longest of most of their launches shrink,
 * and the launches in them do not count. */
typedef struct
{
  guint first;    /* k': launches of stage 0, at least 1 */
  guint launches; /* k: of each other stage, at least 1 */
  gdouble share;  /* g: 0 to 1 */
  gdouble factor; /* gamma: above 1 */
  gdouble wide;   /* above @factor; 0: windows never shrink */
  gdouble slack;  /* a start is late if it is later by more */
  gdouble fixed;  /* > 0: the window, whatever happens */
} PdStageRule;

#define PD_STAGE_RULE_DEFAULT                                                                      \
  {                                                                                                \
    4, 8, 0.25, 1.1, 3, 1e-7, 0                                                                    \
  }

/* A launch at all processes, seconds from the start of its stage by the common clock. */
typedef struct
{
  gdouble earliest_start;
  gdouble latest_start;
  gdouble latest_end;
} PdStageLaunch;

/* Why a launch does not count; several may hold. */
typedef enum
{
  PD_FAULT_NONE = 0,
  PD_FAULT_DISCARDED = 1 << 0, /* of stage 0 */
  PD_FAULT_LATE_START = 1 << 1,
  PD_FAULT_LATE_END = 1 << 2, /* behind the end of its window */
  PD_FAULT_WIDE = 1 << 3,     /* in a window that is too long */
} PdStageFault;

/* To be read only. */
typedef struct
{
  PdStageRule rule;
  guint number;   /* of the stage */
  gdouble window; /* of its launches; 0 in stage 0 */
  gsize launches; /* of closed stages, stage 0 not included … */
  gsize correct;  /* … of which so many count */
} PdStages;

/**
 * pd_stages_init:
 * @self: (out caller-allocated): at stage 0
 * @rule: copied
 */
void pd_stages_init (PdStages *self, const PdStageRule *rule);

/**
 * pd_stages_length:
 * Returns: the launches of this stage.
 */
guint pd_stages_length (const PdStages *self);

/**
 * pd_stages_start:
 * @i: below pd_stages_length()
 * Returns: when launch @i starts, seconds from the start of the stage: 0 for all of stage
 *   0, which are not waited for.
 */
gdouble pd_stages_start (const PdStages *self, guint i);

/**
 * pd_stages_close:
 * @launches: (array length=pd_stages_length()): the measurements of this stage
 * @faults: (array length=pd_stages_length()) (out caller-allocated): of each launch, bits
 *   of #PdStageFault
 *
 * Judges the launches and goes to the next stage.
 */
void pd_stages_close (PdStages *self, const PdStageLaunch *launches, guint *faults);

#endif
