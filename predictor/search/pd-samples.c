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

/* What the threads share. */
typedef struct
{
  const PdSampleOptions *options;
  PdTime *times;
  GError **errors; /* (array): of each sample */
  gint next;
  gint failed;
} Work;

static void
predict_one (Work *self, guint i)
{
  const PdSampleOptions *options = self->options;
  guint64 seed = options->seed + i;
  g_auto (GStrv) settings = pd_samples_settings (options->machine, options->settings, seed);

  self->times[i] =
      options->predict (options->data, seed, (const char *const *) settings, &self->errors[i]);
}

/* Those from @first on. */
static void
predict_batch (Work *self, guint first, guint n)
{
  const PdSampleOptions *options = self->options;
  g_autofree PdRunSample *samples = g_new0 (PdRunSample, n);
  g_autoptr (GPtrArray) settings = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  for (guint i = 0; i < n; i++)
    {
      samples[i].seed = options->seed + first + i;
      g_ptr_array_add (settings,
                       pd_samples_settings (options->machine, options->settings, samples[i].seed));
      samples[i].settings = g_ptr_array_index (settings, i);
    }
  options->predict_batch (options->data, samples, n);
  for (guint i = 0; i < n; i++)
    {
      self->times[first + i] = samples[i].time;
      self->errors[first + i] = samples[i].error;
    }
}

static gpointer
work (gpointer data)
{
  Work *self = data;
  guint n = self->options->predict_batch != NULL ? self->options->max_batch : 1;
  guint first;

  while (g_atomic_int_get (&self->failed) == 0
         && (first = (guint) g_atomic_int_add (&self->next, (gint) n)) < self->options->n)
    {
      guint end = MIN (first + n, self->options->n);
      if (self->options->predict_batch != NULL)
        predict_batch (self, first, end - first);
      else
        predict_one (self, first);
      for (guint i = first; i < end; i++)
        if (self->errors[i] != NULL)
          g_atomic_int_set (&self->failed, 1);
    }
  return NULL;
}

/* Samples are begun in their order, so all before the first that fails have been done. */
static gboolean
take_error (GError **errors, guint n, GError **error)
{
  gboolean fine = TRUE;

  for (guint i = 0; i < n; i++)
    if (errors[i] != NULL && fine)
      {
        g_propagate_prefixed_error (error, errors[i], "sample %u: ", i);
        fine = FALSE;
      }
    else
      g_clear_error (&errors[i]);
  return fine;
}

GArray *
pd_samples_predict (const PdSampleOptions *options, GError **error)
{
  g_return_val_if_fail (options->n >= 1 && options->n <= PD_SAMPLES_MAX, NULL);
  g_return_val_if_fail (options->n_threads >= 1, NULL);
  g_return_val_if_fail (options->predict_batch == NULL || options->max_batch >= 1, NULL);

  g_autoptr (GArray) times = g_array_sized_new (FALSE, TRUE, sizeof (PdTime), options->n);
  g_autofree GError **errors = g_new0 (GError *, options->n);
  guint n_threads = MIN (options->n_threads, options->n);
  g_autofree GThread **threads = g_new (GThread *, n_threads);

  g_array_set_size (times, options->n);
  Work self = { .options = options, .times = (PdTime *) (gpointer) times->data, .errors = errors };
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("sample", work, &self);
  work (&self);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
  return take_error (errors, options->n, error) ? g_steal_pointer (&times) : NULL;
}
