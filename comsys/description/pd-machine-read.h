/* Reading the XML tree of a machine: what pd-machine-read.c and
 * pd-machine-noise.c share. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_READ_H
#define PD_MACHINE_READ_H

#include "comsys/description/pd-machine-parts.h"

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

/**
 * pd_machine_read:
 * @root: the tree
 * @origin: what messages call it
 * @elastic: whether nodes without a count are as many as @n_needed takes
 * @n_needed: processors
 *
 * Returns: (transfer full) (nullable): the machine.
 */
PdMachine *pd_machine_read (PdElement *root, const char *origin, gboolean elastic, guint32 n_needed,
                            GError **error);

/**
 * pd_machine_check_sources:
 * @root: a description that pd_machine_read() has taken
 * @origin: what messages call it
 * @error: return location for %PD_MACHINE_ERROR_PATH
 *
 * Whether there are values of all paths of its elements "source": once for a description, since
 * other values do not change it.
 */
gboolean pd_machine_check_sources (PdElement *root, const char *origin, GError **error);

#endif
