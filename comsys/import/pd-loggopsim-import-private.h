/* The parameters of LogGOPSim, as on its command line: "-L 2500 -o 1500 -g 1000 -G 6 -O
 * 0 -S 65535", in nanoseconds, per byte, and bytes. Omitted parameters have its
 * defaults. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOGGOPSIM_IMPORT_PRIVATE_H
#define PD_LOGGOPSIM_IMPORT_PRIVATE_H

#include "comsys/description/pd-machine-parts.h"

/**
 * pd_machine_is_loggopsim:
 * Returns: whether the text looks like parameters of LogGOPSim.
 */
gboolean pd_machine_is_loggopsim (const char *text);

/**
 * pd_machine_parse_loggopsim:
 * @text: "-L 2500 -o 1500 …"
 * @origin: what messages call it
 *
 * Returns: (transfer full) (nullable): the tree; of as many nodes as needed.
 */
PdElement *pd_machine_parse_loggopsim (const char *text, const char *origin, GError **error);

/**
 * pd_machine_import_loggopsim:
 * As pd_machine_parse_loggopsim(), with a number of nodes.
 *
 * Returns: (transfer full) (nullable): the tree.
 */
PdElement *pd_machine_import_loggopsim (const char *text, const char *origin, GError **error);

#endif
