/* Machines are loaded from XML, from an inline text, or imported.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_LOAD_H
#define PD_MACHINE_LOAD_H

#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/* A description that has been read, but is not yet a machine: for those who make many
 * machines of it. For one thread at a time. */
typedef struct _PdMachineSource PdMachineSource;

/**
 * pd_machine_source_new:
 * @spec: as for pd_machine_load()
 * @error: return location for a #PdMachineError
 *
 * Returns: (transfer full) (nullable): the description.
 */
PdMachineSource *pd_machine_source_new (const char *spec, GError **error);

/**
 * pd_machine_source_load:
 * @self: the description
 * @settings: (nullable) (array zero-terminated=1): "path=value" overrides
 * @n_needed: processors the caller needs
 * @error: return location for a #PdMachineError
 *
 * The schema is asked for the first machine only: others differ in values.
 *
 * Returns: (transfer full) (nullable): what pd_machine_load() returns for its spec.
 */
PdMachine *pd_machine_source_load (PdMachineSource *self, const char *const *settings,
                                   guint32 n_needed, GError **error);

/**
 * pd_machine_source_free:
 * @self: (nullable): the description; machines made of it stay
 */
void pd_machine_source_free (PdMachineSource *self);

/**
 * pd_machine_load:
 * @spec: file name ("-" = stdin), the name of an installed machine, or an
 *   inline machine "TYPE:key=value,…"; "ideal" costs nothing
 * @settings: (nullable) (array zero-terminated=1): "path=value" overrides
 * @n_needed: processors the caller needs; an inline machine gets as many nodes
 *   as that takes
 * @error: return location for a #PdMachineError; messages name the origin,
 *   the line, and the expected form
 *
 * Returns: (transfer full) (nullable): the machine; has at least @n_needed
 *   processors, else %PD_MACHINE_ERROR_SIZE.
 */
PdMachine *pd_machine_load (const char *spec, const char *const *settings, guint32 n_needed,
                            GError **error);

/**
 * pd_machine_load_bytes:
 * @bytes: the text of a machine file, in any form that pd_machine_load() knows
 * @name: what messages call it
 * @settings: (nullable) (array zero-terminated=1): "path=value" overrides
 * @n_needed: processors the caller needs
 * @error: return location for a #PdMachineError
 *
 * Returns: (transfer full) (nullable): the machine.
 */
PdMachine *pd_machine_load_bytes (GBytes *bytes, const char *name, const char *const *settings,
                                  guint32 n_needed, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMachineSource, pd_machine_source_free)

G_END_DECLS

#endif
