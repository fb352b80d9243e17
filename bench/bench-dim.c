/* How fast Dimemas traces are read and simulated, in millions of records per
 * second of processor time, on traces made here: a ring of blocking messages and a
 * halo of immediate ones, on nodes with one link in and out. Parsing also in MB/s.
 *   bench-dim
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "predictor/mp/pd-mp.h"
#include "traces/open/pd-trace-read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N_RUNS 5

/* Burst, send to the right, receive from the left: 3 records. */
static guint
ring_step (GString *out, guint task, guint n, guint i)
{
  g_string_append_printf (out, "1:%u:0:0.%09u\n2:%u:0:%u:-1:%u:%u:1:0\n3:%u:0:%u:-1:%u:%u:1:0\n",
                          task, 10000 + (task * 7 + i) % 977, task, (task + 1) % n, 1024, i % 100,
                          task, (task + n - 1) % n, 1024, i % 100);
  return 3;
}

/* Both neighbours: receives started, sends, burst, waits: 7 records. */
static guint
halo_step (GString *out, guint task, guint n, guint i)
{
  guint left = (task + n - 1) % n, right = (task + 1) % n;

  g_string_append_printf (out, "3:%u:0:%u:-1:8192:1:1:1\n3:%u:0:%u:-1:8192:2:1:1\n", task, left,
                          task, right);
  g_string_append_printf (out, "2:%u:0:%u:-1:8192:2:1:2\n2:%u:0:%u:-1:8192:1:1:2\n", task, left,
                          task, right);
  g_string_append_printf (out, "1:%u:0:0.%09u\n", task, 20000 + (task * 7 + i) % 977);
  g_string_append_printf (out, "3:%u:0:%u:-1:8192:1:1:2\n3:%u:0:%u:-1:8192:2:1:2\n", task, left,
                          task, right);
  return 7;
}

static const struct
{
  const char *name;
  guint (*step) (GString *out, guint task, guint n, guint i);
  guint n;
  guint n_steps;
  const char *machine;
} rows[] = {
  { "ring", ring_step, 16, 30000, "dimemas:latency=5us,bandwidth=1GB/s" },
  { "ring", ring_step, 16, 30000, "dimemas:latency=5us,bandwidth=1GB/s,in-links=1,out-links=1" },
  { "ring", ring_step, 1024, 500, "dimemas:latency=5us,bandwidth=1GB/s" },
  { "ring", ring_step, 1024, 500, "dimemas:latency=5us,bandwidth=1GB/s,in-links=1,out-links=1" },
  { "halo", halo_step, 16, 15000, "dimemas:latency=5us,bandwidth=1GB/s" },
  { "halo", halo_step, 16, 15000, "dimemas:latency=5us,bandwidth=1GB/s,in-links=1,out-links=1" },
  { "halo", halo_step, 1024, 250, "dimemas:latency=5us,bandwidth=1GB/s" },
  { "halo", halo_step, 1024, 250, "dimemas:latency=5us,bandwidth=1GB/s,in-links=1,out-links=1" },
};

static GBytes *
make_trace (gsize row, guint64 *n_records)
{
  GString *out = g_string_new ("#DIMEMAS:\"bench\":0:");

  g_string_append_printf (out, "%u(", rows[row].n);
  for (guint i = 0; i < rows[row].n; i++)
    g_string_append (out, i > 0 ? ",1" : "1");
  g_string_append_printf (out, "),1\nd:1:1:%u", rows[row].n);
  for (guint i = 0; i < rows[row].n; i++)
    g_string_append_printf (out, ":%u", i);
  g_string_append_c (out, '\n');
  *n_records = 0;
  for (guint task = 0; task < rows[row].n; task++)
    for (guint i = 0; i < rows[row].n_steps; i++)
      *n_records += rows[row].step (out, task, rows[row].n, i);
  return g_string_free_to_bytes (out);
}

static PdMpTrace *
parse (GBytes *bytes, guint n_threads)
{
  const PdTraceReadOptions options = { .n_threads = n_threads };
  const PdTraceSource source = { "bench", bytes };
  g_autoptr (GError) error = NULL;
  PdMpTrace *trace = pd_mp_trace_read (&source, &options, NULL, &error);

  if (trace == NULL)
    g_error ("%s", error->message);
  return trace;
}

static void
simulate (const char *machine, const PdProgram *program)
{
  const PdMpOptions options = { .trace = "bench", .machine = machine };
  g_autoptr (GError) error = NULL;
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);

  if (run == NULL)
    g_error ("%s", error->message);
  pd_report_run_free (run);
}

/* Elapsed seconds of parsing by one thread against two, by turns, the least of each. */
static gdouble
compare_threads (GBytes *bytes)
{
  gdouble best[] = { 1e9, 1e9 };

  for (guint i = 0; i < 2 * N_RUNS; i++)
    {
      gdouble begin = bench_elapsed ();
      pd_mp_trace_free (parse (bytes, 1 + i % 2));
      best[i % 2] = MIN (best[i % 2], bench_elapsed () - begin);
    }
  return best[0] / best[1];
}

/* The least of several times: the machine may be shared. */
static void
measure (gsize row)
{
  guint64 n_records;
  g_autoptr (GBytes) bytes = make_trace (row, &n_records);
  gdouble parsing = 1e9, simulation = 1e9, n = (gdouble) n_records;

  for (guint i = 0; i < N_RUNS; i++)
    {
      gdouble begin = bench_seconds ();
      g_autoptr (PdMpTrace) trace = parse (bytes, 1);
      gdouble parsed = bench_seconds ();
      simulate (rows[row].machine, trace->program);
      parsing = MIN (parsing, parsed - begin);
      simulation = MIN (simulation, bench_seconds () - parsed);
    }
  printf ("%-5s P=%-5u %-9s %8.0f records: parsing %5.1f M/s (%4.0f MB/s), simulation %5.1f M/s, "
          "together %5.1f M/s; parsing by 2 threads %4.2f times as fast\n",
          rows[row].name, rows[row].n, strstr (rows[row].machine, "links") ? "links" : "no links",
          n, n / parsing / 1e6, (gdouble) g_bytes_get_size (bytes) / parsing / 1e6,
          n / simulation / 1e6, n / (parsing + simulation) / 1e6, compare_threads (bytes));
}

int
main (void)
{
  puts ("Dimemas traces, M records per second of processor time (best of several):");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    measure (i);
  return EXIT_SUCCESS;
}
