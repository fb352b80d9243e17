/* How well a model gives the largest recording that it was found in.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALED_VALIDATE_H
#define PD_SCALED_VALIDATE_H

#include "predictor/mp/pd-mp.h"
#include "scale/pd-scale-model.h"

/**
 * pd_scaled_validate:
 * @model: gets the validation
 * @programs: (element-type PdProgram): what it was made of, by rising number of ranks
 * @where: the machine that both are predicted on, with its settings; what else both runs have
 * @error: return location for a #PdSimulationError of the largest recording, or an interruption
 *
 * The largest recording is made of the smaller ones by the same rules, if these have two numbers of
 * ranks, and compared: calls, and run times.
 */
gboolean pd_scaled_validate (PdScaleModel *model, GPtrArray *programs, const PdMpOptions *where,
                             GError **error);

#endif
