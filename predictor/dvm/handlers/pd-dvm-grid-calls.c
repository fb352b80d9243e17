/* Records that create processor systems.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-grid-calls-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-machines.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* Names the result of a creating call. */
static gboolean
name_grid (PdDvm *self, PdTeam *team, gboolean is_new, GError **error)
{
  gint64 id;

  if (!pd_dvm_call_get_ret (self->reader, PD_DVM_KEY_PSRef, &id))
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER, "the result 'PSRef' is missing");
  if (id != 0)
    pd_dvm_store (self, PD_KIND_GRID, id, pd_team_ref (team), is_new);
  return TRUE;
}

/* Takes @grid, or @cause where there is none. */
static gboolean
name_part (PdDvm *self, PdGrid *grid, GError *cause, GError **error)
{
  if (grid == NULL)
    return pd_dvm_layout_failed (self, cause, error);
  PdTeam *team = pd_team_new (self, grid);
  gboolean ok = name_grid (self, team, TRUE, error);
  pd_team_unref (team);
  return ok;
}

gboolean
pd_dvm_getps (PdDvm *self, GError **error)
{
  gint64 am = pd_dvm_get (self, PD_DVM_KEY_AMRef, 0);
  const PdAm *machine = am == 0 || am == -1 ? NULL : pd_dvm_need_am (self, am, error);

  if (machine == NULL && am != 0 && am != -1)
    return FALSE;
  if (am == 0)
    return name_grid (self, self->team, FALSE, error);
  return name_grid (self, machine != NULL && machine->team != NULL ? machine->team : self->initial,
                    FALSE, error);
}

gboolean
pd_dvm_crtps (PdDvm *self, GError **error)
{
  PdTeam *parent = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
  GError *cause = NULL;

  if (parent == NULL)
    return FALSE;
  guint rank = pd_grid_get_rank (parent->grid);
  const gint64 *first = pd_dvm_need_array (self, PD_DVM_KEY_InitIndexArray, 1, error);
  const gint64 *last =
      first == NULL ? NULL : pd_dvm_need_array (self, PD_DVM_KEY_LastIndexArray, 1, error);
  if (last == NULL)
    return FALSE;

  guint n_first, n_last;
  gint64 lo[PD_MAX_GRID_RANK] = { 0 }, hi[PD_MAX_GRID_RANK] = { 0 };
  gboolean is_single = TRUE;
  pd_dvm_call_get_array (self->reader, PD_DVM_KEY_InitIndexArray, &n_first);
  pd_dvm_call_get_array (self->reader, PD_DVM_KEY_LastIndexArray, &n_last);
  for (guint d = 0; d < rank; d++)
    {
      lo[d] = d < n_first ? first[d] : 0;
      hi[d] = d < n_last ? last[d] : 0;
      is_single = is_single && lo[d] == 0 && hi[d] == 0;
    }
  if (is_single && parent->n > 1 && self->traced_processors == 1)
    pd_dvm_warn (self, "task-layout", NULL,
                 "the processors of this sub-system are those of a run on one processor; record "
                 "the program with IsUserPS=1");
  PdGrid *grid = pd_grid_new_part (parent->grid, lo, hi, &cause);
  return name_part (self, grid, cause, error);
}

/* In a trace of one processor a view shows the sizes of that one: then the
 * first dimension takes all processors. */
static void
adapt_view (PdDvm *self, const PdTeam *parent, guint rank, const gint64 *sizes, gint64 *adapted)
{
  gboolean is_single = TRUE;

  for (guint d = 0; d < rank; d++)
    {
      adapted[d] = sizes[d];
      is_single = is_single && sizes[d] == 1;
    }
  if (!is_single || parent->n == 1)
    return;
  adapted[0] = parent->n;
  pd_dvm_warn (self, "view-layout", NULL,
               "the shape of this processor system is that of a run on one processor; %u "
               "processors are taken in its first dimension",
               parent->n);
}

gboolean
pd_dvm_psview (PdDvm *self, GError **error)
{
  PdTeam *parent = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
  GError *cause = NULL;
  gint64 adapted[PD_MAX_GRID_RANK];
  guint rank;

  if (parent == NULL || !pd_dvm_need_rank (self, PD_MAX_GRID_RANK, &rank, error))
    return FALSE;
  const gint64 *sizes = pd_dvm_need_array (self, PD_DVM_KEY_SizeArray, rank, error);
  if (sizes == NULL)
    return FALSE;
  adapt_view (self, parent, rank, sizes, adapted);
  PdGrid *grid = pd_grid_new_view (parent->grid, rank, adapted, &cause);
  return name_part (self, grid, cause, error);
}
