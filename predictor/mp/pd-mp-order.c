/* Whether the order in which ranks are simulated matters. If every receive
 * names source and tag and no rank tests or probes, it does not on networks without
 * contention: the actions of a rank depend on when its messages are sent, not on the
 * order of simulation.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "predictor/mp/pd-mp-order-private.h"
#include "predictor/mp/pd-mp-run.h"

/* Kinds whose results are the same in any order. */
static const gboolean fine[PD_N_CELL_KINDS] = {
  [PD_ACT_COMPUTE] = TRUE,      [PD_ACT_DELAY] = TRUE,    [PD_ACT_SEND] = TRUE,
  [PD_ACT_BSEND] = TRUE,        [PD_ACT_SSEND] = TRUE,    [PD_ACT_RSEND] = TRUE,
  [PD_ACT_ISEND] = TRUE,        [PD_ACT_IBSEND] = TRUE,   [PD_ACT_ISSEND] = TRUE,
  [PD_ACT_IRSEND] = TRUE,       [PD_ACT_RECV] = TRUE,     [PD_ACT_IRECV] = TRUE,
  [PD_ACT_REQUEST_FREE] = TRUE, [PD_ACT_WAIT] = TRUE,     [PD_ACT_WAITALL] = TRUE,
  [PD_ACT_COLLECTIVE] = TRUE,   [PD_ACT_LOCATION] = TRUE, [PD_ACT_ENTER] = TRUE,
  [PD_ACT_LEAVE] = TRUE,        [PD_ACT_LOCAL] = TRUE,    [PD_ACT_ALIKE_BEGIN] = TRUE,
  [PD_ACT_ALIKE_END] = TRUE,    [PD_CELL_LOOP] = TRUE,    [PD_CELL_SAMPLE] = TRUE,
};

/* Whether the action at @cell is one of them, and its source is known. */
static gboolean
is_fine (const PdProgramCell *cell)
{
  guint kind = cell->kind & ~(guint) PD_CELL_MORE;

  if (!fine[kind])
    return FALSE;
  return (kind != PD_ACT_RECV && kind != PD_ACT_IRECV)
         || (cell->kind == kind && cell->peer >= 0 && cell->tag >= 0);
}

static gboolean
is_rank_fine (const PdMp *self, guint32 rank)
{
  const PdProgramCell *end, *cell = pd_program_get_cells (self->program, rank, &end);

  while (cell != end && is_fine (cell))
    cell = pd_mp_next (cell);
  return cell == end;
}

gboolean
pd_mp_is_unordered (const PdMp *self)
{
  if (!pd_comsys_may_be_unordered (self->comsys))
    return FALSE;
  for (guint32 rank = 0; rank < self->n; rank++)
    if (!is_rank_fine (self, rank))
      return FALSE;
  pd_comsys_set_unordered (self->comsys);
  return TRUE;
}
