/* The costs of calls besides the network: the copy and the reduction of a byte, and a
 * constant for each operation, fitted to the measured operations. ComSys gives the time of
 * an operation with given costs, and its derivatives; a robust linear regression of relative
 * residuals is repeated at the new costs. A remaining difference that grows in proportion to
 * the size from some size on, as for memory that is touched for the first time, becomes a
 * cost of its function.
 * SPDX-License-Identifier: MIT */

#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/tools/pd-point-simulate.h"
#include "measure/stats/pd-stats.h"
#include "fit/pd-fit-software.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <string.h>

#define N_BYTES       2 /* parameters that are times of a byte: copy, reduction */
#define ITERATIONS    4
#define SLOPE_PENALTY 2 /* so that costs of all operations are preferred to those of one */

typedef struct
{
  PdMachine *machine;
  GArray *points; /* PdPoint, operations only */
  guint n;        /* parameters */
  gdouble *value; /* s */
  gboolean *used; /* FALSE: nothing depends on it, or it would be negative */
  PdFitSoftware *out;
} Fit;

/* ---- what the model says */

static void
set_costs (Fit *self)
{
  PdMachine *machine = self->machine;

  machine->software.copy_per_byte = self->value[0] * PD_PS_PER_S;
  machine->software.reduction_per_byte = self->value[1] * PD_PS_PER_S;
  for (guint i = 0; i < self->out->n_functions; i++)
    g_array_index (machine->functions, PdFunctionCost, i).overhead =
        PD_TIME ((gint64) (self->value[N_BYTES + i] * PD_PS_PER_S + 0.5));
  for (guint i = 0; i < self->out->n_functions; i++)
    {
      PdFunctionCost *cost = &g_array_index (machine->functions, PdFunctionCost, i);
      cost->per_byte = self->out->per_byte[i] * PD_PS_PER_S;
      cost->from = self->out->from[i];
    }
}

/* @times: of each point, s */
static gboolean
play_all (Fit *self, gdouble *times, GError **error)
{
  set_costs (self);
  for (guint i = 0; i < self->points->len; i++)
    {
      PdTime time;
      if (!pd_point_simulate (&g_array_index (self->points, PdPoint, i), self->machine, &time,
                              error))
        return FALSE;
      times[i] = pd_time_to_seconds (time);
    }
  return TRUE;
}

static gdouble
measured_at (const Fit *self, guint i)
{
  return pd_time_to_seconds (g_array_index (self->points, PdPoint, i).time);
}

/* ---- one step: from where the costs are to where residuals are least */

static void
solve (const Fit *self, const gsl_matrix *all, const gsl_vector *y, gsl_vector *x)
{
  gsize n = all->size1, p = 0;

  gsl_vector_set_zero (x);
  for (guint k = 0; k < self->n; k++)
    p += self->used[k] ? 1 : 0;
  if (p == 0 || n <= p)
    return;
  gsl_matrix *a = gsl_matrix_alloc (n, p), *covariance = gsl_matrix_alloc (p, p);
  gsl_vector *c = gsl_vector_calloc (p);
  gsl_multifit_robust_workspace *work =
      gsl_multifit_robust_alloc (gsl_multifit_robust_bisquare, n, p);
  for (guint k = 0, column = 0; k < self->n; k++)
    for (gsize i = 0; self->used[k] && i < n; i++)
      {
        gsl_matrix_set (a, i, column, gsl_matrix_get (all, i, k));
        column += i + 1 == n ? 1 : 0;
      }
  int status = gsl_multifit_robust (a, y, c, covariance, work);
  for (guint k = 0, column = 0; k < self->n; k++)
    if (self->used[k] && (status == GSL_SUCCESS || status == GSL_EMAXITER))
      gsl_vector_set (x, k, gsl_vector_get (c, column++));
  gsl_multifit_robust_free (work);
  gsl_vector_free (c);
  gsl_matrix_free (covariance);
  gsl_matrix_free (a);
}

/* The most negative one is 0 from now on; FALSE: none was. */
static gboolean
drop_negative (Fit *self, const gsl_vector *x)
{
  gdouble least = 0;
  guint which = self->n;

  for (guint k = 0; k < self->n; k++)
    if (self->used[k] && gsl_vector_get (x, k) < least)
      {
        least = gsl_vector_get (x, k);
        which = k;
      }
  if (which == self->n)
    return FALSE;
  self->used[which] = FALSE;
  return TRUE;
}

/* The model is linear around @base: y = (measured - base) / measured + sum of a x. */
static gboolean
linearise (Fit *self, gsl_matrix *a, gsl_vector *y, GError **error)
{
  guint n = self->points->len;
  g_autofree gdouble *base = g_new (gdouble, n), *moved = g_new (gdouble, n);

  if (!play_all (self, base, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    gsl_vector_set (y, i, (measured_at (self, i) - base[i]) / measured_at (self, i));
  for (guint k = 0; k < self->n; k++)
    {
      gdouble by = k < N_BYTES ? 1e-10 : 1e-7, was = self->value[k];
      self->value[k] += by;
      gboolean ok = play_all (self, moved, error);
      self->value[k] = was;
      if (!ok)
        return FALSE;
      gboolean moves = FALSE;
      for (guint i = 0; i < n; i++)
        {
          gdouble slope = (moved[i] - base[i]) / by / measured_at (self, i);
          moves = moves || slope > 0;
          gsl_matrix_set (a, i, k, slope);
          gsl_vector_set (y, i, gsl_vector_get (y, i) + slope * was);
        }
      self->used[k] = moves;
    }
  return TRUE;
}

/* Columns are scaled to their units, so that the regression is well conditioned. */
static gboolean
improve (Fit *self, GError **error)
{
  gsl_matrix *a = gsl_matrix_alloc (self->points->len, self->n);
  gsl_vector *y = gsl_vector_alloc (self->points->len), *x = gsl_vector_alloc (self->n);
  gboolean ok = linearise (self, a, y, error);

  for (guint k = 0; ok && k < self->n; k++)
    {
      gsl_vector_view column = gsl_matrix_column (a, k);
      gsl_vector_scale (&column.vector, k < N_BYTES ? 1e-10 : 1e-7);
    }
  if (ok)
    do
      solve (self, a, y, x);
    while (drop_negative (self, x));
  for (guint k = 0; ok && k < self->n; k++)
    self->value[k] = MAX (0, gsl_vector_get (x, k)) * (k < N_BYTES ? 1e-10 : 1e-7);
  gsl_vector_free (x);
  gsl_vector_free (y);
  gsl_matrix_free (a);
  return ok;
}

/* ---- costs of functions that depend on the size */

/* Points of one function: x is the bytes, y the time that is not explained. */
typedef struct
{
  guint n;
  gdouble *x;
  gdouble *y;
  gdouble *scale; /* 1 / the measured time */
} Rest;

/* y = a + b x where x is at least @from. */
typedef struct
{
  gdouble a;
  gdouble b;
  gint64 from;
  gdouble score; /* sum of the relative residuals without their signs */
} Step;

static gdouble
residual_at (const Rest *rest, const Step *step, guint i)
{
  gdouble x = rest->x[i] >= (gdouble) step->from ? rest->x[i] : 0;

  return (rest->y[i] - step->a - step->b * x) * rest->scale[i];
}

/* Weighted least squares, nothing negative. */
static void
solve_step (const Rest *rest, const gdouble *weights, gboolean with_slope, Step *step)
{
  gdouble s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;

  for (guint i = 0; i < rest->n; i++)
    {
      gdouble x = with_slope && rest->x[i] >= (gdouble) step->from ? rest->x[i] : 0;
      gdouble w = weights[i] * rest->scale[i] * rest->scale[i];
      s += w;
      sx += w * x;
      sy += w * rest->y[i];
      sxx += w * x * x;
      sxy += w * x * rest->y[i];
    }
  gdouble d = s * sxx - sx * sx;
  step->b = d > 1e-12 * s * sxx ? (s * sxy - sx * sy) / d : 0;
  step->a = (sy - step->b * sx) / s;
  if (step->b <= 0)
    *step = (Step){ .a = sy / s, .from = step->from };
  if (step->a < 0)
    *step = (Step){ .b = sxx > 0 ? MAX (0, sxy / sxx) : 0, .from = step->from };
}

/* Least sum of the residuals, by weights that fall with them. */
static Step
fit_step (const Rest *rest, gint64 from, gboolean with_slope)
{
  g_autofree gdouble *weights = g_new (gdouble, rest->n);
  Step step = { .from = from };

  for (guint i = 0; i < rest->n; i++)
    weights[i] = 1;
  for (guint k = 0; k < 20; k++)
    {
      solve_step (rest, weights, with_slope, &step);
      for (guint i = 0; i < rest->n; i++)
        weights[i] = 1 / MAX (fabs (residual_at (rest, &step, i)), 0.01);
    }
  for (guint i = 0; i < rest->n; i++)
    step.score += fabs (residual_at (rest, &step, i));
  return step;
}

/* A slope has to be worth it: two parameters more for a fifth less of the residuals. */
static Step
find_step (const Rest *rest)
{
  Step best = fit_step (rest, 0, FALSE);
  gdouble least = 0.8 * best.score;

  for (guint i = 0; rest->n >= 5 && i + 1 < rest->n; i++)
    {
      Step step = fit_step (rest, i == 0 ? 0 : (gint64) rest->x[i], TRUE);
      if (step.b > 0 && step.score < least)
        {
          best = step;
          least = step.score;
        }
    }
  return best;
}

static void
find_rest (const Fit *self, const gdouble *base, guint function, Rest *rest)
{
  rest->n = 0;
  for (guint i = 0; i < self->points->len; i++)
    {
      const PdPoint *point = &g_array_index (self->points, PdPoint, i);
      if (strcmp (pd_point_function (point), self->out->functions[function]) != 0)
        continue;
      rest->x[rest->n] = (gdouble) point->bytes;
      rest->y[rest->n] = measured_at (self, i) - base[i];
      rest->scale[rest->n++] = 1 / measured_at (self, i);
    }
}

/* A cost of a function is nothing but a later begin of its operation. @score: what is
 * left then, over all points. */
static gboolean
refine (Fit *self, gdouble *score, GError **error)
{
  guint n = self->points->len;
  g_autofree gdouble *base = g_new (gdouble, n), *x = g_new (gdouble, n), *y = g_new (gdouble, n);
  g_autofree gdouble *scale = g_new (gdouble, n);
  Rest rest = { 0, x, y, scale };

  for (guint k = 0; k < self->out->n_functions; k++)
    self->value[N_BYTES + k] = self->out->per_byte[k] = 0;
  if (!play_all (self, base, error))
    return FALSE;
  *score = 0;
  for (guint k = 0; k < self->out->n_functions; k++)
    {
      find_rest (self, base, k, &rest);
      Step step = find_step (&rest);
      self->value[N_BYTES + k] = step.a;
      self->out->per_byte[k] = step.b;
      self->out->from[k] = step.from;
      *score += step.score * (step.b > 0 ? SLOPE_PENALTY : 1);
    }
  return TRUE;
}

/* The value of a parameter from the larger sizes of one function alone; NaN if the function
 * does not depend on it. @base: without it; @moved: with @by of it. */
static gdouble
implied_by (const Fit *self, guint function, const gdouble *base, const gdouble *moved, gdouble by)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gdouble));

  for (guint i = 0; i < self->points->len; i++)
    {
      const PdPoint *point = &g_array_index (self->points, PdPoint, i);
      gdouble slope = (moved[i] - base[i]) / by;
      if (slope <= 0 || strcmp (pd_point_function (point), self->out->functions[function]) != 0)
        continue;
      gdouble value = MAX (0, (measured_at (self, i) - base[i]) / slope);
      g_array_append_val (values, value);
    }
  guint half = values->len / 2;
  return values->len == 0
             ? NAN
             : pd_stats_median (&g_array_index (values, gdouble, half), values->len - half);
}

/* Operations that use fresh memory, as some libraries' do, would make copies and
 * reductions of all others too slow: so what one function alone says is tried for all,
 * the others being completed by costs of their own. */
static gboolean
choose (Fit *self, guint parameter, gdouble *score, GError **error)
{
  guint n = self->points->len;
  g_autofree gdouble *base = g_new (gdouble, n), *moved = g_new (gdouble, n);
  gdouble best = self->value[parameter];

  for (guint k = 0; k < self->out->n_functions; k++)
    self->value[N_BYTES + k] = self->out->per_byte[k] = 0;
  self->value[parameter] = 0;
  gboolean ok = play_all (self, base, error);
  self->value[parameter] = 1e-10;
  if (!ok || !play_all (self, moved, error))
    return FALSE;
  for (guint k = 0; k <= self->out->n_functions; k++)
    {
      gdouble left, value = 0;
      if (k < self->out->n_functions)
        value = implied_by (self, k, base, moved, 1e-10);
      if (isnan (value))
        continue;
      self->value[parameter] = value;
      if (!refine (self, &left, error))
        return FALSE;
      if (left < *score)
        {
          best = value;
          *score = left;
        }
    }
  self->value[parameter] = best;
  return refine (self, score, error);
}

static gboolean
complete (Fit *self, GError **error)
{
  gdouble score;
  gboolean ok = refine (self, &score, error);

  for (guint round = 0; ok && round < 2; round++)
    for (guint parameter = N_BYTES; ok && parameter-- > 0;)
      ok = choose (self, parameter, &score, error);
  return ok;
}

/* ---- all of it */

static void
find_functions (Fit *self)
{
  PdFitSoftware *out = self->out;

  for (guint i = 0; i < self->machine->measured->points->len; i++)
    {
      const PdPoint *point = &g_array_index (self->machine->measured->points, PdPoint, i);
      const char *function = pd_point_function (point);
      guint k = 0;
      if (function == NULL)
        continue;
      g_array_append_vals (self->points, point, 1);
      while (k < out->n_functions && strcmp (out->functions[k], function) != 0)
        k++;
      if (k == out->n_functions && k < G_N_ELEMENTS (out->functions))
        {
          PdFunctionCost cost = { .name = g_strdup (function) };
          out->functions[out->n_functions++] = function;
          g_array_append_val (self->machine->functions, cost);
        }
    }
  self->n = N_BYTES + out->n_functions;
}

static gboolean
finish (Fit *self, GError **error)
{
  guint n = self->points->len;
  g_autofree gdouble *model = g_new (gdouble, n), *measured = g_new (gdouble, n);

  if (!play_all (self, model, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      model[i] = MAX (model[i], 1e-12);
      measured[i] = measured_at (self, i);
    }
  self->out->r2 = pd_fit_r2 (measured, model, n);
  self->out->copy_per_byte = self->value[0];
  self->out->reduction_per_byte = self->value[1];
  for (guint i = 0; i < self->out->n_functions; i++)
    self->out->overheads[i] = self->value[N_BYTES + i];
  return TRUE;
}

gboolean
pd_fit_software_find (const char *xml, PdFitSoftware *out, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (xml, strlen (xml));
  g_autoptr (PdMachine) machine =
      pd_machine_load_bytes (bytes, "fitted description", NULL, 0, error);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (PdPoint));
  Fit self = { .machine = machine, .points = points, .out = out };
  gboolean ok = TRUE;

  memset (out, 0, sizeof *out);
  if (machine == NULL)
    return FALSE;
  find_functions (&self);
  if (points->len == 0)
    return TRUE;
  g_autofree gdouble *value = g_new0 (gdouble, self.n);
  g_autofree gboolean *used = g_new0 (gboolean, self.n);
  self.value = value;
  self.used = used;
  gsl_set_error_handler_off ();
  for (guint i = 0; ok && i < ITERATIONS; i++)
    ok = improve (&self, error);
  return ok && complete (&self, error) && finish (&self, error);
}
