/* The communicators of a processor system.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-families.h"
#include "comsys/comm/pd-comm.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

/* The communicators of the lines of @team along which nothing is split. */
static void
make_comms (PdDvm *self, PdCommFamily *family)
{
  const PdGrid *grid = family->team->grid;
  guint rank = pd_grid_get_rank (grid);
  const guint32 *sizes = pd_grid_get_sizes (grid);
  g_autofree guint32 *filled = NULL;
  guint32 members, coords[PD_MAX_GRID_RANK];

  family->n = 1;
  for (guint d = 0; d < rank; d++)
    family->n *= family->split[d] ? sizes[d] : 1;
  members = family->team->n / family->n;
  family->comms = g_new0 (PdComm *, family->n);
  filled = g_new0 (guint32, family->n);

  g_autofree guint32 *ranks = g_new (guint32, family->team->n);
  for (guint32 linear = 0; linear < family->team->n; linear++)
    {
      guint32 index = 0;
      pd_grid_get_coords (grid, linear, coords);
      for (guint d = 0; d < rank; d++)
        if (family->split[d])
          index = index * sizes[d] + coords[d];
      ranks[index * members + filled[index]++] = pd_grid_get_processor (grid, linear);
    }
  for (guint32 i = 0; i < family->n; i++)
    family->comms[i] = pd_comm_new (self->comsys, ranks + i * members, members);
}

/* Programs that make processor systems again and again must not fill the
 * memory with their communicators; others have a handful. */
#define MAX_FAMILIES 64

PdCommFamily *
pd_dvm_get_family (PdDvm *self, PdTeam *team, const gboolean *split)
{
  static const gboolean whole[PD_MAX_GRID_RANK];
  PdCommFamily *family;

  if (split == NULL)
    split = whole;
  for (guint i = self->families->len; i-- > 0;)
    {
      family = g_ptr_array_index (self->families, i);
      gboolean same = family->team == team;
      for (guint d = 0; d < PD_MAX_GRID_RANK && same; d++)
        same = family->split[d] == split[d];
      if (!same)
        continue;
      /* the last used comes last */
      if (i + 1 < self->families->len)
        g_ptr_array_add (self->families, g_ptr_array_steal_index (self->families, i));
      return family;
    }
  family = g_new0 (PdCommFamily, 1);
  family->refs = 1;
  family->team = pd_team_ref (team);
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    family->split[d] = split[d];
  make_comms (self, family);
  if (self->families->len == MAX_FAMILIES)
    g_ptr_array_remove_index (self->families, 0);
  g_ptr_array_add (self->families, family);
  return family;
}
