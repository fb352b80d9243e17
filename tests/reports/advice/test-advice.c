/* Advice on made-up runs: what is chosen, why, and how it is written.
 * SPDX-License-Identifier: MIT */
#include "reports/advice/pd-advice.h"
#include "reports/advice/pd-advice-data.h"
#include "reports/advice/pd-advice-explain.h"
#include "reports/advice/pd-advice-write.h"

#include <string.h>

#define S PD_PS_PER_S

/* A run of @n processors that are all alike: seconds of sequential work, of a
 * loop (in all), of shadow edges and of a reduction (of each). */
static void
add_run (PdReport *report, guint32 n, const char *grid, const gint64 *seconds)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);

  run->n_processors = n;
  run->grid = g_strdup (grid);
  run->tree = pd_interval_tree_new (n);
  for (guint32 p = 0; p < n; p++)
    {
      pd_interval_tree_add (run->tree, 0, PD_Q_CPU_SEQ, p, PD_TIME (seconds[0] * S));
      pd_interval_tree_add (run->tree, 0, PD_Q_INSUFF_SEQ, p,
                            PD_TIME (seconds[0] * S / n * (n - 1)));
      pd_interval_tree_add (run->tree, 0, PD_Q_CPU_PAR, p, PD_TIME (seconds[1] * S / n));
      pd_interval_tree_add (run->tree, 0, PD_Q_WAIT_SHADOW, p, PD_TIME (seconds[2] * S));
      pd_interval_tree_add (run->tree, 0, PD_Q_WAIT_REDUCTION, p, PD_TIME (seconds[3] * S));
    }
  run->messages = pd_messages_new ();
  pd_report_run_compact (run);
  pd_report_add_run (report, run);
}

static const struct
{
  guint32 n;
  const char *grid;
  gint64 seconds[4];
} runs[] = {
  { 1, "1", { 8, 64, 0, 0 } },    { 2, "2", { 8, 64, 1, 1 } },   { 2, "1x2", { 8, 64, 3, 1 } },
  { 4, "4", { 8, 64, 4, 2 } },    { 4, "1x4", { 8, 64, 1, 2 } }, { 4, "2x2", { 8, 64, 2, 2 } },
  { 8, "4x2", { 8, 64, 10, 2 } },
};

static PdReport *
make_report (void)
{
  PdReport *report = pd_report_new ();

  report->command_line = g_strdup ("predictor advise x.ptr");
  report->machine = g_strdup ("m");
  for (gsize i = 0; i < G_N_ELEMENTS (runs); i++)
    add_run (report, runs[i].n, runs[i].grid, runs[i].seconds);
  return report;
}

/* Times: 72, 42, 44, 30, 27, 28, 28; costs: 72, 84, 88, 120, 108, 112, 224;
 * efficiencies: 1, .86, .82, .6, .67, .64, .32. */
static const struct
{
  const char *name;
  PdAdviceCriteria criteria;
  const char *best[PD_N_ADVICE];
} choices[] = {
  { "all", { { TRUE, TRUE, TRUE }, 0.5, -1, { 0 } }, { "1x4", "1x4", "1" } },
  { "floor", { { TRUE, TRUE, TRUE }, 0.7, -1, { 0 } }, { "1x4", "2", "1" } },
  { "high-floor", { { TRUE, TRUE, TRUE }, 0.9, -1, { 0 } }, { "1x4", "1", "1" } },
  { "deadline", { { TRUE, TRUE, TRUE }, 0.5, 2, { 43 * S } }, { "1x4", "1x4", "2" } },
  { "deadline-exact", { { TRUE, TRUE, TRUE }, 0.5, 2, { 42 * S } }, { "1x4", "1x4", "2" } },
  { "late", { { TRUE, TRUE, TRUE }, 0.5, 2, { 26 * S } }, { "1x4", "1x4", NULL } },
  { "only-cost", { { FALSE, FALSE, TRUE }, 0.5, 0, { 0 } }, { NULL, NULL, "1" } },
};

static void
test_choice (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdReport) report = make_report ();
  gint best[PD_N_ADVICE];

  pd_advice_choose (&choices[i].criteria, (const PdReportRun *const *) report->runs->pdata,
                    report->runs->len, best);
  for (guint c = 0; c < PD_N_ADVICE; c++)
    {
      if (choices[i].best[c] == NULL)
        {
          g_assert_cmpint (best[c], ==, -1);
          continue;
        }
      g_assert_cmpint (best[c], >=, 0);
      g_assert_cmpstr (((PdReportRun *) g_ptr_array_index (report->runs, (guint) best[c]))->grid,
                       ==, choices[i].best[c]);
    }
}

static PdAdvice *
make_advice (PdReport *report, const PdAdviceCriteria *criteria)
{
  PdAdvice *advice = pd_advice_new (report, criteria);
  PdAdvicePruned pruned = { 16, g_strdup ("16"), { (PdWide) 30 * S } };

  advice->scope = g_strdup ("Made up.");
  g_array_append_val (advice->pruned, pruned);
  pd_advice_choose (criteria, (const PdReportRun *const *) report->runs->pdata, report->runs->len,
                    advice->best);
  return advice;
}

/* 1x4 against 4x2: productive time falls by 72/4 - 72/8, insufficient
 * parallelism grows by 1, shadow edges by 9. Against 2: 72/2 - 72/4. */
static void
test_why_time (void)
{
  g_autoptr (PdReport) report = make_report ();
  g_autoptr (PdAdvice) advice = make_advice (report, &choices[0].criteria);
  g_autofree char *why = pd_advice_explain (advice, PD_ADVICE_TIME);

  g_assert_cmpstr (
      why, ==,
      "On 8 processors (4x2) it takes 3.7 % longer: per processor, communication (chiefly "
      "Wait_shadow) grows by 9 s while productive time falls by 9 s. On 2 processors (2) it takes "
      "55.6 % longer: per processor, productive time grows by 18 s while insufficient parallelism "
      "falls by 2 s. The slowest of the 2 other grids of 4, 4, takes 11.1 % longer: per processor, "
      "communication (chiefly Wait_shadow) grows by 3 s.");
}

/* For efficiency the parts are those of all processors: from 2 to 1x4
 * communication grows by 3 * 4 - 2 * 2, insufficient parallelism by 24 - 8. */
static void
test_why_efficiency (void)
{
  g_autoptr (PdReport) report = make_report ();
  g_autoptr (PdAdvice) advice = make_advice (report, &choices[1].criteria);
  g_autofree char *why = pd_advice_explain (advice, PD_ADVICE_EFFICIENCY);

  g_assert_nonnull (strstr (why, "On 4 processors (1x4) it takes 35.7 % less time: over all "
                                 "processors, insufficient parallelism grows by 16 s. Its "
                                 "efficiency, 66.7 %, is below the floor of 70 %."));
  g_assert_nonnull (strstr (why, "The other grid of 2, 1x2, takes 4.76 % longer"));
}

static void
test_why_cost (void)
{
  g_autoptr (PdReport) report = make_report ();
  g_autoptr (PdAdvice) advice = make_advice (report, &choices[3].criteria);
  g_autofree char *why = pd_advice_explain (advice, PD_ADVICE_COST);

  g_assert_nonnull (strstr (why, "It costs 28.6 % more."));
  g_assert_nonnull (strstr (why, "It costs 14.3 % less. It misses the deadline."));
}

static void
test_text (void)
{
  g_autoptr (PdReport) report = make_report ();
  g_autoptr (PdAdvice) advice = make_advice (report, &choices[0].criteria);
  g_autoptr (GString) brief = g_string_new (NULL), all = g_string_new (NULL);

  pd_advice_write_text (advice, 0, 80, brief);
  pd_advice_write_text (advice, 1, 80, all);
  g_assert_nonnull (strstr (brief->str, "Made up."));
  /* the fastest of each count, and the choices */
  g_assert_nonnull (strstr (brief->str, "    4   1x4  27.0000      2.67   66.7  108.00"));
  g_assert_null (strstr (brief->str, "    4   2x2"));
  g_assert_nonnull (strstr (brief->str, "3 more grids"));
  g_assert_nonnull (strstr (all->str, "    4   2x2"));
  g_assert_nonnull (strstr (brief->str, "  TE\n"));
  g_assert_nonnull (strstr (brief->str, "The same grid"));
  g_assert_nonnull (strstr (brief->str, "Pruned: 1 of 8 grids; their time cannot be below 30 s"));
}

static void
test_csv (void)
{
  g_autoptr (PdReport) report = make_report ();
  g_autoptr (PdAdvice) advice = make_advice (report, &choices[3].criteria);
  g_autoptr (GString) out = g_string_new (NULL);

  pd_advice_write_csv (advice, out);
  g_auto (GStrv) lines = g_strsplit (out->str, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 7 + 1 + 1);
  g_assert_true (g_str_has_prefix (lines[2], "2,2,predicted,C,,1.71428571429,0.0466666666667,"));
  g_assert_true (g_str_has_prefix (lines[8], "16,16,pruned,,30.000000000000,,"));
  for (guint i = 0; lines[i + 1] != NULL; i++)
    {
      g_auto (GStrv) heading = g_strsplit (lines[0], ",", -1);
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);
      g_assert_cmpuint (g_strv_length (fields), ==, g_strv_length (heading));
    }
}

static void
test_json (void)
{
  g_autoptr (PdReport) report = make_report ();
  g_autoptr (PdAdvice) advice = make_advice (report, &choices[5].criteria);
  g_autoptr (GString) out = g_string_new (NULL);

  pd_advice_write_json (advice, out);
  g_assert_nonnull (strstr (out->str, "\"deadline\": 26.000000000000"));
  g_assert_nonnull (strstr (out->str, "\"cost\": {}"));
  g_assert_nonnull (strstr (out->str, "\"bound\": 30.000000000000"));
}

/* One run, nothing to compare with. */
static void
test_single (void)
{
  g_autoptr (PdReport) report = pd_report_new ();
  add_run (report, 4, "2x2", runs[5].seconds);
  g_autoptr (PdAdvice) advice = make_advice (report, &choices[0].criteria);
  g_autofree char *why = pd_advice_explain (advice, PD_ADVICE_TIME);

  g_assert_cmpstr (why, ==, "Nothing larger was predicted.");
}

/* Runs without any time: no division by it. */
static void
test_zero (void)
{
  static const gint64 nothing[4] = { 0, 0, 0, 0 };
  g_autoptr (PdReport) report = pd_report_new ();
  g_autoptr (GString) out = g_string_new (NULL);

  add_run (report, 1, "1", nothing);
  add_run (report, 2, "2", nothing);
  g_autoptr (PdAdvice) advice = make_advice (report, &choices[0].criteria);
  pd_advice_write_text (advice, 1, 80, out);
  pd_advice_write_json (advice, out);
  pd_advice_write_csv (advice, out);
  g_assert_null (strstr (out->str, "nan"));
  g_assert_null (strstr (out->str, "inf "));
  g_assert_cmpint (advice->best[PD_ADVICE_TIME], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      g_autofree char *path = g_strconcat ("/reports/advice/choice/", choices[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_choice);
    }
  g_test_add_func ("/reports/advice/why/time", test_why_time);
  g_test_add_func ("/reports/advice/why/efficiency", test_why_efficiency);
  g_test_add_func ("/reports/advice/why/cost", test_why_cost);
  g_test_add_func ("/reports/advice/text", test_text);
  g_test_add_func ("/reports/advice/csv", test_csv);
  g_test_add_func ("/reports/advice/json", test_json);
  g_test_add_func ("/reports/advice/single", test_single);
  g_test_add_func ("/reports/advice/zero", test_zero);
  return g_test_run ();
}
