/* Times and shares as figures in sentences. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIGURES_H
#define PD_FIGURES_H

#include "base/pd-time.h"

/**
 * pd_figures_time:
 * Returns: (transfer full): a time for people: "12.3 ms".
 */
char *pd_figures_time (PdTimeSum time);

/* A share for readers: "71 %"; "< 1 %" if it is small, but not 0. */
typedef struct
{
  char text[16];
} PdPercent;

/**
 * pd_figures_percent:
 * Returns: @part of @whole, rounded; of nothing "0 %".
 */
PdPercent pd_figures_percent (gdouble part, gdouble whole);

#endif
