/* Recorded numbers with the places where they occur, as rules are found in them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_COLLECT_PRIVATE_H
#define PD_SCALE_COLLECT_PRIVATE_H

#include "scale/pd-scale-numbers-private.h"

/* Repetitions that each may have a rule of their own. */
#define PD_SCALE_MOST_KINDS 64

/**
 * pd_scale_collect_repetitions:
 * @i: a member of @source
 * @samples: (element-type PdRuleSample): gets its numbers by the repetition of the innermost loop
 * @periods: (nullable) (element-type PdRuleSample): gets after how many repetitions they begin
 *   again; @samples get no more
 *
 * Returns: whether they are the same each time that the loop is executed.
 */
gboolean pd_scale_collect_repetitions (const PdScaleSource *source, guint i, GArray *samples,
                                       GArray *periods);

/**
 * pd_scale_collect_levels:
 * @member: of @source
 * @samples: (element-type PdRuleSample): gets its numbers by the repetitions of the innermost loop
 * and of the loop around that
 *
 * Returns: whether they are the same each time that the outer loop is executed.
 */
gboolean pd_scale_collect_levels (const PdScaleSource *source, guint member, GArray *samples);

/**
 * pd_scale_collect_entries:
 * @i: a member of @source
 * @list: its list, or %PD_SCALE_NO_LIST
 * @lengths: (element-type PdRuleSample): gets its length, -1 if there is none
 * @entries: (element-type PdRuleSample): gets its entries by their places
 */
void pd_scale_collect_entries (const PdScaleSource *source, guint i, gint64 list, GArray *lengths,
                               GArray *entries);

#endif
