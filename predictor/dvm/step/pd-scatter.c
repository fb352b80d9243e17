/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/step/pd-scatter.h"

#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

#include <math.h>

#define N_STEPS 12  /* more change nothing */
#define MOST    0.9 /* of G */
#define RATIO   4   /* of outliers to the mean: see pd-dvm-outliers.h */

/* The loop of a place. */
typedef struct
{
  const char *file; /* interned by the reader */
  gint64 line;
  gboolean is_known;   /* it has been executed */
  guint64 n;           /* repetitions so far, without the first one and outliers */
  gdouble sum;         /* of their times of an iteration, ps */
  gdouble last;        /* the last one of these */
  gdouble differences; /* of successive ones, ps, … */
  gdouble means;       /* … and their means, of all iterations */
} Place;

struct _PdScatters
{
  GHashTable *places; /* Place*, by its place */
  guint64 n;          /* loops so far */
};

static guint
hash_place (gconstpointer data)
{
  const Place *place = data;

  return g_direct_hash (place->file) * 1009 + (guint) place->line;
}

static gboolean
equal_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  return x->file == y->file && x->line == y->line;
}

PdScatters *
pd_scatters_new (void)
{
  PdScatters *self = g_new0 (PdScatters, 1);

  self->places = g_hash_table_new_full (hash_place, equal_places, g_free, NULL);
  return self;
}

void
pd_scatters_free (PdScatters *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->places);
  g_free (self);
}

static Place *
find_place (GHashTable *places, const char *file, gint64 line)
{
  const Place wanted = { .file = file, .line = line };
  Place *place = g_hash_table_lookup (places, &wanted);

  if (place == NULL)
    {
      place = g_new (Place, 1);
      *place = wanted;
      g_hash_table_add (places, place);
    }
  return place;
}

static gdouble
add_shares (const GArray *shares)
{
  gdouble sum = 0;

  for (guint i = 0; i < shares->len; i++)
    sum += (gdouble) g_array_index (shares, PdLoopShare, i).time.ps;
  return sum;
}

/* The tangents of erf lie above it, so that steps of Newton's method from the left stay there. */
static gdouble
find_sigma (gdouble gini)
{
  gdouble sigma = 0;

  for (guint i = 0; i < N_STEPS; i++)
    sigma += (gini - erf (sigma / 2)) * sqrt (G_PI) * exp (sigma * sigma / 4);
  return sigma;
}

/* Compares a repetition with the one before. Returns FALSE if it is an outlier. */
static gboolean
compare (Place *place, gdouble now, gdouble iterations)
{
  gdouble typical = place->n > 0 ? place->sum / (gdouble) place->n : now;

  if (now > RATIO * typical)
    return FALSE;
  if (now * RATIO < typical) /* those before were outliers */
    *place = (Place){ .file = place->file, .line = place->line, .is_known = TRUE };
  if (place->n > 0)
    {
      place->differences += fabs (now - place->last) * iterations;
      place->means += (now + place->last) / 2 * iterations;
    }
  place->n++;
  place->sum += now;
  place->last = now;
  return TRUE;
}

PdScatter
pd_scatters_add (PdScatters *self, const char *file, gint64 line, const PdLoopWork *work)
{
  PdScatter scatter = { .sigma = 0 };

  if (self == NULL)
    return scatter;
  Place *place = find_place (self->places, file, line);
  gdouble iterations = (gdouble) pd_loop_get_total (work->loop);

  scatter.number = self->n++;
  if (place->is_known && compare (place, add_shares (work->shares) / iterations, iterations)
      && place->means > 0)
    scatter.sigma = find_sigma (MIN (place->differences / place->means / 2, MOST));
  place->is_known = TRUE;
  return scatter;
}
