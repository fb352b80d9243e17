/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/step/pd-scatter.h"

#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

#include <math.h>

#define N_STEPS 12  /* more change nothing */
#define MOST    0.9 /* of G */

/* The loop of a place. */
typedef struct
{
  const char *file; /* interned by the reader */
  gint64 line;
  guint64 n;           /* repetitions so far */
  gdouble last;        /* of the last one: time of an iteration, ps */
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

PdScatter
pd_scatters_add (PdScatters *self, const char *file, gint64 line, const PdLoopWork *work)
{
  PdScatter scatter = { .sigma = 0 };

  if (self == NULL)
    return scatter;
  Place *place = find_place (self->places, file, line);
  gdouble iterations = (gdouble) pd_loop_get_total (work->loop);
  gdouble now = add_shares (work->shares) / iterations;

  if (++place->n > 2)
    {
      place->differences += fabs (now - place->last) * iterations;
      place->means += (now + place->last) / 2 * iterations;
    }
  place->last = now;
  if (place->means > 0)
    scatter.sigma = find_sigma (MIN (place->differences / place->means / 2, MOST));
  scatter.number = self->n++;
  return scatter;
}
