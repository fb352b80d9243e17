/* How well a model gives the largest recording that it was found in.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALED_VALIDATE_H
#define PD_SCALED_VALIDATE_H

#include "scale/pd-scale-model.h"

/**
 * pd_scaled_validate:
 * @model: gets the validation
 * @programs: (element-type PdProgram): what it was made of, by rising number of ranks
 * @stop: (nullable): not 0: stop as soon as possible
 * @error: return location for a #PdSimulationError of the largest recording, or an interruption
 *
 * The largest recording is made of the smaller ones by the same rules, if these have two numbers of
 * ranks, and compared: calls, and run times on a machine whose network costs nothing, so that the
 * result is the same whatever machine the model is asked for.
 */
gboolean pd_scaled_validate (PdScaleModel *model, GPtrArray *programs,
                             const volatile sig_atomic_t *stop, GError **error);

#endif
