/* Options of compare and guidelines.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/options/pd-option-words.h"
#include "measure/plan/pd-judge-options.h"

#define COMPARE                                                                                    \
  "Compares two files of measurements, CSV or SQLite: whether times of the same operations and\n"  \
  "sizes differ by more than chance. Status 5 if any does.\n"                                      \
  "Example: predictor-measure compare before.csv after.csv"
#define GUIDELINES                                                                                 \
  "Checks that no collective operation of a file of measurements, CSV or SQLite, is slower than\n" \
  "other operations with the same effect. Status 5 if any is.\n"                                   \
  "Example: predictor-measure guidelines collective.csv"

static PdJudgeOptions parsed;

#define VALUE(letter, name, arg, field, help, what)                                                \
  {                                                                                                \
    name, letter, 0, arg, &parsed.field, help, what                                                \
  }

static const GOptionEntry where_entries[] = {
  VALUE (0, "csv", G_OPTION_ARG_FILENAME, files.csv, "Write CSV there (default: none)", "FILE"),
  VALUE (0, "db", G_OPTION_ARG_FILENAME, files.db, "Add to this SQLite database (default: none)",
         "FILE"),
  VALUE ('o', "output", G_OPTION_ARG_FILENAME, files.text,
         "Write the text there (default: -, standard output)", "FILE"),
  VALUE (0, "xml", G_OPTION_ARG_FILENAME, files.xml, "Write XML there (default: none)", "FILE"),
  { .long_name = NULL },
};

static const GOptionEntry compare_entries[] = {
  VALUE (0, "significance", G_OPTION_ARG_DOUBLE, significance,
         "Probability that any difference is found where there is none (default: 0.05)", "SHARE"),
  { .long_name = NULL },
};

#define fail(error, ...) pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, __VA_ARGS__)

gboolean
pd_judge_options_parse (PdJudgeOptions *self, guint n_paths, int argc, char **argv, GError **error)
{
  const GOptionEntry *const tables[] = { where_entries, n_paths == 2 ? compare_entries : NULL,
                                         NULL };
  g_autoptr (GOptionContext) context = g_option_context_new (n_paths == 2 ? "FILE FILE" : "FILE");
  g_autoptr (GError) local = NULL;

  parsed = (PdJudgeOptions){ .significance = 0.05 };
  g_option_context_set_summary (context, n_paths == 2 ? COMPARE : GUIDELINES);
  if (!pd_option_words_parse (context, tables, &argc, &argv, &local))
    fail (error, "%s", local->message);
  if (parsed.files.text == NULL)
    parsed.files.text = g_strdup ("-");
  *self = parsed;
  if (local != NULL)
    return FALSE;
  if (argc != 1 + (int) n_paths)
    return fail (error, "expected %s", n_paths == 2 ? "two files" : "one file");
  if (!(self->significance > 0 && self->significance < 1))
    return fail (error, "--significance=%g: expected a number between 0 and 1", self->significance);
  self->paths = g_strdupv (argv + 1);
  return TRUE;
}

void
pd_judge_options_clear (PdJudgeOptions *self)
{
  g_free (self->files.text);
  g_free (self->files.csv);
  g_free (self->files.xml);
  g_free (self->files.db);
  g_strfreev (self->paths);
}
