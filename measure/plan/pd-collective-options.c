/* Options of collective: one table.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/options/pd-option-words.h"
#include "measure/stats/pd-lengths.h"
#include "measure/plan/pd-collective-options.h"

#include <math.h>
#include <string.h>

#define SUMMARY                                                                                    \
  "Measures collective operations that all processes start at the same moment of a common\n"       \
  "clock. Their run time is from the earliest start to the latest end by that clock.\n"            \
  "Example: mpiexec -n 2 predictor-measure collective --operations bcast,allreduce"

static PdCollectiveOptions parsed;

#define VALUE(letter, name, arg, field, help, what)                                                \
  {                                                                                                \
    name, letter, 0, arg, &parsed.field, help, what                                                \
  }

static char *arrival;
static gdouble arrival_skew; /* microseconds */
static gint64 stage_first, stage_launches, stop_launches, stop_correct, stop_least, stop_most;

#define COUNT(name, variable, help)                                                                \
  {                                                                                                \
    name, 0, 0, G_OPTION_ARG_INT64, &variable, help, "N"                                           \
  }

static const GOptionEntry what_entries[] = {
  VALUE (
      0, "alignment", G_OPTION_ARG_INT64, alignment,
      "Buffers begin at multiples of so many bytes, a power of 2 (default: 64, at another place of "
      "the page in each round)",
      "BYTES"),
  { "arrival", 0, 0, G_OPTION_ARG_STRING, &arrival,
    "Processes arrive by a pattern: late (the last rank), linear or random (default: together)",
    "PATTERN" },
  { "arrival-skew", 0, 0, G_OPTION_ARG_DOUBLE, &arrival_skew,
    "The latest arrival of --arrival comes so many microseconds late (default: 100)", "US" },
  VALUE (0, "cold", G_OPTION_ARG_NONE, cold,
         "Use other buffers in each launch, so that they are not in caches (default: no)", NULL),
  VALUE (0, "datatype", G_OPTION_ARG_STRING, datatype, "Of MPI, as in double (default: double)",
         "NAME"),
  VALUE (0, "factor", G_OPTION_ARG_DOUBLE, factor,
         "Each size is so many times the one before (default: 16)", "NUMBER"),
  VALUE (0, "in-place", G_OPTION_ARG_NONE, in_place,
         "MPI_IN_PLACE where an operation has it (default: no)", NULL),
  VALUE (0, "max", G_OPTION_ARG_INT64, max, "Greatest size, in units (default: 1 MiB)", "SIZE"),
  VALUE (0, "min", G_OPTION_ARG_INT64, min, "Least size, in units (default: 8 bytes)", "SIZE"),
  VALUE (0, "op", G_OPTION_ARG_STRING, op, "Of reductions, as in sum (default: sum)", "NAME"),
  VALUE (0, "operations", G_OPTION_ARG_STRING, operations,
         "Names, as in bcast,iallreduce, or groups: all, blocking, nonblocking, neighbor, "
         "persistent (default: barrier,bcast,allreduce,alltoall)",
         "LIST"),
  VALUE (0, "overlap", G_OPTION_ARG_NONE, overlap,
         "Measure how non-blocking operations overlap with computation (default: no)", NULL),
  VALUE (0, "processes", G_OPTION_ARG_STRING, processes,
         "Use the first so many processes, as in 2,4-8, or all: 2 to all of them (default: all "
         "of them at once)",
         "LIST"),
  VALUE (0, "progress", G_OPTION_ARG_INT64, progress,
         "Calls of MPI_Test in the computation of --overlap (default: 10)", "N"),
  VALUE (0, "root", G_OPTION_ARG_INT64, root, "Rank of the root (default: 0)", "RANK"),
  VALUE (0, "sizes", G_OPTION_ARG_STRING, sizes,
         "These sizes in bytes, as in 8,1K,1M (default: from --min to --max)", "LIST"),
  VALUE (0, "step", G_OPTION_ARG_INT64, step,
         "Sizes grow by so many units, not by a factor (default: by a factor)", "SIZE"),
  VALUE (0, "unit", G_OPTION_ARG_STRING, unit, "Of --min, --max and --step: B, K or M (default: B)",
         "UNIT"),
  VALUE (0, "untouched", G_OPTION_ARG_NONE, untouched,
         "Never write buffers before, as some benchmarks do, to see the error (default: no)", NULL),
  VALUE (0, "warm", G_OPTION_ARG_NONE, warm, "Use the same buffers in each launch (default: yes)",
         NULL),
  { .long_name = NULL },
};

static const GOptionEntry how_entries[] = {
  VALUE (0, "bound", G_OPTION_ARG_DOUBLE, bound,
         "Refuse clocks that moved apart by more microseconds (default: 1)", "US"),
  COUNT ("correct", stop_correct, "In a round so many correct launches suffice (default: 30)"),
  VALUE (0, "gamma", G_OPTION_ARG_DOUBLE, stages.factor,
         "Windows are so many times what a launch took (default: 1.1)", "NUMBER"),
  VALUE (0, "late", G_OPTION_ARG_DOUBLE, stages.share,
         "Windows change if a larger share of a stage is late (default: 0.25)", "SHARE"),
  COUNT ("launches", stop_launches, "… or so many launches, correct or not (default: 100)"),
  COUNT ("least", stop_least, "With --rse, correct launches at least (default: 10)"),
  VALUE (0, "max-age", G_OPTION_ARG_DOUBLE, max_age,
         "Synchronise again after so many seconds (default: 10)", "SECONDS"),
  COUNT ("most", stop_most, "With --rse, launches at most (default: 10000)"),
  VALUE (0, "no-bind", G_OPTION_ARG_NONE, no_bind,
         "Leave processes that MPI has not bound on any processor (default: bind)", NULL),
  VALUE (0, "no-sync", G_OPTION_ARG_NONE, no_sync,
         "Time plain loops, as usual benchmarks do, to see the error (default: no)", NULL),
  VALUE (0, "rounds", G_OPTION_ARG_INT64, rounds,
         "Go through all so many times, with new buffers (default: 10)", "N"),
  VALUE (0, "rse", G_OPTION_ARG_DOUBLE, stop.relative_error,
         "Stop a round at this relative standard error instead (default: none)", "SHARE"),
  VALUE (0, "shift", G_OPTION_ARG_DOUBLE, shift,
         "After each synchronisation put the last rank's clock wrong by so many microseconds, "
         "which must be found out (default: 0)",
         "US"),
  VALUE (0, "slack", G_OPTION_ARG_DOUBLE, slack,
         "A start is late if it is so many microseconds late (default: what the timer needs)",
         "US"),
  COUNT ("stage", stage_launches, "Launches of a stage (default: 8)"),
  COUNT ("stage0", stage_first, "Launches of stage 0, which is discarded (default: 4)"),
  VALUE (0, "sync", G_OPTION_ARG_STRING, sync, "linear, ring, tree or hosts (default: hosts)",
         "ALGORITHM"),
  VALUE (0, "sync-time", G_OPTION_ARG_DOUBLE, sync_time,
         "Seconds in which a step of the tree finds drift (default: 1)", "SECONDS"),
  VALUE (0, "timer", G_OPTION_ARG_STRING, timer,
         "clock_monotonic, gettimeofday, MPI_Wtime or tsc (default: clock_monotonic)", "TIMER"),
  VALUE (0, "trim", G_OPTION_ARG_DOUBLE, trim,
         "Share of least and of greatest times that the mean leaves out (default: 0.25)", "SHARE"),
  VALUE (0, "warm-up", G_OPTION_ARG_INT64, warm_up,
         "Launches before stage 0, of all rounds (default: 10)", "N"),
  VALUE (0, "wide", G_OPTION_ARG_DOUBLE, stages.wide,
         "Windows so many times too long shrink, 0: never (default: 3)", "NUMBER"),
  VALUE (0, "window", G_OPTION_ARG_DOUBLE, window,
         "All windows have so many microseconds (default: adaptive)", "US"),
  { .long_name = NULL },
};

static const GOptionEntry where_entries[] = {
  VALUE (0, "append", G_OPTION_ARG_FILENAME, append,
         "Add to this file, .csv or a database, and summarise all launches of the program in it "
         "(default: none)",
         "FILE"),
  VALUE (0, "csv", G_OPTION_ARG_FILENAME, files.csv, "Write CSV there (default: none)", "FILE"),
  VALUE (0, "db", G_OPTION_ARG_FILENAME, files.db, "Add to this SQLite database (default: none)",
         "FILE"),
  VALUE (0, "force", G_OPTION_ARG_NONE, force,
         "Measure with more processes than processors, too (default: no)", NULL),
  VALUE ('o', "output", G_OPTION_ARG_FILENAME, files.text,
         "Write the text there (default: -, standard output)", "FILE"),
  VALUE (0, "per-rank", G_OPTION_ARG_NONE, per_rank, "Report the times of each rank (default: no)",
         NULL),
  VALUE ('q', "quiet", G_OPTION_ARG_NONE, quiet, "No progress on stderr (default: no)", NULL),
  VALUE (0, "summary", G_OPTION_ARG_FILENAME, summary,
         "Measure nothing, summarise this file of --append or --csv (default: none)", "FILE"),
  VALUE (0, "xml", G_OPTION_ARG_FILENAME, files.xml, "Write XML there (default: none)", "FILE"),
  { .long_name = NULL },
};

#define fail(error, ...) pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, __VA_ARGS__)

/* ---- lists */

static gboolean
read_size (const char *word, gint64 *bytes)
{
  char *rest;
  guint64 number = g_ascii_strtoull (word, &rest, 10);
  gint64 unit = *rest != '\0' ? pd_lengths_unit (rest) : 1;

  if (!g_ascii_isdigit (word[0]) || unit == 0 || number > (guint64) (PD_LENGTHS_MAX_BYTES / unit))
    return FALSE;
  *bytes = (gint64) number * unit;
  return TRUE;
}

static GArray *
read_sizes (const char *list, GError **error)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_auto (GStrv) words = g_strsplit (*list != '\0' ? list : ",", ",", -1);
  gint64 bytes;

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (!read_size (words[i], &bytes))
        {
          fail (error, "--sizes: '%s': expected bytes of at most 2^30, as in 8,1K,1M", words[i]);
          return NULL;
        }
      g_array_append_val (sizes, bytes);
    }
  return g_steal_pointer (&sizes);
}

static GArray *
sweep_sizes (const PdCollectiveOptions *self, GError **error)
{
  const PdLengths lengths = { .unit = self->unit,
                              .min = self->min,
                              .max = self->max,
                              .factor = self->factor,
                              .step = self->step,
                              .with_zero = TRUE };

  return pd_lengths_make (&lengths, error);
}

GArray *
pd_collective_sizes (const PdCollectiveOptions *self, GError **error)
{
  return self->sizes != NULL ? read_sizes (self->sizes, error) : sweep_sizes (self, error);
}

/* "4" or "4-8". */
static gboolean
read_range (const char *word, int most, int *from, int *to)
{
  char *rest;
  guint64 first = g_ascii_strtoull (word, &rest, 10), last = first;

  if (!g_ascii_isdigit (word[0]))
    return FALSE;
  if (*rest == '-' && g_ascii_isdigit (rest[1]))
    last = g_ascii_strtoull (rest + 1, &rest, 10);
  if (*rest != '\0' || first < 2 || last < first || last > (guint64) most)
    return FALSE;
  *from = (int) first;
  *to = (int) last;
  return TRUE;
}

static gboolean
add_range (GArray *counts, const char *word, int most, GError **error)
{
  int from, to, last = counts->len > 0 ? g_array_index (counts, int, counts->len - 1) : 0;

  if (!read_range (word, most, &from, &to) || from <= last)
    return fail (error, "--processes: '%s': expected rising numbers from 2 to %d, as in 2,4-8",
                 word, most);
  for (int count = from; count <= to; count++)
    g_array_append_val (counts, count);
  return TRUE;
}

GArray *
pd_collective_processes (const PdCollectiveOptions *self, int most, GError **error)
{
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (int));
  g_auto (GStrv) words = NULL;

  if (self->processes == NULL)
    return g_array_append_val (g_steal_pointer (&counts), most);
  if (strcmp (self->processes, "all") == 0)
    {
      for (int count = 2; count <= most; count++)
        g_array_append_val (counts, count);
      return g_steal_pointer (&counts);
    }
  words = g_strsplit (*self->processes != '\0' ? self->processes : ",", ",", -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (!add_range (counts, words[i], most, error))
      return NULL;
  return g_steal_pointer (&counts);
}

/* ---- what must hold */

static gboolean
check_counts (const PdCollectiveOptions *self, GError **error)
{
  const struct
  {
    const char *name;
    gint64 value;
    gint64 least;
    gint64 most;
  } counts[] = {
    { "alignment", self->alignment, 0, 1 << 30 }, { "correct", stop_correct, 1, 10000000 },
    { "launches", stop_launches, 1, 10000000 },   { "least", stop_least, 2, 10000000 },
    { "most", stop_most, 1, 10000000 },           { "progress", self->progress, 0, 1000000 },
    { "root", self->root, 0, G_MAXINT },          { "rounds", self->rounds, 1, 100000 },
    { "stage", stage_launches, 1, 100000 },       { "stage0", stage_first, 1, 100000 },
    { "warm-up", self->warm_up, 0, 1000000 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i].value < counts[i].least || counts[i].value > counts[i].most)
      return fail (error,
                   "--%s=%" G_GINT64_FORMAT ": expected a number from %" G_GINT64_FORMAT
                   " to %" G_GINT64_FORMAT,
                   counts[i].name, counts[i].value, counts[i].least, counts[i].most);
  if ((self->alignment & (self->alignment - 1)) != 0)
    return fail (error, "--alignment=%" G_GINT64_FORMAT ": expected a power of 2", self->alignment);
  return TRUE;
}

static gboolean
check_reals (const PdCollectiveOptions *self, GError **error)
{
  const struct
  {
    const char *name;
    gdouble value;
    gdouble least;
    gdouble most;
  } reals[] = {
    { "arrival-skew", arrival_skew, 1e-3, 1e6 },   { "bound", self->bound, 1e-3, 1e9 },
    { "gamma", self->stages.factor, 1.001, 1000 }, { "late", self->stages.share, 0, 1 },
    { "max-age", self->max_age, 0.1, 1e6 },        { "rse", self->stop.relative_error, 0, 1 },
    { "shift", self->shift, -1e9, 1e9 },           { "slack", self->slack, 0, 1e6 },
    { "sync-time", self->sync_time, 1e-3, 1000 },  { "trim", self->trim, 0, 0.49 },
    { "wide", self->stages.wide, 0, 1e6 },         { "window", self->window, 0, 1e7 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (reals); i++)
    if (!(reals[i].value >= reals[i].least && reals[i].value <= reals[i].most))
      return fail (error, "--%s=%g: expected a number from %g to %g", reals[i].name, reals[i].value,
                   reals[i].least, reals[i].most);
  if (self->stages.wide > 0 && self->stages.wide <= self->stages.factor)
    return fail (error, "--wide=%g: expected more than --gamma, or 0", self->stages.wide);
  return TRUE;
}

static gboolean
check (const PdCollectiveOptions *self, GError **error)
{
  g_autoptr (GArray) sizes = NULL;

  if (self->cold && (self->warm || self->untouched))
    return fail (error, "--cold: expected neither --warm nor --untouched with it");
  if (self->no_sync && (self->overlap || self->window > 0 || self->stop.relative_error > 0))
    return fail (error, "--no-sync: expected neither --overlap, --window nor --rse with it");
  if (self->arrival.pattern != PD_ARRIVAL_TOGETHER && (self->no_sync || self->overlap))
    return fail (error, "--arrival: expected neither --no-sync nor --overlap with it");
  sizes = sweep_sizes (self, error);
  return sizes != NULL && check_counts (self, error) && check_reals (self, error);
}

/* ---- public functions */

static void
set_defaults (void)
{
  const PdStopRule stop = PD_STOP_RULE_DEFAULT;
  const PdStageRule stages = PD_STAGE_RULE_DEFAULT;

  parsed = (PdCollectiveOptions){ .min = 8,
                                  .max = 1 << 20,
                                  .factor = 16,
                                  .sync_time = 1,
                                  .max_age = 10,
                                  .bound = 1,
                                  .trim = 0.25,
                                  .rounds = 10,
                                  .progress = 10,
                                  .warm_up = 10,
                                  .stages = stages,
                                  .stop = stop };
  arrival_skew = 100;
  stage_first = stages.first;
  stage_launches = stages.launches;
  stop_launches = (gint64) stop.launches;
  stop_correct = (gint64) stop.correct;
  stop_least = (gint64) stop.least;
  stop_most = (gint64) stop.most;
}

static void
set_text (char **text, const char *value)
{
  if (*text == NULL)
    *text = g_strdup (value);
}

/* The values that the table of options cannot set directly. */
static void
complete (void)
{
  set_text (&parsed.operations, "barrier,bcast,allreduce,alltoall");
  set_text (&parsed.unit, "B");
  set_text (&parsed.datatype, "double");
  set_text (&parsed.op, "sum");
  set_text (&parsed.timer, "clock_monotonic");
  set_text (&parsed.sync, "hosts");
  set_text (&parsed.files.text, "-");
  parsed.stages.first = (guint) stage_first;
  parsed.stages.launches = (guint) stage_launches;
  parsed.stages.fixed = parsed.window * 1e-6;
  parsed.stop.launches = (gsize) stop_launches;
  parsed.stop.correct = (gsize) stop_correct;
  parsed.stop.least = (gsize) stop_least;
  parsed.stop.most = (gsize) stop_most;
}

gboolean
pd_collective_options_parse (PdCollectiveOptions *self, int argc, char **argv, GError **error)
{
  const GOptionEntry *const tables[] = { what_entries, how_entries, where_entries, NULL };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) local = NULL;

  set_defaults ();
  g_option_context_set_summary (context, SUMMARY);
  if (!pd_option_words_parse (context, tables, &argc, &argv, &local))
    fail (error, "%s", local->message);
  else if (arrival != NULL)
    {
      parsed.arrival = (PdArrival){ pd_arrival_find (arrival, &local), arrival_skew * 1e-6 };
      if (local != NULL)
        fail (error, "%s", local->message);
    }
  g_clear_pointer (&arrival, g_free);
  complete ();
  *self = parsed;
  if (local != NULL)
    return FALSE;
  return argc > 1 ? fail (error, "unexpected '%s'", argv[1]) : check (self, error);
}

void
pd_collective_options_clear (PdCollectiveOptions *self)
{
  char **const texts[] = { &self->files.text, &self->files.csv, &self->files.xml,  &self->files.db,
                           &self->append,     &self->summary,   &self->operations, &self->sizes,
                           &self->unit,       &self->processes, &self->datatype,   &self->op,
                           &self->timer,      &self->sync };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_clear_pointer (texts[i], g_free);
}
