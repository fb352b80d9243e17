/* The elements of a machine description and their attributes: the one place that names
 * them besides the schema, which a test compares with this. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_ELEMENTS_H
#define PD_MACHINE_ELEMENTS_H

#include "comsys/description/pd-machine-parts.h"

/**
 * pd_machine_element_find:
 * Returns: (nullable): the element of that name.
 */
const PdMachineElement *pd_machine_element_find (const char *name);

/**
 * pd_machine_element_class:
 * Returns: (nullable): the network class whose parameters @node, a "network" or
 *   a "memory", has as attributes; %NULL for others and for unknown types.
 */
const PdNetworkClass *pd_machine_element_class (PdElement *node);

/**
 * pd_machine_element_attributes:
 * Returns: (transfer container): the names of the attributes that @node may
 *   have, and a last %NULL.
 */
GPtrArray *pd_machine_element_attributes (PdElement *node);

/**
 * pd_machine_is_operation:
 * Returns: whether @name is that of a collective operation.
 */
gboolean pd_machine_is_operation (const char *name);

/**
 * pd_machine_known_types:
 * Returns: (transfer full): the types of networks, separated by commas.
 */
char *pd_machine_known_types (void);

#endif
