/* Operations that a program asks for by themselves: scalars carried along an
 * ordered loop, reductions to one processor, check sums.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-messages-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/handlers/pd-dvm-reduction-private.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-comm.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"

/* ---- acsend_, acrecv_ */

/* Halves of a shift, matched by this; other operations have smaller tags. */
#define SHIFT_TAG 0x40000000

/* Everybody sends to the next one along a dimension, or everybody receives from
 * the one before. Each half is a plan; only both together are symmetric. */
typedef struct
{
  PdPlan base;
  PdGrid *grid;
  guint dim;
  gboolean to_higher; /* coordinates: the peer's is larger */
  gboolean send;
  gint64 bytes;
} PdShiftPlan;

static guint
shift_get_max (G_GNUC_UNUSED const PdPlan *plan, G_GNUC_UNUSED guint32 processor)
{
  return 1;
}

static guint
shift_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  const PdShiftPlan *self = (const PdShiftPlan *) (gconstpointer) plan;
  gint64 me = pd_grid_find (self->grid, processor);
  guint32 coords[PD_MAX_GRID_RANK];

  if (me < 0)
    return 0;
  pd_grid_get_coords (self->grid, (guint32) me, coords);
  if (coords[self->dim] == (self->to_higher ? pd_grid_get_sizes (self->grid)[self->dim] - 1 : 0))
    return 0;
  if (self->to_higher)
    coords[self->dim]++;
  else
    coords[self->dim]--;
  guint32 peer = pd_grid_get_processor (self->grid, pd_grid_get_linear (self->grid, coords));
  out[0] = (PdPlanMessage){ .peer = peer, .send = self->send, .bytes = self->bytes };
  return 1;
}

static guint64
shift_get_total (const PdPlan *plan)
{
  const PdShiftPlan *self = (const PdShiftPlan *) (gconstpointer) plan;
  guint32 size = pd_grid_get_sizes (self->grid)[self->dim];

  return (guint64) (pd_grid_get_n (self->grid) / size) * (size - 1);
}

static void
shift_free (PdPlan *plan)
{
  PdShiftPlan *self = (PdShiftPlan *) (gpointer) plan;

  pd_grid_unref (self->grid);
  g_free (self);
}

static const PdPlanClass shift_class = {
  .get_max = shift_get_max,
  .get_messages = shift_get_messages,
  .get_total = shift_get_total,
  .free = shift_free,
};

/* Where the loop's last distributed index goes: its grid dimension, or -1. */
static int
find_dimension (const PdLoopObject *loop, gboolean *downwards)
{
  const PdLayout *layout = pd_loop_get_layout (loop->loop);
  int found = -1;
  guint best = 0;

  for (guint d = 0; d < pd_grid_get_rank (pd_layout_get_grid (layout)); d++)
    {
      guint index;
      if (pd_layout_holds (layout, d, &index) != PD_HOLDS_RANGE || (found >= 0 && index < best))
        continue;
      found = (int) d;
      best = index;
    }
  if (found >= 0)
    *downwards = loop->downwards[best];
  return found;
}

/* Where a shift goes, and how many of its halves there were. */
typedef struct
{
  gint64 loop; /* LoopRef */
  PdTeam *team;
  guint dim;
  gboolean downwards;
  gint64 bytes;   /* of the last half */
  gint64 balance; /* receives less sends */
} Shift;

static void
shift_clear (gpointer data)
{
  pd_team_unref (((Shift *) data)->team);
}

/* LoopRef 1 and -1 are no loops: up or down the first dimension of the current
 * processor system. FALSE without @error: there is nothing to send. @shift
 * borrows its team. */
static gboolean
find_shift (PdDvm *self, Shift *shift, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_LoopRef, &id, error))
    return FALSE;
  *shift = (Shift){ .loop = id, .team = self->team, .downwards = id == -1 };
  if (id == 1 || id == -1)
    return TRUE;
  const PdLoopObject *loop = pd_dvm_find (self, PD_KIND_LOOP, id);
  if (loop == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "loop 'LoopRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) id);
  int found = loop->loop == NULL ? -1 : find_dimension (loop, &shift->downwards);
  if (found < 0)
    return FALSE;
  shift->team = loop->team;
  shift->dim = (guint) found;
  return TRUE;
}

static void
emit_half (PdDvm *self, const Shift *shift, gboolean send)
{
  PdShiftPlan *plan = g_new0 (PdShiftPlan, 1);

  pd_plan_init (&plan->base, &shift_class);
  plan->grid = pd_grid_ref (shift->team->grid);
  plan->dim = shift->dim;
  plan->to_higher = send != shift->downwards;
  plan->send = send;
  plan->bytes = shift->bytes;
  PdStepOperation *operation =
      pd_dvm_emit_exchange (self, shift->team, &plan->base, PD_OPERATION_OTHER, FALSE);
  operation->tag = SHIFT_TAG;
  pd_dvm_emit_exchange_wait (self, operation, 0);
  pd_operation_unref (operation);
}

/* Remembers that the other half has to come. */
static void
note_half (PdDvm *self, const Shift *shift, gboolean send)
{
  guint i = 0;

  for (; i < self->shifts->len; i++)
    {
      const Shift *known = &g_array_index (self->shifts, Shift, i);
      if (known->loop == shift->loop && known->team == shift->team && known->dim == shift->dim
          && known->downwards == shift->downwards)
        break;
    }
  if (i == self->shifts->len)
    {
      g_array_append_val (self->shifts, *shift);
      pd_team_ref (shift->team);
    }
  Shift *known = &g_array_index (self->shifts, Shift, i);
  known->bytes = shift->bytes;
  known->balance += send ? -1 : 1;
  if (known->balance == 0)
    g_array_remove_index (self->shifts, i);
}

/* The half that is missing happened where it is not seen, in the body of the
 * loop; without it everybody would wait for ever. */
void
pd_dvm_shifts_settle (PdDvm *self, gint64 loop)
{
  for (guint i = self->shifts->len; i-- > 0;)
    {
      Shift *shift = &g_array_index (self->shifts, Shift, i);
      if (loop != 0 && shift->loop != loop)
        continue;
      pd_dvm_warn (self, "shift-completed", NULL,
                   "an 'acsend_' or 'acrecv_' has no counterpart: it is taken to be here");
      for (; shift->balance != 0; shift->balance += shift->balance < 0 ? 1 : -1)
        emit_half (self, shift, shift->balance > 0);
      g_array_remove_index (self->shifts, i);
    }
}

GArray *
pd_dvm_shifts_new (void)
{
  GArray *shifts = g_array_new (FALSE, FALSE, sizeof (Shift));

  g_array_set_clear_func (shifts, shift_clear);
  return shifts;
}

gboolean
pd_dvm_acsend (PdDvm *self, GError **error)
{
  gint64 type = pd_dvm_get (self, PD_DVM_KEY_ElmType, 4);
  gint64 n = pd_dvm_get (self, PD_DVM_KEY_ElmNumber, 1);
  gboolean send = self->call->function == PD_DVM_acsend_;
  GError *local = NULL;
  Shift shift;

  if (type < 1 || type > 4 || n < 1 || n > G_MAXINT32)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "%" G_GINT64_FORMAT " elements of type %" G_GINT64_FORMAT
                        ", expected 1 or more of type 1 to 4",
                        n, type);
  if (!find_shift (self, &shift, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return local == NULL;
    }
  if (pd_grid_get_sizes (shift.team->grid)[shift.dim] == 1)
    return TRUE;
  shift.bytes = n * pd_dvm_get_type_bytes (type);
  emit_half (self, &shift, send);
  note_half (self, &shift, send);
  return TRUE;
}

/* ---- collectives with a root */

static void
emit_rooted (PdDvm *self, PdStepOperation *operation, PdOp op, gint64 bytes, guint32 flags)
{
  PdStepDvm *step = pd_dvm_emit_collective (self, operation, op, bytes);

  step->flags = flags;
}

/* MPI_Reduce to a processor that is counted from 0 in the whole program. */
gboolean
pd_dvm_dvmreduce (PdDvm *self, GError **error)
{
  gint64 type = pd_dvm_get (self, PD_DVM_KEY_type, 4), n = pd_dvm_get (self, PD_DVM_KEY_count, 1);
  gint64 root = pd_dvm_get (self, PD_DVM_KEY_root, 0);
  gint64 size = pd_dvm_get_type_bytes (type);

  if (size == 0 || n < 0 || n > G_MAXINT32)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "a reduction of %" G_GINT64_FORMAT " values of type %" G_GINT64_FORMAT, n,
                        type);
  gint64 place =
      root < 0 || root > G_MAXUINT32 ? -1 : pd_grid_find (self->team->grid, (guint32) root);
  if (place < 0)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "root %" G_GINT64_FORMAT " is none of the %u processors", root,
                        self->team->n);
  pd_dvm_count_operation (self, PD_OPERATION_OTHER);
  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_OTHER);
  operation->central = (guint32) place;
  emit_rooted (self, operation, PD_OP_REDUCE, n * size, PD_STEP_ENTERS | PD_STEP_LEAVES);
  pd_operation_unref (operation);
  return TRUE;
}

/* The sums of the parts go to the central processor, which sends the result. */
gboolean
pd_dvm_dacsum (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_REMOTE_ACCESS);

  pd_dvm_count_operation (self, PD_OPERATION_REMOTE_ACCESS);
  operation->central = pd_grid_get_central (self->team->grid);
  emit_rooted (self, operation, PD_OP_GATHER, 8, PD_STEP_ENTERS);
  emit_rooted (self, operation, PD_OP_BCAST, 8, PD_STEP_LEAVES);
  pd_operation_unref (operation);
  return TRUE;
}
