/* Abstract machines: where they are mapped, and which the program has named.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-machines.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

static void
am_free (gpointer object)
{
  pd_team_unref (((PdAm *) object)->team);
}

PdAm *
pd_dvm_am_new (PdTeam *team)
{
  PdAm *machine = pd_object_new (sizeof *machine, am_free);

  machine->team = team == NULL ? NULL : pd_team_ref (team);
  return machine;
}

const PdAm *
pd_dvm_map_am (PdDvm *self, gint64 id, const PdAm *old, PdTeam *team)
{
  PdAm *machine = pd_dvm_am_new (team);

  machine->view = old->view;
  machine->serial = old->serial;
  for (guint i = 0; i < PD_MAX_RANK; i++)
    machine->index[i] = old->index[i];
  pd_dvm_store (self, PD_KIND_AM, id, machine, FALSE);
  return machine;
}

/* The template whose element @machine is; NULL: it has gone. */
static const PdView *
find_view (PdDvm *self, const PdAm *machine)
{
  const PdView *view = pd_dvm_find (self, PD_KIND_VIEW, machine->view);

  return view != NULL && view->serial == machine->serial ? view : NULL;
}

/* The coordinates of dimension @dim that hold element @index. */
static gboolean
find_owners (const PdLayout *layout, guint dim, const gint64 *index, gint64 *first, gint64 *last)
{
  guint32 size = pd_grid_get_sizes (pd_layout_get_grid (layout))[dim];
  guint axis = 0;
  gboolean is_range = pd_layout_holds (layout, dim, &axis) == PD_HOLDS_RANGE;
  gint64 lo = 0, hi = 0;

  *first = -1;
  for (guint32 c = 0; c < size; c++)
    {
      if (!pd_layout_get_range (layout, dim, c, &lo, &hi)
          || (is_range && (index[axis] < lo || index[axis] > hi)))
        continue;
      if (*first < 0)
        *first = c;
      *last = c;
    }
  return *first >= 0;
}

/* A machine of a distributed template is mapped without mapam_: on those that
 * hold its element. */
static const PdAm *
map_by_view (PdDvm *self, gint64 id, const PdAm *machine, const PdView *view)
{
  gint64 first[PD_MAX_GRID_RANK], last[PD_MAX_GRID_RANK];
  PdGrid *grid = pd_layout_get_grid (view->layout);

  for (guint d = 0; d < pd_grid_get_rank (grid); d++)
    if (!find_owners (view->layout, d, machine->index, &first[d], &last[d]))
      return machine;
  PdGrid *part = pd_grid_new_part (grid, first, last, NULL);
  if (part == NULL)
    return machine;
  PdTeam *team = pd_team_new (self, part);
  machine = pd_dvm_map_am (self, id, machine, team);
  pd_team_unref (team);
  return machine;
}

const PdAm *
pd_dvm_need_am (PdDvm *self, gint64 id, GError **error)
{
  const PdAm *machine = pd_dvm_find (self, PD_KIND_AM, id);
  const PdView *view = machine == NULL || machine->view == 0 ? NULL : find_view (self, machine);

  if (machine == NULL || (machine->view != 0 && view == NULL))
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                   "abstract machine 'AMRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) id);
      return NULL;
    }
  return machine->team == NULL && view != NULL && view->layout != NULL
             ? map_by_view (self, id, machine, view)
             : machine;
}

/* ---- the machines that a program has named, by representation */

typedef struct
{
  guint64 serial; /* PdView.serial */
  GArray *ids;    /* gint64 */
} Machines;

static void
machines_free (gpointer data)
{
  Machines *machines = data;

  g_array_unref (machines->ids);
  g_free (machines);
}

GHashTable *
pd_dvm_machines_new (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, machines_free);
}

void
pd_dvm_machines_note (PdDvm *self, gint64 view_id, guint64 serial, gint64 id)
{
  Machines *machines = g_hash_table_lookup (self->machines, &view_id);

  if (machines == NULL)
    {
      machines = g_new0 (Machines, 1);
      machines->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (self->machines, g_memdup (&view_id, sizeof view_id), machines);
    }
  /* another representation has that reference now */
  if (machines->serial != serial)
    g_array_set_size (machines->ids, 0);
  machines->serial = serial;
  g_array_append_val (machines->ids, id);
}

const GArray *
pd_dvm_machines_get (const PdDvm *self, gint64 view_id, guint64 serial)
{
  const Machines *machines = g_hash_table_lookup (self->machines, &view_id);

  return machines != NULL && machines->serial == serial ? machines->ids : NULL;
}
