/* Disturbances of computation: the noise of a machine description, drawn for
 * each processor and each piece of computation. A piece is the ordinary time
 * between two operations in one interval, or the share of a processor in a
 * parallel loop in one interval.
 * SPDX-License-Identifier: MIT */
#ifndef PD_NOISE_H
#define PD_NOISE_H

#include "comsys/machine/pd-machine.h"

/* Immutable. */
typedef struct _PdNoise PdNoise;

/**
 * pd_noise_new:
 * @description: of the machine; its kind is not %PD_NOISE_NONE
 * @seed: what all numbers depend on
 * @error: return location for a #PdMachineError of the list of noise samples
 *
 * Returns: (transfer full) (nullable): the noise.
 */
PdNoise *pd_noise_new (const PdMachineNoise *description, guint64 seed, GError **error);

/**
 * pd_noise_free:
 * @self: (nullable): the noise
 */
void pd_noise_free (PdNoise *self);

/**
 * pd_noise_apply:
 * @self: (nullable): the noise; %NULL: there is none
 * @processor: who computes
 * @step: number of the step that the piece belongs to
 * @part: number of the piece within it
 * @time: what it takes undisturbed
 *
 * The result depends on nothing but the arguments and the seed, so the order
 * of the simulation does not matter.
 *
 * Returns: what it takes; >= 0. No time stays no time.
 */
PdTime pd_noise_apply (const PdNoise *self, guint32 processor, guint64 step, guint32 part,
                       PdTime time);

/**
 * pd_noise_scatter:
 * @self: (nullable): the noise; only %PD_NOISE_RECORDED changes anything
 * @processor: who computes
 * @loop: number of the parallel loop, each time it is executed another one
 * @sigma: standard deviation of the logarithm of its time; >= 0
 * @time: what the loop, or a part of it, takes undisturbed
 *
 * The time is multiplied by a number of the lognormal distribution with mean 1. All parts of the
 * loop are disturbed alike.
 *
 * Returns: what it takes; >= 0.
 */
PdTime pd_noise_scatter (const PdNoise *self, guint32 processor, guint64 loop, gdouble sigma,
                         PdTime time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdNoise, pd_noise_free)

#endif
