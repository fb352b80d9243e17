/* Command lines of subcommands: their options, their exit statuses.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMMAND_LINE_H
#define PD_COMMAND_LINE_H

#include "predictor/common/pd-errors.h"

/* Exit statuses, documented in predictor(1). */
enum
{
  PD_EXIT_OK = 0,
  PD_EXIT_FAILURE = 1,    /* bad input or failure */
  PD_EXIT_USAGE = 2,      /* wrong command line */
  PD_EXIT_DEADLOCK = 3,   /* the simulated program cannot go on */
  PD_EXIT_INCOMPLETE = 4, /* the trace ends early; predicted nevertheless */
  PD_EXIT_BEYOND = 5,     /* a comparison is beyond its tolerance */
  PD_EXIT_REFUSED = 6,    /* no rule gives a program on another number of ranks */
  PD_EXIT_INTERRUPTED = 130,
};

/* A subcommand. Returns the exit status. On failure it sets @error (which
 * main.c prints, once) or has printed the error itself. @argv[0]
 * is "predictor COMMAND". With %PD_EXIT_USAGE main.c adds the usage line. */
typedef int (*PdCommandFunc) (int argc, char **argv, GError **error);

/**
 * pd_command_parse:
 * @argc: (inout): as in main()
 * @argv: (inout): as in main(); the positional arguments remain
 * @arguments: what follows the options in the usage line, "TRACE"
 * @summary: one sentence and a one-line example, shown by --help
 * @entries: (array zero-terminated=1): the options
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Parses the options of a subcommand; "--help" prints to stdout and exits 0.
 *
 * Returns: %FALSE with @error set if the command line is wrong.
 */
gboolean pd_command_parse (int *argc, char ***argv, const char *arguments, const char *summary,
                           const GOptionEntry *entries, GError **error);

/**
 * pd_command_find_recordings:
 * @words: (array length=n): names of traces on a command line
 *
 * Replaces each folder that `predictor record` made by its archive, see
 * pd_trace_find_recording(). Reports then name the archive.
 */
void pd_command_find_recordings (char **words, int n);

/**
 * pd_command_find_data:
 * Sets PREDICTOR_DATADIR, if it is not, to where machines are beside this program: in its
 * source tree, or where the installation was moved to. Threads must not run yet.
 */
void pd_command_find_data (void);

/**
 * pd_command_parse_tables:
 * @tables: (array zero-terminated=1): tables of options, shown in this order
 *
 * As pd_command_parse(), for commands with many options.
 */
gboolean pd_command_parse_tables (int *argc, char ***argv, const char *arguments,
                                  const char *summary, const GOptionEntry *const *tables,
                                  GError **error);

#endif
