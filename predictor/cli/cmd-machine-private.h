/* The actions of "predictor machine".
 * SPDX-License-Identifier: MIT */
#ifndef CMD_MACHINE_PRIVATE_H
#define CMD_MACHINE_PRIVATE_H

#include "predictor/cli/pd-commands.h"
#include "predictor/options/pd-points-report.h"

/* As #PdCommandFunc. */
int pd_cmd_machine_show (int argc, char **argv, GError **error);
int pd_cmd_machine_fit (int argc, char **argv, GError **error);
int pd_cmd_machine_calibrate_recorder (int argc, char **argv, GError **error);

static inline int
pd_cmd_machine_usage (GError **error, const char *text)
{
  g_set_error_literal (error, PD_USAGE_ERROR, 0, text);
  return PD_EXIT_USAGE;
}

#endif
