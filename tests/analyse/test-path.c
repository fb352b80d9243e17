/* The critical path of an analysed run against the one that the prediction of the same run
 * knows.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis.h"
#include "comsys/critical/pd-critical-path-result.h"
#include "comsys/critical/pd-critical-path.h"
#include "predictor/mp/pd-mp.h"
#include "tests/support/mp/mp-random.h"
#include "tests/support/mp/mp-script.h"

/* What a path is compared by. */
typedef struct
{
  gint64 work; /* computation, ps */
  guint32 end; /* the rank where it ends */
  guint changes;
} Path;

static gboolean
is_work (PdCriticalKind kind)
{
  return kind == PD_CRITICAL_WORK || kind == PD_CRITICAL_DELAY || kind == PD_CRITICAL_IO;
}

/* Ranks change where one works behind another one. */
static Path
get_predicted (const PdCriticalResult *critical)
{
  Path path = { .end = critical->rank };
  guint32 last = G_MAXUINT32;

  for (guint i = 0; i < critical->segments->len; i++)
    {
      const PdCriticalSegment *s = &g_array_index (critical->segments, PdCriticalSegment, i);
      if (!is_work (s->kind))
        continue;
      path.work += s->end.ps - s->begin.ps;
      path.changes += last != G_MAXUINT32 && s->rank != last ? 1 : 0;
      last = s->rank;
    }
  return path;
}

static Path
get_analysed (const PdAnalysis *analysis)
{
  guint32 n = pd_interval_tree_get_n_nodes (analysis->tree);
  Path path = { .end = analysis->path_end, .changes = analysis->path_changes };

  for (guint32 node = 0; node < n; node++)
    path.work += (gint64) analysis->path[node].computation.ps;
  return path;
}

static void
predict (const char *machine, const PdProgram *program, Path *predicted, Path *analysed)
{
  g_autoptr (PdProgram) replayed = NULL;
  PdCriticalResult *critical = NULL;
  const PdMpOptions options = {
    .trace = "test", .machine = machine, .replayed = &replayed, .critical = &critical
  };
  PdReportRun *run = pd_mp_predict_program (&options, program, NULL);

  g_assert_nonnull (run);
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (replayed, "test", NULL, NULL);
  *predicted = get_predicted (critical);
  *analysed = get_analysed (analysis);
  pd_report_run_free (run);
  pd_critical_result_free (critical);
}

/* Messages without a length of their own, so that a recording shows all that a rank waits for. */
#define NO_FLIGHT "myrinet:startup=1ps,per-byte=0ns"

static const struct
{
  const char *name;
  guint32 n_ranks;
  const char *text;
  gint64 work; /* us */
  guint32 end;
  guint changes;
} cases[] = {
  { "late-sender", 2, "0 compute 9;0 send 1 8;1 compute 2;1 recv 0 8;1 compute 4", 13, 1, 1 },
  { "late-receiver", 2, "0 compute 2;0 ssend 1 8;0 compute 4;1 compute 9;1 recv 0 8", 13, 0, 1 },
  { "barrier", 3, "0 compute 2;0 barrier;0 compute 8;1 compute 7;1 barrier;2 barrier", 15, 0, 1 },
  { "allreduce", 2, "0 compute 5;0 allreduce 8;1 compute 3;1 allreduce 8;1 compute 9", 14, 1, 1 },
  { "non-blocking", 2,
    "0 irecv 1 8 0;0 compute 3;0 wait 0;0 compute 2;1 compute 6;1 isend 0 8 0;1 compute 1;1 wait 0",
    8, 0, 1 },
  { "overlapped", 2, "0 irecv 1 8 0;0 compute 9;0 wait 0;1 compute 4;1 send 0 8", 9, 0, 0 },
  { "there-and-back", 2,
    "0 compute 5;0 send 1 8;0 recv 1 8;0 compute 1;1 recv 0 8;1 compute 7;1 send 0 8", 13, 0, 2 },
};

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdProgram) program = mp_script_new (cases[i].n_ranks, PD_AMOUNT_TIME, cases[i].text);
  Path predicted, analysed;

  predict (NO_FLIGHT, program, &predicted, &analysed);
  g_assert_true (analysed.work == cases[i].work * PD_PS_PER_US);
  g_assert_cmpuint (analysed.end, ==, cases[i].end);
  g_assert_cmpuint (analysed.changes, ==, cases[i].changes);
  g_assert_true (predicted.work == analysed.work);
  g_assert_cmpuint (predicted.end, ==, analysed.end);
  g_assert_cmpuint (predicted.changes, ==, analysed.changes);
}

/* The analysis also counts the ranks that the path only passes, and of paths that are equally
 * long either may be taken. */
static void
test_random (void)
{
  guint n_same = 0;

  for (guint32 seed = 0; seed < 300; seed++)
    {
      g_autoptr (PdProgram) program =
          test_draw_program (seed, (TestContents){ .no_self = TRUE, .synced = TRUE });
      Path predicted, analysed;
      predict (NO_FLIGHT, program, &predicted, &analysed);
      g_assert_true (predicted.work == analysed.work);
      g_assert_cmpuint (predicted.end, ==, analysed.end);
      n_same += predicted.changes == analysed.changes ? 1 : 0;
    }
  g_assert_cmpuint (n_same, >, 200);
}

/* Without costs of communication all of the path is computation. */
static void
test_ideal (void)
{
  for (guint32 seed = 0; seed < 100; seed++)
    {
      g_autoptr (PdProgram) program =
          test_draw_program (seed, (TestContents){ .no_self = TRUE, .synced = TRUE });
      Path predicted, analysed;
      predict ("ideal", program, &predicted, &analysed);
      g_assert_true (predicted.work == analysed.work);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/analyse/path/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/analyse/path/random", test_random);
  g_test_add_func ("/analyse/path/ideal", test_ideal);
  return g_test_run ();
}
