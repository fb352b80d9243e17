/* Files of machines: the names that they are found by.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_FILES_H
#define PD_MACHINE_FILES_H

#include <glib.h>

G_BEGIN_DECLS

/**
 * pd_machine_list:
 * The names of the machines that pd_machine_load() finds by name, from the
 * folders of the environment variable PREDICTOR_MACHINES (separated by
 * colons), of $PREDICTOR_DATADIR/machines, of ./machines and of the installed
 * machines.
 *
 * Returns: (transfer full) (array zero-terminated=1): sorted, each name once;
 *   free with g_strfreev().
 */
char **pd_machine_list (void);

G_END_DECLS

#endif
