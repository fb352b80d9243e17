/* Parallel loops. All records from the first dopl_ to the one that says that
 * nothing is left are one step: how long the portions took on one processor is
 * known only at the end, and only their sum is useful (spec 11 section 5.2).
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-private.h"

static void
loop_free (gpointer object)
{
  PdLoopObject *loop = object;

  g_clear_pointer (&loop->loop, pd_loop_unref);
  pd_team_unref (loop->team);
}

gboolean
pd_dvm_crtpl (PdDvm *self, GError **error)
{
  gint64 id, rank;

  if (!pd_dvm_need (self, PD_DVM_KEY_LoopRef, &id, error)
      || !pd_dvm_need (self, PD_DVM_KEY_Rank, &rank, error))
    return FALSE;
  if (rank < 1 || rank > PD_MAX_RANK)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "rank %" G_GINT64_FORMAT " is out of range, expected 1 to %d", rank,
                        PD_MAX_RANK);
  PdLoopObject *loop = pd_object_new (sizeof *loop, loop_free);
  loop->rank = (guint) rank;
  pd_dvm_store (self, PD_KIND_LOOP, id, loop, TRUE);
  return TRUE;
}

static const PdLoopObject *
need_loop (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_LoopRef, id, error))
    return NULL;
  const PdLoopObject *loop = pd_dvm_find (self, PD_KIND_LOOP, *id);
  if (loop == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "loop 'LoopRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) *id);
  return loop;
}

static gboolean
need_ranges (PdDvm *self, guint rank, PdLoopRange *ranges, GError **error)
{
  static const PdDvmKey keys[] = { PD_DVM_KEY_InInitIndexArray, PD_DVM_KEY_InLastIndexArray,
                                   PD_DVM_KEY_InStepArray };
  const gint64 *values[3];

  for (guint k = 0; k < 3; k++)
    {
      values[k] = pd_dvm_need_array (self, keys[k], rank, error);
      if (values[k] == NULL)
        return FALSE;
    }
  for (guint i = 0; i < rank; i++)
    ranges[i] = (PdLoopRange){ values[0][i], values[1][i], values[2][i] };
  return TRUE;
}

/* From here on the loop has a context of its own. */
gboolean
pd_dvm_mappl (PdDvm *self, GError **error)
{
  PdLoopRange ranges[PD_MAX_RANK];
  PdAlignment alignment;
  PdPattern pattern;
  GError *cause = NULL;
  gint64 id;
  const PdLoopObject *old = need_loop (self, &id, error);

  if (old == NULL || !pd_dvm_need_pattern (self, &pattern, error)
      || !need_ranges (self, old->rank, ranges, error))
    return FALSE;
  PdLoopObject *loop = pd_object_new (sizeof *loop, loop_free);
  loop->rank = old->rank;
  for (guint i = 0; i < loop->rank; i++)
    loop->downwards[i] = ranges[i].step < 0;
  if (pattern.layout != NULL)
    {
      if (!pd_dvm_need_alignment (self, &pattern, &alignment, error))
        {
          pd_object_unref (loop);
          return FALSE;
        }
      loop->loop = pd_loop_new (pattern.layout, loop->rank, ranges, &alignment, &cause);
      loop->team = pd_team_ref (pattern.team);
    }
  if (cause != NULL)
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER, "%s", cause->message);
      g_error_free (cause);
      pd_object_unref (loop);
      return FALSE;
    }
  pd_dvm_store (self, PD_KIND_LOOP, id, loop, FALSE);
  /* parallel loops do not nest: the one before was left by a jump */
  if (pd_dvm_context_get_loop (self) != 0)
    pd_dvm_context_fold (self);
  pd_dvm_context_open (self, id);
  return TRUE;
}

gboolean
pd_dvm_endpl (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_LoopRef, &id, error))
    return FALSE;
  if (id != 0)
    pd_dvm_shifts_settle (self, id);
  for (guint i = self->contexts->len; i-- > 1;)
    if (g_array_index (self->contexts, PdContext, i).loop == id)
      {
        while (self->contexts->len > i)
          pd_dvm_context_close (self);
        break;
      }
  pd_dvm_delete (self, PD_KIND_LOOP, id);
  return TRUE;
}

/* ---- portions */

/* What is gathered between the first and the last dopl_. */
typedef struct
{
  gint64 loop;
  GArray *shares;     /* PdLoopShare */
  GHashTable *places; /* node -> 1 + index in @shares */
  PdTime service;     /* ret_ times of dopl_: ordinary */
  gboolean over;
} Portions;

static void
add_share (const PdDvm *self, Portions *portions, PdTime time, gint64 entries)
{
  gpointer node = GUINT_TO_POINTER (self->node);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (portions->places, node));

  if (place == 0)
    {
      PdLoopShare share = { .node = self->node };
      g_array_append_val (portions->shares, share);
      place = portions->shares->len;
      g_hash_table_insert (portions->places, node, GUINT_TO_POINTER (place));
    }
  PdLoopShare *share = &g_array_index (portions->shares, PdLoopShare, place - 1);
  share->time = pd_time_add (share->time, time);
  share->entries += entries;
}

/* Records after which a loop that was left by a jump cannot go on. */
static gboolean
ends_loop (PdDvmFunction function)
{
  return function == PD_DVM_endpl_ || function == PD_DVM_crtpl_ || function == PD_DVM_endbl_
         || function == PD_DVM_stopam_ || function == PD_DVM_Event_dvm_exit;
}

static gboolean
add_call (PdDvm *self, Portions *portions, GError **error)
{
  PdDvmFunction function = self->call->function;

  add_share (self, portions, self->call->call_time, 0);
  if (ends_loop (function))
    {
      self->current.call_time = PD_TIME_ZERO;
      self->pushed_back = TRUE;
      portions->over = TRUE;
      return TRUE;
    }
  if (function == PD_DVM_dopl_ && pd_dvm_get (self, PD_DVM_KEY_LoopRef, 0) == portions->loop)
    {
      portions->service = pd_time_add (portions->service, self->call->ret_time);
      portions->over = pd_dvm_get (self, PD_DVM_KEY_DoPL, 0) == 0;
      return TRUE;
    }
  if (pd_dvm_function_get_class (function) == PD_DVM_CLASS_INT)
    {
      gboolean entered = pd_dvm_interval_move (self);
      add_share (self, portions, self->call->ret_time, entered ? 1 : 0);
      return TRUE;
    }
  add_share (self, portions, self->call->ret_time, 0);
  return pd_dvm_apply_quietly (self, error);
}

/* Nothing to split: ordinary time of the intervals where it was spent. */
static void
charge_shares (PdDvm *self, const GArray *shares)
{
  guint32 node = self->node;

  for (guint i = 0; i < shares->len; i++)
    {
      const PdLoopShare *share = &g_array_index (shares, PdLoopShare, i);
      self->node = share->node;
      pd_dvm_charge (self, share->time);
      for (gint64 k = 0; k < share->entries; k++)
        pd_dvm_count (self, PD_Q_EXE_COUNT);
    }
  self->node = node;
}

static void
emit_loop (PdDvm *self, const PdLoopObject *loop, const Portions *portions)
{
  gboolean is_split = loop->loop != NULL && pd_loop_get_total (loop->loop) > 0;

  if (loop->loop == NULL)
    pd_dvm_warn (self, "loop-not-mapped", NULL,
                 "a parallel loop whose mapping is not modelled: its time is charged to all "
                 "processors alike");
  if (!is_split)
    {
      charge_shares (self, portions->shares);
      return;
    }
  for (guint i = 0; i < portions->shares->len; i++)
    {
      PdLoopShare *share = &g_array_index (portions->shares, PdLoopShare, i);
      share->stays_open = share->entries > 0 && pd_dvm_interval_is_open (self, share->node);
    }
  PdLoopWork *work = g_new0 (PdLoopWork, 1);
  work->refs = 1;
  work->loop = pd_loop_ref (loop->loop);
  work->replication = pd_layout_get_replication (pd_loop_get_layout (loop->loop));
  work->shares = g_array_ref (portions->shares);
  pd_dvm_emit (self, PD_STEP_KIND_LOOP)->work = work;
}

gboolean
pd_dvm_dopl (PdDvm *self, GError **error)
{
  Portions portions = { 0 };
  const PdLoopObject *found = need_loop (self, &portions.loop, error);

  if (found == NULL)
    return FALSE;
  pd_dvm_charge_call (self);
  pd_dvm_charge_ret (self);
  if (pd_dvm_get (self, PD_DVM_KEY_DoPL, 0) == 0)
    return TRUE;

  PdLoopObject *loop = (PdLoopObject *) pd_object_ref ((gpointer) found);
  gboolean ok = TRUE;
  GError *local = NULL;
  portions.shares = g_array_new (FALSE, FALSE, sizeof (PdLoopShare));
  portions.places = g_hash_table_new (NULL, NULL);
  /* the end of the trace inside a loop is the end of the loop */
  while (ok && !portions.over && pd_dvm_read (self, &local))
    ok = add_call (self, &portions, &local);
  if (local == NULL)
    {
      emit_loop (self, loop, &portions);
      pd_dvm_charge (self, portions.service);
    }
  else
    g_propagate_error (error, local);
  g_hash_table_unref (portions.places);
  g_array_unref (portions.shares);
  pd_object_unref (loop);
  return local == NULL;
}
