/* The labels of one rank of a GOAL text: which operation each one names.
 * Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_LABELS_H
#define PD_GOAL_LABELS_H

#include <glib.h>

typedef struct _PdGoalLabels PdGoalLabels;

/**
 * pd_goal_labels_new:
 * Returns: (transfer full): no labels yet.
 */
PdGoalLabels *pd_goal_labels_new (void);

/**
 * pd_goal_labels_free:
 * @self: (nullable): the labels
 */
void pd_goal_labels_free (PdGoalLabels *self);

/**
 * pd_goal_labels_begin_rank:
 * Forgets all labels, at no cost, and keeps the memory.
 */
void pd_goal_labels_begin_rank (PdGoalLabels *self);

/**
 * pd_goal_labels_define:
 * @text: (array length=length): the label, at least one byte
 * @op: index of its operation in the rank; not less than those before it
 *
 * Returns: %FALSE if the label was defined before, and stays as it was.
 */
gboolean pd_goal_labels_define (PdGoalLabels *self, const char *text, gsize length, guint32 op);

/**
 * pd_goal_labels_find:
 * @text: (array length=length): the label, at least one byte
 * @op: (out): its operation; written only on success
 *
 * Returns: %FALSE if it is not defined.
 */
gboolean pd_goal_labels_find (const PdGoalLabels *self, const char *text, gsize length,
                              guint32 *op);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdGoalLabels, pd_goal_labels_free)

#endif
