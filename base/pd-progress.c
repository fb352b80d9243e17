/* SPDX-License-Identifier: MIT */
#include "base/pd-progress.h"

void
pd_progress_begin (PdProgress *self, const char *phase, gsize all)
{
  if (self == NULL)
    return;
  __atomic_store_n (&self->all, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n (&self->done, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n (&self->phase, phase, __ATOMIC_SEQ_CST);
  __atomic_store_n (&self->all, all, __ATOMIC_SEQ_CST);
}

void
pd_progress_add (PdProgress *self, gsize n)
{
  if (self != NULL)
    __atomic_fetch_add (&self->done, n, __ATOMIC_RELAXED);
}

char *
pd_progress_format (const PdProgress *self)
{
  const char *phase = __atomic_load_n (&self->phase, __ATOMIC_SEQ_CST);
  gsize all = __atomic_load_n (&self->all, __ATOMIC_SEQ_CST);
  gsize done = __atomic_load_n (&self->done, __ATOMIC_SEQ_CST);

  if (phase == NULL)
    return NULL;
  if (all == 0)
    return g_strdup (phase);
  return g_strdup_printf ("%s, %.0f %%", phase, (gdouble) MIN (done, all) * 100.0 / (gdouble) all);
}
