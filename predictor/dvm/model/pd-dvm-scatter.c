/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-scatter.h"

#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

#include <math.h>

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
pd_dvm_scatters_new (void)
{
  PdScatters *self = g_new0 (PdScatters, 1);

  self->places = g_hash_table_new_full (hash_place, equal_places, g_free, NULL);
  return self;
}

void
pd_dvm_scatters_free (PdScatters *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->places);
  g_free (self);
}

static Place *
find_place (GHashTable *places, const PdRecords *records)
{
  const Place wanted = { .file = records->file, .line = records->line };
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

PdScatter
pd_dvm_scatter_add (PdDvm *self, const PdRecords *records, const PdLoopWork *work)
{
  PdScatter scatter = { .sigma = 0 };

  if (self->scatters == NULL)
    return scatter;
  Place *place = find_place (self->scatters->places, records);
  gdouble iterations = (gdouble) pd_loop_get_total (work->loop);
  gdouble now = add_shares (work->shares) / iterations;

  if (++place->n > 2)
    {
      place->differences += fabs (now - place->last) * iterations;
      place->means += (now + place->last) / 2 * iterations;
    }
  place->last = now;
  if (place->means > 0)
    scatter.sigma = sqrt (G_PI) / 2 * place->differences / place->means;
  scatter.number = self->scatters->n++;
  return scatter;
}
