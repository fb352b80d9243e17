/* Traces and configurations of Dimemas: its own results, reproduced.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp.h"
#include "traces/open/pd-trace-read.h"
#include "intervals/pd-interval-fold.h"

#include <string.h>

/* What Dimemas says differs from what its rules say by so much at most. */
#define TOLERANCE 1e-8

static const char *const cases[] = {
  "01-p2p-eager",   "02-p2p-rendezvous",   "04-buses",       "05-intra-inter",
  "07-collectives", "09-cpu-ratio-blocks", "11-half-duplex",
};

/* One row of expected_tasks.csv. */
typedef struct
{
  gdouble computation;
  gdouble communication;
} Expected;

static char *
shared_file (const char *name, const char *file)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");

  return g_build_filename (shared != NULL ? shared : "../shared", "reference", "dimemas", name,
                           file, NULL);
}

/* The rows of @name, by task. */
static GArray *
read_expected (const char *name)
{
  g_autofree char *path = shared_file ("", "expected_tasks.csv");
  g_autofree char *text = NULL;
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Expected));

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) columns = g_strsplit (lines[i], ",", -1);
      if (g_strv_length (columns) != 4 || strcmp (columns[0], name) != 0)
        continue;
      Expected row = { g_ascii_strtod (columns[2], NULL), g_ascii_strtod (columns[3], NULL) };
      g_array_append_val (rows, row);
    }
  return rows;
}

/* What Dimemas' own timeline shows of a task besides computation (state 1), in
 * seconds. */
static gdouble
read_timeline (const char *name, guint task)
{
  g_autofree char *path = shared_file (name, "predicted.prv");
  g_autofree char *text = NULL;
  gint64 sum = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) f = g_strsplit (lines[i], ":", -1);
      if (g_strv_length (f) == 8 && strcmp (f[0], "1") == 0 && strcmp (f[7], "1") != 0
          && g_ascii_strtoull (f[3], NULL, 10) == task + 1)
        sum += g_ascii_strtoll (f[6], NULL, 10) - g_ascii_strtoll (f[5], NULL, 10);
    }
  return (gdouble) sum / 1e9;
}

/* The statistics leave out how long the sender of a rendezvous is blocked, which
 * the timeline shows. */
static gboolean
has_blocked_sender (const char *name, guint task)
{
  return strcmp (name, "02-p2p-rendezvous") == 0 && task == 0;
}

static gdouble
read_total (const char *name)
{
  g_autofree char *path = shared_file ("", "expected.csv");
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  const char *row = strstr (text, name);
  g_assert_nonnull (row);
  g_auto (GStrv) columns = g_strsplit (row, ",", 5);
  return g_ascii_strtod (columns[3], NULL);
}

static PdReportRun *
predict (const char *trace, const char *machine, gboolean one_step)
{
  const PdTraceReadOptions read_options = { .recorded = FALSE };
  const PdTraceSource source = { trace, NULL };
  const PdMpOptions options = {
    .trace = trace, .machine = machine, .one_step = one_step, .check = TRUE
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) read = pd_mp_trace_read (&source, &read_options, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (read->format->name, ==, "dim");
  g_assert_false (read->incomplete);
  PdReportRun *run = pd_mp_predict_program (&options, read->program, &error);
  g_assert_no_error (error);
  return run;
}

static void
test_reference (gconstpointer data)
{
  const char *name = data;
  g_autofree char *trace = shared_file (name, "trace.dim");
  g_autofree char *machine = shared_file (name, "machine.cfg");

  if (!g_file_test (trace, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_autoptr (GArray) expected = read_expected (name);
  for (guint step = 0; step < 2; step++)
    {
      PdReportRun *run = predict (trace, machine, step == 1);
      guint32 n = pd_interval_tree_get_n_processors (run->tree);
      g_autofree PdTime *values = g_new (PdTime, n * PD_N_CHARACTERISTICS);
      PdTime last = PD_TIME_ZERO;

      g_assert_cmpuint (n, ==, expected->len);
      pd_interval_tree_get_all_processors (run->tree, 0, values, NULL);
      for (guint32 i = 0; i < n; i++)
        {
          const PdTime *own = values + i * PD_N_CHARACTERISTICS;
          const Expected *row = &g_array_index (expected, Expected, i);
          g_assert_cmpfloat_with_epsilon (pd_time_to_seconds (own[PD_C_CPU_TIME]), row->computation,
                                          TOLERANCE);
          gdouble communication = pd_time_to_seconds (own[PD_C_COMMUNICATION]);
          g_assert_cmpfloat_with_epsilon (communication, read_timeline (name, i), TOLERANCE);
          if (!has_blocked_sender (name, i))
            g_assert_cmpfloat_with_epsilon (communication, row->communication, TOLERANCE);
          last = pd_time_max (last, run->end_times[i]);
        }
      g_assert_cmpfloat_with_epsilon (pd_time_to_seconds (last), read_total (name), TOLERANCE);
      pd_report_run_free (run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/dimemas/reference/", cases[i], NULL);
      g_test_add_data_func (path, cases[i], test_reference);
    }
  return g_test_run ();
}
