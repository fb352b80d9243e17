/* A recorded program as loops: what the rules for other numbers of ranks are found in.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_RUN_H
#define PD_SCALE_RUN_H

#include "scale/fold/pd-fold.h"
#include "scale/pd-scale-words.h"

/* A rank of a recorded program. */
typedef struct
{
  PdFold fold; /* its actions */
  GArray
      *comms; /* guint32: communicators of the program, as it uses them first; [0] is the world */
} PdScaleRank;

typedef struct
{
  const PdProgram *program; /* borrowed */
  guint32 n_ranks;
  PdScaleRank *ranks;
  guint64 n_actions;
} PdScaleRun;

/**
 * pd_scale_is_work:
 * Returns: whether amounts of actions of @kind are operations in programs of @unit; otherwise they
 *   are times.
 */
static inline gboolean
pd_scale_is_work (PdAmountUnit unit, PdActionKind kind)
{
  return unit == PD_AMOUNT_FLOPS
         && (kind == PD_ACT_COMPUTE || kind == PD_ACT_COLLECTIVE || kind == PD_ACT_ICOLLECTIVE);
}

/**
 * pd_scale_get_defaults:
 * @numbers: (out caller-allocated) (array length=PD_SCALE_N_COLUMNS): what an action of @kind has
 * that uses none of them
 */
void pd_scale_get_defaults (PdActionKind kind, gint64 *numbers);

/**
 * pd_scale_run_new:
 * @program: borrowed
 * @settles: completions are settled, see pd-scale-reader.h
 * @words: get its shapes, strings and lists
 *
 * Returns: (transfer full): the loops of its ranks.
 */
PdScaleRun *pd_scale_run_new (const PdProgram *program, gboolean settles, PdScaleWords *words);

/**
 * pd_scale_run_list_loops:
 * @loops: get those of all ranks
 *
 * Returns: whether one of them is new.
 */
gboolean pd_scale_run_list_loops (const PdScaleRun *self, PdFoldLoops *loops);

/**
 * pd_scale_run_recognise:
 * @loops: of all recordings: a loop in one of them is a loop here
 */
void pd_scale_run_recognise (PdScaleRun *self, const PdFoldLoops *loops);

/**
 * pd_scale_run_free:
 * @self: (nullable): frees it
 */
void pd_scale_run_free (PdScaleRun *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScaleRun, pd_scale_run_free)

#endif
