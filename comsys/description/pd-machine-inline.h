/* Inline machines: "TYPE:key=value,…" to the XML tree. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_INLINE_H
#define PD_MACHINE_INLINE_H

#include "comsys/description/pd-machine-parts.h"

/**
 * pd_machine_is_inline:
 * Returns: whether @spec has the form of an inline machine, of a known type or
 *   not.
 */
gboolean pd_machine_is_inline (const char *spec);

/**
 * pd_machine_inline_key:
 * Returns: (nullable): the @i-th key of inline machines that is not simply an attribute;
 *   %NULL beyond the last.
 */
const char *pd_machine_inline_key (guint i);

/**
 * pd_machine_parse_inline:
 * Returns: (transfer full) (nullable): the tree of an inline machine.
 */
PdElement *pd_machine_parse_inline (const char *spec, GError **error);

#endif
