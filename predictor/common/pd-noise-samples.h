/* Measured noise samples: how often, and for how long, a machine did something else
 * than compute. The form of the file is in predictor-machine(5).
 * SPDX-License-Identifier: MIT */
#ifndef PD_NOISE_SAMPLES_H
#define PD_NOISE_SAMPLES_H

#include "base/pd-random.h"
#include "base/pd-time.h"

/* Most rows of a list. */
#define PD_NOISE_SAMPLES_MAX_ROWS 65536

/* Immutable. */
typedef struct _PdNoiseSamples PdNoiseSamples;

/**
 * pd_noise_samples_load:
 * @path: a file
 * @error: return location for a #PdMachineError: %PD_MACHINE_ERROR_NOT_FOUND,
 *   _FORMAT (not of this form, or cut), _VALUE (a bad number); messages name
 *   the file, the line and the expected contents
 *
 * Returns: (transfer full) (nullable): the list.
 */
PdNoiseSamples *pd_noise_samples_load (const char *path, GError **error);

/**
 * pd_noise_samples_parse:
 * @text: (array length=size): the contents of a file
 * @size: its size in bytes
 * @name: what messages call it
 * @error: as for pd_noise_samples_load()
 *
 * Returns: (transfer full) (nullable): the list.
 */
PdNoiseSamples *pd_noise_samples_parse (const char *text, gsize size, const char *name,
                                        GError **error);

/**
 * pd_noise_samples_free:
 * @self: (nullable): the list
 */
void pd_noise_samples_free (PdNoiseSamples *self);

/**
 * pd_noise_samples_draw:
 * @self: the list
 * @time: of computation
 * @random: where numbers come from
 *
 * Each noise sample of the list occurs independently of the others, a number of
 * times that has Poisson's distribution: as often in @time as measured in the
 * time that the measurement left for computing. Costs O(rows) at most.
 *
 * Returns: the sum of the noise samples met within @time.
 */
PdTime pd_noise_samples_draw (const PdNoiseSamples *self, PdTime time, PdRandom *random);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdNoiseSamples, pd_noise_samples_free)

#endif
