/* The cases of ../shared/reference/loggopsim: all times of all ranks, equal to
 * the nanosecond.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal.h"
#include "traces/open/pd-trace-formats.h"
#include "traces/open/pd-trace-read.h"
#include "predictor/graph/pd-goal-result.h"

#include <stdlib.h>
#include <string.h>

#define MAX_RANKS 1024

/* Where LogGOPSim is wrong: what is right. */
static const struct
{
  const char *name;
  gint64 ends[2]; /* ns */
} corrected[] = {
  { "Q1-crosscpu", { 106500, 105542 } },
  { "Q2-zerobyte", { 1510, 5510 } },
};

static char *folder;

/* "-L 2500 -o 1500 …", in nanoseconds. */
static PdGoalParams
parse_params (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
  PdGoalParams params = { 0 };

  for (guint i = 0; words[i] != NULL && words[i + 1] != NULL; i++)
    {
      gint64 value = g_ascii_strtoll (words[i + 1], NULL, 10);
      if (strcmp (words[i], "-L") == 0)
        params.latency = PD_TIME (1000 * value);
      else if (strcmp (words[i], "-o") == 0)
        params.overhead = PD_TIME (1000 * value);
      else if (strcmp (words[i], "-g") == 0)
        params.gap = PD_TIME (1000 * value);
      else if (strcmp (words[i], "-G") == 0)
        params.gap_per_byte = 1000 * (gdouble) value;
      else if (strcmp (words[i], "-O") == 0)
        params.overhead_per_byte = 1000 * (gdouble) value;
      else if (strcmp (words[i], "-S") == 0)
        params.eager = value;
    }
  return params;
}

static guint
read_times (const char *name, gint64 ends[MAX_RANKS])
{
  g_autofree char *path = g_strdup_printf ("%s/%s.times", folder, name);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (; lines[n] != NULL && *lines[n] != '\0'; n++)
    ends[n] = g_ascii_strtoll (strchr (lines[n], '\t') + 1, NULL, 10);
  return n;
}

static void
assert_ends (const PdGraph *graph, const PdGoalParams *params, const gint64 *ends, guint n)
{
  g_auto (PdGoalResult) result = { 0 };
  g_autoptr (GError) error = NULL;

  pd_goal_simulate (graph, params, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (result.n_ranks, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (result.ends[i].ps, ==, 1000 * ends[i]);
}

/* A line of INDEX.tsv: case, input, ranks, events, parameters, maximum. */
static void
test_case (gconstpointer data)
{
  g_auto (GStrv) fields = g_strsplit (data, "\t", -1);
  const char *suffix = strstr (fields[0], "sweep3d") != NULL ? ".gz" : "";
  g_autofree char *path = g_strdup_printf ("%s/%s%s", folder, fields[1], suffix);
  PdTraceSource source = { path, NULL };
  PdTraceReadOptions options = { 0 };
  PdGoalParams params = parse_params (fields[4]);
  g_autoptr (GError) error = NULL;
  gint64 ends[MAX_RANKS];
  guint n = read_times (fields[0], ends);
  PdMpTrace *trace = pd_mp_trace_read (&source, &options, NULL, &error);

  g_assert_no_error (error);
  params.compat = TRUE;
  assert_ends (trace->graph, &params, ends, n);
  params.compat = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (corrected); i++)
    if (strcmp (corrected[i].name, fields[0]) == 0)
      memcpy (ends, corrected[i].ends, sizeof corrected[i].ends);
  assert_ends (trace->graph, &params, ends, n);
  pd_mp_trace_free (trace);
}

static void
test_absent (gconstpointer data)
{
  g_test_skip (data);
}

static void
add_cases (const char *index)
{
  g_auto (GStrv) lines = g_strsplit (index, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);
      g_autofree char *path = g_strdup_printf ("/predictor/goal-reference/%s", fields[0]);
      if (g_strv_length (fields) >= 5)
        g_test_add_data_func_full (path, g_strdup (lines[i]), test_case, g_free);
    }
}

int
main (int argc, char **argv)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path = NULL, *index = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);

  folder = g_build_filename (shared != NULL ? shared : "../shared", "reference", "loggopsim", NULL);
  path = g_build_filename (folder, "INDEX.tsv", NULL);
  if (!g_file_get_contents (path, &index, NULL, NULL))
    g_test_add_data_func ("/predictor/goal-reference", "../shared is absent", test_absent);
  else if (pd_trace_format_find ("goal") == NULL)
    g_test_add_data_func ("/predictor/goal-reference", "this build reads no GOAL files",
                          test_absent);
  else
    add_cases (index);
  status = g_test_run ();
  g_free (folder);
  return status;
}
