/* Derivatives of the run time against finite differences: random message-passing
 * programs and DVM traces on machines of all kinds.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-from-program.h"
#include "predictor/mp/pd-mp-graph.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/dvm/predict/pd-predict.h"
#include "tests/support/mp/mp-random.h"
#include "comsys/critical/pd-critical-path-result.h"

#include <math.h>
#include <string.h>

#define N_PROGRAMS (60 / PD_TEST_SHARE)

/* ---- runs */

/* What is predicted: a program, or a DVM trace on a grid. */
typedef struct
{
  const PdProgram *program;
  const PdGraph *graph;
  const char *trace;
  gint64 grid[2];
  const char *machine;
  gboolean one_step;
} Subject;

static PdReportRun *
run_subject (const Subject *subject, const char *const *settings, const PdCpuRatios *ratios,
             PdCriticalResult **critical)
{
  g_autoptr (GError) error = NULL;
  const PdMpOptions mp = { .trace = "test",
                           .machine = subject->machine,
                           .settings = settings,
                           .ratios = ratios,
                           .critical = critical,
                           .one_step = subject->one_step,
                           .check = TRUE };
  const PdPredictOptions dvm = { .trace = subject->trace,
                                 .machine = subject->machine,
                                 .settings = settings,
                                 .ratios = ratios,
                                 .critical = critical,
                                 .one_step = subject->one_step,
                                 .check = TRUE };
  PdReportRun *run = subject->program != NULL
                         ? pd_mp_predict_program (&mp, subject->program, &error)
                     : subject->graph != NULL ? pd_mp_predict_graph (&mp, subject->graph, &error)
                                              : pd_predict (&dvm, 2, subject->grid, &error);

  g_assert_no_error (error);
  return run;
}

static PdTime
latest_of (PdReportRun *run)
{
  PdTime latest = PD_TIME_ZERO;

  for (guint32 rank = 0; rank < run->n_processors; rank++)
    latest = pd_time_max (latest, run->end_times[rank]);
  return latest;
}

static PdTime
predict (const Subject *subject, const char *const *settings, const PdCpuRatios *ratios,
         PdCriticalResult **critical)
{
  PdReportRun *run = run_subject (subject, settings, ratios, critical);
  PdTime latest = latest_of (run);

  pd_interval_tree_free (run->tree);
  run->tree = NULL;
  pd_report_run_free (run);
  return latest;
}

/* ---- checks */

/* What is compared: how many rows are right, and how many are not. */
typedef struct
{
  const Subject *subject;
  const PdCriticalResult *critical;
  guint n_right;
  guint n_wrong;
} Check;

static void
compare (Check *check, const char *what, gdouble derivative, PdTime then, gdouble step,
         gdouble tolerance)
{
  gdouble difference = (gdouble) (then.ps - check->critical->makespan.ps);

  if (fabs (difference - derivative * step) <= tolerance)
    {
      check->n_right++;
      return;
    }
  check->n_wrong++;
  g_test_message ("%s: %s: derivative %.9g, difference %.9g", check->subject->machine, what,
                  derivative, difference / step);
}

/* Every transfer is rounded to 1 ps, so are pieces of computation. */
static gdouble
tolerance_of (const PdCriticalResult *critical, PdUnit unit)
{
  return unit == PD_UNIT_TIME ? 0.5 : 1 + 0.5 * (gdouble) critical->n_nodes;
}

static void
check_param (Check *check, const PdCriticalParam *param)
{
  gboolean is_rate = g_str_has_suffix (param->path, "bandwidth");
  gdouble step = param->unit == PD_UNIT_TIME ? 1 : 0.001, value = param->value + step;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *setting =
      g_strconcat (param->path, "=",
                   g_ascii_formatd (number, sizeof number, "%.6f", is_rate ? 1e12 / value : value),
                   is_rate ? "B/s" : "ps", NULL);
  const char *const settings[] = { setting, NULL };

  /* transfers of Dimemas take whole nanoseconds */
  if (is_rate && strstr (check->subject->machine, "dimemas") != NULL)
    return;
  compare (check, param->path, param->derivative, predict (check->subject, settings, NULL, NULL),
           step, tolerance_of (check->critical, param->unit));
}

/* All computation becomes longer by @step; @where: (nullable): or that of one interval. */
static void
check_work (Check *check, const char *where, PdTime derivative)
{
  const gdouble step = 1e-7;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr (GError) error = NULL;
  g_autofree char *text =
      g_strconcat (where != NULL ? where : "", where != NULL ? "=" : "",
                   g_ascii_formatd (number, sizeof number, "%.12f", 1 / (1 + step)), NULL);
  const char *const texts[] = { text, NULL };
  PdCpuRatios *ratios = pd_cpu_ratios_parse (texts, &error);

  g_assert_no_error (error);
  compare (check, text, (gdouble) derivative.ps, predict (check->subject, NULL, ratios, NULL), step,
           2 + 0.6 * (gdouble) check->critical->n_nodes);
  pd_cpu_ratios_free (ratios);
}

static void
check_speed (Check *check)
{
  const gdouble step = 1e-7;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *setting = g_strconcat (
      "network/nodes/speed=", g_ascii_formatd (number, sizeof number, "%.12f", 1 / (1 + step)),
      NULL);
  const char *const settings[] = { setting, NULL };

  compare (check, "speed", (gdouble) check->critical->work.ps,
           predict (check->subject, settings, NULL, NULL), step,
           2 + 0.6 * (gdouble) check->critical->n_nodes);
}

/* The parts of the path are the whole run. */
static void
check_sum (const PdCriticalResult *critical)
{
  PdTime sum = critical->queued;

  for (guint i = 0; i < PD_CRITICAL_N_KINDS; i++)
    sum = pd_time_add (sum, critical->spent[i]);
  g_assert_cmpint (sum.ps, ==, critical->makespan.ps);
}

/* One step at a time says the same. */
static void
check_one_step (const Check *check)
{
  g_autoptr (PdCriticalResult) critical = NULL;
  const PdCriticalResult *ahead = check->critical;
  Subject slow = *check->subject;

  slow.one_step = TRUE;
  predict (&slow, NULL, NULL, &critical);
  g_assert_cmpint (critical->makespan.ps, ==, ahead->makespan.ps);
  g_assert_cmpint (critical->work.ps, ==, ahead->work.ps);
  g_assert_cmpuint (critical->params->len, ==, ahead->params->len);
  for (guint i = 0; i < critical->params->len; i++)
    g_assert_cmpfloat (g_array_index (critical->params, PdCriticalParam, i).derivative, ==,
                       g_array_index (ahead->params, PdCriticalParam, i).derivative);
}

/* Whether a ratio for the place where the interval begins is a ratio of it alone. */
static gboolean
is_alone (const PdIntervalTree *tree, guint32 node)
{
  PdIntervalKey key = pd_interval_tree_get_key (tree, node);

  for (guint32 other = 1; other < pd_interval_tree_get_n_nodes (tree); other++)
    {
      PdIntervalKey its = pd_interval_tree_get_key (tree, other);
      if (pd_interval_tree_get_parent (tree, other) == node
          || (other != node && its.line == key.line && strcmp (its.file, key.file) == 0))
        return FALSE;
    }
  return key.line > 0;
}

static void
check_subject (Check *check)
{
  g_autoptr (PdCriticalResult) critical = NULL;
  PdReportRun *run = run_subject (check->subject, NULL, NULL, &critical);

  check->critical = critical;
  g_assert_cmpint (latest_of (run).ps, ==, critical->makespan.ps);
  g_assert_cmpint (predict (check->subject, NULL, NULL, NULL).ps, ==, critical->makespan.ps);
  check_sum (critical);
  g_assert_cmpint (critical->spent[PD_CRITICAL_UNTRACKED].ps, ==, 0);
  check_one_step (check);
  for (guint i = 0; i < critical->params->len; i++)
    check_param (check, &g_array_index (critical->params, PdCriticalParam, i));
  check_speed (check);
  for (guint i = 0; i < critical->places->len; i++)
    {
      const PdCriticalPlace *place = &g_array_index (critical->places, PdCriticalPlace, i);
      PdIntervalKey key = pd_interval_tree_get_key (run->tree, place->place);
      g_autofree char *where = g_strdup_printf ("%s:%" G_GINT64_FORMAT, key.file, key.line);
      if (place->place > 0 && is_alone (run->tree, place->place))
        check_work (check, where, place->derivative);
    }
  pd_interval_tree_free (run->tree);
  run->tree = NULL;
  pd_report_run_free (run);
  check->critical = NULL;
}

typedef struct
{
  const char *name;
  const char *machine;
  gboolean others;
  guint wrong; /* percent of the comparisons that may be */
} Row;

/* On networks that messages share the order of requests may change. */
static const Row rows[] = {
  { "ideal", "ideal", TRUE, 0 },
  { "crossbar", "myrinet:startup=7013ns,per-byte=4ns,channels=1000,eager=1KiB", TRUE, 0 },
  { "free-control", "myrinet:startup=7013ns,per-byte=4ns,channels=1000,eager=1KiB,control=free",
    FALSE, 0 },
  { "detached", "myrinet:startup=7013ns,per-byte=4ns,channels=1000,eager=10,detached=1MB", FALSE,
    0 },
  { "software",
    "myrinet:startup=7013ns,per-byte=4ns,channels=1000,processors-per-node=2,memory-startup=1001ns,"
    "memory-per-byte=1ns,send-overhead=2003ns,recv-overhead=3001ns,wait-overhead=1007ns,"
    "copy-per-byte=2ns,reduction-per-byte=1ns",
    TRUE, 0 },
  { "loggops", "loggops:L=2503ns,o=1501ns,g=1009ns,G=6ns,O=1ns,S=1000", TRUE, 0 },
  { "ethernet", "ethernet:startup=10007ns,per-byte=10ns,eager=1KiB", FALSE, 5 },
  { "myrinet", "myrinet:startup=7013ns,per-byte=4ns,channels=1,eager=1KiB", FALSE, 5 },
  { "flow", "flow:topology=star,nic-latency=5003ns,nic-bandwidth=1GB/s,eager=1KiB", FALSE, 30 },
  { "links", "flow:topology=crossbar,latency=5003ns,bandwidth=1GB/s,eager=1KiB", TRUE, 0 },
  { "dimemas", "dimemas:latency=5003ns,bandwidth=1GB/s,eager=1KiB,collectives=mpich1", FALSE, 0 },
};

static void
conclude (const Check *check, guint wrong)
{
  g_test_message ("%u right, %u wrong", check->n_right, check->n_wrong);
  g_assert_cmpuint (check->n_right, >, 0);
  g_assert_cmpuint (100 * check->n_wrong, <=, wrong * (check->n_right + check->n_wrong));
}

static void
test_random (gconstpointer data)
{
  const Row *row = data;
  Check check = { .n_right = 0 };

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    {
      g_autoptr (PdProgram) program =
          test_draw_program (seed, (TestContents){ .others = row->others });
      const Subject subject = { .program = program, .machine = row->machine };
      check.subject = &subject;
      check_subject (&check);
    }
  conclude (&check, row->wrong);
}

/* One-sided communication is not followed, but what is on the path still is the run. */
static void
test_one_sided (void)
{
  static const char *const machines[] = {
    "myrinet:startup=7013ns,per-byte=4ns,channels=2,eager=1KiB",
    "loggops:L=2503ns,o=1501ns,g=1009ns,G=6ns,O=1ns,S=1000",
  };

  for (gsize m = 0; m < G_N_ELEMENTS (machines); m++)
    for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
      {
        g_autoptr (PdCriticalResult) critical = NULL;
        g_autoptr (PdProgram) program =
            test_draw_program (seed, (TestContents){ .others = TRUE, .one_sided = TRUE });
        const Subject subject = { .program = program, .machine = machines[m] };
        g_assert_cmpint (predict (&subject, NULL, NULL, &critical).ps, ==, critical->makespan.ps);
        g_assert_cmpint (predict (&subject, NULL, NULL, NULL).ps, ==, critical->makespan.ps);
        check_sum (critical);
      }
}

/* The same as graphs of dependencies. */
static void
test_graph (gconstpointer data)
{
  const PdGraphOptions options = { .collectives = "mpich1", .flops = 1e9 };
  const Row *row = data;
  Check check = { .n_right = 0 };

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (PdProgram) program = test_draw_program (seed, (TestContents){ .others = FALSE });
      g_autoptr (PdGraph) graph = pd_graph_from_program (program, &options, messages, &error);
      const Subject subject = { .graph = graph, .machine = row->machine };
      g_assert_no_error (error);
      check.subject = &subject;
      check_subject (&check);
    }
  conclude (&check, row->wrong);
}

/* ---- DVM traces */

static const char *const traces[] = {
  "tests/data/heat2d_600.ptr.gz",
  "tests/data/gauss_240.ptr.gz",
  "tests/data/sor2d_2000.ptr.gz",
  "tests/data/tasks2_256.ptr.gz",
};

static void
test_dvm (gconstpointer data)
{
  const Row *row = data;
  Check check = { .n_right = 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      const Subject subject = { .trace = traces[i], .grid = { 2, 2 }, .machine = row->machine };
      check.subject = &subject;
      check_subject (&check);
    }
  conclude (&check, row->wrong);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *mp = g_strconcat ("/predictor/sensitivity/mp/", rows[i].name, NULL);
      g_autofree char *dvm = g_strconcat ("/predictor/sensitivity/dvm/", rows[i].name, NULL);
      g_autofree char *graph = g_strconcat ("/predictor/sensitivity/graph/", rows[i].name, NULL);
      g_test_add_data_func (mp, &rows[i], test_random);
      g_test_add_data_func (graph, &rows[i], test_graph);
      g_test_add_data_func (dvm, &rows[i], test_dvm);
    }
  g_test_add_func ("/predictor/sensitivity/one-sided", test_one_sided);
  return g_test_run ();
}
