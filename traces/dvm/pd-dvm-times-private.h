/* The times of calls, as the reader gives them out. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_TIMES_PRIVATE_H
#define PD_DVM_TIMES_PRIVATE_H

#include "traces/dvm/pd-dvm-reader.h"
#include "traces/dvm/pd-dvm-recorder-cost.h"

/* Of a call, as the trace has them or as they should have been printed. */
typedef struct
{
  PdTime call;
  PdTime ret;
} PdDvmCallTimes;

typedef enum
{
  PD_DVM_RECORDED,
  PD_DVM_DECODED,
  PD_DVM_N_FORMS
} PdDvmTimesForm;

/* All zero: no record was seen, calls have the recorded times. */
typedef struct
{
  guint64 n_clamped;                 /* records printed as 1 us since the last other one */
  gint64 debt;                       /* picoseconds <= 0 that decoded times were too long so far */
  PdDvmCallTimes of[PD_DVM_N_FORMS]; /* of the call under way */
  PdDvmTimesForm form;               /* that is given out */
  const GArray *corrections; /* (nullable) (element-type PdDvmCorrection): ascending; borrowed */
  guint next_correction;     /* of @corrections */
  gboolean is_started;       /* the start-up of the program was given: the first call_time */
  PdDvmRecorderCost cost;    /* that is taken out */
  PdTimeSum taken_out;       /* so far */
  gint64 unpaid[2][PD_DVM_N_FUNCTIONS]; /* picoseconds <= 0: what times of calls and inside them
                                         * were too short for */
} PdDvmTimes;

/**
 * pd_dvm_times_decode:
 * @recorded: TIME of a record; all of the trace must be given, in order
 * @clock: (inout): counts it
 *
 * Returns: what should have been printed.
 */
PdTime pd_dvm_times_decode (PdDvmTimes *self, PdTime recorded, PdDvmClock *clock);

/**
 * pd_dvm_times_give:
 * @call: (inout): complete, and after all calls that were given before
 *
 * Sets the times of @call, in the wanted form or from corrections, less the cost of recording. If a
 * time is shorter than its cost, the rest of the cost is taken from the next times before, or
 * inside, calls of the same function.
 */
void pd_dvm_times_give (PdDvmTimes *self, PdDvmCall *call);

#endif
