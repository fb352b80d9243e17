/* Shared declarations of the writers of analyses.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_COSTS_H
#define PD_ANALYSIS_COSTS_H

#include "analyse/pd-diagnosis.h"
#include "reports/run/pd-report-types.h"

/* The costs of calls: of PdCallCosts, their number and PD_N_COSTS times. */
#define PD_N_COSTS 5
extern const PdField pd_report_costs[];

/**
 * pd_report_cost_field:
 * Returns: the field of time @i.
 */
static inline const PdField *
pd_report_cost_field (guint i)
{
  return &pd_report_costs[1 + i];
}

/**
 * pd_report_cost:
 * Returns: time @i of @costs.
 */
static inline PdTimeSum
pd_report_cost (const PdCallCosts *costs, guint i)
{
  return G_STRUCT_MEMBER (PdTimeSum, costs, pd_report_cost_field (i)->offset);
}

#endif
