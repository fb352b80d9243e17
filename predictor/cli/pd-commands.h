/* The subcommands: one file each, one row each in the table of main.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMMANDS_H
#define PD_COMMANDS_H

#include "predictor/options/pd-command-line.h"

/**
 * pd_cmd_advise:
 * "predictor advise": the best processor counts and grids for a program.
 */
int pd_cmd_advise (int argc, char **argv, GError **error);

/**
 * pd_cmd_analyse:
 * "predictor analyse": where the time of a measured run went.
 */
int pd_cmd_analyse (int argc, char **argv, GError **error);

/**
 * pd_cmd_check:
 * "predictor check": verifies a trace.
 */
int pd_cmd_check (int argc, char **argv, GError **error);

/**
 * pd_cmd_compare:
 * "predictor compare": two runs, interval by interval.
 */
int pd_cmd_compare (int argc, char **argv, GError **error);

/**
 * pd_cmd_convert:
 * "predictor convert": a trace in another format.
 */
int pd_cmd_convert (int argc, char **argv, GError **error);

/**
 * pd_cmd_info:
 * "predictor info": says what a trace is.
 */
int pd_cmd_info (int argc, char **argv, GError **error);

/**
 * pd_cmd_machine:
 * "predictor machine": list, show, check and import machine descriptions.
 */
int pd_cmd_machine (int argc, char **argv, GError **error);

/**
 * pd_cmd_record:
 * "predictor record": records an MPI program while it runs.
 */
int pd_cmd_record (int argc, char **argv, GError **error);

/**
 * pd_cmd_report:
 * "predictor report": shows stored results again.
 */
int pd_cmd_report (int argc, char **argv, GError **error);

/**
 * pd_cmd_run:
 * "predictor run": predicts a traced program on a machine.
 */
int pd_cmd_run (int argc, char **argv, GError **error);

/**
 * pd_cmd_scale:
 * "predictor scale": a program on numbers of ranks that were not recorded.
 */
int pd_cmd_scale (int argc, char **argv, GError **error);

/**
 * pd_cmd_serve:
 * "predictor serve": traces, parsed once for all predictions on this machine.
 */
int pd_cmd_serve (int argc, char **argv, GError **error);

/**
 * pd_cmd_sweep:
 * "predictor sweep": all points of a study, into one database.
 */
int pd_cmd_sweep (int argc, char **argv, GError **error);

#endif
