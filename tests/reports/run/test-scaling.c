/* Where speed-up breaks, and why: trees of a loop in a program, in microseconds.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-fold.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-json.h"
#include "reports/run/pd-report-scaling.h"

#include <string.h>

/* What each processor does in the loop, and outside of it. */
typedef struct
{
  guint32 n;
  gint64 compute, wait, repeated, outside_wait;
} Work;

static void
add_run (PdReport *report, const Work *work, gint64 line)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);
  PdIntervalKey key = { PD_INTERVAL_PAR, "a.fdv", line, PD_INTERVAL_NO_INDEX, NULL };

  run->n_processors = work->n;
  run->grid = g_strdup_printf ("%u", work->n);
  run->tree = pd_interval_tree_new (work->n);
  run->end_times = g_new0 (PdTime, work->n);
  run->messages = pd_messages_new ();
  guint32 loop = pd_interval_tree_child (run->tree, PD_INTERVAL_ROOT, &key);
  for (guint32 p = 0; p < work->n; p++)
    {
      const struct
      {
        guint32 node;
        PdQuantity quantity;
        gint64 us;
      } charges[] = {
        { loop, PD_Q_CPU_PAR, work->compute },
        { loop, PD_Q_WAIT_SHADOW, work->wait },
        { PD_INTERVAL_ROOT, PD_Q_CPU_SEQ, work->repeated },
        { PD_INTERVAL_ROOT, PD_Q_INSUFF_SEQ, work->repeated - work->repeated / work->n },
        { PD_INTERVAL_ROOT, PD_Q_WAIT_REDUCTION, work->outside_wait },
      };
      for (gsize i = 0; i < G_N_ELEMENTS (charges); i++)
        pd_interval_tree_add (run->tree, charges[i].node, charges[i].quantity, p,
                              PD_TIME (charges[i].us * PD_PS_PER_US));
      pd_interval_tree_add (run->tree, loop, PD_Q_EXE_COUNT, p, PD_TIME (1));
    }
  pd_report_add_run (report, run);
}

static const struct
{
  const char *name;
  Work runs[4];
  const char *sentence;
} cases[] = {
  { "never",
    { { 1, 1600, 0, 0, 0 }, { 4, 400, 0, 0, 0 }, { 16, 100, 10, 0, 0 } },
    "Speed-up does not break up to 16 processors: twice as many are at least 1.41 times as fast." },
  /* 400 -> 250 where sqrt (4) = 2 is wanted: lost 16 * 150 = 2400, all in the loop */
  { "communication",
    { { 1, 1600, 0, 0, 0 }, { 4, 400, 0, 0, 0 }, { 16, 100, 150, 0, 0 } },
    "Speed-up breaks from 4 to 16 processors: 1.60 times as fast, where 4.00 times as fast was "
    "possible. Of the time lost in addition 100 % is communication, mainly in PAR a.fdv:7." },
  /* 480 -> 180: lost before 4 * 80 - 80, after 16 * 80 - 80: less than the square root at the next
   */
  { "sequential",
    { { 1, 1600, 0, 80, 0 }, { 4, 400, 0, 80, 0 }, { 16, 100, 0, 80, 0 }, { 64, 25, 0, 80, 0 } },
    "Speed-up breaks from 16 to 64 processors: 1.71 times as fast, where 4.00 times as fast was "
    "possible. Of the time lost in addition 100 % is insufficient parallelism." },
  { "slower",
    { { 1, 100, 0, 0, 0 }, { 2, 50, 0, 0, 150 } },
    "Speed-up breaks from 1 to 2 processors: 2.00 times as slow, where 2.00 times as fast was "
    "possible. Of the time lost in addition 100 % is communication." },
  /* runs in any order */
  { "order",
    { { 16, 100, 150, 0, 0 }, { 1, 1600, 0, 0, 0 }, { 4, 400, 0, 0, 0 } },
    "Speed-up breaks from 4 to 16 processors: 1.60 times as fast, where 4.00 times as fast was "
    "possible. Of the time lost in addition 100 % is communication, mainly in PAR a.fdv:7." },
  /* of two runs on 4 processors the fastest */
  { "fastest",
    { { 1, 1600, 0, 0, 0 }, { 4, 400, 9000, 0, 0 }, { 4, 400, 0, 0, 0 }, { 16, 100, 10, 0, 0 } },
    "Speed-up does not break up to 16 processors: twice as many are at least 1.41 times as fast." },
};

static void
test_sentence (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdReport) report = pd_report_new ();
  g_autoptr (GString) json = g_string_new (NULL);

  for (guint k = 0; k < G_N_ELEMENTS (cases[i].runs) && cases[i].runs[k].n > 0; k++)
    add_run (report, &cases[i].runs[k], 7);
  g_autoptr (GPtrArray) runs = pd_scaling_list_runs (report);
  g_assert_nonnull (runs);
  g_autofree char *sentence = pd_scaling_describe (runs);
  g_assert_cmpstr (sentence, ==, cases[i].sentence);
  pd_report_write_json (report, json);
  g_assert_cmpint (strstr (json->str, "\"speed_up_break\"") != NULL, ==,
                   strstr (sentence, "breaks from") != NULL);
}

/* As many columns as have room, those around the break and the last among them. */
static void
test_table (void)
{
  g_autoptr (PdReport) report = pd_report_new ();
  g_autoptr (GString) out = g_string_new (NULL);
  PdColumns to = { .out = out, .width = 80 };
  gdouble speed_ups[6];

  for (guint32 n = 1; n <= 32; n *= 2)
    add_run (report, &(Work){ n, 3200 / n, n == 4 ? 2000 : 0, 0, 0 }, 7);
  g_autoptr (GPtrArray) runs = pd_scaling_list_runs (report);
  pd_scaling_add_table (&to, runs, FALSE);
  g_assert_cmpstr (out->str, ==,
                   "Interval                 2            4           32\n"
                   "MAIN           0.0016 100-  0.0028  29c  0.0001 100-\n"
                   "  PAR a.fdv:7  0.0016 100-  0.0028  29c  0.0001 100-\n");
  pd_scaling_get_speed_ups (runs, 1, speed_ups);
  g_assert_cmpfloat_with_epsilon (speed_ups[5], 32, 1e-9);
}

/* Nothing is said of one number of processors, or of runs with other intervals. */
static void
test_nothing (void)
{
  g_autoptr (PdReport) report = pd_report_new ();

  add_run (report, &(Work){ 4, 400, 0, 0, 0 }, 7);
  g_assert_null (pd_scaling_list_runs (report));
  add_run (report, &(Work){ 4, 400, 1, 0, 0 }, 7);
  g_assert_null (pd_scaling_list_runs (report));
  add_run (report, &(Work){ 8, 400, 1, 0, 0 }, 9);
  g_assert_null (pd_scaling_list_runs (report));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/reports/scaling/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_sentence);
    }
  g_test_add_func ("/reports/scaling/table", test_table);
  g_test_add_func ("/reports/scaling/nothing", test_nothing);
  return g_test_run ();
}
