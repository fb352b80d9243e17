/* Processor systems: their speed classes, their members.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-teams.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"

/* The members of @grid by speed class: those of class c are at ends[c - 1] to
 * ends[c] - 1, in order of the grid. */
static guint32 *
sort_by_speed (const PdDvm *self, const PdGrid *grid, guint32 *ends)
{
  guint32 n = pd_grid_get_n (grid);
  guint32 *members = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    ends[self->speed_of[pd_grid_get_processor (grid, i)]]++;
  for (guint c = 1; c < self->n_speeds; c++)
    ends[c] += ends[c - 1];
  for (guint32 i = n; i-- > 0;)
    {
      guint32 processor = pd_grid_get_processor (grid, i);
      members[--ends[self->speed_of[processor]]] = processor;
    }
  /* the ends have become the begins */
  for (guint c = 0; c < self->n_speeds; c++)
    ends[c] = c + 1 < self->n_speeds ? ends[c + 1] : n;
  return members;
}

PdTeam *
pd_team_new (PdDvm *self, PdGrid *grid)
{
  PdTeam *team = g_new0 (PdTeam, 1);
  guint32 n_all = pd_interval_tree_get_n_processors (self->tree);
  g_autofree guint32 *ends = g_new0 (guint32, self->n_speeds);
  g_autofree guint32 *members = sort_by_speed (self, grid, ends);

  team->refs = 1;
  team->grid = grid;
  team->n = pd_grid_get_n (grid);
  team->n_speeds = self->n_speeds;
  team->io = pd_grid_get_processor (grid, 0);
  team->sets = g_new (guint32, self->n_speeds);
  for (guint c = 0; c < self->n_speeds; c++)
    {
      guint32 begin = c == 0 ? 0 : ends[c - 1], k = ends[c] - begin;
      team->sets[c] =
          k == 0 ? G_MAXUINT32
                 : pd_interval_tree_add_set (self->tree, members + begin, k == n_all ? 0 : k);
    }
  return team;
}

PdTeam *
pd_dvm_need_team (PdDvm *self, PdDvmKey key, GError **error)
{
  gint64 id = pd_dvm_get (self, key, 0);
  PdTeam *team = id == 0 ? self->team : pd_dvm_find (self, PD_KIND_GRID, id);

  if (team == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "processor system '%s=%" G_GINT64_MODIFIER "x' does not exist",
                 pd_dvm_key_get_name (key), (guint64) id);
  return team;
}

gboolean
pd_team_covers (const PdTeam *self, const PdTeam *part)
{
  if (self == part)
    return TRUE;
  if (part->n > self->n)
    return FALSE;
  for (guint32 i = 0; i < part->n; i++)
    if (pd_grid_find (self->grid, pd_grid_get_processor (part->grid, i)) < 0)
      return FALSE;
  return TRUE;
}

gboolean
pd_dvm_need_inside (PdDvm *self, const PdTeam *team, GError **error)
{
  /* outside tasks, everything is within the initial system */
  return team == NULL || self->tasks->len == 0 || pd_team_covers (self->team, team)
         || pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                         "'%s' needs processors outside the current task", self->call->name);
}
