/* What the writers of analyses share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_REPORT_PRIVATE_H
#define PD_ANALYSIS_REPORT_PRIVATE_H

#include "analyse/pd-diagnosis.h"
#include "reports/pd-report-private.h"

G_BEGIN_DECLS

/* What calls cost, PdCallCosts, but for their number. */
#define PD_N_COSTS 5

typedef struct
{
  const char *id;      /* "real_sync": XML attribute, SQLite column, JSON key */
  const char *name;    /* "Real Sync" */
  const char *meaning; /* one sentence */
  gsize offset;        /* of the PdTimeSum */
} PdCostRow;

extern const PdCostRow pd_report_costs[PD_N_COSTS]; /* the time itself first */

/* Returns: what row @i says of @costs. */
static inline PdTimeSum
pd_report_cost (const PdCallCosts *costs, guint i)
{
  return *(const PdTimeSum *) ((const char *) costs + pd_report_costs[i].offset);
}

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

G_END_DECLS

#endif
