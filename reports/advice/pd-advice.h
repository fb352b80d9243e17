/* Which of many predictions is best, by what, and why: the description that
 * the writers of "predictor advise" share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVICE_H
#define PD_ADVICE_H

#include "reports/emit/pd-json.h"
#include "reports/run/pd-report.h"

typedef enum
{
  PD_ADVICE_TIME,       /* least time */
  PD_ADVICE_EFFICIENCY, /* least time of those that are efficient enough */
  PD_ADVICE_COST,       /* least cost of those that meet the deadline */
  PD_N_ADVICE,
} PdAdviceCriterion;

typedef struct
{
  gboolean wanted[PD_N_ADVICE];
  gdouble min_efficiency; /* 0 to 1 */
  gdouble price;          /* of an hour of one processor; < 0: cost is processor-seconds */
  PdTime deadline;        /* of PD_ADVICE_COST; 0 = none */
} PdAdviceCriteria;

/* A grid that was not predicted, as it can be best by no criterion. */
typedef struct
{
  guint32 n_processors;
  char *grid;      /* owned */
  PdTimeSum bound; /* it takes no less */
} PdAdvicePruned;

typedef struct
{
  PdReport *report; /* borrowed; its runs are sorted by processors, then by grid */
  PdAdviceCriteria criteria;
  gint best[PD_N_ADVICE]; /* by criterion, an index of report->runs; -1 = none */
  GArray *pruned;         /* PdAdvicePruned, sorted likewise */
  gdouble margin;         /* predictions are off by so much of their time; 0 = not known */
  char *scope;            /* the considered runs, in sentences; owned */
  gboolean interrupted;   /* the runs are those that were finished */
} PdAdvice;

/**
 * pd_advice_new:
 * @report: (transfer none): must outlive the result
 * @criteria: copied
 *
 * Returns: (transfer full): an advice that prefers nothing yet.
 */
PdAdvice *pd_advice_new (PdReport *report, const PdAdviceCriteria *criteria);

/**
 * pd_advice_free:
 * @self: (nullable): the advice, without its report
 */
void pd_advice_free (PdAdvice *self);

/**
 * pd_advice_choose:
 * @criteria: the wanted criteria
 * @runs: (array length=n) (element-type PdReportRun): with results, sorted; may
 *   have holes (%NULL)
 * @n: how many
 * @best: (out caller-allocated) (array length=PD_N_ADVICE): indices; -1 where
 *   nothing fulfils the criterion or it is not wanted
 *
 * Of equal ones the first is chosen, which has the fewest processors.
 */
void pd_advice_choose (const PdAdviceCriteria *criteria, const PdReportRun *const *runs, guint n,
                       gint *best);

/**
 * pd_advice_is_allowed:
 * Returns: whether @run, which has results, may be best by criterion @c: it is efficient enough,
 *   or meets the deadline.
 */
gboolean pd_advice_is_allowed (const PdAdviceCriteria *criteria, PdAdviceCriterion c,
                               const PdReportRun *run);

/**
 * pd_advice_get_time:
 * Returns: the execution time of @run, which has results.
 */
PdTimeSum pd_advice_get_time (const PdReportRun *run);

/**
 * pd_advice_get_cost:
 * Returns: the cost of @run, in the unit of the price; without one in
 *   processor-seconds.
 */
gdouble pd_advice_get_cost (const PdAdviceCriteria *criteria, const PdReportRun *run);

/**
 * pd_advice_append_range:
 * @run: (nullable): a run; %NULL: headings are appended
 *
 * Appends two cells of CSV, the ends of the range of its time, empty where it has no range.
 */
void pd_advice_append_range (GString *out, const PdReportRun *run);

/**
 * pd_advice_add_range:
 * Adds the ends of the range of the time of @run, where it has one.
 */
void pd_advice_add_range (PdJson *json, const PdReportRun *run);

/**
 * pd_advice_criterion_name:
 * Returns: "time", "efficiency" or "cost".
 */
const char *pd_advice_criterion_name (PdAdviceCriterion criterion);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAdvice, pd_advice_free)

#endif
