/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-efficiency.h"

#include "reports/run/pd-report-types.h"
#include "reports/run/pd-report-common.h"

#include <math.h>

static const PdEfficiencyRow rows[PD_N_EFFICIENCIES] = {
  [PD_E_LOAD_BALANCE] = { "Load balance", "Load bal.", "load_balance",
                          "The mean CPU_time of the processors over the largest." },
  [PD_E_SERIALISATION] = { "Serialisation", "Serialis.", "serialisation_efficiency",
                           "The largest CPU_time over the time the interval would take if "
                           "communication cost nothing." },
  [PD_E_TRANSFER] = { "Transfer", "Transfer", "transfer_efficiency",
                      "The time the interval would take if communication cost nothing over "
                      "Execution_time." },
  [PD_E_COMMUNICATION] = { "Communication efficiency", "Comm.", "communication_efficiency",
                           "The largest CPU_time over Execution_time: Serialisation times "
                           "Transfer." },
  [PD_E_PARALLEL] = { "Parallel efficiency", "Parallel", "parallel_efficiency",
                      "Load balance times Communication efficiency." },
  [PD_E_SCALING] = { "Computation scaling", "Scaling", "computation_scaling",
                     "CPU_time of all processors in the run with fewest processors over that "
                     "in this run." },
  [PD_E_GLOBAL] = { "Global efficiency", "Global", "global_efficiency",
                    "Parallel efficiency times Computation scaling." },
};

const PdEfficiencyRow *
pd_efficiency_row (PdEfficiency e)
{
  g_return_val_if_fail ((guint) e < PD_N_EFFICIENCIES, NULL);

  return &rows[e];
}

/* ---- the same interval in another run */

typedef struct
{
  guint parent; /* entry in the other run */
  const PdIntervalResult *interval;
} Place;

static guint
hash_place (gconstpointer key)
{
  const Place *place = key;
  const PdIntervalResult *r = place->interval;

  return place->parent * 31 + (guint) r->type + (guint) r->line * 7 + (guint) r->index * 13
         + (r->file != NULL ? g_str_hash (r->file) : 0)
         + (r->name != NULL ? g_str_hash (r->name) * 17 : 0);
}

static gboolean
is_same_place (gconstpointer a, gconstpointer b)
{
  const Place *p = a, *q = b;
  const PdIntervalResult *x = p->interval, *y = q->interval;

  return p->parent == q->parent && x->type == y->type && x->line == y->line && x->index == y->index
         && g_strcmp0 (x->file, y->file) == 0 && g_strcmp0 (x->name, y->name) == 0;
}

/* Returns: (transfer full): by entry of @run, that of @other; G_MAXUINT: it has none. */
static guint *
match_intervals (const PdReportRun *run, const PdReportRun *other)
{
  guint *found = g_new (guint, run->results->len);
  g_autofree guint *own = pd_report_positions (run), *others = pd_report_positions (other);
  g_autofree Place *places = g_new (Place, other->results->len);
  g_autoptr (GHashTable) known = g_hash_table_new (hash_place, is_same_place);

  for (guint i = 1; i < other->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (other, i);
      places[i] = (Place){ others[r->parent], r };
      g_hash_table_insert (known, &places[i], GUINT_TO_POINTER (i));
    }
  found[0] = 0;
  for (guint i = 1; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      Place wanted = { found[own[r->parent]], r };
      gpointer at = g_hash_table_lookup (known, &wanted);
      found[i] = at == NULL ? G_MAXUINT : GPOINTER_TO_UINT (at);
    }
  return found;
}

/* ---- the ideal run */

void
pd_report_run_set_ideal (PdReportRun *run, PdReportRun *ideal)
{
  g_return_if_fail (run != NULL && run->results != NULL);

  const PdTimeSum unknown = { -1 };
  g_autofree guint *found = NULL;

  g_clear_pointer (&run->ideal, g_array_unref);
  run->ideal = g_array_sized_new (FALSE, FALSE, sizeof (PdTimeSum), run->results->len);
  if (ideal != NULL)
    {
      pd_report_run_compact (ideal);
      found = match_intervals (run, ideal);
    }
  for (guint i = 0; i < run->results->len; i++)
    {
      PdTimeSum time = unknown;
      if (found != NULL && found[i] != G_MAXUINT)
        time = pd_report_result (ideal, found[i])->values[PD_C_EXECUTION_TIME].sum;
      g_array_append_val (run->ideal, time);
    }
  pd_report_run_free (ideal);
}

gboolean
pd_report_has_efficiencies (const PdReportRun *run)
{
  return run->ideal != NULL;
}

guint
pd_report_n_efficiencies (const PdReport *self)
{
  return self->runs->len > 1 ? PD_N_EFFICIENCIES : PD_E_SCALING;
}

/* ---- efficiencies */

/* Values computed from an unknown one are unknown, too. */
static gdouble
ratio (gdouble part, gdouble whole)
{
  return whole > 0 && part >= 0 ? part / whole : NAN;
}

static const PdReportRun *
find_reference (const PdReport *self)
{
  const PdReportRun *least = pd_report_run (self, 0);

  for (guint i = 1; i < self->runs->len; i++)
    if (pd_report_run (self, i)->n_processors < least->n_processors)
      least = pd_report_run (self, i);
  return least;
}

/* Returns: (transfer full): by entry of @run, its CPU_time in the run with fewest
 * processors; negative: not known. */
static gdouble *
reference_work (const PdReport *self, const PdReportRun *run)
{
  const PdReportRun *reference = find_reference (self);
  g_autofree guint *found = match_intervals (run, reference);
  gdouble *work = g_new (gdouble, run->results->len);

  for (guint i = 0; i < run->results->len; i++)
    work[i] = self->runs->len < 2 || found[i] == G_MAXUINT
                  ? -1
                  : (gdouble) pd_report_result (reference, found[i])->values[PD_C_CPU_TIME].sum.ps;
  return work;
}

static void
compute (const PdReportRun *run, guint i, gdouble work, gdouble *values)
{
  const PdIntervalResult *r = pd_report_result (run, i);
  gdouble sum = (gdouble) r->values[PD_C_CPU_TIME].sum.ps;
  gdouble largest = (gdouble) r->values[PD_C_CPU_TIME].max.ps;
  gdouble time = (gdouble) r->values[PD_C_EXECUTION_TIME].sum.ps;
  gdouble ideal = run->ideal != NULL ? (gdouble) g_array_index (run->ideal, PdTimeSum, i).ps : -1;

  values[PD_E_LOAD_BALANCE] = ratio (sum, largest * r->n_processors);
  values[PD_E_SERIALISATION] = ratio (largest, ideal);
  values[PD_E_TRANSFER] = ratio (ideal, time);
  values[PD_E_COMMUNICATION] = ratio (largest, time);
  values[PD_E_PARALLEL] = ratio (sum, time * r->n_processors);
  values[PD_E_SCALING] = ratio (work, sum);
  values[PD_E_GLOBAL] = values[PD_E_PARALLEL] * values[PD_E_SCALING];
}

gdouble *
pd_report_get_efficiencies (const PdReport *self, const PdReportRun *run)
{
  g_return_val_if_fail (self != NULL && self->runs->len > 0 && run->ideal != NULL, NULL);

  g_autofree gdouble *work = reference_work (self, run);
  gdouble *values = g_new (gdouble, (gsize) run->results->len * PD_N_EFFICIENCIES);

  for (guint i = 0; i < run->results->len; i++)
    compute (run, i, work[i], values + (gsize) i * PD_N_EFFICIENCIES);
  return values;
}

void
pd_efficiencies_of_run (const PdReportRun *run, const PdReportRun *reference, gdouble *values)
{
  g_return_if_fail (run->results->len > 0 && reference->results->len > 0);

  compute (run, 0, (gdouble) pd_report_result (reference, 0)->values[PD_C_CPU_TIME].sum.ps, values);
}
