/* Reading the XML tree of a machine: what pd-machine-read.c and
 * pd-machine-noise.c share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_READ_PRIVATE_H
#define PD_MACHINE_READ_PRIVATE_H

#include "comsys/pd-machine-private.h"

G_BEGIN_DECLS

typedef struct
{
  const char *origin;
  gboolean elastic;
  guint32 n_needed;
  gint64 n_listed;   /* processors of the groups read so far, each group once */
  GHashTable *names; /* of networks (set of owned char*) */
  GError **error;
} PdMachineReader;

/* All that follow return FALSE with @self->error set if something is wrong; what
 * they write is valid only if nothing is. */

/* An error of @node: with the place, and the name of the element. Returns FALSE. */
gboolean pd_machine_fail (PdMachineReader *self, xmlNode *node, int code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
gboolean pd_machine_is_named (const xmlNode *node, const char *name);
/* Checks the names of @node's attributes and children, not their values. */
gboolean pd_machine_check_element (PdMachineReader *self, xmlNode *node);
/* The only child of that name, NULL if there is none. */
gboolean pd_machine_get_only (PdMachineReader *self, xmlNode *node, const char *name,
                              xmlNode **only);
/* Which of @choices (ends with NULL) @text, the value of attribute @name, is. */
gboolean pd_machine_read_choice (PdMachineReader *self, xmlNode *node, const char *name,
                                 const char *text, const char *const *choices, guint *chosen);
gboolean pd_machine_read_number (PdMachineReader *self, xmlNode *node, const char *name,
                                 PdUnit unit, const char *text, PdNumber *number);
/* Fills the fields of @base that @params (ends with a NULL name) describe. */
gboolean pd_machine_read_params (PdMachineReader *self, xmlNode *node, const PdParam *params,
                                 gpointer base);
gboolean pd_machine_check_count (PdMachineReader *self, xmlNode *node, const char *name,
                                 gint64 count);
/* Whether the parameters of @network, of the element @node, fit together, and what
 * hangs on it to them. */
gboolean pd_machine_check_network (PdMachineReader *self, xmlNode *node, PdMachineNetwork *network);

/* ---- pd-machine-table.c */

/* @network: of the element @node, with a configuration. */
gboolean pd_machine_read_tables (PdMachineReader *self, xmlNode *node, PdMachineNetwork *network);

/* ---- pd-machine-noise.c */

/* @node: a "noise" whose attributes are known ones; @noise is zero before. */
gboolean pd_machine_read_noise (PdMachineReader *self, xmlNode *node, PdMachineNoise *noise);

/* ---- pd-machine-spread.c */

/* All elements "spread" of @root; their paths are tried. */
gboolean pd_machine_read_spreads (PdMachineReader *self, xmlNode *root, PdMachine *machine);

/* ---- pd-machine-software.c */

/* @software: (nullable): all defaults. */
gboolean pd_machine_read_software (PdMachineReader *self, xmlNode *software, PdMachine *machine);

/* ---- pd-machine-collectives.c */

/* @node: (nullable): "collectives". */
gboolean pd_machine_read_collectives (PdMachineReader *self, xmlNode *node, PdMachine *machine);

/* ---- pd-machine-measured.c */

/* @node: (nullable): "measured". */
gboolean pd_machine_read_measured (PdMachineReader *self, xmlNode *node, PdMachine *machine);

G_END_DECLS

#endif
