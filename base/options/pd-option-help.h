/* Help of a command in groups, in lines of a terminal: GOption's are as long as they come, in the
 * order of tables. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPTION_HELP_H
#define PD_OPTION_HELP_H

#include <glib.h>

/* Options under a title. An array of them ends with one without a title. */
typedef struct
{
  const char *title;
  const char *names; /* long names, with blanks in between */
} PdOptionGroup;

/**
 * pd_option_help_format:
 * @context: with a summary; only its usage and its summary are used
 * @tables: (array zero-terminated=1): tables of options
 * @groups: (nullable): groups of options; options without a group come first, as "Options"
 *
 * Hidden options are left out. Lines have at most 80 columns, unless one word has more.
 *
 * Returns: (transfer full): the text.
 */
char *pd_option_help_format (GOptionContext *context, const GOptionEntry *const *tables,
                             const PdOptionGroup *groups);

#endif
