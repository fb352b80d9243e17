/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-tolerance.h"
#include "comsys/critical/pd-critical-path-result.h"
#include "predictor/common/pd-errors.h"

#include <string.h>

static const gdouble slowdowns[] = { 0.01, 0.02, 0.05 };

/* A run is as slow as wanted within this share of its time. */
#define CLOSE_ENOUGH 1e-9

/* Where the run time jumps, as where messages share a network, the latency is looked for up
 * to this share of its growth, with so many runs. */
#define NARROW_ENOUGH 1e-3
#define MAX_RUNS      20

/* The latency that is looked for is not above this. */
#define MOST ((gdouble) PD_PS_PER_S * 1000)

/* A latency, and the run there. */
typedef struct
{
  gdouble latency; /* ps */
  gdouble time;    /* ps */
  gdouble derivative;
} Point;

/* ---- the parameter */

static const PdCriticalParam *
find_latency (const PdCriticalResult *critical)
{
  static const char *const paths[] = { "network/latency", "network/startup",
                                       "network/nic-latency" };

  for (gsize p = 0; p < G_N_ELEMENTS (paths); p++)
    for (guint i = 0; i < critical->params->len; i++)
      {
        const PdCriticalParam *param = &g_array_index (critical->params, PdCriticalParam, i);
        if (strcmp (param->path, paths[p]) == 0)
          return param;
      }
  return NULL;
}

static const PdCriticalParam *
find_same (const PdCriticalResult *critical, const PdCriticalParam *param)
{
  for (guint i = 0; i < critical->params->len; i++)
    {
      const PdCriticalParam *other = &g_array_index (critical->params, PdCriticalParam, i);
      if (strcmp (other->path, param->path) == 0)
        return other;
    }
  return param;
}

/* ---- runs */

static gboolean
run_at (const PdTolerance *self, const PdCriticalParam *param, gdouble latency, Point *point,
        GError **error)
{
  g_autoptr (PdCriticalResult) critical = NULL;
  g_autoptr (GPtrArray) settings = g_ptr_array_new ();
  g_autofree char *setting =
      g_strdup_printf ("%s=%" G_GINT64_FORMAT "ps", param->path, (gint64) (latency + 0.5));

  for (guint i = 0; self->settings != NULL && self->settings[i] != NULL; i++)
    g_ptr_array_add (settings, (gpointer) self->settings[i]);
  g_ptr_array_add (settings, setting);
  g_ptr_array_add (settings, NULL);
  PdReportRun *run =
      self->again (self->data, (const char *const *) settings->pdata, &critical, error);
  if (run == NULL)
    return FALSE;
  pd_report_run_free (run);
  *point = (Point){ (gdouble) (gint64) (latency + 0.5), (gdouble) critical->makespan.ps,
                    find_same (critical, param)->derivative };
  return TRUE;
}

/* ---- looking for it */

static gboolean
is_close (const Point *point, gdouble wanted)
{
  gdouble off = point->time - wanted;

  return ABS (off) <= MAX (CLOSE_ENOUGH * wanted, MAX (point->derivative, 1));
}

/* The latency between @low, where the run is not slower than @wanted, and *@high, where it
 * is slower: by the derivative, or halfway where that leads outside. *@high becomes the
 * last point. */
static gboolean
narrow (const PdTolerance *self, const PdCriticalParam *param, Point low, Point *high,
        gdouble wanted, GError **error)
{
  const gdouble start = low.latency;
  Point at = *high;

  for (guint i = 0; i < MAX_RUNS && !is_close (&at, wanted); i++)
    {
      gdouble next =
          at.derivative > 0 ? at.latency + (wanted - at.time) / at.derivative : low.latency;
      if (next <= low.latency || next >= high->latency)
        next = (low.latency + high->latency) / 2;
      if (high->latency - low.latency < MAX (NARROW_ENOUGH * (high->latency - start), 1))
        break;
      if (!run_at (self, param, next, &at, error))
        return FALSE;
      if (at.time <= wanted)
        low = at;
      else
        *high = at;
    }
  *high = is_close (&at, wanted) ? at : low;
  return TRUE;
}

/* A latency from which on the run is slower than @wanted, at @from at least; %FALSE also,
 * without an error, if there is none. */
static gboolean
find_slower (const PdTolerance *self, const PdCriticalParam *param, Point *low, Point *high,
             gdouble wanted, GError **error)
{
  for (gdouble next = MAX (2 * low->latency, (gdouble) PD_PS_PER_US); next <= MOST; next *= 2)
    {
      if (!run_at (self, param, next, high, error))
        return FALSE;
      if (high->time > wanted)
        return TRUE;
      *low = *high;
    }
  return FALSE;
}

/* The first guess is what the derivative promises. */
static gboolean
find_one (const PdTolerance *self, const PdCriticalParam *param, PdSensitivityTolerance *row,
          gboolean *found, GError **error)
{
  const Point now = { param->value, (gdouble) self->critical->makespan.ps, param->derivative };
  gdouble wanted = now.time * (1 + row->slowdown);
  GError *local = NULL;
  Point low = now, at = now;

  *found = FALSE;
  if (now.derivative > 0 && (wanted - now.time) / now.derivative < MOST)
    {
      gdouble linear = (wanted - now.time) / now.derivative;
      row->linear = PD_TIME ((gint64) (linear + 0.5));
      if (!run_at (self, param, now.latency + linear, &at, error))
        return FALSE;
      row->at_linear = at.time / now.time - 1;
      row->is_linear = is_close (&at, wanted);
    }
  if (!row->is_linear && at.time <= wanted)
    {
      low = at;
      if (!find_slower (self, param, &low, &at, wanted, &local))
        {
          if (local != NULL)
            g_propagate_error (error, local);
          return local == NULL;
        }
    }
  if (!row->is_linear && !narrow (self, param, low, &at, wanted, error))
    return FALSE;
  row->value = PD_TIME ((gint64) at.latency);
  row->growth = PD_TIME (MAX ((gint64) (at.latency - now.latency), 0));
  *found = TRUE;
  return TRUE;
}

/* A program with wildcards, or with several CPUs, may deadlock at another latency. */
static gboolean
does_not_end (const GError *error)
{
  return error != NULL && error->domain == PD_SIMULATION_ERROR
         && error->code != PD_SIMULATION_ERROR_INTERRUPTED;
}

gboolean
pd_tolerance_find (const PdTolerance *self, GArray *rows, guint *n_lost, GError **error)
{
  const PdCriticalParam *param = find_latency (self->critical);

  *n_lost = 0;
  if (param == NULL || self->critical->makespan.ps == 0)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (slowdowns); i++)
    {
      PdSensitivityTolerance row = { .slowdown = slowdowns[i] };
      g_autoptr (GError) local = NULL;
      gboolean found;
      if (!find_one (self, param, &row, &found, &local) && !does_not_end (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      *n_lost += local != NULL;
      if (!found)
        continue;
      row.path = g_strdup (param->path);
      g_array_append_val (rows, row);
    }
  return TRUE;
}
