/* A machine with other networks or processors.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_FASTER_H
#define PD_MACHINE_FASTER_H

#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/**
 * pd_machine_hasten_networks:
 * @self: a machine that is not in use yet
 * @factor: > 0
 *
 * Divides all times of networks and memories by @factor and multiplies their bandwidths by it:
 * parameters, measured tables, the times of the collective set "simple". The software's overheads
 * stay.
 */
void pd_machine_hasten_networks (PdMachine *self, gdouble factor);

/**
 * pd_machine_scale_latencies:
 * @self: a machine that is not in use yet
 * @factor: > 0
 *
 * Multiplies by @factor the times per message of networks and memories that keep no processor
 * and no adapter: latencies and startups, the shortest time of each column of measured
 * tables with several rows, the times of the collective set "simple" that do not grow with bytes.
 * LogGOPS's o, g and O stay.
 */
void pd_machine_scale_latencies (PdMachine *self, gdouble factor);

/**
 * pd_machine_scale_bandwidths:
 * @self: a machine that is not in use yet
 * @factor: > 0
 *
 * Multiplies the bandwidths of networks and memories by @factor and divides their times of a byte
 * by it: parameters, times of measured tables beyond the shortest of their column, the set
 * "simple". LogGOPS's O stays.
 */
void pd_machine_scale_bandwidths (PdMachine *self, gdouble factor);

/**
 * pd_machine_hasten_processors:
 * @self: a machine that is not in use yet
 * @factor: > 0
 *
 * Multiplies the speed of all processors by @factor.
 */
void pd_machine_hasten_processors (PdMachine *self, gdouble factor);

/* A setting NAME=FACTOR of the whole machine, which is no path of its description. */
typedef struct
{
  const char *name; /* "network-ratio" */
  void (*apply) (PdMachine *self, gdouble factor);
} PdMachineRatio;

#define PD_MACHINE_N_RATIOS 4

extern const PdMachineRatio pd_machine_ratios[PD_MACHINE_N_RATIOS];

G_END_DECLS

#endif
