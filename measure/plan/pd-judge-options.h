/* The command lines of compare and guidelines, which judge measurements.
 * SPDX-License-Identifier: MIT */
#ifndef PD_JUDGE_OPTIONS_H
#define PD_JUDGE_OPTIONS_H

#include "measure/sheet/pd-sheet.h"

typedef struct
{
  PdSheetFiles files;
  gdouble significance; /* of compare: between 0 and 1 */
  char **paths;         /* of files to be judged, as many as are expected */
} PdJudgeOptions;

/**
 * pd_judge_options_parse:
 * @self: (out caller-allocated): the options; to be cleared whatever is returned
 * @n_paths: expected: 2 of compare, 1 of guidelines
 * @argc: as in main(), argv[0] is the command
 * @argv: is changed
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 *
 * --help prints and ends the program.
 *
 * Returns: %FALSE with @error set if the command line is wrong.
 */
gboolean pd_judge_options_parse (PdJudgeOptions *self, guint n_paths, int argc, char **argv,
                                 GError **error);

/**
 * pd_judge_options_clear:
 * Frees the contents of @self.
 */
void pd_judge_options_clear (PdJudgeOptions *self);

#endif
