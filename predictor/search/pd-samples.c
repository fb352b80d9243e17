/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-samples.h"

#include "base/pd-random.h"

#include <math.h>

/* No processor has this number: streams of noise are those of processors. */
#define STREAM G_MAXUINT32

static gdouble
draw_factor (const PdMachineSpread *spread, PdRandom *random)
{
  gdouble factor;

  switch (spread->kind)
    {
    case PD_SPREAD_LOGNORMAL:
      return exp (spread->sigma * pd_random_normal (random));
    case PD_SPREAD_UNIFORM:
      return 1 + spread->sigma * sqrt (3) * (2 * pd_random_uniform (random) - 1);
    case PD_SPREAD_NORMAL:
    default:
      do
        factor = 1 + spread->sigma * pd_random_normal (random);
      while (!(factor > 0));
      return factor;
    }
}

char **
pd_samples_settings (const PdMachine *machine, const char *const *settings, guint64 seed)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
    g_ptr_array_add (all, g_strdup (settings[i]));
  for (guint i = 0; i < machine->spreads->len; i++)
    {
      const PdMachineSpread *spread = &g_array_index (machine->spreads, PdMachineSpread, i);
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      PdRandom random;
      pd_random_init (&random, seed, STREAM, i);
      g_ascii_dtostr (number, sizeof number, draw_factor (spread, &random));
      g_ptr_array_add (
          all, g_strdup_printf ("%s%s=%s", spread->path, spread->is_ratio ? "" : "*", number));
    }
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_steal (all, NULL);
}

static char **
describe_sample (gconstpointer what, guint i, guint64 *seed)
{
  const PdSampleOptions *options = what;

  *seed = options->seed + i;
  return pd_samples_settings (options->machine, options->settings, *seed);
}

GArray *
pd_samples_predict (const PdSampleOptions *options, GError **error)
{
  g_return_val_if_fail (options->n >= 1 && options->n <= PD_SAMPLES_MAX, NULL);

  const PdMany many = { .n = options->n,
                        .n_threads = options->n_threads,
                        .predict = options->predict,
                        .data = options->data,
                        .predict_batch = options->predict_batch,
                        .max_batch = options->max_batch,
                        .describe = describe_sample,
                        .what = options };
  guint failed = 0;
  GArray *times = pd_many_predict (&many, &failed, error);

  if (times == NULL)
    g_prefix_error (error, "sample %u: ", failed);
  return times;
}
