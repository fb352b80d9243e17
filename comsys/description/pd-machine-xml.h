/* XML text to tree, and the comparison with the schema. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_XML_H
#define PD_MACHINE_XML_H

#include "comsys/description/pd-machine-parts.h"

/* A document as it was parsed. */
typedef struct _xmlDoc PdMachineXml;

/**
 * pd_machine_parse_xml:
 * @data: (array length=size): the text
 * @origin: what messages call it
 * @xml: (out): the document, on success; to be freed with pd_machine_xml_free()
 *
 * Parses without network access, DTDs or entities.
 *
 * Returns: (transfer full) (nullable): the tree.
 */
PdElement *pd_machine_parse_xml (const char *data, gsize size, const char *origin,
                                 PdMachineXml **xml, GError **error);

/**
 * pd_machine_xml_free:
 * @self: (nullable): a document
 */
void pd_machine_xml_free (PdMachineXml *self);

/**
 * pd_machine_validate:
 * @xml: a description
 * @origin: what messages call it
 *
 * Compares with the RELAX NG schema, where that is installed.
 *
 * Returns: %FALSE with %PD_MACHINE_ERROR_SCHEMA set if it does not fit.
 */
gboolean pd_machine_validate (PdMachineXml *xml, const char *origin, GError **error);

/**
 * pd_machine_fits_schema:
 * @root: a description that pd_machine_read() has taken
 *
 * The reader takes only what the schema allows, with two exceptions, which are looked for here:
 * other forms of the version, and tables behind nodes. To parse the schema and to compare takes
 * longer than a short prediction.
 *
 * Returns: %FALSE if the schema may refuse @root.
 */
gboolean pd_machine_fits_schema (const PdElement *root);

#endif
