/* XML text to tree, and the comparison with the schema. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_XML_H
#define PD_MACHINE_XML_H

#include "comsys/description/pd-machine-parts.h"

/**
 * pd_machine_parse_xml:
 * @data: (array length=size): the text
 * @origin: what messages call it
 *
 * Parses without network access, DTDs or entities.
 *
 * Returns: (transfer full) (nullable): the tree.
 */
xmlDoc *pd_machine_parse_xml (const char *data, gsize size, const char *origin, GError **error);

/**
 * pd_machine_validate:
 * @doc: the tree
 * @origin: what messages call it
 *
 * Compares with the RELAX NG schema, where that is installed.
 *
 * Returns: %FALSE with %PD_MACHINE_ERROR_SCHEMA set if it does not fit.
 */
gboolean pd_machine_validate (xmlDoc *doc, const char *origin, GError **error);

#endif
