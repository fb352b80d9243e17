/* Root causes of waiting: chains worked out on paper, in microseconds, and identities of random
 * programs.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis.h"
#include "analyse/pd-delays-private.h"
#include "predictor/mp/pd-mp.h"
#include "tests/support/mp/mp-random.h"
#include "tests/support/mp/programs-random.h"

#define HEAD(n) "predictor-trace 1\nranks " n "\n"

static const struct
{
  const char *name;
  const char *text;
  const char *causes; /* RANK KIND FROM>TO direct+propagated VICTIMS(MOST) took/others */
} cases[] = {
  /* 1 waits for 0 up to 5 */
  { "pair", HEAD ("2") "0 compute 5us\n0 send 1 8 took=1us\n1 recv 0 8 took=7us\n",
    "waiting 5\n0 computation >MPI_Send: 5+0 1(1) took 5\n" },
  /* 1 waits for 0 up to 10 and goes on at 11; 2 waits for it up to 11, 3 up to 12 */
  { "pipeline",
    HEAD ("4") "0 compute 10us\n0 send 1 8 took=1us\n"
               "1 recv 0 8 took=11us\n1 send 2 8 took=1us\n"
               "2 recv 1 8 took=12us\n2 send 3 8 took=1us\n"
               "3 recv 2 8 took=13us\n",
    "waiting 33\n0 computation >MPI_Send: 10+20 1(1) took 10\n"
    "1 communication MPI_Recv>MPI_Recv: 1+1 1(2) took 1/1\n"
    "2 communication MPI_Recv>MPI_Recv: 1+0 1(3) took 1/1\n" },
  /* 2 waits 30 for 1, which waited 10 for 0 and computed for 20 */
  { "shared",
    HEAD ("3") "0 compute 10us\n0 send 1 8 took=0us\n"
               "1 recv 0 8 took=10us\n1 compute 20us\n1 send 2 8 took=0us\n2 recv 1 8 took=30us\n",
    "waiting 40\n0 computation >MPI_Send: 10+10 1(1) took 10\n"
    "1 computation MPI_Recv>MPI_Send: 20+0 1(2) took 20\n" },
  /* all compute for 10, but rank 2 for 25: it is late, by 15 */
  { "barrier",
    HEAD ("3") "0 compute 10us\n0 barrier took=16us\n1 compute 10us\n1 barrier took=16us\n"
               "2 compute 25us\n2 barrier took=1us\n",
    "waiting 30\n2 computation >MPI_Barrier: 30+0 2(0) took 25/10\n" },
  /* the second time it is rank 0, since they were in step at the first one */
  { "barriers",
    HEAD ("2") "0 compute 10us\n0 barrier took=5us\n0 compute 9us\n0 barrier took=0us\n"
               "1 compute 15us\n1 barrier took=0us\n1 compute 2us\n1 barrier took=7us\n",
    "waiting 12\n0 computation MPI_Barrier>MPI_Barrier: 7+0 1(1) took 9/2\n"
    "1 computation >MPI_Barrier: 5+0 1(0) took 15/10\n" },
  /* a message that nobody waits for does not bring ranks in step: both computations of rank 1
   * count, 10 against 2 */
  { "eager",
    HEAD ("2") "0 send 1 8 took=0us\n0 compute 2us\n0 barrier took=8us\n"
               "1 compute 1us\n1 recv 0 8 took=0us\n1 compute 9us\n1 barrier took=0us\n",
    "waiting 8\n1 computation MPI_Recv>MPI_Barrier: 7.2+0 1(0) took 9\n"
    "1 computation >MPI_Recv: 0.8+0 1(0) took 1\n" },
  /* a ring: rank 0 is late by 10, the others compute for 1 each. 2 waits 11 for 1, 10 of them
   * for 0. 0 waits 2 for 2, which has computed less than it, but waited 11 */
  { "ring",
    HEAD ("3") "0 compute 10us\n0 send 1 8 took=0us\n0 recv 2 8 took=2us\n"
               "1 recv 0 8 took=10us\n1 compute 1us\n1 send 2 8 took=0us\n"
               "2 recv 1 8 took=11us\n2 compute 1us\n2 send 0 8 took=0us\n",
    "waiting 23\n0 computation >MPI_Send: 10+11.8182 1(1) took 10\n"
    "1 computation MPI_Recv>MPI_Send: 1+0.181818 1(2) took 1/1\n" },
  /* two culprits that have nothing to do with each other */
  { "independent",
    HEAD ("4") "0 compute 5us\n0 send 1 8 took=0us\n1 recv 0 8 took=5us\n"
               "2 compute 7us\n2 send 3 8 took=0us\n3 recv 2 8 took=7us\n",
    "waiting 12\n2 computation >MPI_Send: 7+0 1(3) took 7/5\n"
    "0 computation >MPI_Send: 5+0 1(1) took 5/7\n" },
  /* a slow call: rank 1 needs 6 more for its file */
  { "slow-call",
    HEAD ("2") "0 other \"MPI_File_write\" 2us\n0 barrier took=6us\n"
               "1 other \"MPI_File_write\" 8us\n1 barrier took=0us\n",
    "waiting 6\n1 communication MPI_File_write>MPI_File_write: 6+0 1(0) took 8/2\n" },
  { "late-receiver", HEAD ("2") "0 ssend 1 8 took=7us\n1 compute 4us\n1 recv 0 8 took=2us\n",
    "waiting 4\n1 computation >MPI_Recv: 4+0 1(0) took 4\n" },
  /* it has begun later */
  { "start",
    HEAD (
        "2") "0 compute 1us\n0 barrier took=5us\n1 begin 5us\n1 compute 1us\n1 barrier took=0us\n",
    "waiting 5\n1 start >: 5+0 1(0) took 5\n" },
  /* rank 0 computes inside an interval; the others wait outside of it */
  { "interval",
    HEAD ("3") "0 enter \"a\"\n0 compute 6us\n0 leave \"a\"\n0 barrier took=0us\n"
               "1 barrier took=6us\n2 barrier took=6us\n",
    "waiting 12\n0 computation a >MPI_Barrier: 12+0 2(1) took 6\n" },
  /* 0 lets 1 go at 5, which lets 2 go at the same moment */
  { "link",
    HEAD ("3") "0 compute 5us\n0 send 1 8 took=0us\n1 recv 0 8 took=5us\n1 send 2 8 took=0us\n"
               "2 recv 1 8 took=5us\n",
    "waiting 10\n0 computation >MPI_Send: 10+0 2(1) took 5\n" },
  /* the root waits for both: for the later one, up to 9 */
  { "early-reduce",
    HEAD ("3") "0 reduce 8 took=9us\n1 compute 4us\n1 reduce 8 took=0us\n"
               "2 compute 9us\n2 reduce 8 took=0us\n",
    "waiting 9\n2 computation >MPI_Reduce: 9+0 1(0) took 9/4\n" },
  /* 8600 us take two places in a list, the second of which looks like the one where rank 0 wrote
   * its file: it holds 2, the number of that */
  { "long",
    HEAD ("4") "0 compute 2us\n0 other \"MPI_File_write\" 1us\n0 send 2 8 took=0us\n"
               "1 compute 8600us\n1 other \"MPI_File_write\" 1000us\n1 send 3 8 took=0us\n"
               "2 recv 0 8 took=3us\n3 recv 1 8 took=9600us\n",
    "waiting 9603\n1 computation >MPI_File_write: 8600+0 1(3) took 8600/2\n"
    "1 communication MPI_File_write>MPI_File_write: 1000+0 1(3) took 1000/1\n"
    "0 computation >MPI_File_write: 2+0 1(2) took 2/8600\n"
    "0 communication MPI_File_write>MPI_File_write: 1+0 1(2) took 1/1000\n" },
  /* times whose bytes do not end where those of the next moment begin */
  { "padding",
    HEAD ("2") "0 barrier took=12s\n0 barrier took=4s\n"
               "1 other \"A\" 200ps\n1 compute 11999999999800ps\n1 barrier took=0us\n"
               "1 other \"A\" 200ps\n1 other \"B\" 100ps\n1 compute 3999999999700ps\n"
               "1 barrier took=0us\n",
    "waiting 1.6e+07\n1 computation A>MPI_Barrier: 1.2e+07+0 1(0) took 1.2e+07\n"
    "1 computation B>MPI_Barrier: 4e+06+0 1(0) took 4e+06\n"
    "1 communication A>A: 0.0004+0 1(0) took 0.0004\n"
    "1 communication B>B: 0.0001+0 1(0) took 0.0001\n" },
  { "nobody", HEAD ("2") "0 send 1 8 took=0us\n1 compute 1us\n1 recv 0 8 took=0us\n",
    "waiting 0\n" },
};

/* ---- causes as text */

static void
show_cause (GString *out, const PdAnalysis *analysis, const PdRootCause *cause)
{
  const gdouble us = PD_PS_PER_US;

  g_string_append_printf (out, "%u %s ", cause->rank, pd_delay_kind_id (cause->kind));
  if (cause->node != PD_INTERVAL_ROOT)
    g_string_append_printf (out, "%s ",
                            pd_interval_tree_get_key (analysis->tree, cause->node).name);
  g_string_append_printf (out, "%s>%s: %g+%g %u(%u) took %g", cause->from.function,
                          cause->to.function, (gdouble) cause->direct.ps / us,
                          (gdouble) cause->propagated.ps / us, cause->n_victims, cause->victim,
                          (gdouble) cause->took.ps / us);
  if (cause->n_others > 0)
    g_string_append_printf (out, "/%g", (gdouble) cause->others.ps / us);
  g_string_append_c (out, '\n');
}

static char *
show_causes (const PdAnalysis *analysis, guint32 node)
{
  g_autoptr (GArray) causes = pd_analysis_get_root_causes (analysis, node);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "waiting %g\n",
                          (gdouble) pd_analysis_get_waiting (analysis, node).ps / PD_PS_PER_US);
  for (guint i = 0; i < causes->len; i++)
    show_cause (out, analysis, &g_array_index (causes, PdRootCause, i));
  return g_string_free (out, FALSE);
}

/* Of every interval the causes add up to its waiting, and none is negative. */
static void
check_identity (const PdAnalysis *analysis)
{
  guint32 n = pd_interval_tree_get_n_nodes (analysis->tree);

  for (guint32 node = 0; node < n; node++)
    {
      g_autoptr (GArray) causes = pd_analysis_get_root_causes (analysis, node);
      PdWide sum = 0;
      for (guint i = 0; i < causes->len; i++)
        {
          const PdRootCause *cause = &g_array_index (causes, PdRootCause, i);
          g_assert_true (cause->direct.ps >= 0 && cause->propagated.ps >= 0);
          g_assert_true (cause->direct.ps + cause->propagated.ps > 0);
          g_assert_true (cause->suffered.ps <= cause->direct.ps);
          g_assert_true ((cause->n_victims > 0) == (cause->direct.ps > 0));
          sum += cause->direct.ps + cause->propagated.ps;
        }
      g_assert_true (sum == pd_analysis_get_waiting (analysis, node).ps);
    }
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMpTrace) trace = test_read_text (cases[i].text);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (trace->program, "test", NULL, &error);

  g_assert_no_error (error);
  g_autofree char *causes = show_causes (analysis, PD_INTERVAL_ROOT);
  check_identity (analysis);
  g_assert_cmpstr (causes, ==, cases[i].causes);
}

/* 7 ps are divided among three places that are longer by 3 ps each, and one is shorter by 2: of
 * 2 1/3 ps each the last one has what is left. */
static void
test_rounding (void)
{
  g_autoptr (PdMpTrace) trace = test_read_text (
      HEAD ("2") "0 other \"A\" 0ps\n0 other \"B\" 0ps\n0 other \"C\" 0ps\n"
                 "0 other \"D\" 2ps\n0 barrier took=7ps\n"
                 "1 other \"A\" 3ps\n1 other \"B\" 3ps\n1 other \"C\" 3ps\n1 barrier took=0us\n");
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (trace->program, "test", NULL, NULL);
  g_autoptr (GArray) causes = pd_analysis_get_root_causes (analysis, PD_INTERVAL_ROOT);
  static const gint64 expected[] = { 3, 2, 2 };

  g_assert_cmpuint (causes->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_true (g_array_index (causes, PdRootCause, i).direct.ps == expected[i]);
  check_identity (analysis);
}

/* Waiting in an interval, and its cause in another one. */
static void
test_intervals (void)
{
  g_autoptr (PdMpTrace) trace = test_read_text (
      HEAD ("2") "0 enter \"a\"\n0 compute 6us\n0 leave \"a\"\n0 enter \"b\"\n0 barrier took=0us\n"
                 "0 leave \"b\"\n0 barrier took=3us\n1 enter \"b\"\n1 barrier took=6us\n"
                 "1 leave \"b\"\n1 compute 3us\n1 barrier took=0us\n");
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (trace->program, "test", NULL, NULL);
  g_autofree char *all = show_causes (analysis, 0), *a = show_causes (analysis, 1),
                  *b = show_causes (analysis, 2);

  g_assert_cmpstr (a, ==, "waiting 0\n");
  g_assert_cmpstr (b, ==, "waiting 6\n0 computation a >MPI_Barrier: 6+0 1(1) took 6\n");
  g_assert_cmpstr (all, ==,
                   "waiting 9\n0 computation a >MPI_Barrier: 6+0 1(1) took 6\n"
                   "1 computation MPI_Barrier>MPI_Barrier: 3+0 1(0) took 3\n");
}

/* Runs of random programs on a machine with latencies, and on one without: there all that a
 * chain does happens at one moment. */
static void
test_random (void)
{
  static const char *const machines[] = { "myrinet:startup=7us,per-byte=3ns",
                                          "myrinet:startup=0us,per-byte=0ns" };
  guint n_waiting = 0, n_propagated = 0;

  for (guint32 seed = 0; seed < 200; seed++)
    {
      g_autoptr (PdProgram) program =
          test_draw_program (seed, (TestContents){ .others = seed % 2 == 0 });
      g_autoptr (PdProgram) replayed = NULL;
      const PdMpOptions options = { .trace = "test",
                                    .machine = machines[seed / 2 % 2],
                                    .replayed = &replayed };
      PdReportRun *run = pd_mp_predict_program (&options, program, NULL);
      g_assert_nonnull (run);
      pd_report_run_free (run);
      g_autoptr (PdAnalysis) once = pd_analysis_new (replayed, "test", NULL, NULL);
      g_autoptr (PdAnalysis) again = pd_analysis_new (replayed, "test", NULL, NULL);
      g_autofree char *a = show_causes (once, 0), *b = show_causes (again, 0);
      g_autoptr (GArray) causes = pd_analysis_get_root_causes (once, 0);
      check_identity (once);
      g_assert_cmpstr (a, ==, b);
      n_waiting += causes->len > 0 ? 1 : 0;
      for (guint i = 0; i < causes->len; i++)
        n_propagated += g_array_index (causes, PdRootCause, i).propagated.ps > 0 ? 1 : 0;
    }
  g_assert_cmpuint (n_waiting, >, 150);
  g_assert_cmpuint (n_propagated, >, 150);
}

/* Times, requests and messages of these make no sense: what comes first may come last. */
static void
test_senseless (void)
{
  guint n_waiting = 0;

  for (guint32 seed = 0; seed < 2000; seed++)
    {
      g_autoptr (PdProgram) program = test_random_program (seed);
      g_autoptr (PdAnalysis) analysis = pd_analysis_new (program, "test", NULL, NULL);
      if (analysis == NULL)
        continue;
      check_identity (analysis);
      n_waiting += pd_analysis_get_waiting (analysis, 0).ps > 0 ? 1 : 0;
    }
  g_assert_cmpuint (n_waiting, >, 0);
}

/* Offsets of 32 bits are quarters of bytes. */
static void
test_size (void)
{
  g_assert_true (pd_stretches_can_tell (0));
  g_assert_true (pd_stretches_can_tell ((guint64) 4 << 30));
  g_assert_true (pd_stretches_can_tell (((guint64) 16 << 30) - 4));
  g_assert_false (pd_stretches_can_tell ((guint64) 16 << 30));
}

/* Numbers of 32 bits, but the one that is none. */
static void
test_number (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_analysis_can_number (0, "sends", &error));
  g_assert_true (pd_analysis_can_number (G_MAXUINT32 - 1, "sends", &error));
  g_assert_no_error (error);
  g_assert_false (pd_analysis_can_number (G_MAXUINT32, "sends", &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_false (pd_analysis_can_number ((guint64) 1 << 32, "sends", &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/analyse/delays/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/analyse/delays/rounding", test_rounding);
  g_test_add_func ("/analyse/delays/intervals", test_intervals);
  g_test_add_func ("/analyse/delays/random", test_random);
  g_test_add_func ("/analyse/delays/senseless", test_senseless);
  g_test_add_func ("/analyse/delays/size", test_size);
  g_test_add_func ("/analyse/delays/number", test_number);
  return g_test_run ();
}
