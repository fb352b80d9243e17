/* Options of exchange: one table.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/options/pd-option-words.h"
#include "measure/plan/pd-exchange-options.h"
#include "measure/stats/pd-lengths.h"

#include <string.h>

#define SUMMARY                                                                                    \
  "Measures messages of derived datatypes (datatypes), windows of messages of several pairs of\n"  \
  "processes (rate), one-sided operations (onesided), messages of several threads (threads),\n"    \
  "and what processes do with their own memory (memory).\n"                                        \
  "Example: mpiexec -n 2 predictor-measure exchange --kinds datatypes,put-flush"

#define MOST_BYTES (G_GINT64_CONSTANT (1) << 30) /* of a window */

static PdExchangeOptions parsed;
static char *unit, *size_list, *window_list, *thread_list;
static gint64 least, greatest, step;
static gdouble factor;

#define VALUE(letter, name, arg, variable, help, what)                                             \
  {                                                                                                \
    name, letter, 0, arg, &variable, help, what                                                    \
  }

static const GOptionEntry entries[] = {
  VALUE (0, "at-least", G_OPTION_ARG_DOUBLE, parsed.at_least,
         "Repeat until a round takes so many milliseconds (default: 5)", "MS"),
  VALUE (0, "csv", G_OPTION_ARG_FILENAME, parsed.files.csv, "Write CSV there (default: none)",
         "FILE"),
  VALUE (0, "db", G_OPTION_ARG_FILENAME, parsed.files.db,
         "Add to this SQLite database (default: none)", "FILE"),
  VALUE (0, "factor", G_OPTION_ARG_DOUBLE, factor,
         "Each length is so many times the one before (default: 8)", "NUMBER"),
  VALUE (0, "force", G_OPTION_ARG_NONE, parsed.force,
         "Measure with more processes or threads than processors, too (default: no)", NULL),
  VALUE (0, "kinds", G_OPTION_ARG_STRING, parsed.kinds,
         "Kinds, as in vector,get-lock, or groups: datatypes, rate, onesided, threads, memory; "
         "all: all "
         "but threads (default: all)",
         "LIST"),
  VALUE (0, "max", G_OPTION_ARG_INT64, greatest, "Greatest length, in units (default: 1 MiB)",
         "LENGTH"),
  VALUE (0, "min", G_OPTION_ARG_INT64, least, "Least length, in units (default: 8 bytes)",
         "LENGTH"),
  VALUE (0, "no-bind", G_OPTION_ARG_NONE, parsed.no_bind,
         "Leave processes that MPI has not bound on any processor (default: bind)", NULL),
  VALUE ('o', "output", G_OPTION_ARG_FILENAME, parsed.files.text,
         "Write the text there (default: -, standard output)", "FILE"),
  VALUE ('q', "quiet", G_OPTION_ARG_NONE, parsed.quiet, "No progress on stderr (default: no)",
         NULL),
  VALUE (0, "repetitions", G_OPTION_ARG_INT64, parsed.repetitions,
         "At least so many exchanges in a round (default: 10)", "N"),
  VALUE (0, "rounds", G_OPTION_ARG_INT64, parsed.rounds,
         "Undisturbed rounds; at most twice as many are measured (default: 10)", "N"),
  VALUE (0, "sizes", G_OPTION_ARG_STRING, size_list,
         "These lengths, in units (default: from --min to --max)", "LENGTH,..."),
  VALUE (0, "step", G_OPTION_ARG_INT64, step,
         "Lengths grow by so many units, not by a factor (default: by a factor)", "LENGTH"),
  VALUE (0, "threads", G_OPTION_ARG_STRING, thread_list, "Threads of each process (default: 1,2)",
         "N,..."),
  VALUE (0, "timer", G_OPTION_ARG_STRING, parsed.timer,
         "clock_monotonic, gettimeofday, MPI_Wtime or tsc (default: clock_monotonic)", "TIMER"),
  VALUE (0, "unit", G_OPTION_ARG_STRING, unit, "Of lengths: B, K or M (default: B)", "UNIT"),
  VALUE (0, "windows", G_OPTION_ARG_STRING, window_list,
         "Messages, or one-sided operations, that are completed together (default: 1,64)", "N,..."),
  VALUE (0, "xml", G_OPTION_ARG_FILENAME, parsed.files.xml, "Write XML there (default: none)",
         "FILE"),
  { .long_name = NULL },
};

#define fail(error, ...) pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, __VA_ARGS__)

static gint64
last_of (const GArray *numbers)
{
  return g_array_index (numbers, gint64, numbers->len - 1);
}

static gboolean
read_lists (PdExchangeOptions *self, GError **error)
{
  const PdLengths lengths = { unit, least, greatest, factor, step, size_list, FALSE };
  gint64 places;

  self->sizes = pd_lengths_make (&lengths, error);
  if (self->sizes == NULL)
    return FALSE;
  self->windows = pd_lengths_parse_numbers ("windows", window_list, 100000, error);
  if (self->windows == NULL)
    return FALSE;
  self->threads = pd_lengths_parse_numbers ("threads", thread_list, 256, error);
  if (self->threads == NULL)
    return FALSE;
  places = MAX (last_of (self->windows), last_of (self->threads));
  if (last_of (self->sizes) <= MOST_BYTES / places)
    return TRUE;
  return fail (error,
               "%" G_GINT64_FORMAT " bytes %" G_GINT64_FORMAT
               " times: expected at most 2^30 bytes in all",
               last_of (self->sizes), places);
}

static gboolean
check (PdExchangeOptions *self, GError **error)
{
  if (self->repetitions < 1 || self->repetitions > 1000000000)
    return fail (error, "--repetitions=%" G_GINT64_FORMAT ": expected a number from 1 to 10^9",
                 self->repetitions);
  if (self->rounds < 1 || self->rounds > 100000)
    return fail (error, "--rounds=%" G_GINT64_FORMAT ": expected a number from 1 to 100000",
                 self->rounds);
  if (!(self->at_least >= 0 && self->at_least <= 1e6))
    return fail (error, "--at-least=%g: expected milliseconds from 0 to 1000000", self->at_least);
  return read_lists (self, error);
}

static void
set_text (char **text, const char *value)
{
  if (*text == NULL)
    *text = g_strdup (value);
}

gboolean
pd_exchange_options_parse (PdExchangeOptions *self, int argc, char **argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) local = NULL;
  gboolean fine;

  parsed = (PdExchangeOptions){ .repetitions = 10, .at_least = 5, .rounds = 10 };
  least = 8, greatest = 1 << 20, step = 0, factor = 8;
  g_option_context_set_summary (context, SUMMARY);
  if (!pd_option_words_parse (context, (const GOptionEntry *const[]){ entries, NULL }, &argc, &argv,
                              &local))
    fail (error, "%s", local->message);
  set_text (&parsed.timer, "clock_monotonic");
  set_text (&parsed.kinds, "all");
  set_text (&parsed.files.text, "-");
  set_text (&unit, "B");
  set_text (&window_list, "1,64");
  set_text (&thread_list, "1,2");
  *self = parsed;
  if (local != NULL)
    fine = FALSE;
  else if (argc > 1)
    fine = fail (error, "unexpected '%s'", argv[1]);
  else
    fine = check (self, error);
  g_clear_pointer (&unit, g_free);
  g_clear_pointer (&size_list, g_free);
  g_clear_pointer (&window_list, g_free);
  g_clear_pointer (&thread_list, g_free);
  return fine;
}

void
pd_exchange_options_clear (PdExchangeOptions *self)
{
  g_free (self->files.text);
  g_free (self->files.csv);
  g_free (self->files.xml);
  g_free (self->files.db);
  g_free (self->timer);
  g_free (self->kinds);
  g_clear_pointer (&self->sizes, g_array_unref);
  g_clear_pointer (&self->windows, g_array_unref);
  g_clear_pointer (&self->threads, g_array_unref);
}

gboolean
pd_exchange_wants_threads (int argc, char **argv)
{
  gboolean wants = FALSE;

  for (int i = 1; i < argc; i++)
    {
      const char *list = g_str_has_prefix (argv[i], "--kinds=") ? strchr (argv[i], '=') + 1
                         : strcmp (argv[i], "--kinds") == 0 && i + 1 < argc ? argv[i + 1]
                                                                            : NULL;
      g_auto (GStrv) words = g_strsplit (list != NULL ? list : "", ",", -1);
      wants |= g_strv_contains ((const char *const *) words, "threads");
    }
  return wants;
}
