/* POP efficiencies: why a run is not as fast as its computation, in factors of 1.
 * SPDX-License-Identifier: MIT */
#ifndef PD_EFFICIENCY_H
#define PD_EFFICIENCY_H

#include "reports/run/pd-report.h"

/* With u the CPU_time of each processor that executes an interval, T its Execution_time
 * and T_ideal that on the same processors where communication costs nothing. Sources:
 * the POP Centre of Excellence's standard metrics; M. Wagner et al., "A Structured
 * Approach to Performance Analysis", 2018. */
typedef enum
{
  PD_E_LOAD_BALANCE,  /* mean (u) / max (u) */
  PD_E_SERIALISATION, /* max (u) / T_ideal */
  PD_E_TRANSFER,      /* T_ideal / T */
  PD_E_COMMUNICATION, /* max (u) / T = serialisation * transfer */
  PD_E_PARALLEL,      /* load balance * communication efficiency */
  PD_E_SCALING,       /* sum of u in the run with fewest processors / sum of u */
  PD_E_GLOBAL,        /* parallel efficiency * computation scaling */
  PD_N_EFFICIENCIES,
} PdEfficiency;

/* One row per efficiency: it drives all forms of the report. */
typedef struct
{
  const char *name;    /* "Load balance" */
  const char *heading; /* of a column: "Load bal." */
  const char *id;      /* "load_balance": XML attribute, SQLite column, JSON key */
  const char *meaning; /* one sentence */
} PdEfficiencyRow;

/**
 * pd_efficiency_row:
 * Returns: (transfer none): the description of @e.
 */
const PdEfficiencyRow *pd_efficiency_row (PdEfficiency e);

/**
 * pd_report_run_set_ideal:
 * @run: a run of a report; from now on its efficiencies are reported
 * @ideal: (transfer full) (nullable): the same run where communication costs nothing;
 *   %NULL: serialisation and transfer are not known
 */
void pd_report_run_set_ideal (PdReportRun *run, PdReportRun *ideal);

/**
 * pd_report_has_efficiencies:
 * Returns: whether those of @run are wanted.
 */
gboolean pd_report_has_efficiencies (const PdReportRun *run);

/**
 * pd_report_get_efficiencies:
 * @self: the report, which has the run to compare with: the first with fewest processors
 * @run: one of its runs, whose efficiencies are wanted
 *
 * Returns: (transfer full) (array): %PD_N_EFFICIENCIES values for each of its results. 1 is
 *   best; above 1 are intervals that take longer without communication, because what is
 *   waited for elsewhere is waited for here then; NaN: not known, or nothing is computed.
 */
gdouble *pd_report_get_efficiencies (const PdReport *self, const PdReportRun *run);

/**
 * pd_efficiencies_of_run:
 * @run: folded
 * @reference: the run that its computation is compared with
 * @values: (array fixed-size=PD_N_EFFICIENCIES) (out caller-allocated): those of the whole
 *   program, as of pd_report_get_efficiencies(); without an ideal run the two that need it are
 *   NaN
 */
void pd_efficiencies_of_run (const PdReportRun *run, const PdReportRun *reference, gdouble *values);

/**
 * pd_report_n_efficiencies:
 * Returns: how many of them, from the first on, people are shown: with one run there is
 *   nothing to scale against.
 */
guint pd_report_n_efficiencies (const PdReport *self);

#endif
