/* Command lines as GNU programs read them, in front of GOption: it knows neither "-n4" nor a file
 * "-x" behind "--", forgets the value of "--json=FILE" where there is none to give, and reads
 * "010" as 8. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPTION_WORDS_H
#define PD_OPTION_WORDS_H

#include "base/options/pd-option-help.h"

#include <glib.h>

/**
 * PdOptionHelpFunc:
 * Prints @text, the help of a command, and ends the program.
 */
typedef void (*PdOptionHelpFunc) (const char *text);

/**
 * pd_option_words_set_help:
 * @show: (nullable): what "--help" and "-h" do from now on; without it GOption prints its own text
 *
 * For the main function of a program.
 */
void pd_option_words_set_help (PdOptionHelpFunc show);

/**
 * pd_option_words_parse:
 * @context: with a summary; it gets @tables
 * @tables: (array zero-terminated=1): tables of options, shown in this order
 * @argc: (inout): as in main()
 * @argv: (inout): as in main(); the remaining arguments, without "--", are
 *   left in another array, which is never freed
 * @error: return location for a #GOptionError
 *
 * As g_option_context_parse(), and: "-n4" is "-n 4"; options that take no value are given
 * none; numbers are decimal, without blanks, "0x", "inf", "nan" and zeros in front; "--help" and
 * "-h" give what pd_option_help_format() makes to the function of pd_option_words_set_help().
 *
 * Returns: %FALSE with @error set if the command line is wrong.
 */
gboolean pd_option_words_parse (GOptionContext *context, const GOptionEntry *const *tables,
                                int *argc, char ***argv, GError **error);

/**
 * pd_option_words_parse_grouped:
 * @groups: (nullable): of options in the help
 *
 * The same for commands with many options.
 */
gboolean pd_option_words_parse_grouped (GOptionContext *context, const GOptionEntry *const *tables,
                                        const PdOptionGroup *groups, int *argc, char ***argv,
                                        GError **error);

/**
 * pd_option_words_count:
 * @entries: a table of options
 * @argc: as in main()
 * @argv: as in main()
 *
 * Returns: how many words are the program's name, options and their values, up to "--" or the first
 *   word that is neither: for commands behind which another program's command stands.
 */
int pd_option_words_count (const GOptionEntry *entries, int argc, char **argv);

#endif
