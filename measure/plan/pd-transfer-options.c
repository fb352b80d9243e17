/* Options of transfer: one table for letters and words.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/options/pd-option-words.h"
#include "measure/plan/pd-transfer-options.h"

#include "measure/stats/pd-lengths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUMMARY                                                                                    \
  "Measures the time of messages between two processes: T(L) = s + L/R. The options of the\n"      \
  "original TRANSFER are understood, too, as uK m1 M1024 K2 T10 f100 R2 otransfer.dat.\n"          \
  "A MB is 10^6 bytes; the units K and M of lengths are 1024 and 1024^2 bytes.\n"                  \
  "Example: mpiexec -n 2 predictor-measure transfer --variant 2 uK m1 M1024 K2"

static PdTransferOptions parsed;

#define VALUE(letter, name, arg, field, help, what)                                                \
  {                                                                                                \
    name, letter, 0, arg, &parsed.field, help, what                                                \
  }

static const GOptionEntry entries[] = {
  VALUE (0, "all-pairs", G_OPTION_ARG_NONE, all_pairs,
         "Measure all pairs of processes (default: rank 0 with each other)", NULL),
  VALUE (0, "at-least", G_OPTION_ARG_DOUBLE, at_least,
         "Repeat until a round takes so many milliseconds; f100 (default: 10)", "MS"),
  VALUE (0, "check-loop", G_OPTION_ARG_NONE, check_loop,
         "Compare variant 1 with a plain loop, in turns (default: no)", NULL),
  VALUE (0, "cold", G_OPTION_ARG_NONE, cold,
         "Use other buffers in each exchange of variants 1 to 3, so that they are not in caches "
         "(default: no)",
         NULL),
  VALUE (0, "csv", G_OPTION_ARG_FILENAME, files.csv, "Write CSV there (default: none)", "FILE"),
  VALUE (0, "db", G_OPTION_ARG_FILENAME, files.db, "Add to this SQLite database (default: none)",
         "FILE"),
  VALUE (0, "factor", G_OPTION_ARG_DOUBLE, factor,
         "Each length is so many times the one before; K2 (default: 2)", "NUMBER"),
  VALUE (0, "force", G_OPTION_ARG_NONE, force,
         "Measure with more processes than processors, too (default: no)", NULL),
  VALUE (0, "loggp", G_OPTION_ARG_NONE, loggp, "Find LogGP parameters, too (default: no)", NULL),
  VALUE (0, "max", G_OPTION_ARG_INT64, max, "Greatest length, in units; M1024 (default: 1024)",
         "LENGTH"),
  VALUE (0, "min", G_OPTION_ARG_INT64, min, "Least length, in units; m1 (default: 1)", "LENGTH"),
  VALUE (0, "no-bind", G_OPTION_ARG_NONE, no_bind,
         "Leave processes unbound that MPI has not bound (default: bind each to a processor)",
         NULL),
  VALUE ('o', "output", G_OPTION_ARG_FILENAME, files.text,
         "Write the text there; oFILE (default: -, standard output)", "FILE"),
  VALUE ('q', "quiet", G_OPTION_ARG_NONE, quiet, "No progress on stderr (default: no)", NULL),
  VALUE (0, "picture", G_OPTION_ARG_FILENAME, picture,
         "Draw the matrix of all pairs' greatest bandwidths there, SVG (default: none)", "FILE"),
  VALUE (0, "repetitions", G_OPTION_ARG_INT64, repetitions,
         "At least so many exchanges in a round; T10 (default: 10)", "N"),
  VALUE (0, "rounds", G_OPTION_ARG_INT64, rounds,
         "Rounds; best and median are reported; R2 (default: 5)", "N"),
  VALUE (0, "step", G_OPTION_ARG_INT64, step,
         "Lengths grow by so many units, not by a factor; S16 (default: by a factor)", "LENGTH"),
  VALUE (0, "timer", G_OPTION_ARG_STRING, timer,
         "clock_monotonic, gettimeofday, MPI_Wtime or tsc (default: clock_monotonic)", "TIMER"),
  VALUE (0, "unit", G_OPTION_ARG_STRING, unit, "Of lengths: B, K or M; uK (default: B)", "UNIT"),
  VALUE (0, "variant", G_OPTION_ARG_INT64, variant,
         "1 Send/Recv, 2 Sendrecv, 3 Isend/Irecv, 4 persistent requests, 5 stream, 6 Put and "
         "fence (default: 1)",
         "N"),
  VALUE (0, "window", G_OPTION_ARG_INT64, window,
         "Messages of variant 5 before an acknowledgement (default: 64)", "N"),
  VALUE (0, "xml", G_OPTION_ARG_FILENAME, files.xml, "Write XML there (default: none)", "FILE"),
  { .long_name = NULL },
};

static const struct
{
  char letter;
  const char *name;
} letters[] = {
  { 'u', "--unit" },     { 'm', "--min" },    { 'M', "--max" },
  { 'K', "--factor" },   { 'S', "--step" },   { 'T', "--repetitions" },
  { 'f', "--at-least" }, { 'R', "--rounds" }, { 'o', "--output" },
};

#define fail(error, ...) pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, __VA_ARGS__)

/* ---- letters to words */

/* Whether the option in @word takes the next word as its value. */
static gboolean
wants_value (const char *word)
{
  if (g_str_has_prefix (word, "--") && strchr (word, '=') == NULL)
    for (const GOptionEntry *e = entries; e->long_name != NULL; e++)
      if (strcmp (e->long_name, word + 2) == 0)
        return e->arg != G_OPTION_ARG_NONE;
  return strcmp (word, "-o") == 0;
}

static char *
translate (const char *word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (letters); i++)
    if (word[0] == letters[i].letter && word[1] != '\0')
      return g_strdup_printf ("%s=%s", letters[i].name, word + 1);
  return g_strdup (word);
}

static GStrv
translate_all (int argc, char **argv)
{
  char **words = g_new0 (char *, (gsize) argc + 1);

  for (int i = 0; i < argc; i++)
    {
      gboolean is_value = i > 0 && wants_value (argv[i - 1]);
      words[i] = i == 0 || is_value ? g_strdup (argv[i]) : translate (argv[i]);
    }
  return words;
}

/* ---- what must hold */

static PdLengths
get_lengths (const PdTransferOptions *self)
{
  return (PdLengths){ self->unit, self->min, self->max, self->factor, self->step, NULL, FALSE };
}

static gboolean
check (const PdTransferOptions *self, GError **error)
{
  const struct
  {
    const char *name;
    gint64 value;
    gint64 most;
  } counts[] = {
    { "repetitions", self->repetitions, 1000000000 },
    { "rounds", self->rounds, 100000 },
    { "variant", self->variant, 6 },
    { "window", self->window, 100000 },
  };
  g_autoptr (GArray) sizes = NULL;
  PdLengths lengths;

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i].value < 1 || counts[i].value > counts[i].most)
      return fail (error,
                   "--%s=%" G_GINT64_FORMAT ": expected a number from 1 to %" G_GINT64_FORMAT,
                   counts[i].name, counts[i].value, counts[i].most);
  if (self->picture != NULL && !self->all_pairs)
    return fail (error, "--picture: expected --all-pairs, too");
  if (self->cold && (self->variant > 3 || self->loggp || self->check_loop))
    return fail (error, "--cold: expected variant 1, 2 or 3, without --loggp and --check-loop");
  if (!(self->at_least >= 0 && self->at_least <= 1e6))
    return fail (error, "--at-least=%g: expected milliseconds from 0 to 1000000", self->at_least);
  lengths = get_lengths (self);
  sizes = pd_lengths_make (&lengths, error);
  return sizes != NULL;
}

/* ---- public functions */

gboolean
pd_transfer_options_parse (PdTransferOptions *self, int argc, char **argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[LETTER…]");
  g_auto (GStrv) words = translate_all (argc, argv);
  char **rest = words;
  g_autoptr (GError) local = NULL;

  parsed = (PdTransferOptions){ .min = 1,
                                .max = 1024,
                                .factor = 2,
                                .repetitions = 10,
                                .at_least = 10,
                                .rounds = 5,
                                .variant = 1,
                                .window = 64 };
  g_option_context_set_summary (context, SUMMARY);
  if (!pd_option_words_parse (context, (const GOptionEntry *const[]){ entries, NULL }, &argc, &rest,
                              &local))
    fail (error, "%s", local->message);
  else if (argc > 1)
    {
      local = g_error_new (PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, "unexpected '%s'", rest[1]);
      fail (error, "%s", local->message);
    }
  parsed.unit = parsed.unit != NULL ? parsed.unit : g_strdup ("B");
  parsed.timer = parsed.timer != NULL ? parsed.timer : g_strdup ("clock_monotonic");
  if (parsed.files.text == NULL)
    parsed.files.text = g_strdup ("-");
  *self = parsed;
  return local == NULL && check (self, error);
}

void
pd_transfer_options_clear (PdTransferOptions *self)
{
  g_free (self->files.text);
  g_free (self->files.csv);
  g_free (self->files.xml);
  g_free (self->files.db);
  g_free (self->picture);
  g_free (self->timer);
  g_free (self->unit);
}

GArray *
pd_transfer_sizes (const PdTransferOptions *self)
{
  PdLengths lengths = get_lengths (self);

  return pd_lengths_make (&lengths, NULL);
}
