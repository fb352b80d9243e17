/* Functions that read every element of a machine description: the attributes and children
 * that it may have, and their values. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_VALUES_PRIVATE_H
#define PD_MACHINE_VALUES_PRIVATE_H

#include "comsys/description/pd-machine-read.h"

/* An error of @node: with the place, and the name of the element. Returns FALSE. */
gboolean pd_machine_fail (PdMachineReader *self, PdElement *node, int code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
gboolean pd_machine_is_named (const PdElement *node, const char *name);
/* Checks the names of @node's attributes and children, not their values. */
gboolean pd_machine_check_element (PdMachineReader *self, PdElement *node);
/* The only child of that name, NULL if there is none. */
gboolean pd_machine_get_only (PdMachineReader *self, PdElement *node, const char *name,
                              PdElement **only);
/* Which of @choices (ends with NULL) @text, the value of attribute @name, is. */
gboolean pd_machine_read_choice (PdMachineReader *self, PdElement *node, const char *name,
                                 const char *text, const char *const *choices, guint *chosen);
gboolean pd_machine_read_number (PdMachineReader *self, PdElement *node, const char *name,
                                 PdUnit unit, const char *text, PdNumber *number);
/* Fills the fields of @base that @params (ends with a NULL name) describe. */
gboolean pd_machine_read_params (PdMachineReader *self, PdElement *node, const PdParam *params,
                                 gpointer base);
/* The text of @node without line breaks and indentation. */
char *pd_machine_read_text (PdElement *node);
gboolean pd_machine_check_count (PdMachineReader *self, PdElement *node, const char *name,
                                 gint64 count);
/* Whether the parameters of @network, of the element @node, fit together, and what
 * hangs on it to them. */
gboolean pd_machine_check_network (PdMachineReader *self, PdElement *node,
                                   PdMachineNetwork *network);

#endif
