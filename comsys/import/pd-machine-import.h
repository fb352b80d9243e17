/* Predictor.par of the DVM system to the XML tree. * A cluster becomes a network; one
 * inside another whose type is that of a memory and whose members are processors becomes
 * nodes with memory. The channels of this form belong to the network as a whole.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_IMPORT_H
#define PD_MACHINE_IMPORT_H

#include "comsys/description/pd-machine-tools.h"

G_BEGIN_DECLS

/**
 * pd_machine_import:
 * @form: what the file is: "dvm-par" (Predictor.par of the DVM system) or
 *   "dimemas" (a configuration of Dimemas), "loggopsim" (its parameters)
 * @path: file name, "-" = stdin
 * @error: return location for a #PdMachineError
 *
 * Returns: (transfer full) (nullable): the same machine as XML text, ends with
 *   a newline; free with g_free().
 */
char *pd_machine_import (const char *form, const char *path, GError **error);

G_END_DECLS

#endif
