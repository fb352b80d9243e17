/* How fast traces of message-passing programs are read into memory, what they take there, and
 * what their audit costs beside a prediction. By default a halo exchange of our own making and,
 * where they are, the larger time-independent traces of ../shared, decompressed before.
 *   bench-trace-parse [TRACE…]
 * SPDX-License-Identifier: MIT */

#include "predictor/mp/pd-mp.h"
#include "traces/open/pd-trace-read.h"
#include "traces/audit/pd-program-audit.h"
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define REPETITIONS 5

static const char *const shared_traces[] = { "jacobi2d.256", "sweep.256", "is.W.64" };

/* A ring of halo exchanges with computation between them. */
static GBytes *
make_trace (guint n_ranks, guint n_steps)
{
  GString *text = g_string_new (NULL);

  for (guint rank = 0; rank < n_ranks; rank++)
    {
      guint left = (rank + n_ranks - 1) % n_ranks, right = (rank + 1) % n_ranks;
      g_string_append_printf (text, "%u init\n", rank);
      for (guint step = 0; step < n_steps; step++)
        g_string_append_printf (
            text,
            "%u compute %u.5\n%u irecv %u 1 1024 6\n%u irecv %u 2 1024 6\n%u isend %u 2 1024 6\n"
            "%u isend %u 1 1024 6\n%u waitall 4\n",
            rank, 100000 + step, rank, left, rank, right, rank, left, rank, right, rank);
      g_string_append_printf (text, "%u finalize\n", rank);
    }
  return g_string_free_to_bytes (text);
}

static GBytes *
decompress (const char *path)
{
  g_autoptr (PdInput) input = pd_input_new_from_file (path, NULL);
  g_autoptr (GByteArray) all = g_byte_array_new ();
  const PdWindow *window;

  if (input == NULL)
    return NULL;
  window = pd_input_get_window (input);
  while (pd_input_fill (input, window->size))
    g_byte_array_append (all, (const guint8 *) window->data, (guint) window->size);
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

/* The audit before a prediction, and that where messages cost nothing: the fastest there is. */
static void
measure_audit (const char *name, const PdMpTrace *trace, gdouble n, gdouble reading)
{
  const PdMpOptions options = { .trace = name, .machine = "ideal", .flops = 1e9 };
  gdouble audit = G_MAXDOUBLE, predicting = G_MAXDOUBLE;

  for (guint i = 0; i < REPETITIONS; i++)
    {
      g_autoptr (PdMessages) messages = pd_messages_new ();
      gdouble start = bench_seconds ();
      pd_program_audit (trace->program, name, TRUE, messages);
      audit = MIN (audit, bench_seconds () - start);
      start = bench_seconds ();
      pd_report_run_free (pd_mp_predict (&options, trace, NULL));
      predicting = MIN (predicting, bench_seconds () - start);
    }
  printf ("audit %-14s %5.1f ns/action: %4.1f %% of reading and predicting\n", name,
          audit * 1e9 / n, 100 * audit / (reading + predicting));
}

/* Elapsed seconds of one thread and of two, by turns, the least of each. */
static void
measure_threads (const char *name, const PdTraceSource *source)
{
  gdouble best[] = { G_MAXDOUBLE, G_MAXDOUBLE };

  for (guint i = 0; i < 2 * REPETITIONS; i++)
    {
      const PdTraceReadOptions options = { .n_threads = 1 + i % 2 };
      gdouble start = bench_elapsed ();
      pd_mp_trace_free (pd_mp_trace_read (source, &options, NULL, NULL));
      best[i % 2] = MIN (best[i % 2], bench_elapsed () - start);
    }
  printf ("threads %-12s %7.3f s by one, %7.3f s by two: %4.2f times as fast\n", name, best[0],
          best[1], best[0] / best[1]);
}

static gboolean
measure (const char *name, GBytes *bytes)
{
  PdTraceSource source = { "bench", bytes };
  PdTraceReadOptions options = { .n_threads = 1 };
  gdouble best = G_MAXDOUBLE, size = (gdouble) g_bytes_get_size (bytes);
  gdouble n = 0, memory = 0;

  for (guint i = 0; i < REPETITIONS; i++)
    {
      g_autoptr (GError) error = NULL;
      gdouble start = bench_seconds ();
      g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, NULL, &error);
      best = MIN (best, bench_seconds () - start);
      if (trace == NULL || trace->program == NULL)
        {
          fprintf (stderr, "%s: %s\n", name, error != NULL ? error->message : "no program");
          return FALSE;
        }
      n = 0;
      for (guint32 rank = 0; rank < pd_program_get_n_ranks (trace->program); rank++)
        n += (gdouble) pd_program_get_n_actions (trace->program, rank);
      memory = (gdouble) pd_program_get_size (trace->program);
      if (i == REPETITIONS - 1)
        measure_audit (name, trace, n, best);
    }
  printf ("parse %-14s %7.1f MB, %9.0f actions: %6.0f MB/s, %5.1f M actions/s, %4.1f B/action\n",
          name, size / 1e6, n, size / 1e6 / best, n / 1e6 / best, memory / n);
  measure_threads (name, &source);
  return TRUE;
}

static gboolean
measure_shared (void)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  gboolean fine = TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (shared_traces); i++)
    {
      g_autofree char *path = g_strdup_printf (
          "%s/traces/ti/%s.ti.gz", shared != NULL ? shared : "../shared", shared_traces[i]);
      g_autoptr (GBytes) bytes = decompress (path);
      fine = (bytes == NULL || measure (shared_traces[i], bytes)) && fine;
    }
  return fine;
}

int
main (int argc, char **argv)
{
  gboolean fine = TRUE;

  for (int i = 1; i < argc; i++)
    {
      g_autoptr (GBytes) bytes = decompress (argv[i]);
      fine = bytes != NULL && measure (argv[i], bytes) && fine;
    }
  if (argc > 1)
    return fine ? 0 : 1;
  g_autoptr (GBytes) ring = make_trace (1024, 400);
  return measure ("ring (ours)", ring) && measure_shared () ? 0 : 1;
}
