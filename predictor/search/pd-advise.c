/* SPDX-License-Identifier: MIT */

#include "predictor/common/pd-clean-options.h"
#include "predictor/common/pd-errors.h"
#include "predictor/range/pd-range-common.h"
#include "predictor/search/pd-advise-machine-private.h"
#include "predictor/search/pd-advise-traces-private.h"

#include <string.h>

/* Predictions between two choices of the best run; they run in parallel. The number does
 * not depend on the number of threads, so that the result does not. */
#define BATCH 16
/* New counts on each side of a best one, per round of refinement. */
#define FINER 4
/* The doubles that decide which runs are not predicted have smaller errors. */
#define RELATIVE 1e-9

typedef struct
{
  PdCount count;
  guint32 n; /* processors */
  const PdPredictOptions *predict;
  PdReportRun *run; /* owned; NULL: not predicted */
  GError *error;    /* owned */
  gboolean pruned;
} Candidate;

typedef struct
{
  const PdAdviseOptions *options;
  PdReport *report;
  PdAdviseTraces *traces;
  PdBounds bounds;
  gboolean is_noisy; /* can make processors faster than they are: nothing is known then */
  guint32 max;       /* processors */
  GString *scope;    /* the considered runs */
  GArray *all;       /* Candidate, sorted */
  gboolean *seen;    /* (array length=max + 1): counts whose grids are candidates */
  guint n_done;
} Search;

static void
candidate_clear (gpointer data)
{
  Candidate *candidate = data;

  pd_report_run_free (candidate->run);
  g_clear_error (&candidate->error);
}

static void
search_clear (Search *self)
{
  g_clear_pointer (&self->all, g_array_unref);
  pd_advise_traces_free (self->traces);
  if (self->scope != NULL)
    g_string_free (self->scope, TRUE);
  g_free (self->seen);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static Candidate *
candidate (const Search *self, guint i)
{
  return &g_array_index (self->all, Candidate, i);
}

/* ---- the machine */

/* How many processors may be used, and how fast they are. */
static gboolean
look_at_machine (Search *self, GError **error)
{
  const PdAdviseOptions *options = self->options;
  g_autoptr (PdMachine) machine = NULL;
  guint32 wanted = pd_advise_get_wanted (options, error);

  if (wanted == 0)
    return FALSE;
  self->max = pd_advise_get_room (&options->predict, wanted, &machine, error);
  if (self->max == 0)
    return FALSE;
  self->is_noisy = machine->noise.kind != PD_NOISE_NONE;
  pd_bounds_set_speeds (&self->bounds, machine, options->predict.ratios);
  self->bounds.recorder_cost =
      pd_clean_options_get_cost (&options->predict.clean, &machine->software);
  if (self->max < wanted && options->counts == NULL)
    g_string_append_printf (self->scope,
                            " The machine, or the placement, has room for %u, not for %u.",
                            self->max, wanted);
  return TRUE;
}

/* ---- candidates */

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  return pd_count_compare (&((const Candidate *) a)->count, &((const Candidate *) b)->count);
}

static void
add_count (Search *self, const PdCount *count)
{
  Candidate one = { .count = *count, .n = (guint32) pd_count_get_n (count) };

  g_array_append_val (self->all, one);
}

static void
add_counts (Search *self, const GArray *counts)
{
  for (guint i = 0; i < counts->len; i++)
    add_count (self, &g_array_index (counts, PdCount, i));
}

/* Every grid of @n processors, unless the limit would be exceeded: returns
 * whether it is not. */
static gboolean
add_all_grids (Search *self, guint32 n)
{
  g_autoptr (GArray) counts = pd_counts_new_all (n, self->options->facts->rank);

  if (!self->options->exhaustive && self->all->len > 0
      && self->all->len + counts->len > self->options->limit)
    return FALSE;
  self->seen[n] = TRUE;
  add_counts (self, counts);
  return TRUE;
}

/* All counts; FALSE, and no candidates, if that is more than the limit. */
static gboolean
add_every_count (Search *self)
{
  for (guint32 n = 1; n <= self->max; n++)
    if (!add_all_grids (self, n))
      {
        g_array_set_size (self->all, 0);
        memset (self->seen, 0, (self->max + 1) * sizeof *self->seen);
        return FALSE;
      }
  return TRUE;
}

/* Powers of two, of four, … : the first that leave half of the limit for what
 * is found near the best of them. And the largest count. */
static void
add_coarse_counts (Search *self)
{
  guint step = 0, n_grids;

  do
    {
      n_grids = 0;
      step++;
      for (guint shift = 0; shift < 32 && self->max >> shift > 0; shift += step)
        {
          g_autoptr (GArray) counts = pd_counts_new_all (1 << shift, self->options->facts->rank);
          n_grids += counts->len;
        }
    }
  while (n_grids > self->options->limit / 2 && step < 32);
  for (guint shift = 0; shift < 32 && self->max >> shift > 0; shift += step)
    add_all_grids (self, 1u << shift);
  if (!self->seen[self->max])
    add_all_grids (self, self->max);
}

/* ---- predicting */

/* One batch, shared by the threads. */
typedef struct
{
  Candidate **items; /* borrowed */
  gint n;
  gint next; /* atomic */
} Batch;

static gpointer
work (gpointer data)
{
  Batch *batch = data;
  gint i;

  while ((i = g_atomic_int_add (&batch->next, 1)) < batch->n)
    {
      Candidate *item = batch->items[i];
      item->run = pd_predict (item->predict, item->count.rank, item->count.sizes, &item->error);
      if (item->run != NULL)
        pd_report_run_compact (item->run);
    }
  return NULL;
}

static gboolean
run_batch (Search *self, Candidate **items, guint n, GError **error)
{
  Batch batch = { items, (gint) n, 0 };
  guint n_threads = MIN (self->options->n_threads, n);
  GThread *threads[BATCH];

  for (guint i = 0; i < n; i++)
    if ((items[i]->predict = pd_advise_traces_choose (self->traces, &items[i]->count, error))
        == NULL)
      return FALSE;
  for (guint t = 1; t < n_threads; t++)
    threads[t] = g_thread_new ("predict", work, &batch);
  work (&batch);
  for (guint t = 1; t < n_threads; t++)
    g_thread_join (threads[t]);
  for (guint i = 0; i < n; i++)
    if (items[i]->error != NULL)
      {
        g_propagate_error (error, g_steal_pointer (&items[i]->error));
        return FALSE;
      }
  return TRUE;
}

/* ---- pruning */

/* The best run so far. */
typedef struct
{
  gint best[PD_N_ADVICE]; /* candidates; -1 = none */
} Best;

static Best
choose (const Search *self)
{
  g_autofree const PdReportRun **runs = g_new (const PdReportRun *, self->all->len);
  Best best;

  for (guint i = 0; i < self->all->len; i++)
    runs[i] = candidate (self, i)->run;
  pd_advice_choose (&self->options->criteria, runs, self->all->len, best.best);
  return best;
}

/* Whether no grid of @n processors can be best by @criterion. */
static gboolean
cannot_be_best (const Search *self, const Best *best, PdAdviceCriterion criterion, guint32 n)
{
  const PdAdviceCriteria *criteria = &self->options->criteria;
  gdouble least = pd_bounds_least_time (&self->bounds, n) * (1 - RELATIVE);

  if (criterion == PD_ADVICE_EFFICIENCY
      && pd_bounds_most_efficiency (&self->bounds, n) * (1 + RELATIVE) < criteria->min_efficiency)
    return TRUE;
  if (criterion == PD_ADVICE_COST && criteria->deadline.ps > 0
      && least > (gdouble) criteria->deadline.ps)
    return TRUE;
  if (best->best[criterion] < 0)
    return FALSE;
  const Candidate *known = candidate (self, (guint) best->best[criterion]);
  gdouble time = (gdouble) pd_advice_get_time (known->run).ps;
  return criterion == PD_ADVICE_COST ? least * n > time * known->n : least > time;
}

static gboolean
can_be_pruned (const Search *self, const Best *best, guint32 n)
{
  if (self->options->exhaustive || self->is_noisy || n == 1 || self->options->family != NULL)
    return FALSE;
  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    if (self->options->criteria.wanted[c] && !cannot_be_best (self, best, c, n))
      return FALSE;
  return TRUE;
}

static gboolean
is_power_of_two (guint32 n)
{
  return (n & (n - 1)) == 0;
}

/* The candidates that are still open: powers of two first, as they show early
 * what can be reached. */
static GPtrArray *
order_of_search (const Search *self)
{
  GPtrArray *order = g_ptr_array_new ();

  for (int pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->all->len; i++)
      {
        Candidate *one = candidate (self, i);
        if (one->run == NULL && !one->pruned && is_power_of_two (one->n) == (pass == 0))
          g_ptr_array_add (order, one);
      }
  return order;
}

/* Predicts or prunes every open candidate. */
static gboolean
evaluate (Search *self, GError **error)
{
  const PdAdviseOptions *options = self->options;
  g_array_sort (self->all, compare_candidates);
  g_autoptr (GPtrArray) order = order_of_search (self);

  for (guint i = 0; i < order->len;)
    {
      Candidate *items[BATCH];
      Best best = choose (self);
      guint n = 0;
      for (; n < BATCH && i < order->len; i++)
        {
          Candidate *one = g_ptr_array_index (order, i);
          one->pruned = can_be_pruned (self, &best, one->n);
          self->n_done += (guint) one->pruned;
          if (!one->pruned)
            items[n++] = one;
        }
      if (!run_batch (self, items, n, error))
        return FALSE;
      self->n_done += n;
      if (options->progress != NULL)
        options->progress (self->n_done, self->all->len, options->progress_data);
    }
  return TRUE;
}

/* ---- refining */

/* Some counts between @from and @to that were not tried; at most FINER. */
static gboolean
add_between (Search *self, guint32 from, guint32 to)
{
  guint n_before = self->all->len;
  guint32 gap = to - from;

  for (guint32 k = 1; k <= MIN (FINER, gap - 1); k++)
    {
      guint32 n = gap - 1 <= FINER ? from + k : from + (guint32) ((guint64) gap * k / (FINER + 1));
      if (!self->seen[n] && !add_all_grids (self, n))
        break;
    }
  return self->all->len > n_before;
}

/* Counts next to the best ones; FALSE if there are no more. */
static gboolean
add_finer_counts (Search *self)
{
  Best best = choose (self);
  guint32 n[PD_N_ADVICE];
  gboolean added = FALSE;

  for (guint c = 0; c < PD_N_ADVICE; c++)
    n[c] = best.best[c] >= 0 ? candidate (self, (guint) best.best[c])->n : 0;
  for (guint c = 0; c < PD_N_ADVICE; c++)
    {
      guint32 below = n[c], above = n[c];
      if (n[c] == 0)
        continue;
      do
        below--;
      while (below > 0 && !self->seen[below]);
      do
        above++;
      while (above <= self->max && !self->seen[above]);
      if (below > 0)
        added = add_between (self, below, n[c]) || added;
      if (above <= self->max)
        added = add_between (self, n[c], above) || added;
    }
  return added;
}

/* ---- all */

/* Virtual processor systems that @grids are of: they can be predicted for these only. */
static gboolean
search_recorded (Search *self, const GArray *grids, GError **error)
{
  for (guint i = 0; i < grids->len; i++)
    if (pd_count_get_n (&g_array_index (grids, PdCount, i)) <= self->max)
      add_count (self, &g_array_index (grids, PdCount, i));
  if (self->all->len == 0)
    {
      g_set_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_GRID,
                   "the trace was recorded for %" G_GINT64_FORMAT
                   " processors, but only %u may be used",
                   pd_count_get_n (&g_array_index (grids, PdCount, 0)), self->max);
      return FALSE;
    }
  g_string_assign (self->scope, self->options->family != NULL
                                    ? " The grids that the traces were recorded for."
                                    : " The trace was recorded for a virtual processor system: it "
                                      "can be predicted for that grid only.");
  return evaluate (self, error);
}

static gboolean
search_coarsely (Search *self, GError **error)
{
  guint n_counts = 0;
  gboolean ok;

  add_coarse_counts (self);
  do
    ok = evaluate (self, error);
  while (ok && add_finer_counts (self));
  for (guint32 n = 1; n <= self->max; n++)
    n_counts += (guint) self->seen[n];
  g_string_append_printf (self->scope,
                          " These are more than %u grids: powers of two were tried first, then "
                          "counts around the best ones, %u counts in all.",
                          self->options->limit, n_counts);
  return ok;
}

static gboolean
search_counts (Search *self, GError **error)
{
  guint rank = self->options->facts->rank;
  g_autofree char *text = g_strdup_printf (" Grids of 1 to %u processors, of up to %u dimension%s.",
                                           self->max, rank, rank == 1 ? "" : "s");

  g_string_prepend (self->scope, text);
  return add_every_count (self) ? evaluate (self, error) : search_coarsely (self, error);
}

static gboolean
search (Search *self, GError **error)
{
  g_autoptr (GArray) grids = pd_advise_traces_get_grids (self->traces);

  if (self->options->counts != NULL)
    {
      g_string_append (self->scope, " The grids that were asked for.");
      add_counts (self, self->options->counts);
      return evaluate (self, error);
    }
  if (grids != NULL)
    return search_recorded (self, grids, error);
  return search_counts (self, error);
}

/* The runs go over to the report. */
static PdAdvice *
conclude (Search *self)
{
  PdAdvice *advice = pd_advice_new (self->report, &self->options->criteria);

  advice->scope = g_strdup (self->scope->str + 1);
  advice->margin = pd_range_get_floor (PD_MODEL_DVM);
  for (guint i = 0; i < self->all->len; i++)
    {
      Candidate *one = candidate (self, i);
      if (one->pruned)
        {
          PdAdvicePruned pruned = {
            one->n,
            pd_sizes_format (one->count.sizes, one->count.rank),
            { (PdWide) pd_bounds_least_time (&self->bounds, one->n) },
          };
          g_array_append_val (advice->pruned, pruned);
        }
      else if (one->run != NULL)
        pd_report_add_run (self->report, g_steal_pointer (&one->run));
    }
  pd_advice_choose (&advice->criteria, (const PdReportRun *const *) self->report->runs->pdata,
                    self->report->runs->len, advice->best);
  pd_advise_traces_note (self->traces, advice);
  return advice;
}

PdAdvice *
pd_advise (const PdAdviseOptions *options, PdReport *report, GError **error)
{
  g_return_val_if_fail (options->limit >= 1 && options->n_threads >= 1, NULL);
  g_return_val_if_fail (report->runs->len == 0 && !report->per_processor, NULL);

  g_autoptr (GError) local = NULL;
  g_auto (Search) self = { .options = options, .report = report };
  self.bounds.facts = options->facts;
  self.traces = pd_advise_traces_new (options, report->messages);
  self.scope = g_string_new (NULL);
  self.all = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_array_set_clear_func (self.all, candidate_clear);
  if (!look_at_machine (&self, error))
    return NULL;
  self.seen = g_new0 (gboolean, self.max + 1);
  gboolean ok = search (&self, &local);
  gboolean interrupted =
      g_error_matches (local, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED);
  if (!ok && !interrupted)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  PdAdvice *advice = conclude (&self);
  advice->interrupted = interrupted;
  if (report->runs->len > 0)
    return advice;
  pd_advice_free (advice);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}
