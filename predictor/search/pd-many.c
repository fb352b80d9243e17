/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-many.h"

/* Shared state of the threads. */
typedef struct
{
  const PdMany *many;
  PdTime *times;
  GError **errors; /* (array): of each prediction */
  gint next;
  gint failed;
} Work;

static void
predict_one (Work *self, guint i)
{
  const PdMany *many = self->many;
  guint64 seed = 0;
  g_auto (GStrv) settings = many->describe (many->what, i, &seed);

  self->times[i] =
      many->predict (many->data, seed, (const char *const *) settings, &self->errors[i]);
}

/* Those from @first on. */
static void
predict_batch (Work *self, guint first, guint n)
{
  const PdMany *many = self->many;
  g_autofree PdRunSample *samples = g_new0 (PdRunSample, n);
  g_autoptr (GPtrArray) settings = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (settings, many->describe (many->what, first + i, &samples[i].seed));
      samples[i].settings = g_ptr_array_index (settings, i);
    }
  many->predict_batch (many->data, samples, n);
  for (guint i = 0; i < n; i++)
    {
      self->times[first + i] = samples[i].time;
      self->errors[first + i] = samples[i].error;
    }
}

static gboolean
is_forgiven (const PdMany *many, const GError *error)
{
  return many->forgive != NULL && many->forgive (error);
}

static gpointer
work (gpointer data)
{
  Work *self = data;
  const PdMany *many = self->many;
  guint n = many->predict_batch != NULL ? many->max_batch : 1, first;

  while (g_atomic_int_get (&self->failed) == 0
         && (first = (guint) g_atomic_int_add (&self->next, (gint) n)) < many->n)
    {
      guint end = MIN (first + n, many->n);
      if (many->predict_batch != NULL)
        predict_batch (self, first, end - first);
      else
        predict_one (self, first);
      for (guint i = first; i < end; i++)
        if (self->errors[i] != NULL && !is_forgiven (many, self->errors[i]))
          g_atomic_int_set (&self->failed, 1);
    }
  return NULL;
}

/* They are begun in their order, so all before the first that fails have been done. */
static gboolean
take_errors (Work *self, guint *failed, GError **error)
{
  gboolean fine = TRUE;

  for (guint i = 0; i < self->many->n; i++)
    {
      GError *own = self->errors[i];
      if (own == NULL)
        continue;
      self->times[i] = PD_TIME_PENDING;
      if (fine && !is_forgiven (self->many, own))
        {
          g_propagate_error (error, own);
          *failed = i;
          fine = FALSE;
        }
      else
        g_error_free (own);
    }
  return fine;
}

GArray *
pd_many_predict (const PdMany *many, guint *failed, GError **error)
{
  g_return_val_if_fail (many->n >= 1 && many->n_threads >= 1, NULL);
  g_return_val_if_fail (many->predict_batch == NULL || many->max_batch >= 1, NULL);

  g_autoptr (GArray) times = g_array_sized_new (FALSE, TRUE, sizeof (PdTime), many->n);
  g_autofree GError **errors = g_new0 (GError *, many->n);
  guint n_threads = MIN (many->n_threads, many->n);
  g_autofree GThread **threads = g_new (GThread *, n_threads);

  g_array_set_size (times, many->n);
  Work self = { .many = many, .times = (PdTime *) (gpointer) times->data, .errors = errors };
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("prediction", work, &self);
  work (&self);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
  return take_errors (&self, failed, error) ? g_steal_pointer (&times) : NULL;
}
