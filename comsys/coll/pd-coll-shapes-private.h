/* Trees of ranks relative to the root. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_SHAPES_PRIVATE_H
#define PD_COLL_SHAPES_PRIVATE_H

#include "comsys/coll/pd-coll-tools.h"

typedef struct
{
  guint32 (*get_parent) (guint32 r, guint32 n); /* r > 0 */
  guint32 (*get_n_children) (guint32 r, guint32 n);
  guint32 (*get_child) (guint32 r, guint32 n, guint32 k);
  gboolean is_split; /* odd ranks pass on the first half, even ones the second */
} PdTree;

extern const PdTree pd_tree_binomial;
extern const PdTree pd_tree_knomial; /* of radix 4 */
extern const PdTree pd_tree_in_order;
extern const PdTree pd_tree_binary;
extern const PdTree pd_tree_split_binary;
extern const PdTree pd_tree_chain; /* 4 chains */
extern const PdTree pd_tree_pipeline;
extern const PdTree pd_tree_linear;

#endif
