/* Copies between distributed arrays, and between them and memory: who sends how
 * much to whom.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_H
#define PD_DVM_COPY_H

#include "predictor/dvm/layout/pd-dvm-layout.h"
#include "predictor/dvm/layout/pd-plan.h"

/* Part of an array: along each axis the indices first, first + step … last. */
typedef struct
{
  PdLayout *layout; /* borrowed; objects made from the section reference it */
  PdLoopRange ranges[PD_MAX_RANK];
  gboolean once; /* as a source: of the processors that hold the same part only the
                  * first one sends it, and only to those without it */
} PdSection;

/**
 * pd_section_init:
 * @self: (out): the section
 * @layout: of the array
 * @first: (array) (nullable): of each axis; -1 = the whole axis. %NULL: the
 *   whole array
 * @last: (array) (nullable): clipped to the array; less than @first = one index
 * @step: (array) (nullable): below 1 is 1
 * @error: return location for %PD_LAYOUT_ERROR_VALUE
 *
 * As the run-time reads the index lists of arrcpy_: @last
 * becomes the last index really hit, the step of a single index 1.
 *
 * Returns: %FALSE if @first lies outside the array.
 */
gboolean pd_section_init (PdSection *self, PdLayout *layout, const gint64 *first,
                          const gint64 *last, const gint64 *step, GError **error);

/**
 * pd_section_get_count:
 * Returns: the number of elements; saturates at G_MAXINT64.
 */
gint64 pd_section_get_count (const PdSection *self);

/**
 * pd_section_get_local_count:
 * @processor: a global processor number
 *
 * Returns: the elements of the section that this processor holds.
 */
gint64 pd_section_get_local_count (const PdSection *self, guint32 processor);

/**
 * pd_section_truncate:
 * @count: 1 to pd_section_get_count()
 *
 * Where two sections have different counts the run-time copies as many elements
 * as the smaller has, in linear order. Shortens @self to at most @count
 * elements, whole slices of the first axes only (the exact number where the
 * section is a vector).
 *
 * Returns: the elements that are left.
 */
gint64 pd_section_truncate (PdSection *self, gint64 count);

/**
 * pd_copy_plan_new:
 * @from: the source
 * @to: the target, as many elements
 * @type_size: bytes per element, >= 1
 *
 * The messages of arrcpy_ between arrays, of remote buffers, redis_ and realn_:
 * the first of the four rules that applies. Sparse: made
 * in O(sum of grid dimensions) (rule 4 with different shapes: O(pairs of owners
 * that have elements in common)), queried in O(own messages), summed up in O(rank)
 * except for different shapes. Posting order: receives by increasing source, then
 * sends by increasing target. A copy within processors is a plan
 * without messages. If the sections have different counts, the count of the
 * smaller one is copied, element by element.
 *
 * A processor copies elements that it has in both sections itself (PdPlanLocal.copied,
 * for all plans in this file); a plan does not know which processors get fresh memory.
 * Runs assume that divided axes have shadow edges; with different shapes they are estimated.
 *
 * Returns: (transfer full): the plan.
 */
PdPlan *pd_copy_plan_new (const PdSection *from, const PdSection *to, gint64 type_size);

/**
 * pd_copy_plan_new_element:
 * @from: a section of one element
 * @to: a section of one element
 * @type_size: bytes of the element
 *
 * copelm_, acopel_: each owner of the source sends to each owner of the target
 * that does not own the source.
 *
 * Returns: (transfer full): the plan.
 */
PdPlan *pd_copy_plan_new_element (const PdSection *from, const PdSection *to, gint64 type_size);

/**
 * pd_copy_plan_new_gather:
 * @from: the source
 * @current: the current processor system
 * @only: linear number in @current of the only processor that gets the data;
 *   G_MAXUINT32: all do
 * @type_size: bytes per element
 *
 * An array to the memory of processors: each that
 * holds a part sends it to every other one whose own part does not intersect
 * it. Posting order: sends, then receives.
 *
 * Returns: (transfer full): the plan.
 */
PdPlan *pd_copy_plan_new_gather (const PdSection *from, PdGrid *current, guint32 only,
                                 gint64 type_size);

/**
 * pd_copy_plan_new_scatter:
 * @to: the target
 * @current: the current processor system
 * @from: linear number in @current of the processor that has the memory
 * @type_size: bytes per element
 *
 * Memory of one processor to an array: it sends every other one its part, also
 * to replicas.
 *
 * Returns: (transfer full): the plan.
 */
PdPlan *pd_copy_plan_new_scatter (const PdSection *to, PdGrid *current, guint32 from,
                                  gint64 type_size);

#endif
