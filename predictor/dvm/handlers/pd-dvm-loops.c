/* Parallel loops. All records from the first dopl_ to the one that says that
 * nothing is left are one step: how long the portions took on one processor is
 * known only at the end, and only their sum is useful.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-loops-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-halo.h"
#include "predictor/dvm/layout/pd-dvm-layout-interior.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/handlers/pd-dvm-across-private.h"
#include "predictor/dvm/handlers/pd-dvm-bounds-private.h"
#include "predictor/dvm/handlers/pd-dvm-edges-private.h"
#include "predictor/dvm/handlers/pd-dvm-messages-private.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-caches.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-intervals.h"
#include "predictor/dvm/model/pd-dvm-multi-file-loop.h"
#include "predictor/dvm/model/pd-dvm-multi-file.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

void
pd_dvm_loop_free (gpointer object)
{
  PdLoopObject *loop = object;

  g_clear_pointer (&loop->loop, pd_loop_unref);
  pd_interior_unref (loop->interior);
  pd_halo_unref (loop->halo);
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
  pd_dvm_across_forget (self, id);
  pd_dvm_bounds_forget (self);
  PdLoopObject *loop = pd_object_new (sizeof *loop, pd_dvm_loop_free);
  loop->rank = (guint) rank;
  pd_dvm_store (self, PD_KIND_LOOP, id, loop, TRUE);
  return TRUE;
}

const PdLoopObject *
pd_dvm_need_loop (PdDvm *self, gint64 *id, GError **error)
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

/* In a task, processors outside it do not come to the loop. */
static void
check_team (PdDvm *self, const PdTeam *team)
{
  if (self->tasks->len > 0 && team != NULL && !pd_team_covers (self->team, team))
    pd_dvm_warn (self, "loop-outside-task", NULL,
                 "a parallel loop in a task is mapped on processors outside it: their iterations "
                 "are left out");
}

/* How many iterations each index has, and where and which way it runs. */
static void
note_indices (PdLoopObject *loop, const PdAlignment *alignment, const PdLoopRange *ranges)
{
  for (guint i = 0; i < loop->rank; i++)
    {
      const PdLoopRange *range = &ranges[i];
      gboolean is_empty = range->step > 0 ? range->first > range->last : range->first < range->last;
      loop->counts[i] = is_empty ? 0 : (range->last - range->first) / range->step + 1;
      loop->axis[i] = -1;
      for (guint k = 0; k < alignment->n; k++)
        if (alignment->axes[k] == (gint64) i + 1 && alignment->coeffs[k] != 0)
          loop->axis[i] = (gint8) k;
    }
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
  const PdLoopObject *old = pd_dvm_need_loop (self, &id, error);

  if (old == NULL || !pd_dvm_need_pattern (self, &pattern, error)
      || !need_ranges (self, old->rank, ranges, error))
    return FALSE;
  check_team (self, pattern.team);
  PdLoopObject *loop = pd_object_new (sizeof *loop, pd_dvm_loop_free);
  loop->rank = old->rank;
  loop->exported = old->exported;
  loop->imported = old->imported;
  loop->is_mapped = TRUE;
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
      loop->on_array = pattern.is_array;
      if (cause == NULL)
        {
          note_indices (loop, &alignment, ranges);
          loop->interior = pd_dvm_edges_new_interior (self, loop, pattern.layout, &alignment);
          pd_dvm_bounds_extend (self, loop, &pattern, &alignment);
          pd_dvm_caches_note_loop (self, loop, &pattern, &alignment, ranges);
        }
    }
  pd_dvm_bounds_forget (self);
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
  pd_dvm_across_measure (self, id);
  if (id != 0)
    pd_dvm_shifts_settle (self, id);
  for (guint i = self->contexts->len; i-- > self->context_base;)
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

/* The portions between the first and the last dopl_, in one file. */
typedef struct
{
  gint64 loop;
  gboolean is_guest;  /* the objects change in another file */
  GArray *shares;     /* PdLoopShare */
  GHashTable *places; /* node -> 1 + index in @shares */
  PdTime service;     /* ret_ times of dopl_: ordinary */
  PdRecords records;
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
         || function == PD_DVM_mapam_ || function == PD_DVM_runam_ || function == PD_DVM_stopam_
         || function == PD_DVM_Event_dvm_exit;
}

static gboolean
add_call (PdDvm *self, Portions *portions, GError **error)
{
  PdDvmFunction function = self->call->function;

  add_share (self, portions, self->call->call_time, 0);
  portions->records.last = self->call->number;
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
  return portions->is_guest || pd_dvm_apply_quietly (self, error);
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

static PdLoopWork *
new_work (PdDvm *self, const PdLoopObject *loop, GArray *shares, const PdFileShares *files)
{
  for (guint i = 0; i < shares->len; i++)
    {
      PdLoopShare *share = &g_array_index (shares, PdLoopShare, i);
      share->stays_open = share->entries > 0 && pd_dvm_interval_is_open (self, share->node);
    }
  PdLoopWork *work = g_new0 (PdLoopWork, 1);
  work->refs = 1;
  work->loop = pd_loop_ref (loop->loop);
  work->replication = pd_layout_get_replication (pd_loop_get_layout (loop->loop));
  work->is_even = self->options->even_loops;
  work->shares = g_array_ref (shares);
  if (loop->interior != NULL)
    work->interior = pd_interior_ref (loop->interior);
  if (loop->halo != NULL)
    work->halo = pd_halo_ref (loop->halo);
  if (files != NULL)
    pd_dvm_multi_divide (self, work, files);
  for (guint i = 0; i < shares->len && loop->executions > 1; i++)
    {
      PdLoopShare *share = &g_array_index (shares, PdLoopShare, i);
      share->time = pd_time_divide (share->time, loop->executions);
    }
  return work;
}

static PdTime
add_shares (const GArray *shares)
{
  PdTime sum = PD_TIME_ZERO;

  for (guint i = 0; i < shares->len; i++)
    sum = pd_time_add (sum, g_array_index (shares, PdLoopShare, i).time);
  return sum;
}

/* Makes a loop of the shares in @shares, none if there are no iterations; @files are NULL, or the
 * contributions of each file of a run on several processors. */
static void
emit_loop (PdDvm *self, const Portions *portions, const PdLoopObject *loop, GArray *shares,
           const PdFileShares *files)
{
  gboolean is_split = loop->loop != NULL && pd_loop_get_total (loop->loop) > 0;
  PdLoopWork *work = NULL;
  gint64 id = portions->loop;

  if (loop->loop == NULL && shares->len > 0)
    pd_dvm_warn (self, "loop-not-mapped", NULL,
                 "a parallel loop whose mapping is not modelled: its time is charged to all "
                 "processors alike");
  if (is_split && files == NULL)
    pd_dvm_caches_apply (self, loop, shares);
  if (is_split && shares->len > 0)
    {
      work = new_work (self, loop, shares, files);
      work->scatter =
          pd_scatters_add (self->scatters, portions->records.file, portions->records.line, work);
    }
  else if (files != NULL)
    pd_dvm_multi_charge_shares (self, shares, files);
  else
    charge_shares (self, shares);
  pd_dvm_across_decide (self, id, loop, add_shares (shares));
  pd_dvm_edges_emit (self, &(PdLoopSteps){ id, loop, work, &portions->records });
  pd_dvm_across_end (self, id);
  pd_loop_work_unref (work);
}

/* Reads on to the end of the loop. Returns the shares, or NULL with @error. */
static GArray *
gather (PdDvm *self, Portions *portions, GError **error)
{
  gboolean ok = TRUE;
  GError *local = NULL;

  portions->shares = g_array_new (FALSE, FALSE, sizeof (PdLoopShare));
  portions->places = g_hash_table_new (NULL, NULL);
  /* the end of the trace inside a loop is the end of the loop */
  while (ok && !portions->over && pd_dvm_read (self, &local))
    ok = add_call (self, portions, &local);
  g_hash_table_unref (portions->places);
  if (local == NULL)
    return portions->shares;
  g_array_unref (portions->shares);
  g_propagate_error (error, local);
  return NULL;
}

/* ---- of a run on several processors: each file has its own portions */

/* The part of @number, from the first dopl_ on. */
static gboolean
gather_file (PdDvm *self, guint number, PdFileShares *files, GError **error)
{
  Portions portions = { .is_guest = number > 0 };
  gboolean ok = TRUE;

  pd_dvm_multi_visit (self, number);
  portions.records = pd_dvm_get_records (self);
  portions.loop = pd_dvm_get (self, PD_DVM_KEY_LoopRef, 0);
  if (pd_dvm_get (self, PD_DVM_KEY_DoPL, 0) != 0)
    {
      files->shares[number] = gather (self, &portions, error);
      files->services[number] = portions.service;
      ok = files->shares[number] != NULL;
    }
  if (number == 0)
    files->records = portions.records;
  pd_dvm_multi_leave (self);
  return ok;
}

/* All enter the loop in the same interval, and leave it as the first one does. */
static gboolean
gather_files (PdDvm *self, PdFileShares *files, GError **error)
{
  guint32 node = self->node, node_after;
  GArray *open = g_array_copy (self->open), *open_after;
  gboolean ok = gather_file (self, 0, files, error);

  node_after = self->node;
  open_after = self->open;
  for (guint i = 1; i < files->n && ok; i++)
    {
      self->node = node;
      self->open = g_array_copy (open);
      ok = gather_file (self, i, files, error);
      g_array_unref (self->open);
    }
  self->node = node_after;
  self->open = open_after;
  g_array_unref (open);
  return ok;
}

static gboolean
dopl_multi_file (PdDvm *self, gint64 id, const PdLoopObject *loop, GError **error)
{
  PdFileShares *files = pd_file_shares_new (pd_dvm_multi_get_n (self));
  gboolean ok = gather_files (self, files, error);

  if (ok)
    {
      g_autoptr (GArray) shares = pd_file_shares_merge (files);
      gboolean any = pd_file_shares_has_any (files);
      emit_loop (self, &(Portions){ .loop = id, .records = files->records }, loop, shares, files);
      if (any && !pd_dvm_multi_wait_in_dopl (self))
        pd_dvm_multi_charge (self, files->services);
    }
  pd_file_shares_free (files);
  return ok;
}

static gboolean
dopl_single (PdDvm *self, gint64 id, const PdLoopObject *loop, GError **error)
{
  Portions portions = { .loop = id,
                        .records = pd_dvm_get_records (self),
                        .over = pd_dvm_get (self, PD_DVM_KEY_DoPL, 0) == 0 };
  g_autoptr (GArray) shares = gather (self, &portions, error);

  if (shares == NULL)
    return FALSE;
  emit_loop (self, &portions, loop, shares, NULL);
  pd_dvm_charge (self, portions.service);
  return TRUE;
}

gboolean
pd_dvm_dopl (PdDvm *self, GError **error)
{
  gint64 id;
  const PdLoopObject *found = pd_dvm_need_loop (self, &id, error);

  if (found == NULL)
    return FALSE;
  PdLoopObject *loop = (PdLoopObject *) pd_object_ref ((gpointer) found);
  pd_dvm_charge_call (self);
  pd_dvm_across_begin (self, id);
  pd_dvm_charge_ret (self);
  gboolean ok = self->multi != NULL ? dopl_multi_file (self, id, loop, error)
                                    : dopl_single (self, id, loop, error);
  pd_object_unref (loop);
  return ok;
}
