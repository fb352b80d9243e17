/* Files of machines: where they are looked for. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_FOLDERS_H
#define PD_MACHINE_FOLDERS_H

#include <glib.h>

/**
 * pd_machine_read_file:
 * @path: "-" = stdin
 *
 * Returns: (transfer full) (nullable): its bytes.
 */
GBytes *pd_machine_read_file (const char *path, GError **error);

/**
 * pd_machine_data_folders:
 * @name: "machines" or "schemas"
 *
 * Returns: (transfer full) (array zero-terminated=1): where data of that kind
 *   are looked for, in order.
 */
char **pd_machine_data_folders (const char *name);

/**
 * pd_machine_get_folders:
 * Returns: (transfer full) (array zero-terminated=1): where machines are looked for by
 *   name, in order.
 */
char **pd_machine_get_folders (void);

#endif
