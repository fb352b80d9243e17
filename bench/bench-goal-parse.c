/* How fast GOAL is read: generated halo exchanges on a grid of ranks, in text
 * with the labels that generators write, and the same in binary.
 *   bench-goal-parse [MEGABYTES…]
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "traces/goal/pd-goal-binary.h"
#include "traces/goal/pd-goal-text.h"
#include "traces/goal/pd-goal-write.h"
#include "traces/open/pd-trace-read.h"

#include <stdio.h>
#include <stdlib.h>

#define SIDE  16 /* ranks in a row of the grid */
#define RANKS (SIDE * SIDE)

#define N_RUNS 5

static const gint64 default_sizes[] = { 10, 100 };

/* One step of one rank: compute, four messages each way, wait. */
static guint
add_step (GString *text, guint rank, guint label, guint64 duration)
{
  guint x = rank % SIDE, y = rank / SIDE, first = label;
  guint peers[4] = { y * SIDE + (x + 1) % SIDE, y * SIDE + (x + SIDE - 1) % SIDE,
                     (y + 1) % SIDE * SIDE + x, (y + SIDE - 1) % SIDE * SIDE + x };

  g_string_append_printf (text, "l%u: calc %" G_GUINT64_FORMAT "\n", label, duration);
  if (label > 1)
    g_string_append_printf (text, "l%u requires l%u\n", label, label - 1);
  label++;
  for (guint i = 0; i < 4; i++)
    {
      g_string_append_printf (text, "l%u: recv 3000b from %u tag %u\nl%u irequires l%u\n", label,
                              peers[i], i ^ 1, label, first);
      g_string_append_printf (text, "l%u: send 3000b to %u tag %u\nl%u irequires l%u\n", label + 1,
                              peers[i], i, label + 1, first);
      label += 2;
    }
  g_string_append_printf (text, "l%u: calc 0\n", label);
  for (guint i = first + 1; i < label; i++)
    g_string_append_printf (text, "l%u requires l%u\n", label, i);
  return label + 1;
}

static GString *
generate (gsize bytes)
{
  GString *text = g_string_sized_new (bytes + bytes / 8);

  g_string_append_printf (text, "num_ranks %d\n", RANKS);
  for (guint rank = 0; rank < RANKS; rank++)
    {
      guint label = 1;
      gsize end = (gsize) (rank + 1) * (bytes / RANKS);

      g_string_append_printf (text, "\nrank %u {\n", rank);
      while (text->len < end)
        label = add_step (text, rank, label, 1000 + label % 977);
      g_string_append (text, "}\n");
    }
  return text;
}

static void
print (const char *what, gsize bytes, gdouble seconds, const PdGraph *graph)
{
  const PdGraphTotals *totals = pd_graph_get_totals (graph);

  printf ("%s %8.1f MB %9" G_GUINT64_FORMAT " operations %7.3f s %7.1f MB/s %6.2f M operations/s"
          " %5.1f MB of graph\n",
          what, (gdouble) bytes / 1e6, totals->n_ops, seconds, (gdouble) bytes / 1e6 / seconds,
          (gdouble) totals->n_ops / 1e6 / seconds, (gdouble) totals->n_bytes / 1e6);
}

/* The graph is written to a file and read again. */
static gboolean
measure_binary (const PdGraph *graph, GError **error)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "bench-goal-parse.bin", NULL);
  g_autoptr (PdOutput) out = pd_output_new (path, error);
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (PdGraph) again = NULL;
  gdouble begin;

  if (out == NULL)
    return FALSE;
  pd_goal_write_binary (graph, out);
  if (!pd_output_close (out, error))
    return FALSE;
  begin = bench_seconds ();
  file = g_mapped_file_new (path, FALSE, error);
  if (file != NULL)
    {
      g_autoptr (GBytes) bytes = g_mapped_file_get_bytes (file);
      again = pd_goal_read_binary (bytes, path, error);
      if (again != NULL)
        print ("binary", g_bytes_get_size (bytes), bench_seconds () - begin, again);
    }
  remove (path);
  return again != NULL;
}

/* Elapsed seconds of one thread and of two, by turns, the least of each. */
static void
measure_threads (GBytes *bytes)
{
  const PdTraceSource source = { "generated", bytes };
  gdouble best[] = { G_MAXDOUBLE, G_MAXDOUBLE };

  for (guint i = 0; i < 10; i++)
    {
      const PdTraceReadOptions options = { .n_threads = 1 + i % 2 };
      gdouble begin = bench_elapsed ();
      pd_mp_trace_free (pd_mp_trace_read (&source, &options, NULL, NULL));
      best[i % 2] = MIN (best[i % 2], bench_elapsed () - begin);
    }
  printf ("text   %8.1f MB by one thread %7.3f s, by two %7.3f s: %4.2f times as fast\n",
          (gdouble) g_bytes_get_size (bytes) / 1e6, best[0], best[1], best[0] / best[1]);
}

/* The least of several times: the machine may be shared, and the first one takes new memory. */
static PdGraph *
measure_text (GBytes *bytes, GError **error)
{
  PdGraph *graph = NULL;
  gdouble best = G_MAXDOUBLE;

  for (guint i = 0; i < N_RUNS; i++)
    {
      g_autoptr (PdInput) input = pd_input_new_from_bytes (bytes);
      g_clear_pointer (&graph, pd_graph_free);
      gdouble begin = bench_seconds ();
      graph = pd_goal_read_text (input, "generated", error);
      if (graph == NULL)
        return NULL;
      best = MIN (best, bench_seconds () - begin);
    }
  print ("text  ", g_bytes_get_size (bytes), best, graph);
  return graph;
}

static gboolean
measure (gint64 megabytes)
{
  GString *text = generate ((gsize) megabytes * 1000000);
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = measure_text (bytes, &error);

  if (graph != NULL)
    {
      measure_threads (bytes);
      if (measure_binary (graph, &error))
        return TRUE;
    }
  fprintf (stderr, "bench-goal-parse: %s\n", error->message);
  return FALSE;
}

int
main (int argc, char **argv)
{
  gboolean ok = TRUE;

  if (argc > 1)
    for (int i = 1; i < argc; i++)
      ok = measure (g_ascii_strtoll (argv[i], NULL, 10)) && ok;
  else
    for (gsize i = 0; i < G_N_ELEMENTS (default_sizes); i++)
      ok = measure (default_sizes[i]) && ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
