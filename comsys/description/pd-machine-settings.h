/* Overrides by path: "network[2]/nodes/speed=2", "network/latency=x1.5", over the tree of
 * elements. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_SETTINGS_H
#define PD_MACHINE_SETTINGS_H

#include "comsys/description/pd-machine-parts.h"

/**
 * pd_machine_apply_setting:
 * @root: (inout): of the tree
 * @setting: "path=value", or "path*=factor" and "path=xfactor", which multiply the present value
 * @error: return location for a %PD_MACHINE_ERROR_PATH
 *
 * A step of a path without an index means all elements of that name.
 */
gboolean pd_machine_apply_setting (PdElement *root, const char *setting, GError **error);

/**
 * pd_machine_network_attribute:
 * Returns: the attribute of networks that @name is another name of, as L is of
 *   latency and S of eager; else @name.
 */
const char *pd_machine_network_attribute (const char *name);

#endif
