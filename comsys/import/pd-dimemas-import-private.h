/* Configurations of Dimemas to the XML tree: the machine is one network of type dimemas,
 * the memory of its nodes another, collective operations are costed by the set "simple".
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIMEMAS_IMPORT_PRIVATE_H
#define PD_DIMEMAS_IMPORT_PRIVATE_H

#include "comsys/description/pd-machine-parts.h"

/**
 * pd_machine_is_dimemas:
 * Returns: whether the text looks like a configuration of Dimemas.
 */
gboolean pd_machine_is_dimemas (const char *text);

/**
 * pd_machine_parse_dimemas:
 * @text: the whole file
 * @origin: its name; a file of collective operations that it names is beside it
 *
 * Returns: (transfer full) (nullable): the tree.
 */
PdElement *pd_machine_parse_dimemas (const char *text, const char *origin, GError **error);

#endif
