/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-target-private.h"

static char *
describe (const PdScaleGrid *grid)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint d = 0; d < grid->dims; d++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, d > 0 ? "x" : "", grid->size[d]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
pd_scale_target_report_grid (const PdScaleModel *self, guint32 n, const PdScaleGrid *own,
                             PdMessages *messages)
{
  guint kind = pd_scale_grid_find_other (self->grid, self->sizes, n);
  PdScaleGrid other;

  if (kind == self->grid || !pd_scale_grid_make (kind, n, &other))
    return;
  g_autofree char *one = describe (own), *two = describe (&other);
  pd_messages_add (
      messages, PD_SEVERITY_WARNING, "scale-ambiguous", NULL, NULL,
      "%u ranks are arranged in a grid of %s; the recordings do not tell that from one "
      "of %s: -n with a grid does",
      n, one, two);
}

gboolean
pd_scale_target_find_grid (const PdScaleModel *self, guint32 n, const PdScaleGrid *grid,
                           PdScaleGrid *own, GError **error)
{
  guint dims = pd_scale_grid_get_dims (self->grid);
  gboolean fine = grid != NULL ? pd_scale_grid_is_of (self->grid, grid)
                               : pd_scale_grid_make (self->grid, n, own);

  if (grid != NULL)
    *own = *grid;
  if (fine)
    return TRUE;
  if (grid != NULL && grid->dims != dims)
    g_set_error (error, PD_SCALE_ERROR, PD_SCALE_ERROR_TARGET,
                 "ranks are arranged in %s: expected a number of ranks, or a grid of %u "
                 "dimension%s, not of %u",
                 pd_scale_grid_name (self->grid), dims, dims == 1 ? "" : "s", grid->dims);
  else
    g_set_error (error, PD_SCALE_ERROR, PD_SCALE_ERROR_TARGET,
                 "ranks are arranged in %s: %u ranks cannot be, or not in that grid",
                 pd_scale_grid_name (self->grid), n);
  return FALSE;
}
