/* The words of machine descriptions, from the tables that descriptions are read by.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_WORDS_H
#define PD_MACHINE_WORDS_H

#include "comsys/description/pd-machine-tools.h"

G_BEGIN_DECLS

/**
 * pd_machine_get_words:
 * @what: which words
 *
 * The words of inline machines and of settings, for completion of command lines. Settings
 * have only the paths of usual descriptions, since paths depend on the machine.
 *
 * Returns: (transfer full) (array zero-terminated=1): sorted, each word once;
 *   free with g_strfreev().
 */
char **pd_machine_get_words (PdMachineWords what);

G_END_DECLS

#endif
