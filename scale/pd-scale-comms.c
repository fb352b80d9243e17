/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-comms-private.h"

static guint32
count_equal (const PdProgram *program, guint32 comm)
{
  guint32 n, other_n, equal = 0;
  const guint32 *members = pd_program_get_comm (program, comm, &n);

  for (guint32 other = 0; other < comm; other++)
    {
      const guint32 *others = pd_program_get_comm (program, other, &other_n);
      gboolean same = other_n == n;
      for (guint32 i = 0; i < n && same; i++)
        same = (members != NULL ? members[i] : i) == (others != NULL ? others[i] : i);
      equal += same ? 1 : 0;
    }
  return equal;
}

GArray *
pd_scale_comms_find (const PdScaleRun *run, guint grid_kind)
{
  GArray *kinds = g_array_new (FALSE, FALSE, sizeof (PdScaleCommKind));
  PdScaleGrid grid;

  pd_scale_grid_make (grid_kind, run->n_ranks, &grid);
  for (guint32 comm = 0; comm < pd_program_get_n_comms (run->program); comm++)
    {
      guint32 n;
      const guint32 *members = pd_program_get_comm (run->program, comm, &n);
      PdScaleCommKind kind = { pd_scale_find_masks (&grid, members, n),
                               count_equal (run->program, comm) };
      g_array_append_val (kinds, kind);
    }
  return kinds;
}
