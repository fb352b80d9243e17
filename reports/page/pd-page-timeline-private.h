/* The activity of ranks over time: each slice if there are few, else the time of
 * groups of ranks in each state in bins of time. * The entry of the chart: unit
 * (Rank or Processor), ranks, cpus (of a rank), end (s), states (names), and either
 * slices: { regions (names), and columns rank, begin, end (s), state, region, interval:
 * numbers of states and regions, -1: none }, or bins: { width (s), n, groups, size
 * (ranks of a group), and columns group, bin, state, seconds: of all ranks of the group
 * together; entries of no time are left out }.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_TIMELINE_PRIVATE_H
#define PD_PAGE_TIMELINE_PRIVATE_H

#include "reports/page/pd-page-private.h"

/* Of runs that have been followed. */
void pd_page_add_timeline (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
