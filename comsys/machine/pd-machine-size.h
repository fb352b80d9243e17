/* The networks of a machine: their sizes, their end. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_SIZE_H
#define PD_MACHINE_SIZE_H

#include "comsys/machine/pd-machine.h"

/* The most processors (and counts of anything) in a machine. */
#define PD_MACHINE_MAX_PROCESSORS (1 << 24)

/**
 * pd_machine_node_size:
 * Returns: the processors of all @node->count copies; saturates.
 */
gint64 pd_machine_node_size (const PdMachineNode *node);

/**
 * pd_machine_network_size:
 * Returns: the processors of one copy of @network; saturates.
 */
gint64 pd_machine_network_size (const PdMachineNetwork *network);

/**
 * pd_machine_free_tables:
 * Frees the tables behind the configuration of @network.
 */
void pd_machine_free_tables (PdMachineNetwork *network);

/**
 * pd_machine_network_free:
 * @network: (nullable): the network, with all below it
 */
void pd_machine_network_free (PdMachineNetwork *network);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMachineNetwork, pd_machine_network_free)

#endif
