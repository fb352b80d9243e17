/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-what-if-vary-private.h"

#include "predictor/dvm/simulate/pd-simulation.h"
#include "predictor/common/pd-errors.h"

#include <string.h>

#define MAX_PORTIONS (1 << 20)
#define MAX_GRIDS    24 /* that are tried */

PdPredictOptions
pd_what_if_options (PdWhatIfSearch *self)
{
  PdPredictOptions own = pd_predict_options_unobserved (self->predict);

  own.dvm.facts = &self->facts;
  return own;
}

/* An error of a change is no error of the run. */
static gboolean
forgive (PdWhatIfSearch *self, GError *cause, const PdCount *count, GError **error)
{
  g_autofree char *grid = pd_sizes_format (count->sizes, count->rank);

  if (g_error_matches (cause, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED)
      || self->time.ps == 0)
    {
      g_propagate_error (error, cause);
      return FALSE;
    }
  pd_messages_add (self->run->messages, PD_SEVERITY_NOTE, "what-if-failed", NULL, NULL,
                   "a what-if on the grid %s cannot be predicted: %s", grid, cause->message);
  g_error_free (cause);
  return TRUE;
}

gboolean
pd_what_if_run (PdWhatIfSearch *self, const PdPredictOptions *options, const PdCount *count,
                PdTime *time, GError **error)
{
  GError *cause = NULL;

  self->facts = (PdDvmFacts){ 0 };
  *time = PD_TIME_PENDING;
  PdReportRun *run = pd_predict (options, count->rank, count->sizes, &cause);
  if (run == NULL)
    return forgive (self, cause, count, error);
  *time = PD_TIME_ZERO;
  for (guint32 i = 0; i < run->n_processors; i++)
    *time = pd_time_max (*time, run->end_times[i]);
  pd_report_run_free (run);
  return TRUE;
}

void
pd_what_if_add (PdWhatIfSearch *self, PdWhatIf what_if)
{
  gdouble whole = (gdouble) self->time.ps;

  what_if.value = what_if.value != NULL ? what_if.value : g_strdup ("");
  what_if.gain.ps = (PdWide) self->time.ps - what_if.time.ps;
  what_if.percent = whole > 0 ? 100 * (gdouble) what_if.gain.ps / whole : 0;
  g_array_append_val (self->what_ifs, what_if);
}

/* ---- portions of pipelines */

/* The best so far. */
typedef struct
{
  PdTime time;
  gint64 portions;
  guint n_tried;
} Portions;

/* From the program's own number on, by doubling or by halving. */
static gboolean
go_on (PdWhatIfSearch *self, gboolean up, Portions *best, GError **error)
{
  PdTime last = self->time;

  for (gint64 n = up ? 2 * self->portions : self->portions / 2; n >= 1 && n <= MAX_PORTIONS;
       n = up ? 2 * n : n / 2)
    {
      PdPredictOptions own = pd_what_if_options (self);
      PdTime time;
      own.dvm.portions = n;
      if (!pd_what_if_run (self, &own, self->count, &time, error))
        return FALSE;
      best->n_tried++;
      if (!pd_time_is_pending (time) && (best->portions == 0 || time.ps < best->time.ps))
        *best = (Portions){ time, n, best->n_tried };
      if (pd_time_is_pending (time) || time.ps >= last.ps)
        return TRUE;
      last = time;
    }
  return TRUE;
}

gboolean
pd_what_if_vary_portions (PdWhatIfSearch *self, GError **error)
{
  Portions best = { PD_TIME_PENDING, 0, 0 };

  if (self->portions == 0)
    return TRUE;
  if (!go_on (self, TRUE, &best, error)
      || ((best.portions == 0 || best.time.ps >= self->time.ps)
          && !go_on (self, FALSE, &best, error)))
    return FALSE;
  if (best.portions > 0)
    pd_what_if_add (self,
                    (PdWhatIf){ .id = "portions",
                                .value = g_strdup_printf ("%" G_GINT64_FORMAT, best.portions),
                                .change = g_strdup_printf (
                                    "execute ordered loops in %" G_GINT64_FORMAT
                                    " portions, where the program has up to %" G_GINT64_FORMAT ".",
                                    best.portions, self->portions),
                                .how = g_strdup_printf (
                                    "every pipeline has that number of portions, as if the program "
                                    "said so; the best of %u numbers.",
                                    best.n_tried),
                                .time = best.time });
  return TRUE;
}

/* ---- grids */

static gboolean
is_same (const PdCount *a, const PdCount *b)
{
  return memcmp (a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0;
}

static gint
compare_sizes (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* The same sizes in another order. */
static gboolean
is_transposed (const PdCount *a, const PdCount *b)
{
  PdCount x = *a, y = *b;

  qsort (x.sizes, x.rank, sizeof *x.sizes, compare_sizes);
  qsort (y.sizes, y.rank, sizeof *y.sizes, compare_sizes);
  return is_same (&x, &y);
}

/* All grids with as many processors and dimensions, but the run's own: padded with sizes of 1. */
static GArray *
list_grids (const PdCount *count, gboolean transposed)
{
  g_autoptr (GArray) all = pd_counts_new_all (pd_count_get_n (count), count->rank);
  GArray *grids = g_array_new (FALSE, FALSE, sizeof (PdCount));

  for (guint i = 0; i < all->len; i++)
    {
      PdCount other = g_array_index (all, PdCount, i);
      while (other.rank < count->rank)
        other.sizes[other.rank++] = 1;
      if (!is_same (&other, count) && is_transposed (&other, count) == transposed)
        g_array_append_val (grids, other);
    }
  return grids;
}

gboolean
pd_what_if_vary_grid (PdWhatIfSearch *self, GError **error)
{
  g_autoptr (GArray) grids = list_grids (self->count, TRUE);
  g_autoptr (GArray) others = list_grids (self->count, FALSE);
  guint n = MIN (grids->len + others->len, MAX_GRIDS);

  g_array_append_vals (grids, others->data, others->len);
  if (self->count->rank < 2 || self->is_recorded_grid)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      const PdCount *count = &g_array_index (grids, PdCount, i);
      PdPredictOptions own = pd_what_if_options (self);
      PdTime time;
      if (!pd_what_if_run (self, &own, count, &time, error))
        return FALSE;
      if (pd_time_is_pending (time))
        continue;
      char *grid = pd_sizes_format (count->sizes, count->rank);
      gboolean transposed = is_transposed (count, self->count);
      pd_what_if_add (self, (PdWhatIf){ .id = transposed ? "grid-transposed" : "grid",
                                        .value = grid,
                                        .change = g_strdup_printf ("the grid %s.", grid),
                                        .how = g_strdup_printf ("as with -n %s.", grid),
                                        .time = time });
    }
  return TRUE;
}
