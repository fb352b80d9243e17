/* Whether the run-time executes an ordered loop as a pipeline, and in how many
 * portions. Pure functions.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_PIPELINE_H
#define PD_DVM_PIPELINE_H

#include "predictor/dvm/step/pd-step.h"

/* The loop, as far as it matters. */
typedef struct
{
  guint rank;
  const PdLayout *layout; /* (nullable): of the loop's space */
  const gint64 *counts;   /* iterations of each index */
  const gint8 *axis;      /* axis of the pattern each index runs along; -1 = none */
  gboolean on_array;      /* mapped on an array, not on a template */
  const GArray *arrays;   /* PdShadowArray: exchanged between portions, only in the
                           * order of the loop */
} PdOrderedLoop;

/* Why there is no pipeline. */
typedef enum
{
  PD_PIPELINE_OK,
  PD_PIPELINE_ONE_PROCESSOR, /* nothing to do in parallel */
  PD_PIPELINE_EMPTY,
  PD_PIPELINE_OTHER_SCHEME,
  PD_PIPELINE_UNKNOWN_TIME,
  PD_PIPELINE_FEW_ITERATIONS,
  PD_PIPELINE_CORNERS,
  PD_PIPELINE_TEMPLATES,
  PD_PIPELINE_NO_DIMENSION,
  PD_PIPELINE_ON_TEMPLATE,
  PD_PIPELINE_NO_QUANTUM,
  PD_PIPELINE_ONE_PORTION,
  PD_N_PIPELINE_REASONS
} PdPipelineReason;

/* The costs that determine the number of portions. */
typedef struct
{
  gdouble pm;         /* Pm: processors along the pipeline */
  gdouble iterations; /* M: iterations of a layer of the quantum index */
  gdouble nq;         /* Nq: iterations of the quantum index */
} PdPipelineShape;

/* … and what of the network and the program; seconds. */
typedef struct
{
  gdouble tc;    /* Tc: one iteration */
  gdouble layer; /* m = Tm*W*b: to carry the edge of one layer */
  gdouble posts; /* e = Tirecv + Twrecv: to post and to finish a receive */
} PdPipelineCosts;

/**
 * pd_pipeline_check:
 * @quantum: (out): the indices that can be cut, the largest first; -1 = none
 * @shape: (out): for pd_pipeline_count()
 *
 * Returns: whether the loop can be a pipeline, or the run-time's first reason
 *   why not; never UNKNOWN_TIME, OTHER_SCHEME or ONE_PORTION.
 */
PdPipelineReason pd_pipeline_check (const PdOrderedLoop *loop, gint quantum[2],
                                    PdPipelineShape *shape);

/**
 * pd_pipeline_find_axis:
 * @array: an array's layout
 * @index: of the loop
 *
 * Returns: the axis of @array that runs along with an index of the loop, or -1.
 */
gint pd_pipeline_find_axis (const PdOrderedLoop *loop, const PdLayout *array, guint index);

/**
 * pd_pipeline_get_code:
 * Returns: what ErrPipeLine says in the trace.
 */
int pd_pipeline_get_code (PdPipelineReason reason);

/**
 * pd_pipeline_get_text:
 * Returns: (transfer none): the reason in words.
 */
const char *pd_pipeline_get_text (PdPipelineReason reason);

/**
 * pd_pipeline_count:
 * Returns: Q, the number of portions that the run-time finds best; at least 1
 *   and at most Nq and 2^20.
 */
gint64 pd_pipeline_count (const PdPipelineShape *shape, const PdPipelineCosts *costs);

/**
 * pd_pipeline_cut:
 * @iterations: (array length=2): of the indices that can be cut; 0 = no second one
 * @n: the number of portions wanted; of PipeLinePar, which the run-time rounds
 * @portions: (out): what comes out
 *
 * The number along the first index becomes ceil (n / ceil (n / wanted)); what
 * that leaves to be wanted, of the second one. At most 2^20 in all.
 */
void pd_pipeline_cut (const gint64 *iterations, gint64 n, PdPortions *portions);

#endif
