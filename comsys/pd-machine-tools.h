/* What the command line does with machine descriptions besides loading them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_TOOLS_H
#define PD_MACHINE_TOOLS_H

#include "comsys/pd-machine.h"

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

/* Kinds of words that descriptions consist of. */
typedef enum
{
  PD_MACHINE_WORDS_TYPES,    /* networks: "flow" */
  PD_MACHINE_WORDS_KEYS,     /* of inline machines: "flow:latency=", those of all types "nodes=";
                              * with its value where that is one of few: "bcast=binomial" */
  PD_MACHINE_WORDS_SETTINGS, /* "network/latency=", "collectives/set=simple" */
} PdMachineWords;

/**
 * pd_machine_get_words:
 * @what: which words
 *
 * What can be written in an inline machine or for a setting, for those who help to write
 * it. Of settings only what usual descriptions have: paths depend on the machine.
 *
 * Returns: (transfer full) (array zero-terminated=1): sorted, each word once;
 *   free with g_strfreev().
 */
char **pd_machine_get_words (PdMachineWords what);

/**
 * pd_machine_describe:
 * @self: the machine
 *
 * For people: a table of its parameters and a picture of its hierarchy, lines
 * that end with a newline.
 *
 * Returns: (transfer full): the text.
 */
char *pd_machine_describe (const PdMachine *self);

/**
 * pd_machine_describe_network:
 * @network: one of a machine
 *
 * Returns: (transfer full): its type, name, parameters and protocol in one line, as in
 *   pd_machine_describe().
 */
char *pd_machine_describe_network (const PdMachineNetwork *network);

/**
 * pd_machine_describe_speeds:
 * @node: nodes of a machine
 *
 * Returns: (transfer full): "speed 1", "speed 0.5 to 1".
 */
char *pd_machine_describe_speeds (const PdMachineNode *node);

/**
 * pd_machine_import:
 * @form: what the file is: "dvm-par" (Predictor.par of the DVM system) or
 *   "dimemas" (a configuration of Dimemas), "loggopsim" (its parameters)
 * @path: file name, "-" = stdin
 * @error: return location for a #PdMachineError
 *
 * Returns: (transfer full) (nullable): the same machine as XML text, ends with
 *   a newline; free with g_free().
 */
char *pd_machine_import (const char *form, const char *path, GError **error);

G_END_DECLS

#endif
