/* Options of contention.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/options/pd-option-words.h"
#include "measure/plan/pd-contention-options.h"

#include "measure/stats/pd-lengths.h"

#include <math.h>
#include <string.h>

#define MAX_SHARING 1000000

#define SUMMARY                                                                                    \
  "Measures how long messages take while cf processes share a channel: the memory of a\n"          \
  "socket, the interconnect of two sockets, the adapter of a node.\n"                              \
  "Example: mpiexec -n 8 predictor-measure contention --unit M --sizes 4,8,16 --csv shared.csv"

static PdContentionOptions parsed;

#define VALUE(letter, name, arg, field, help, what)                                                \
  {                                                                                                \
    name, letter, 0, arg, &parsed.field, help, what                                                \
  }

static const GOptionEntry entries[] = {
  VALUE (0, "as-published", G_OPTION_ARG_NONE, as_published,
         "Start behind a barrier, not by synchronised clocks (default: no)", NULL),
  VALUE (0, "at-least", G_OPTION_ARG_DOUBLE, at_least,
         "Repeat until a round takes so many milliseconds (default: 5)", "MS"),
  VALUE (0, "bound", G_OPTION_ARG_DOUBLE, bound,
         "Refuse clocks that are apart by more microseconds (default: 5)", "US"),
  VALUE (0, "csv", G_OPTION_ARG_FILENAME, files.csv, "Write CSV there (default: none)", "FILE"),
  VALUE (0, "db", G_OPTION_ARG_FILENAME, files.db, "Add to this SQLite database (default: none)",
         "FILE"),
  VALUE (0, "factor", G_OPTION_ARG_DOUBLE, factor,
         "Each length is so many times the one before (default: 4)", "NUMBER"),
  VALUE (0, "force", G_OPTION_ARG_NONE, force,
         "Measure with more processes than processors, too (default: no)", NULL),
  VALUE (0, "keep-binding", G_OPTION_ARG_NONE, keep_binding,
         "Leave processes where mpiexec has put them (default: bind each to a core)", NULL),
  VALUE (0, "levels", G_OPTION_ARG_STRING, levels,
         "Of memory, interconnect and network only these (default: all)", "LEVEL,…"),
  VALUE (0, "max", G_OPTION_ARG_INT64, max, "Greatest length, in units (default: 16777216)",
         "LENGTH"),
  VALUE (0, "min", G_OPTION_ARG_INT64, min, "Least length, in units (default: 1024)", "LENGTH"),
  VALUE ('o', "output", G_OPTION_ARG_FILENAME, files.text,
         "Write the text there (default: -, standard output)", "FILE"),
  VALUE (0, "processes-per-node", G_OPTION_ARG_INT64, per_node,
         "Pretend that so many processes each are a node, for tests (default: nodes as they are)",
         "N"),
  VALUE ('q', "quiet", G_OPTION_ARG_NONE, quiet, "No progress on stderr (default: no)", NULL),
  VALUE (0, "repetitions", G_OPTION_ARG_INT64, repetitions,
         "At least so many exchanges in a round (default: 5)", "N"),
  VALUE (0, "rounds", G_OPTION_ARG_INT64, rounds, "Rounds; the median is reported (default: 11)",
         "N"),
  VALUE (0, "sharing", G_OPTION_ARG_STRING, sharing,
         "Only these numbers of processes on a channel, and 1 (default: all)", "CF,…"),
  VALUE (0, "sizes", G_OPTION_ARG_STRING, list,
         "These lengths, in units (default: from --min to --max)", "LENGTH,…"),
  VALUE (0, "step", G_OPTION_ARG_INT64, step,
         "Lengths grow by so many units, not by a factor (default: by a factor)", "LENGTH"),
  VALUE (0, "sync", G_OPTION_ARG_STRING, algorithm, "linear, ring or tree (default: tree)",
         "ALGORITHM"),
  VALUE (0, "sync-time", G_OPTION_ARG_DOUBLE, duration,
         "Seconds in which a step of the tree finds drift (default: 1)", "SECONDS"),
  VALUE (0, "threads", G_OPTION_ARG_NONE, threads,
         "Hardware threads of a core count, each may have a process (default: one of a core)",
         NULL),
  VALUE (0, "timer", G_OPTION_ARG_STRING, timer,
         "clock_monotonic, gettimeofday, MPI_Wtime or tsc (default: clock_monotonic)", "TIMER"),
  VALUE (0, "topology", G_OPTION_ARG_STRING, topology,
         "Pretend nodes like 'package:2 core:4 pu:1' or as in a file NAME.xml of lstopo, for "
         "tests (default: as they are)",
         "TEXT"),
  VALUE (0, "unit", G_OPTION_ARG_STRING, unit, "Of lengths: B, K or M (default: B)", "UNIT"),
  VALUE (0, "xml", G_OPTION_ARG_FILENAME, files.xml, "Write XML there (default: none)", "FILE"),
  { .long_name = NULL },
};

#define fail(error, ...) pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, __VA_ARGS__)

static gboolean
read_levels (PdContentionOptions *self, GError **error)
{
  g_auto (GStrv) words = g_strsplit (self->levels != NULL ? self->levels : "", ",", -1);

  for (PdPairLevel i = 0; self->levels == NULL && i < PD_N_LEVELS; i++)
    self->wanted[i] = TRUE;
  for (guint i = 0; self->levels != NULL && (i == 0 || words[i] != NULL); i++)
    {
      PdPairLevel level = pd_level_find (words[i] != NULL ? words[i] : "");
      if (level == PD_N_LEVELS)
        return fail (error, "--levels=%s: expected memory, interconnect and network, ',' between",
                     self->levels);
      self->wanted[level] = TRUE;
    }
  return TRUE;
}

static gboolean
read_sizes (PdContentionOptions *self, GError **error)
{
  const gint64 none = 0;
  const PdLengths lengths = { self->unit, self->min,  self->max, self->factor,
                              self->step, self->list, FALSE };

  self->sizes = pd_lengths_make (&lengths, error);
  if (self->sizes != NULL)
    g_array_prepend_val (self->sizes, none);
  return self->sizes != NULL;
}

/* One process on a channel is measured in any case: factors refer to it. */
static gboolean
read_sharing (PdContentionOptions *self, GError **error)
{
  const gint64 one = 1;

  if (self->sharing == NULL)
    return TRUE;
  self->counts = pd_lengths_parse_numbers ("sharing", self->sharing, MAX_SHARING, error);
  if (self->counts != NULL && g_array_index (self->counts, gint64, 0) != one)
    g_array_prepend_val (self->counts, one);
  return self->counts != NULL;
}

static gboolean
check (PdContentionOptions *self, GError **error)
{
  if (self->repetitions < 1 || self->repetitions > 1000000000)
    return fail (error, "--repetitions: expected a number from 1 to 1000000000");
  if (self->rounds < 1 || self->rounds > 100000)
    return fail (error, "--rounds: expected a number from 1 to 100000");
  if (self->per_node < 0 || self->per_node > MAX_SHARING)
    return fail (error, "--processes-per-node: expected a number from 1 to %d", MAX_SHARING);
  if (!(self->at_least >= 0 && self->at_least <= 1e6))
    return fail (error, "--at-least: expected milliseconds from 0 to 1000000");
  if (!(self->bound > 0) || !(self->duration > 0 && self->duration <= 1000))
    return fail (error, "expected a --bound above 0 and a --sync-time from 0 to 1000");
  return read_levels (self, error) && read_sharing (self, error) && read_sizes (self, error);
}

gboolean
pd_contention_options_parse (PdContentionOptions *self, int argc, char **argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) local = NULL;
  char **rest = argv;

  parsed = (PdContentionOptions){ .min = 1024,
                                  .max = 16777216,
                                  .factor = 4,
                                  .repetitions = 5,
                                  .at_least = 5,
                                  .rounds = 11,
                                  .bound = 5,
                                  .duration = 1 };
  g_option_context_set_summary (context, SUMMARY);
  pd_option_words_parse (context, (const GOptionEntry *const[]){ entries, NULL }, &argc, &rest,
                         &local);
  parsed.unit = parsed.unit != NULL ? parsed.unit : g_strdup ("B");
  parsed.timer = parsed.timer != NULL ? parsed.timer : g_strdup ("clock_monotonic");
  parsed.algorithm = parsed.algorithm != NULL ? parsed.algorithm : g_strdup ("tree");
  if (parsed.files.text == NULL)
    parsed.files.text = g_strdup ("-");
  *self = parsed;
  if (local != NULL)
    return fail (error, "%s", local->message);
  if (argc > 1)
    return fail (error, "unexpected '%s'", rest[1]);
  return check (self, error);
}

void
pd_contention_options_clear (PdContentionOptions *self)
{
  char *texts[] = { self->files.text, self->files.csv, self->files.xml, self->files.db,
                    self->timer,      self->algorithm, self->unit,      self->list,
                    self->sharing,    self->levels,    self->topology };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_clear_pointer (&self->sizes, g_array_unref);
  g_clear_pointer (&self->counts, g_array_unref);
}
