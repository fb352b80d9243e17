/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-noise.h"

#include "base/pd-random.h"
#include "predictor/common/pd-noise-samples.h"

#include <math.h>

/* Steps come first in the place of a sequence of random numbers: parts beyond
 * 16 million of one step, if there were any, would share those of other steps. */
#define PART_BITS 24

struct _PdNoise
{
  PdNoiseKind kind;
  gdouble sigma;
  gdouble share;
  PdTime mean;
  PdNoiseSamples *noise_samples; /* (nullable) */
  guint64 seed;
};

PdNoise *
pd_noise_new (const PdMachineNoise *description, guint64 seed, GError **error)
{
  g_autoptr (PdNoise) self = g_new0 (PdNoise, 1);

  g_return_val_if_fail (description->kind != PD_NOISE_NONE, NULL);

  self->kind = description->kind;
  self->sigma = description->sigma;
  self->share = description->share;
  self->mean = description->mean;
  self->seed = seed;
  if (self->kind == PD_NOISE_TRACE)
    {
      self->noise_samples = pd_noise_samples_load (description->file, error);
      if (self->noise_samples == NULL)
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
pd_noise_free (PdNoise *self)
{
  if (self == NULL)
    return;
  pd_noise_samples_free (self->noise_samples);
  g_free (self);
}

/* @share or @mean is 0. */
static PdTime
draw_delay (const PdNoise *self, PdTime time, PdRandom *random)
{
  gdouble factor = pd_random_exponential (random);

  return pd_time_add (pd_time_multiply (self->mean, factor),
                      pd_time_multiply (time, self->share * factor));
}

PdTime
pd_noise_scatter (const PdNoise *self, guint32 processor, guint64 loop, gdouble sigma, PdTime time)
{
  PdRandom random;

  if (self == NULL || self->kind != PD_NOISE_RECORDED || !(sigma > 0) || time.ps == 0)
    return time;
  pd_random_init (&random, self->seed, processor, loop);
  return pd_time_multiply (time, exp (sigma * pd_random_normal (&random) - sigma * sigma / 2));
}

PdTime
pd_noise_apply (const PdNoise *self, guint32 processor, guint64 step, guint32 part, PdTime time)
{
  PdRandom random;
  gdouble factor;

  if (self == NULL || time.ps == 0)
    return time;
  pd_random_init (&random, self->seed, processor, step << PART_BITS ^ part);
  switch (self->kind)
    {
    case PD_NOISE_NONE:
    case PD_NOISE_RECORDED:
      break;
    case PD_NOISE_NORMAL:
      factor = 1 + self->sigma * pd_random_normal (&random);
      return pd_time_multiply (time, MAX (factor, 0));
    case PD_NOISE_EXPONENTIAL:
      return pd_time_add (time, draw_delay (self, time, &random));
    case PD_NOISE_TRACE:
      return pd_time_add (time, pd_noise_samples_draw (self->noise_samples, time, &random));
    }
  return time;
}
