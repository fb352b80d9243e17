/* Shared declarations of the forms of an analysis.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_COMMON_H
#define PD_ANALYSIS_COMMON_H

#include "reports/emit/pd-columns.h"
#include "reports/run/pd-analysis-costs.h"

/**
 * pd_report_part_id:
 * Returns: the component of Communication that the calls of @site are: "sendrecv_time".
 */
const char *pd_report_part_id (const PdCallSite *site);

/**
 * pd_report_diagnose:
 * Returns: (transfer full) (element-type PdStatement): the diagnosis of @r, an interval
 *   of @run.
 */
GArray *pd_report_diagnose (const PdReportRun *run, const PdIntervalResult *r);

/**
 * pd_report_find_statement:
 * @run: of whatever kind
 * @id: of a statement: "load-imbalance"
 *
 * Returns: (transfer full) (nullable): what the diagnosis of the whole program says, if the calls
 *   of @run are analysed and the statement is part of it.
 */
char *pd_report_find_statement (const PdReportRun *run, const char *id);

/**
 * pd_report_sites_by_cost:
 * @sites: (element-type PdCallSite): by place
 *
 * Returns: (transfer full) (element-type guint): their indices, by falling time.
 */
GArray *pd_report_sites_by_cost (const GArray *sites);

/**
 * pd_report_site_place:
 * Returns: (transfer full): the stack of @site, or as much of it as is known; for people.
 */
char *pd_report_site_place (const PdReportRun *run, const PdCallSite *site);

/**
 * pd_report_has_waits:
 * Returns: whether waits of @run, and those who caused them, are shown. Those of ranks that shared
 *   processors are waits for the scheduler, and are shown only if they are wanted.
 */
gboolean pd_report_has_waits (const PdReportRun *run);

/**
 * pd_report_write_waits:
 * @top: how many rows at most, by falling time; 0 = all
 *
 * Adds the table of the wait states of @r.
 *
 * Returns: how many there are.
 */
guint pd_report_write_waits (const PdReportRun *run, const PdIntervalResult *r, guint top,
                             PdColumns *to);

/**
 * pd_report_write_sites:
 * @run: an analysis of a predicted run
 * @top: how many rows at most, by falling time
 *
 * Adds a table of the call sites of the whole program: how often they call, how long that takes,
 * how much of it is waiting, and on which rank it takes longest. Those that take no time, and of
 * more than @top those that take less than a thousandth of the run, are left out.
 *
 * Returns: how many call sites there are.
 */
guint pd_report_write_sites (const PdReportRun *run, guint top, PdColumns *to);

/**
 * pd_report_write_root_causes:
 * Adds the table of the causes of most of the waiting in @r.
 *
 * Returns: whether there is any.
 */
gboolean pd_report_write_root_causes (const PdReportRun *run, const PdIntervalResult *r,
                                      PdColumns *to);

#endif
