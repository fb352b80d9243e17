/* A run with known times as a timeline: what each rank did, and which message arrived
 * when. A message is received when the call that receives it, or waits for it, returns.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_TIMELINE_H
#define PD_ANALYSIS_TIMELINE_H

#include "analyse/pd-analysis.h"

/**
 * pd_analysis_notify:
 * @title: name of the program
 * @feed: gets the run, up to, not with, its end
 *
 * Notifies @feed of the activities of each rank. Time and memory grow with the number of actions.
 */
void pd_analysis_notify (const PdAnalysis *self, const char *title, PdTimelineFeed *feed);

#endif
