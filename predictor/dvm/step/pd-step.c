/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/step/pd-step.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/queue/pd-lines.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-halo.h"
#include "predictor/dvm/layout/pd-dvm-layout-interior.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

#include <string.h>

/* Of larger teams new pages, which the system zeroes, take less time and memory. */
#define MOST_SPARE (1u << 17)

static gsize
participant_lines (const PdTeam *team)
{
  return ((gsize) team->n * sizeof (PdParticipant) + 63) / 64;
}

PdTeam *
pd_team_ref (PdTeam *self)
{
  self->refs++;
  return self;
}

void
pd_team_unref (PdTeam *self)
{
  if (self == NULL || --self->refs > 0)
    return;
  if (self->spare != NULL)
    pd_lines_free (self->spare, participant_lines (self));
  pd_grid_unref (self->grid);
  g_free (self->sets);
  g_free (self);
}

PdTask *
pd_task_ref (PdTask *self)
{
  self->refs++;
  return self;
}

void
pd_task_unref (PdTask *self)
{
  if (self == NULL || --self->refs > 0)
    return;
  pd_team_unref (self->team);
  g_free (self);
}

gint64
pd_portions_get_count (const PdPortions *self)
{
  return self->n[0] * self->n[1];
}

/* The @i-th of @n parts of @iterations, which begin at @begin. */
static gint64
get_part (gint64 iterations, gint64 n, gint64 i, gint64 *begin)
{
  *begin = iterations / n * i;
  return i + 1 < n ? iterations / n : iterations - *begin;
}

PdPortion
pd_portions_get (const PdPortions *self, gint64 i)
{
  gint64 begin[2], n[2];

  n[0] = get_part (self->iterations[0], self->n[0], i / self->n[1], &begin[0]);
  n[1] = get_part (self->iterations[1], self->n[1], i % self->n[1], &begin[1]);
  return (PdPortion){ .before = begin[0] * self->iterations[1] + n[0] * begin[1],
                      .n = n[0] * n[1],
                      .runs = (self->is_row[0] ? 1 : n[0]) * (self->is_row[1] ? 1 : n[1]) };
}

PdLoopWork *
pd_loop_work_ref (PdLoopWork *self)
{
  self->refs++;
  return self;
}

void
pd_loop_work_unref (PdLoopWork *self)
{
  if (self == NULL || --self->refs > 0)
    return;
  g_clear_pointer (&self->loop, pd_loop_unref);
  g_clear_pointer (&self->section.layout, pd_layout_unref);
  g_array_unref (self->shares);
  g_clear_pointer (&self->own, g_array_unref);
  g_free (self->ends);
  pd_interior_unref (self->interior);
  pd_halo_unref (self->halo);
  g_free (self);
}

const PdLoopShare *
pd_loop_work_get_shares (const PdLoopWork *self, guint32 processor, guint *n)
{
  if (self->own == NULL)
    {
      *n = self->shares->len;
      return (const PdLoopShare *) (gpointer) self->shares->data;
    }
  guint32 begin = processor == 0 ? 0 : self->ends[processor - 1];
  *n = self->ends[processor] - begin;
  return (const PdLoopShare *) (gpointer) self->own->data + begin;
}

gint64
pd_loop_work_get_local (const PdLoopWork *self, guint32 processor)
{
  const PdLayout *layout =
      self->loop != NULL ? pd_loop_get_layout (self->loop) : self->section.layout;
  gint64 place = pd_grid_find (pd_layout_get_grid (layout), processor);

  if (place < 0)
    return -1;
  if (self->halo != NULL)
    return pd_halo_get_local (self->halo, (guint32) place);
  return self->loop != NULL ? pd_loop_get_local (self->loop, (guint32) place)
                            : pd_section_get_local_count (&self->section, processor);
}

PdTime
pd_loop_work_get_redundant (const PdLoopWork *self, guint32 processor, PdTime time)
{
  PdTime productive = time;

  if (self->halo != NULL)
    {
      const PdLayout *layout = pd_loop_get_layout (self->loop);
      gint64 place = pd_grid_find (pd_layout_get_grid (layout), processor);
      gdouble share = place < 0 ? 1 : pd_halo_get_share (self->halo, (guint32) place);
      productive = pd_time_multiply (time, share / MAX (self->replication, 1));
    }
  else if (self->replication > 1)
    return pd_time_scale (time, self->replication - 1, self->replication);
  return pd_time_sub (time, productive);
}

gint64
pd_loop_work_get_total (const PdLoopWork *self, gint64 local)
{
  if (self->loop == NULL)
    return local > 0 ? pd_section_get_count (&self->section) : 1;
  return MAX (self->own != NULL ? local : pd_loop_get_total (self->loop), 1);
}

PdStepOperation *
pd_operation_ref (PdStepOperation *self)
{
  self->refs++;
  return self;
}

void
pd_operation_open (PdStepOperation *self)
{
  self->participants = g_steal_pointer (&self->team->spare);
  if (self->participants == NULL)
    self->participants = pd_lines_resize (NULL, 0, participant_lines (self->team));
  else
    memset (self->participants, 0, self->team->n * sizeof (PdParticipant));
  self->bundles = g_new0 (PdBundle, self->team->n);
}

void
pd_operation_close (PdStepOperation *self)
{
  PdTeam *team = self->team;

  if (self->participants != NULL && team->spare == NULL && team->n <= MOST_SPARE)
    team->spare = g_steal_pointer (&self->participants);
  if (self->participants != NULL)
    pd_lines_free (self->participants, participant_lines (team));
  self->participants = NULL;
  g_clear_pointer (&self->bundles, g_free);
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->sends, g_free);
}

void
pd_operation_unref (PdStepOperation *self)
{
  if (self == NULL || --self->refs > 0)
    return;
  pd_operation_close (self);
  pd_team_unref (self->team);
  g_clear_pointer (&self->plan, pd_plan_unref);
  g_clear_pointer (&self->layout, pd_layout_unref);
  if (self->aggregate != NULL)
    pd_comm_unref (self->aggregate->comm);
  g_free (self->aggregate);
  g_clear_pointer (&self->counts, g_rc_box_release);
  g_free (self);
}

PdCommFamily *
pd_comm_family_ref (PdCommFamily *self)
{
  self->refs++;
  return self;
}

void
pd_comm_family_unref (PdCommFamily *self)
{
  if (self == NULL || --self->refs > 0)
    return;
  for (guint32 i = 0; i < self->n; i++)
    pd_comm_unref (self->comms[i]);
  g_free (self->comms);
  pd_team_unref (self->team);
  g_free (self);
}

PdComm *
pd_comm_family_get (const PdCommFamily *self, guint32 linear)
{
  guint32 coords[PD_MAX_GRID_RANK], index = 0;
  const guint32 *sizes = pd_grid_get_sizes (self->team->grid);

  if (self->n == 1)
    return self->comms[0];
  pd_grid_get_coords (self->team->grid, linear, coords);
  for (guint d = 0; d < pd_grid_get_rank (self->team->grid); d++)
    if (self->split[d])
      index = index * sizes[d] + coords[d];
  return self->comms[index];
}

void
pd_step_clear (gpointer data)
{
  PdStepDvm *step = data;

  g_free (step->seqs);
  g_free (step->own);
  pd_loop_work_unref (step->work);
  pd_operation_unref (step->operation);
  pd_comm_family_unref (step->family);
  pd_task_unref (step->task);
}
