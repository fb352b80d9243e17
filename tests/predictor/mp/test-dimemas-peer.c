/* Programs where Dimemas' rules meet: equal moments, collective operations and messages that want
 * the same buses, … Each folder of tests/data/dimemas has trace.dim, machine.cfg and ends.txt, the
 * nanosecond in which each task ends in Dimemas 5.5.0, as its timeline shows it; they were drawn by
 * bench/differential. Those of ../shared that are the peer's own faults are left out.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

#define DATA "tests/data/dimemas"

/* What Dimemas' timeline is rounded by, and its sums in floating point. */
#define TOLERANCE_NS 3

static PdReportRun *
predict (const char *folder, gboolean one_step)
{
  g_autofree char *trace = g_build_filename (folder, "trace.dim", NULL);
  g_autofree char *machine = g_build_filename (folder, "machine.cfg", NULL);
  const PdTraceReadOptions read_options = { .recorded = FALSE };
  const PdTraceSource source = { trace, NULL };
  static const char *const itself[] = { "network/nodes/memory/itself=sent", NULL };
  const PdMpOptions options = { .trace = trace,
                                .machine = machine,
                                .settings = strstr (folder, "self") != NULL ? itself : NULL,
                                .one_step = one_step };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) read = pd_mp_trace_read (&source, &read_options, NULL, &error);

  g_assert_no_error (error);
  PdReportRun *run = pd_mp_predict_program (&options, read->program, &error);
  g_assert_no_error (error);
  return run;
}

/* @ends: nanoseconds, in the order of tasks. */
static void
check (const char *folder, char **ends)
{
  for (guint step = 0; step < 2; step++)
    {
      PdReportRun *run = predict (folder, step == 1);
      for (guint i = 0; ends[i] != NULL; i++)
        {
          gint64 ns = run->end_times[i].ps / PD_PS_PER_NS;
          gint64 expected = g_ascii_strtoll (ends[i], NULL, 10);
          if (ABS (ns - expected) > TOLERANCE_NS)
            g_test_message ("task %u ends at %" G_GINT64_FORMAT " ns, in Dimemas at %s", i, ns,
                            ends[i]);
          g_assert_cmpint (ABS (ns - expected), <=, TOLERANCE_NS);
        }
      pd_report_run_free (run);
    }
}

static void
test_own (gconstpointer data)
{
  g_autofree char *folder = g_build_filename (DATA, data, NULL);
  g_autofree char *path = g_build_filename (folder, "ends.txt", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) ends = g_strsplit (g_strstrip (text), "\n", -1);
  check (folder, ends);
}

/* "peer … total_ns N ends {0: N, 1: N, …}" */
static char **
read_shared_ends (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "expected.txt", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  char *open = strchr (text, '{'), *close = strchr (text, '}');
  g_assert_nonnull (open);
  g_assert_nonnull (close);
  *close = '\0';
  char **ends = g_strsplit (open + 1, ",", -1);
  for (guint i = 0; ends[i] != NULL; i++)
    {
      char *ns = g_strdup (strchr (ends[i], ':') + 1);
      g_free (ends[i]);
      ends[i] = g_strstrip (ns);
    }
  return ends;
}

static void
test_shared (gconstpointer data)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *folder = g_build_filename (shared != NULL ? shared : "../shared", "reference",
                                              "differential", data, NULL);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_auto (GStrv) ends = read_shared_ends (folder);
  check (folder, ends);
}

static const char *const shared_cases[] = {
  "dim-A1-tie-turns",
  "dim-A1b-tie-turns-control",
  "dim-A1c-tie-wakeup",
  "dim-A2-peer-uninitialised-half-duplex",
  "dim-C1-collective-takes-all-buses",
  "dim-D1-reduce-refused",
  "dim-D1b-reduce-model",
  "dim-D2-nonblocking-latency",
  "dim-D3-self-message",
};

int
main (int argc, char *argv[])
{
  g_autoptr (GDir) dir = g_dir_open (DATA, 0, NULL);
  const char *name;

  g_test_init (&argc, &argv, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_strconcat ("/dimemas/peer/", name, NULL);
      g_test_add_data_func_full (path, g_strdup (name), test_own, g_free);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (shared_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/dimemas/shared/", shared_cases[i], NULL);
      g_test_add_data_func (path, shared_cases[i], test_shared);
    }
  return g_test_run ();
}
