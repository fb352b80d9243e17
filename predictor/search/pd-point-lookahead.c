/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-point-lookahead-private.h"

#include "predictor/batch/pd-mp-batch.h"

/* After this many groups that could not be predicted together, no more are tried. */
#define MAX_REFUSALS 3

typedef struct
{
  gint64 number;
  PdReportRun *run;
  GError *error;
} Kept;

struct _PdPointsAhead
{
  GArray *expected; /* gint64 */
  GArray *kept;     /* Kept: a few */
  guint n_refusals;
};

static void
kept_clear (gpointer data)
{
  Kept *kept = data;

  pd_report_run_free (kept->run);
  g_clear_error (&kept->error);
}

PdPointsAhead *
pd_points_ahead_new (void)
{
  PdPointsAhead *self = g_new0 (PdPointsAhead, 1);

  self->expected = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->kept = g_array_new (FALSE, FALSE, sizeof (Kept));
  g_array_set_clear_func (self->kept, kept_clear);
  return self;
}

void
pd_points_ahead_free (PdPointsAhead *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->expected);
  g_array_unref (self->kept);
  g_free (self);
}

void
pd_points_ahead_expect (PdPointsAhead *self, const gint64 *points, gsize n)
{
  g_array_set_size (self->expected, 0);
  g_array_append_vals (self->expected, points, (guint) n);
}

gboolean
pd_points_ahead_may_try (const PdPointsAhead *self)
{
  return self->n_refusals < MAX_REFUSALS;
}

gboolean
pd_points_ahead_peek (const PdPointsAhead *self, gint64 number, guint i, gint64 *next)
{
  guint at = 0;

  while (at < self->expected->len && g_array_index (self->expected, gint64, at) != number)
    at++;
  if (at + i >= self->expected->len)
    return FALSE;
  *next = g_array_index (self->expected, gint64, at + i);
  return TRUE;
}

void
pd_points_ahead_predict (PdPointsAhead *self, const PdMpOptions *const *options,
                         const gint64 *numbers, guint n, const PdPointTrace *trace)
{
  g_autofree PdReportRun **runs = g_new0 (PdReportRun *, n);
  g_autofree GError **errors = g_new0 (GError *, n);
  g_autofree char *reason = pd_mp_predict_batch (options, n, trace->mp->program, runs, errors);

  self->n_refusals = reason != NULL ? self->n_refusals + 1 : 0;
  for (guint i = 0; i < n; i++)
    {
      Kept kept = { numbers[i], runs[i], errors[i] };
      if (runs[i] != NULL)
        pd_point_trace_add_to (trace, runs[i]);
      g_array_append_val (self->kept, kept);
    }
}

gboolean
pd_points_ahead_take (PdPointsAhead *self, gint64 number, PdReportRun **run, GError **error)
{
  for (guint i = 0; i < self->kept->len; i++)
    {
      Kept *kept = &g_array_index (self->kept, Kept, i);
      if (kept->number != number)
        continue;
      *run = g_steal_pointer (&kept->run);
      if (kept->error != NULL)
        g_propagate_error (error, g_steal_pointer (&kept->error));
      g_array_remove_index (self->kept, i);
      return TRUE;
    }
  return FALSE;
}
