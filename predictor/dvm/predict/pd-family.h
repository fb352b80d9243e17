/* Traces of one DVM program with tasks, each recorded for another number of processors: which of
 * them fits a grid.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FAMILY_H
#define PD_FAMILY_H

#include "base/pd-messages.h"
#include "predictor/common/pd-counts.h"

typedef struct _PdFamily PdFamily;

/**
 * pd_family_new:
 * @paths: (array zero-terminated=1): files of traces, at least one
 * @error: return location for a #PdDvmError, or for %PD_DVM_MODEL_ERROR_GRID: two traces were
 *   recorded for the same processors
 *
 * Reads the headers of all.
 *
 * Returns: (transfer full) (nullable): the family.
 */
PdFamily *pd_family_new (const char *const *paths, GError **error);

/**
 * pd_family_free:
 * @self: (nullable): the family
 */
void pd_family_free (PdFamily *self);

/**
 * pd_family_choose:
 * @count: a grid
 * @messages: takes the note "task-family"
 * @error: return location for %PD_DVM_MODEL_ERROR_GRID
 *
 * The trace that was recorded for the virtual processor system @count; else, of those without a
 * virtual system, the one recorded on as many processors, or the first one.
 *
 * Returns: (transfer none) (nullable): its path; %NULL if all were recorded for other virtual
 *   systems.
 */
const char *pd_family_choose (const PdFamily *self, const PdCount *count, PdMessages *messages,
                              GError **error);

/**
 * pd_family_get_grids:
 * @any: (out): the first trace without a virtual processor system, which can be predicted for any
 *   grid; %NULL if there is none
 *
 * Returns: (transfer full) (element-type PdCount): the virtual processor systems that traces were
 *   recorded for, in the order of the traces.
 */
GArray *pd_family_get_grids (const PdFamily *self, const char **any);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdFamily, pd_family_free)

#endif
