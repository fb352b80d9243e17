/* The words of a protocol. Not for others than pd-log.c and pd-log-words.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOG_PRIVATE_H
#define PD_LOG_PRIVATE_H

#include "predictor/common/pd-log.h"
#include "predictor/dvm/step/pd-step.h"

typedef struct
{
  GString *line;           /* under construction */
  PdPlanMessage *messages; /* room for one processor's messages of an exchange */
  guint room;
} PdLogWords;

#endif
