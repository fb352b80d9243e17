/* Predictor.par of the DVM system to the XML tree. * A cluster becomes a network; one
 * inside another whose type is that of a memory and whose members are processors becomes
 * nodes with memory. The channels of this form belong to the network as a whole.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_IMPORT_PRIVATE_H
#define PD_MACHINE_IMPORT_PRIVATE_H

#include "comsys/description/pd-machine-parts.h"

/**
 * pd_machine_parse_dvm_par:
 * @text: the whole file
 * @origin: what messages call it
 *
 * Returns: (transfer full) (nullable): the tree.
 */
PdElement *pd_machine_parse_dvm_par (const char *text, const char *origin, GError **error);

#endif
