/* Programs that a model makes, and those whose ranks have to be made to fit together.
 * SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-near-private.h"

static void
report (const PdScaleMends *mends, guint32 n, PdMessages *messages)
{
  if (mends->n_redirected + mends->n_lost > 0)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "scale-mended", NULL, NULL,
                     "approximated ranks do not fit together: of %" G_GUINT64_FORMAT
                     " ends of messages and calls of collective operations on %u ranks, "
                     "%" G_GUINT64_FORMAT " (%.1f %%) have another partner, tag or root, and "
                     "%" G_GUINT64_FORMAT " (%.1f %%) are left out",
                     mends->n, n, mends->n_redirected,
                     100.0 * (gdouble) mends->n_redirected / (gdouble) mends->n, mends->n_lost,
                     100.0 * (gdouble) mends->n_lost / (gdouble) mends->n);
}

static gboolean
has_changes (const PdScaleMends *mends)
{
  for (guint32 rank = 0; rank < mends->n_ranks; rank++)
    if (pd_scale_mends_has (mends, rank))
      return TRUE;
  return FALSE;
}

static gboolean
refuse (gboolean is_interrupted, GError **error)
{
  if (is_interrupted)
    g_set_error_literal (error, PD_SCALE_ERROR, PD_SCALE_ERROR_INTERRUPTED, "interrupted");
  else
    g_set_error_literal (error, PD_SCALE_ERROR, PD_SCALE_ERROR_TARGET,
                         "approximated ranks wait for each other for ever, in calls that cannot be "
                         "left out");
  return FALSE;
}

/* Whether all ranks of @program come to their ends. */
static gboolean
check (const PdProgram *program, gboolean is_buffered, const volatile sig_atomic_t *stop,
       GError **error)
{
  g_autoptr (PdScaleMends) none = pd_scale_mends_new (pd_program_get_n_ranks (program));

  if (!pd_scale_mends_execute (none, program, is_buffered, stop))
    return refuse (TRUE, error);
  return none->n_lost == 0 || refuse (FALSE, error);
}

PdProgram *
pd_scale_model_make (const PdScaleModel *self, guint32 n, const PdScaleGrid *grid,
                     PdMessages *messages, const volatile sig_atomic_t *stop, GError **error)
{
  g_return_val_if_fail (self != NULL && n >= 2 && n <= PD_PROGRAM_MAX_RANKS, NULL);

  g_autoptr (PdProgram) program = pd_scale_make (self, n, grid, NULL, messages, stop, error);

  if (program == NULL || self->share.reason == NULL)
    return g_steal_pointer (&program);
  g_autoptr (PdScaleMends) mends = pd_scale_mends_new (n);
  if (!pd_scale_mends_match (mends, program, stop)
      || !pd_scale_mends_execute (mends, program, self->share.is_buffered, stop))
    {
      refuse (TRUE, error);
      return NULL;
    }
  if (!has_changes (mends))
    return g_steal_pointer (&program);
  g_autoptr (PdProgram) mended = pd_scale_make (self, n, grid, mends, NULL, stop, error);
  if (mended == NULL || !check (mended, self->share.is_buffered, stop, error))
    return NULL;
  report (mends, n, messages);
  return g_steal_pointer (&mended);
}
