/* A machine for people: its parameters and a picture of its hierarchy.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_SHOW_H
#define PD_MACHINE_SHOW_H

#include "comsys/description/pd-machine-tools.h"

G_BEGIN_DECLS

/**
 * pd_machine_describe:
 * @self: the machine
 *
 * For people: a table of its parameters and a picture of its hierarchy, lines
 * that end with a newline.
 *
 * Returns: (transfer full): the text.
 */
char *pd_machine_describe (const PdMachine *self);

/**
 * pd_machine_describe_network:
 * @network: one of a machine
 *
 * Returns: (transfer full): its type, name, parameters and protocol in one line, as in
 *   pd_machine_describe().
 */
char *pd_machine_describe_network (const PdMachineNetwork *network);

/**
 * pd_machine_describe_speeds:
 * @node: nodes of a machine
 *
 * Returns: (transfer full): "speed 1", "speed 0.5 to 1".
 */
char *pd_machine_describe_speeds (const PdMachineNode *node);

/**
 * pd_machine_describe_topology:
 * @network: one of a machine
 *
 * Returns: (transfer full): how its links connect the nodes, as "fat-tree"; of networks without
 *   links, their type, as "contention".
 */
char *pd_machine_describe_topology (const PdMachineNetwork *network);

/**
 * pd_machine_describe_sources:
 * @self: a machine
 *
 * Returns: (transfer full): the kinds of its sources, those to be trusted most first, as
 *   "measured, estimate"; "" if none are stated.
 */
char *pd_machine_describe_sources (const PdMachine *self);

G_END_DECLS

#endif
