/* The elements "table" of a network: measured times. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_TABLE_PRIVATE_H
#define PD_MACHINE_TABLE_PRIVATE_H

#include "comsys/description/pd-machine-parts.h"
#include "comsys/description/pd-machine-read.h"

/**
 * pd_machine_describe_tables:
 * Appends a line for each table of @network, for people.
 */
void pd_machine_describe_tables (const PdMachineNetwork *network, const char *indent, GString *out);

/* @network: of the element @node, with a configuration. */
gboolean pd_machine_read_tables (PdMachineReader *self, PdElement *node, PdMachineNetwork *network);

#endif
