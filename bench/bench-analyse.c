/* How fast a measured run is read, audited and analysed, and what it takes in memory. By default
 * a run of our own making, as an OTF2 archive: of 8 ranks, halo exchanges, a ring, reductions.
 *   bench-analyse [ARCHIVE…]
 * SPDX-License-Identifier: MIT */

#include "analyse/pd-analysis.h"
#include "bench/bench.h"
#include "traces/open/pd-trace-read.h"
#include "traces/otf2/pd-otf2-reader.h"
#include "traces/otf2/pd-otf2-writer.h"
#include "traces/program/pd-action-reader.h"
#include "traces/audit/pd-program-audit.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define REPETITIONS 3
#define N_RANKS     8
#define N_STEPS     60000 /* the process itself takes some 8 MB, 3 bytes of a call */

/* One step of a rank; who comes late differs from step to step. */
static void
add_step (GString *text, guint rank, guint step)
{
  guint left = (rank + N_RANKS - 1) % N_RANKS, right = (rank + 1) % N_RANKS;
  guint late = (step * 7 + rank * 3) % N_RANKS;

  g_string_append_printf (
      text,
      "%u compute %uus\n%u irecv %u 128 tag=1 request=a took=1us site=0\n"
      "%u irecv %u 128 tag=2 request=b took=1us site=1\n%u isend %u 128 tag=1 request=c took=1us "
      "site=2\n%u isend %u 128 tag=2 request=d took=1us site=3\n%u waitall a b c d took=%uus "
      "site=4\n",
      rank, 10 + late, rank, left, rank, right, rank, right, rank, left, rank, N_RANKS - late);
  g_string_append_printf (
      text,
      "%u compute 2us\n%u sendrecv %u 64 tag=3 from=%u from-tag=3 from-bytes=64 took=3us site=5\n",
      rank, rank, right, left);
  if (step % 4 == 0)
    g_string_append_printf (text, "%u allreduce 32 took=5us site=6\n", rank);
}

static PdMpTrace *
read_text (GString *text, GError **error)
{
  const PdTraceReadOptions options = { .recorded = TRUE };
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (text);
  const PdTraceSource source = { "bench", bytes };

  return pd_mp_trace_read (&source, &options, NULL, error);
}

static gboolean
make_archive (const char *path, GError **error)
{
  const PdTraceWriteOptions options = { 0, NULL };
  GString *text = g_string_new ("predictor-trace 1\nranks " G_STRINGIFY (N_RANKS) "\n");

  for (guint site = 0; site < 7; site++)
    g_string_append_printf (text, "site %u: \"main.c\" %u \"main\"\n", site, 10 + site);
  for (guint rank = 0; rank < N_RANKS; rank++)
    for (guint step = 0; step < N_STEPS; step++)
      add_step (text, rank, step);
  g_autoptr (PdMpTrace) trace = read_text (text, error);
  return trace != NULL && pd_otf2_write (trace->program, path, &options, NULL, error);
}

/* In a process of its own: what the text takes is not counted. */
static gboolean
make_apart (const char *path)
{
  g_autoptr (GError) error = NULL;
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      gboolean fine = make_archive (path, &error);
      if (!fine)
        fprintf (stderr, "bench-analyse: %s\n", error->message);
      _exit (fine ? 0 : 1);
    }
  return child > 0 && waitpid (child, &status, 0) == child && status == 0;
}

/* Without cells of packed actions, which the analysis does not need. */
static gdouble
count_calls (const PdProgram *program)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;
  gdouble n = 0;

  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      pd_action_reader_begin (&reader, rank);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        n += action->kind >= PD_ACT_SEND && action->kind <= PD_ACT_LOCAL;
    }
  return n;
}

typedef enum
{
  LIBRARY, /* reading by the OTF2 library alone, to compare with */
  READING,
  AUDITING,
  ANALYSING,
  N_PHASES,
} Phase;

static const char *const phases[N_PHASES] = { "library", "read", "audit", "analyse" };

static void
note (gdouble *best, Phase phase, gdouble start)
{
  best[phase] = MIN (best[phase], bench_seconds () - start);
}

static gboolean
measure_once (const char *path, gdouble *best, gdouble *n, gdouble *size, GError **error)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  gdouble start = bench_seconds ();

  pd_program_free (pd_otf2_read_by_library (path, TRUE, NULL, NULL, NULL));
  note (best, LIBRARY, start);
  start = bench_seconds ();
  g_autoptr (PdProgram) program = pd_otf2_read (path, TRUE, NULL, messages, error);
  if (program == NULL)
    return FALSE;
  note (best, READING, start);
  *n = count_calls (program);
  *size = (gdouble) pd_program_get_size (program);
  start = bench_seconds ();
  pd_program_audit (program, path, FALSE, messages);
  note (best, AUDITING, start);
  start = bench_seconds ();
  PdAnalysis *analysis = pd_analysis_new (program, path, messages, error);
  note (best, ANALYSING, start);
  pd_analysis_free (analysis);
  return analysis != NULL;
}

static gboolean
measure (const char *name, const char *path)
{
  gdouble best[N_PHASES], n = 0, size = 0, all = 0;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_PHASES; i++)
    best[i] = G_MAXDOUBLE;
  for (guint i = 0; i < REPETITIONS; i++)
    if (!measure_once (path, best, &n, &size, &error))
      {
        fprintf (stderr, "bench-analyse: %s\n", error->message);
        return FALSE;
      }
  printf ("%-12s %9.0f calls, %5.1f B/call in the program, %5.1f B/call at most\n", name, n,
          size / n, bench_peak_bytes () / n);
  for (guint i = 0; i < N_PHASES; i++)
    {
      all += i == LIBRARY ? 0 : best[i];
      printf ("  %-10s %7.3f s, %6.2f M calls/s\n", phases[i], best[i], n / 1e6 / best[i]);
    }
  printf ("  %-10s %7.3f s, %6.2f M calls/s\n", "all", all, n / 1e6 / all);
  return TRUE;
}

static void
remove_archive (const char *folder)
{
  static const char *const parts[] = { "t.otf2", "t.def" };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *part = g_build_filename (folder, parts[i], NULL);
      remove (part);
    }
  for (guint rank = 0; rank < N_RANKS; rank++)
    {
      g_autofree char *events = g_strdup_printf ("%s/t/%u.evt", folder, rank);
      g_autofree char *definitions = g_strdup_printf ("%s/t/%u.def", folder, rank);
      remove (events);
      remove (definitions);
    }
  g_autofree char *inner = g_build_filename (folder, "t", NULL);
  remove (inner);
  remove (folder);
}

int
main (int argc, char **argv)
{
  gboolean fine = TRUE;

  for (int i = 1; i < argc; i++)
    fine = measure (argv[i], argv[i]) && fine;
  if (argc > 1)
    return fine ? 0 : 1;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("bench-XXXXXX", &error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "t.otf2", NULL) : NULL;
  fine = folder != NULL && make_apart (path) && measure ("ours", path);
  if (error != NULL)
    fprintf (stderr, "bench-analyse: %s\n", error->message);
  if (folder != NULL)
    remove_archive (folder);
  return fine ? 0 : 1;
}
