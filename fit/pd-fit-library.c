/* SPDX-License-Identifier: MIT */
#include "fit/pd-fit-library.h"

#include "fit/pd-fit-lines.h"

#include <math.h>
#include <string.h>

#define RUN 8 /* bytes of a run of copy-runs */

/* Times t = a x + b y. */
typedef struct
{
  guint n;
  gdouble *x, *y, *time; /* (array length=n) */
  gdouble a, b;
} Plane;

static void
plane_init (Plane *self, guint most)
{
  *self = (Plane){ .x = g_new (gdouble, most),
                   .y = g_new (gdouble, most),
                   .time = g_new (gdouble, most) };
}

static void
plane_clear (Plane *self)
{
  g_free (self->x);
  g_free (self->y);
  g_free (self->time);
}

static void
plane_add (Plane *self, gdouble x, gdouble y, gdouble time)
{
  self->x[self->n] = x;
  self->y[self->n] = y;
  self->time[self->n++] = time;
}

/* By least squares of relative residuals. Returns FALSE if that does not determine a and b. Of a
 * pair with a negative one the other alone is taken. */
static gboolean
plane_solve (Plane *self)
{
  gdouble xx = 0, xy = 0, yy = 0, sx = 0, sy = 0;

  for (guint i = 0; i < self->n; i++)
    {
      gdouble x = self->x[i] / self->time[i], y = self->y[i] / self->time[i];
      xx += x * x;
      xy += x * y;
      yy += y * y;
      sx += x;
      sy += y;
    }
  gdouble det = xx * yy - xy * xy;
  if (self->n < 2 || !(det > 1e-9 * xx * yy))
    return FALSE;
  self->a = (sx * yy - sy * xy) / det;
  self->b = (sy * xx - sx * xy) / det;
  if (self->b < 0)
    self->a = sx / xx;
  else if (self->a < 0)
    self->b = sy / yy;
  self->a = MAX (self->a, 0);
  self->b = MAX (self->b, 0);
  return TRUE;
}

static gdouble
plane_get_r2 (const Plane *self)
{
  g_autofree gdouble *model = g_new (gdouble, self->n);

  for (guint i = 0; i < self->n; i++)
    model[i] = self->a * self->x[i] + self->b * self->y[i];
  return pd_fit_r2 (self->time, model, self->n);
}

void
pd_fit_library_find (const PdFitData *data, PdFitLibrary *out)
{
  Plane packs, touches;
  guint n_runs = 0;

  *out = (PdFitLibrary){ NAN, NAN, NAN, 1 };
  plane_init (&packs, data->memory->len);
  plane_init (&touches, data->memory->len);
  for (guint i = 0; i < data->memory->len; i++)
    {
      const PdFitTime *time = &g_array_index (data->memory, PdFitTime, i);
      gboolean is_runs = strcmp (time->what, PD_FIT_COPY_RUNS) == 0;
      gdouble n = (gdouble) time->bytes;

      n_runs += is_runs ? 1 : 0;
      if (strcmp (time->what, PD_FIT_TOUCH) == 0)
        plane_add (&touches, n, 1, time->time);
      else
        plane_add (&packs, n, is_runs ? n / RUN : 1, time->time);
    }
  if (n_runs > 0 && n_runs < packs.n && plane_solve (&packs))
    {
      out->pack_per_byte = packs.a;
      out->pack_per_run = packs.b;
      out->r2 = plane_get_r2 (&packs);
    }
  if (plane_solve (&touches))
    {
      out->touch_per_byte = touches.a;
      out->r2 = MIN (out->r2, plane_get_r2 (&touches));
    }
  plane_clear (&packs);
  plane_clear (&touches);
}
