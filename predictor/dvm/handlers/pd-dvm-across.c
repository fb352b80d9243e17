/* Ordered loops (across_, doacr_): the exchanges before the loop, and whether it
 * is executed as a wavefront or as a pipeline.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-across-private.h"
#include "predictor/dvm/step/pd-dvm-pipeline.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/handlers/pd-dvm-edges-private.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-comm.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-ordered.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* How one across_ is executed. */
typedef enum
{
  UNDECIDED, /* until its iteration time is known */
  WAVEFRONT, /* receive, compute all, send */
  PIPELINE,
} Way;

/* One across_ of the current loop. */
typedef struct
{
  gint64 groups[2]; /* to be deleted after the loop; 0 = none */
  GArray *arrays;   /* PdShadowArray: exchanged in the loop's order */
  PdTeam *team;     /* of their group */
  gboolean reversed;
  Way way;
  gint32 tag;
  PdStepOperation *recv; /* (nullable): of a wavefront */
  gint quantum[2];       /* indices that can be cut */
  PdPipelineShape shape; /* what the number of portions is computed from */
  PdPortions portions;   /* PIPELINE */
} Ordered;

struct _PdAcross
{
  gint64 loop; /* what the rest is about; 0 = nothing */
  GArray *ordered;
  char *place;       /* FILE and LINE of the first across_ */
  PdTeam *team;      /* of the loop */
  gboolean measures; /* at endpl_ the processors agree upon its iteration time */
  GHashTable *times; /* place -> gdouble: seconds of one iteration */
};

static void
ordered_clear (gpointer data)
{
  Ordered *ordered = data;

  g_array_unref (ordered->arrays);
  pd_team_unref (ordered->team);
  if (ordered->recv != NULL)
    pd_operation_unref (ordered->recv);
}

PdAcross *
pd_dvm_across_new (void)
{
  PdAcross *across = g_new0 (PdAcross, 1);

  across->ordered = g_array_new (FALSE, TRUE, sizeof (Ordered));
  g_array_set_clear_func (across->ordered, ordered_clear);
  across->times = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return across;
}

static void
forget_loop (PdAcross *across)
{
  across->loop = 0;
  across->measures = FALSE;
  g_array_set_size (across->ordered, 0);
  g_clear_pointer (&across->place, g_free);
  g_clear_pointer (&across->team, pd_team_unref);
}

void
pd_dvm_across_free (PdAcross *across)
{
  if (across == NULL)
    return;
  forget_loop (across);
  g_array_unref (across->ordered);
  g_hash_table_unref (across->times);
  g_free (across);
}

static Ordered *
get_ordered (const PdAcross *across, guint i)
{
  return &g_array_index (across->ordered, Ordered, i);
}

/* The one that is executed, or to be decided upon, in @way. */
static Ordered *
find_ordered (const PdAcross *across, gint64 loop, Way way)
{
  for (guint i = 0; across->loop == loop && i < across->ordered->len; i++)
    if (get_ordered (across, i)->way == way)
      return get_ordered (across, i);
  return NULL;
}

/* ---- exchanges */

/* A whole exchange inside the call. */
static void
exchange_before (PdDvm *self, const GArray *arrays, PdTeam *team)
{
  PdPlan *plan = pd_shadow_plan_new ((const PdShadowArray *) (gconstpointer) arrays->data,
                                     arrays->len, self->messages);
  PdStepOperation *operation = pd_dvm_emit_exchange (self, team, plan, PD_OPERATION_SHADOW, FALSE);

  pd_dvm_count_operation (self, PD_OPERATION_SHADOW);
  pd_dvm_emit_exchange_wait (self, operation, 0);
  pd_operation_unref (operation);
}

/* ---- the decision */

static void
note (PdDvm *self, PdPipelineReason reason)
{
  PdPlace place = pd_dvm_reader_get_place (self->reader);
  const char *text = pd_pipeline_get_text (reason);

  /* without a partner no pipeline is expected */
  if (reason != PD_PIPELINE_OK && reason != PD_PIPELINE_ONE_PROCESSOR)
    pd_messages_add (self->messages, PD_SEVERITY_NOTE, "pipeline-not-used", text, &place,
                     "an ordered loop is not executed as a pipeline: %s (ErrPipeLine=%d)", text,
                     pd_pipeline_get_code (reason));
}

/* The iteration time is known: how many portions does that make? */
static void
decide_count (PdDvm *self, Ordered *ordered, const PdLoopObject *loop, gdouble tc)
{
  gint64 layers = loop->counts[ordered->quantum[0]];
  PdPipelineCosts costs =
      pd_dvm_ordered_get_costs (self, ordered->arrays, self->across->team, layers);

  costs.tc = tc;
  ordered->portions = (PdPortions){ .iterations = { layers, 1 },
                                    .n = { pd_pipeline_count (&ordered->shape, &costs), 1 } };
  ordered->way = PIPELINE;
}

/* PipeLinePar is the number of portions, or minus the time of an iteration; 0:
 * that is known from an earlier execution, or has to be measured. */
static PdPipelineReason
decide_portions (PdDvm *self, Ordered *ordered, const PdLoopObject *loop)
{
  gdouble parameter = 0;
  const gdouble *known = g_hash_table_lookup (self->across->times, self->across->place);

  pd_dvm_call_get_double (self->reader, PD_DVM_KEY_PipeLinePar, &parameter);
  if (self->options->portions > 0)
    parameter = (gdouble) self->options->portions;
  if (!(parameter > 0) && self->options->across_groups > 0)
    parameter = (gdouble) self->options->across_groups;
  if (parameter > 0)
    {
      gint64 iterations[2] = { 0, 0 };
      for (guint k = 0; k < 2; k++)
        if (ordered->quantum[k] >= 0)
          iterations[k] = loop->counts[ordered->quantum[k]];
      pd_pipeline_cut (iterations, parameter < 1e9 ? (gint64) parameter : G_MAXINT32,
                       &ordered->portions);
      ordered->way = PIPELINE;
    }
  else if (parameter < 0 || known != NULL)
    decide_count (self, ordered, loop, parameter < 0 ? -parameter : *known);
  else if (self->options->across_tc_known)
    {
      ordered->way = UNDECIDED;
      return PD_PIPELINE_OK;
    }
  else
    {
      self->across->measures = TRUE;
      return PD_PIPELINE_UNKNOWN_TIME;
    }
  if (pd_portions_get_count (&ordered->portions) > 1)
    return PD_PIPELINE_OK;
  ordered->way = WAVEFRONT;
  return PD_PIPELINE_ONE_PORTION;
}

/* How many across_ of the loop exchange anything in its order. */
static guint
count_schemes (const PdAcross *across)
{
  guint n = 0;

  for (guint i = 0; i < across->ordered->len; i++)
    n += get_ordered (across, i)->arrays->len > 0 ? 1 : 0;
  return n;
}

static PdOrderedLoop
get_facts (const Ordered *ordered, const PdLoopObject *loop)
{
  return (PdOrderedLoop){ .rank = loop->rank,
                          .layout = loop->loop != NULL ? pd_loop_get_layout (loop->loop) : NULL,
                          .counts = loop->counts,
                          .axis = loop->axis,
                          .on_array = loop->on_array,
                          .arrays = ordered->arrays };
}

static PdPipelineReason
decide (PdDvm *self, Ordered *ordered, const PdLoopObject *loop)
{
  PdOrderedLoop facts = get_facts (ordered, loop);

  ordered->way = WAVEFRONT;
  PdPipelineReason reason = pd_pipeline_check (&facts, ordered->quantum, &ordered->shape);
  if (reason != PD_PIPELINE_OK)
    return reason;
  if (count_schemes (self->across) > 1)
    {
      self->across->measures = FALSE;
      return PD_PIPELINE_OTHER_SCHEME;
    }
  return decide_portions (self, ordered, loop);
}

/* Step 4a, in across_: the receives of a wavefront. */
static void
start_wavefront (PdDvm *self, Ordered *ordered)
{
  ordered->way = WAVEFRONT;
  ordered->recv = pd_dvm_shadow_operation_new (self, PD_OPERATION_PIPELINE, ordered->arrays,
                                               ordered->team, ordered->reversed);
  ordered->tag = ordered->recv->tag;
  pd_dvm_emit_half (self, ordered->recv, PD_STEP_RECVS);
}

/* ---- the records */

/* The current loop; the first across_ of it makes a fresh start. */
static const PdLoopObject *
need_current_loop (PdDvm *self, GError **error)
{
  PdAcross *across = self->across;
  gint64 id = pd_dvm_context_get_loop (self);
  const PdLoopObject *loop = id == 0 ? NULL : pd_dvm_find (self, PD_KIND_LOOP, id);

  if (loop == NULL)
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                   "there is no mapped loop, expected this call after mappl_");
      return NULL;
    }
  if (across->loop != id)
    {
      forget_loop (across);
      across->loop = id;
      across->place = g_strdup_printf ("%s:%" G_GINT64_FORMAT, self->call->file, self->call->line);
      across->team = pd_team_ref (loop->team != NULL ? loop->team : self->team);
    }
  return loop;
}

/* The group that @key names, NULL for 0; FALSE if there is none of that name. */
static gboolean
find_group (PdDvm *self, PdDvmKey key, gint64 *id, const PdShadowGroup **group, GError **error)
{
  *id = pd_dvm_get (self, key, 0);
  *group = *id == 0 ? NULL : pd_dvm_find (self, PD_KIND_SHADOW, *id);
  if (*id == 0 || *group != NULL)
    return TRUE;
  return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                      "shadow group '%" G_GINT64_MODIFIER "x' does not exist", (guint64) *id);
}

/* @arrays: (transfer full) (nullable): exchanged in the loop's order. */
static void
add_ordered (PdDvm *self, const PdLoopObject *loop, GArray *arrays, PdTeam *team,
             const gint64 groups[2])
{
  Ordered fresh = { .groups = { groups[0], groups[1] }, .way = WAVEFRONT };
  gboolean is_empty = arrays == NULL;

  fresh.reversed = pd_dvm_get (self, PD_DVM_KEY_AcrossType, 0) != 0;
  fresh.arrays = is_empty ? g_array_new (FALSE, FALSE, sizeof (PdShadowArray)) : arrays;
  fresh.team = pd_team_ref (team != NULL ? team : self->team);
  g_array_append_val (self->across->ordered, fresh);
  if (is_empty)
    return;
  pd_dvm_count_operation (self, PD_OPERATION_PIPELINE);
  for (guint i = 0; i < self->across->ordered->len; i++)
    {
      Ordered *ordered = get_ordered (self->across, i);
      if (ordered->arrays->len == 0 || ordered->recv != NULL)
        continue;
      note (self, decide (self, ordered, loop));
      if (ordered->way == WAVEFRONT)
        start_wavefront (self, ordered);
    }
}

static gboolean
is_inside (PdDvm *self, const PdShadowGroup *group, GError **error)
{
  return group == NULL || pd_dvm_need_inside (self, group->team, error);
}

gboolean
pd_dvm_across (PdDvm *self, GError **error)
{
  const PdLoopObject *loop = need_current_loop (self, error);
  const PdShadowGroup *before, *after;
  gint64 groups[2];
  GArray *arrays = NULL;
  gboolean is_all = TRUE;

  if (loop == NULL || !find_group (self, PD_DVM_KEY_OldShadowGroupRef, &groups[0], &before, error)
      || !find_group (self, PD_DVM_KEY_NewShadowGroupRef, &groups[1], &after, error)
      || !is_inside (self, before, error) || !is_inside (self, after, error))
    return FALSE;
  if (before != NULL && before->arrays->len > 0)
    exchange_before (self, before->arrays, before->team);
  if (after != NULL)
    arrays = pd_dvm_ordered_take (after, loop, pd_dvm_get (self, PD_DVM_KEY_AcrossType, 0) != 0,
                                  PD_EDGES_IN_ORDER, FALSE, &is_all);
  if (!is_all)
    pd_dvm_warn (self, "across-edges-dropped", NULL,
                 "the new shadow group of an ordered loop has edges against the order of the loop: "
                 "left out, the processors would wait for each other");
  add_ordered (self, loop, arrays, after != NULL ? after->team : NULL, groups);
  return TRUE;
}

gboolean
pd_dvm_doacr (PdDvm *self, GError **error)
{
  const PdLoopObject *loop = need_current_loop (self, error);
  const PdShadowGroup *group;
  gint64 groups[2] = { 0, 0 };
  GArray *arrays = NULL;
  gboolean is_all;

  if (loop == NULL || !find_group (self, PD_DVM_KEY_AcrShadowGroupRef, &groups[0], &group, error)
      || !is_inside (self, group, error))
    return FALSE;
  if (group != NULL)
    {
      gboolean reversed = pd_dvm_get (self, PD_DVM_KEY_AcrossType, 0) != 0;
      g_autoptr (GArray) before =
          pd_dvm_ordered_take (group, loop, reversed, PD_EDGES_BEFORE, TRUE, &is_all);
      if (before != NULL)
        exchange_before (self, before, group->team);
      arrays = pd_dvm_ordered_take (group, loop, reversed, PD_EDGES_IN_ORDER, TRUE, &is_all);
    }
  add_ordered (self, loop, arrays, group != NULL ? group->team : NULL, groups);
  return TRUE;
}

/* ---- inside dopl_ and endpl_ */

void
pd_dvm_across_begin (PdDvm *self, gint64 id)
{
  for (guint i = 0; self->across->loop == id && i < self->across->ordered->len; i++)
    {
      const Ordered *ordered = get_ordered (self->across, i);
      if (ordered->recv != NULL)
        pd_dvm_emit_exchange_wait (self, ordered->recv, PD_STEP_ENTERS);
    }
}

/* Seconds of one iteration, averaged over the processors. */
static gdouble
average_time (const PdDvm *self, const PdLoopObject *loop, PdTime time)
{
  const PdTeam *team = self->across->team;
  gint64 total = loop->loop != NULL ? pd_loop_get_total (loop->loop) : 0;
  gdouble sum = 0;

  if (total == 0)
    return 0;
  if (self->n_speeds == 1)
    return pd_time_to_seconds (time) / (gdouble) total / self->speeds[0];
  for (guint32 i = 0; i < team->n; i++)
    sum += 1 / self->speeds[self->speed_of[pd_grid_get_processor (team->grid, i)]];
  return pd_time_to_seconds (time) / (gdouble) total * sum / team->n;
}

void
pd_dvm_across_decide (PdDvm *self, gint64 id, const PdLoopObject *loop, PdTime time)
{
  PdAcross *across = self->across;
  Ordered *ordered = find_ordered (across, id, UNDECIDED);

  if (ordered == NULL && (across->loop != id || !across->measures))
    return;
  gdouble seconds = average_time (self, loop, time);
  if (seconds > 0)
    g_hash_table_insert (across->times, g_strdup (across->place),
                         g_memdup (&seconds, sizeof seconds));
  if (ordered == NULL)
    return;
  decide_count (self, ordered, loop, seconds);
  if (pd_portions_get_count (&ordered->portions) > 1)
    return;
  note (self, PD_PIPELINE_ONE_PORTION);
  start_wavefront (self, ordered);
  pd_dvm_emit_exchange_wait (self, ordered->recv, PD_STEP_ENTERS);
}

gboolean
pd_dvm_across_is_pipeline (const PdDvm *self, gint64 id)
{
  return find_ordered (self->across, id, PIPELINE) != NULL;
}

/* Step 4b. The edges of a layer of the indices that are cut are what all
 * portions multiply. */
void
pd_dvm_across_emit (PdDvm *self, const PdLoopSteps *steps)
{
  PdLoopWork *work = steps->work;
  const Ordered *ordered = find_ordered (self->across, steps->id, PIPELINE);
  PdOrderedLoop facts = get_facts (ordered, steps->loop);

  work->portions = ordered->portions;
  if (self->options->facts != NULL)
    self->options->facts->portions =
        MAX (self->options->facts->portions, pd_portions_get_count (&work->portions));
  for (guint k = 0; k < 2; k++)
    work->portions.is_row[k] = ordered->portions.n[k] > 1;
  for (guint i = 0; i < ordered->arrays->len; i++)
    {
      PdShadowArray *array = &g_array_index (ordered->arrays, PdShadowArray, i);
      for (guint k = 0; k < 2; k++)
        {
          if (ordered->portions.n[k] == 1)
            continue;
          guint axis =
              (guint) pd_pipeline_find_axis (&facts, array->layout, (guint) ordered->quantum[k]);
          array->thin |= (guint8) (1u << axis);
          if (axis + 1 < pd_layout_get_rank (array->layout))
            work->portions.is_row[k] = FALSE;
        }
    }
  PdStepOperation *operation = pd_dvm_shadow_operation_new (
      self, PD_OPERATION_PIPELINE, ordered->arrays, self->across->team, ordered->reversed);
  operation->overlaps = FALSE;
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_PIPELINE);
  step->operation = operation;
  step->work = pd_loop_work_ref (work);
  pd_dvm_set_records (step, steps->records);
  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
}

void
pd_dvm_across_end (PdDvm *self, gint64 id)
{
  PdAcross *across = self->across;

  if (across->loop != id)
    return;
  for (guint i = 0; i < across->ordered->len; i++)
    {
      const Ordered *ordered = get_ordered (across, i);
      for (guint k = 0; k < 2; k++)
        if (ordered->groups[k] != 0)
          pd_dvm_delete (self, PD_KIND_SHADOW, ordered->groups[k]);
      if (ordered->recv == NULL)
        continue;
      PdStepOperation *send = pd_dvm_shadow_operation_new (
          self, PD_OPERATION_PIPELINE, ordered->arrays, ordered->team, ordered->reversed);
      send->tag = ordered->tag;
      send->overlaps = FALSE;
      pd_dvm_emit_half (self, send, PD_STEP_SENDS);
      pd_dvm_emit_exchange_wait (self, send, 0);
      pd_operation_unref (send);
    }
  g_array_set_size (across->ordered, 0);
}

void
pd_dvm_across_forget (PdDvm *self, gint64 id)
{
  if (self->across->loop == id)
    forget_loop (self->across);
}

void
pd_dvm_across_measure (PdDvm *self, gint64 id)
{
  PdAcross *across = self->across;

  if (across->loop != id)
    return;
  if (across->measures)
    pd_dvm_ordered_measure (self, across->team);
  forget_loop (across);
}
