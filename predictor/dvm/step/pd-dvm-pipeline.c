/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/step/pd-dvm-pipeline.h"
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"

#include <math.h>

#define MAX_PORTIONS (1 << 20)

static const struct
{
  int code; /* ErrPipeLine */
  const char *text;
} reasons[PD_N_PIPELINE_REASONS] = {
  [PD_PIPELINE_OK] = { 0, "it is a pipeline" },
  [PD_PIPELINE_ONE_PROCESSOR] = { 9, "there is one processor" },
  [PD_PIPELINE_EMPTY] = { 10, "the loop is empty or not mapped" },
  [PD_PIPELINE_OTHER_SCHEME] = { 20, "the loop has an across_ of the other type, too" },
  [PD_PIPELINE_UNKNOWN_TIME] = { 32, "the time of an iteration is measured in this execution" },
  [PD_PIPELINE_FEW_ITERATIONS] = { 40, "there are fewer iterations than processors" },
  [PD_PIPELINE_CORNERS] = { 120, "corners are exchanged between the portions" },
  [PD_PIPELINE_TEMPLATES] = { 140, "the arrays exchanged are on different templates" },
  [PD_PIPELINE_NO_DIMENSION] = { 150, "nothing is exchanged along a distributed loop index" },
  [PD_PIPELINE_ON_TEMPLATE] = { 170, "the loop is mapped on a template, not on an array" },
  [PD_PIPELINE_NO_QUANTUM] = { 180, "all loop indices are distributed: none can be cut" },
  [PD_PIPELINE_ONE_PORTION] = { 190, "fewer than two portions" },
};

int
pd_pipeline_get_code (PdPipelineReason reason)
{
  return reasons[reason].code;
}

const char *
pd_pipeline_get_text (PdPipelineReason reason)
{
  return reasons[reason].text;
}

/* ---- whether */

/* The number of processors over which each index of the loop is distributed. */
static void
find_processors (const PdOrderedLoop *loop, guint32 *processors)
{
  for (guint i = 0; i < loop->rank; i++)
    processors[i] = 1;
  for (guint d = 0; d < loop->layout->grid->rank; d++)
    if (loop->layout->dims[d].kind == PD_HOLDS_RANGE)
      processors[loop->layout->dims[d].axis] = loop->layout->grid->sizes[d];
}

static const PdLayout *
template_of (const PdLayout *layout)
{
  return layout->base != NULL ? layout->base : layout;
}

/* Whether some array has edges along the grid dimension of loop index @i. */
static gboolean
has_edge (const PdOrderedLoop *loop, guint i)
{
  for (guint d = 0; d < loop->layout->grid->rank; d++)
    for (guint k = 0; k < loop->arrays->len; k++)
      {
        const PdShadowArray *array = &g_array_index (loop->arrays, PdShadowArray, k);
        const PdConstraint *own = &loop->layout->dims[d], *other = &array->layout->dims[d];
        if (own->kind == PD_HOLDS_RANGE && own->axis == i && other->kind == PD_HOLDS_RANGE
            && (array->low[other->axis] > 0 || array->high[other->axis] > 0))
          return TRUE;
      }
  return FALSE;
}

/* The template axis that @axis of an object runs along, or -1. */
static gint
find_template_axis (const PdLayout *layout, gint axis)
{
  for (guint m = 0; m < layout->n_rules; m++)
    if (layout->rules[m].kind == PD_RULE_LINEAR && (gint) layout->rules[m].axis == axis)
      return (gint) m;
  return -1;
}

gint
pd_pipeline_find_axis (const PdOrderedLoop *loop, const PdLayout *array, guint index)
{
  gint m = find_template_axis (loop->layout, (gint) index), axis = loop->axis[index];

  if (m >= 0)
    return (guint) m < array->n_rules && array->rules[m].kind == PD_RULE_LINEAR
               ? (gint) array->rules[m].axis
               : -1;
  /* whole everywhere, in the array as in that of the loop */
  return axis >= 0 && axis < (gint) array->rank && find_template_axis (array, axis) < 0 ? axis : -1;
}

/* Every array exchanged must have the axis, whole, or it could not be cut. */
static gboolean
can_be_cut (const PdOrderedLoop *loop, guint i)
{
  for (guint k = 0; k < loop->arrays->len; k++)
    {
      const PdShadowArray *array = &g_array_index (loop->arrays, PdShadowArray, k);
      gint axis = pd_pipeline_find_axis (loop, array->layout, i);
      if (axis < 0 || (array->limited >> axis & 1) != 0
          || array->layout->sizes[axis] < loop->counts[i])
        return FALSE;
    }
  return loop->axis[i] >= 0 && loop->counts[i] > 1;
}

static void
find_quantum (const PdOrderedLoop *loop, const guint32 *processors, gint quantum[2])
{
  quantum[0] = quantum[1] = -1;
  for (guint i = 0; i < loop->rank; i++)
    {
      if (processors[i] > 1 || !can_be_cut (loop, i))
        continue;
      if (quantum[0] < 0 || loop->counts[i] > loop->counts[quantum[0]])
        {
          quantum[1] = quantum[0];
          quantum[0] = (gint) i;
        }
      else if (quantum[1] < 0 || loop->counts[i] > loop->counts[quantum[1]])
        quantum[1] = (gint) i;
    }
}

/* Fills @shape; FALSE if nothing is exchanged along a distributed index. */
static gboolean
find_shape (const PdOrderedLoop *loop, const guint32 *processors, gint quantum,
            PdPipelineShape *shape)
{
  gint pipelined = -1;

  for (guint i = 0; i < loop->rank; i++)
    if (processors[i] > 1 && has_edge (loop, i)
        && (pipelined < 0 || processors[i] > processors[pipelined]))
      pipelined = (gint) i;
  if (pipelined < 0)
    return FALSE;
  shape->pm = processors[pipelined];
  shape->iterations = (gdouble) loop->counts[pipelined];
  shape->nq = quantum >= 0 ? (gdouble) loop->counts[quantum] : 1;
  for (guint i = 0; i < loop->rank; i++)
    if ((gint) i != pipelined && (gint) i != quantum)
      shape->iterations *= (gdouble) loop->counts[i] / processors[i];
  return TRUE;
}

static PdPipelineReason
check_arrays (const PdOrderedLoop *loop)
{
  for (guint k = 0; k < loop->arrays->len; k++)
    {
      const PdShadowArray *array = &g_array_index (loop->arrays, PdShadowArray, k);
      guint n = 0;

      for (guint i = 0; i < array->layout->rank; i++)
        n += array->low[i] > 0 || array->high[i] > 0;
      if (n > 1 && array->max_count > 1)
        return PD_PIPELINE_CORNERS;
      if (template_of (array->layout) != template_of (loop->layout))
        return PD_PIPELINE_TEMPLATES;
    }
  return PD_PIPELINE_OK;
}

PdPipelineReason
pd_pipeline_check (const PdOrderedLoop *loop, gint quantum[2], PdPipelineShape *shape)
{
  guint32 processors[PD_MAX_RANK];

  quantum[0] = quantum[1] = -1;
  if (loop->layout == NULL)
    return PD_PIPELINE_EMPTY;
  if (loop->layout->grid->n == 1)
    return PD_PIPELINE_ONE_PROCESSOR;
  find_processors (loop, processors);
  for (guint i = 0; i < loop->rank; i++)
    if (loop->counts[i] == 0)
      return PD_PIPELINE_EMPTY;
  for (guint i = 0; i < loop->rank; i++)
    if (processors[i] > 1 && loop->counts[i] < (gint64) processors[i])
      return PD_PIPELINE_FEW_ITERATIONS;
  PdPipelineReason reason = check_arrays (loop);
  if (reason != PD_PIPELINE_OK)
    return reason;
  find_quantum (loop, processors, quantum);
  if (!find_shape (loop, processors, quantum[0], shape))
    return PD_PIPELINE_NO_DIMENSION;
  if (!loop->on_array)
    return PD_PIPELINE_ON_TEMPLATE;
  return quantum[0] < 0 ? PD_PIPELINE_NO_QUANTUM : PD_PIPELINE_OK;
}

/* ---- in how many portions */

gint64
pd_pipeline_count (const PdPipelineShape *shape, const PdPipelineCosts *costs)
{
  gdouble a = costs->tc * shape->iterations, m = costs->layer, e = costs->posts;
  gdouble pm = shape->pm, square;

  if (m > 0 && pm > a / m) /* the pipeline is not fully loaded */
    square = shape->nq * (pm * (a + pm * m) - 2 * a) / (pm * e);
  else
    square = shape->nq * (pm - 1) * (a + pm * m) / (pm * e);
  gdouble q = ceil (sqrt (square));
  /* a receive that costs nothing: as many as possible, unless nothing costs anything */
  gdouble most = MIN (shape->nq, MAX_PORTIONS);
  return q >= most ? (gint64) most : q >= 1 ? (gint64) q : 1;
}

static gint64
divide_up (gint64 n, gint64 d)
{
  return n / d + (n % d != 0 ? 1 : 0);
}

void
pd_pipeline_cut (const gint64 *iterations, gint64 n, PdPortions *portions)
{
  gint64 wanted = CLAMP (n, 1, MAX_PORTIONS);

  *portions = (PdPortions){ .n = { 1, 1 } };
  for (guint i = 0; i < 2; i++)
    {
      portions->iterations[i] = MAX (iterations[i], 1);
      portions->n[i] =
          divide_up (portions->iterations[i], divide_up (portions->iterations[i], wanted));
      wanted = divide_up (wanted, portions->n[i]);
      if (portions->n[i] == 1) /* it is not cut */
        portions->iterations[i] = 1;
    }
}
