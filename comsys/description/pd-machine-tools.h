/* Functions of the command line for machine descriptions besides loading.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_TOOLS_H
#define PD_MACHINE_TOOLS_H

#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/* Kinds of words that descriptions consist of. */
typedef enum
{
  PD_MACHINE_WORDS_TYPES,    /* networks: "flow" */
  PD_MACHINE_WORDS_KEYS,     /* of inline machines: "flow:latency=", those of all types "nodes=";
                              * with its value where that is one of few: "bcast=binomial" */
  PD_MACHINE_WORDS_SETTINGS, /* "network/latency=", "collectives/set=simple" */
} PdMachineWords;

G_END_DECLS

#endif
