/* Parameters of the run-time system (--rts): how they are read, and what each
 * of them changes, worked by hand.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-rts.h"
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"

#include <string.h>

/* ---- reading */

static const struct
{
  const char *name;
  const char *texts[4];
  int code; /* -1: fine */
  gboolean mpi_reduce;
  gint64 groups;
  guint mask;
  gboolean dedupe;
} parsed[] = {
  { "none", { NULL }, -1, TRUE, 0, 0, FALSE },
  { "star", { "MPIReduce=0" }, -1, FALSE, 0, 0, FALSE },
  { "all", { "Msk3=3", "AcrossGroupNumber=12", "dedupe_copies=1" }, -1, TRUE, 12, 3, TRUE },
  { "last-holds", { "Msk3=3", "MPIReduce=0", "Msk3=0" }, -1, FALSE, 0, 0, FALSE },
  { "defaults", { "MPIReduce=2", "Msk3=0", "dedupe_copies=0" }, -1, TRUE, 0, 0, FALSE },
  { "no-value", { "Msk3" }, PD_RTS_ERROR_SYNTAX, FALSE, 0, 0, FALSE },
  { "no-key", { "=3" }, PD_RTS_ERROR_SYNTAX, FALSE, 0, 0, FALSE },
  { "nothing", { "" }, PD_RTS_ERROR_SYNTAX, FALSE, 0, 0, FALSE },
  { "unknown", { "Msk3=3", "Msk4=3" }, PD_RTS_ERROR_KEY, FALSE, 0, 0, FALSE },
  { "other-case", { "msk3=3" }, PD_RTS_ERROR_KEY, FALSE, 0, 0, FALSE },
  { "part-of-key", { "Msk=3" }, PD_RTS_ERROR_KEY, FALSE, 0, 0, FALSE },
  { "empty-value", { "Msk3=" }, PD_RTS_ERROR_VALUE, FALSE, 0, 0, FALSE },
  { "between", { "Msk3=1" }, PD_RTS_ERROR_VALUE, FALSE, 0, 0, FALSE },
  { "not-packed", { "MPIReduce=1" }, PD_RTS_ERROR_VALUE, FALSE, 0, 0, FALSE },
  { "negative", { "AcrossGroupNumber=-1" }, PD_RTS_ERROR_VALUE, FALSE, 0, 0, FALSE },
  { "too-large", { "AcrossGroupNumber=1048577" }, PD_RTS_ERROR_VALUE, FALSE, 0, 0, FALSE },
  { "beyond", { "dedupe_copies=99999999999999999999" }, PD_RTS_ERROR_VALUE, FALSE, 0, 0, FALSE },
  { "word", { "dedupe_copies=yes" }, PD_RTS_ERROR_VALUE, FALSE, 0, 0, FALSE },
};

static void
test_parse (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdDvmOptions options = { .message_mask = 7, .across_groups = 7, .dedupe_copies = TRUE };
  g_autoptr (GError) error = NULL;
  gboolean ok = pd_rts_parse (parsed[i].texts, &options, &error);

  g_assert_cmpint (ok, ==, parsed[i].code < 0);
  if (!ok)
    {
      g_assert_error (error, PD_RTS_ERROR, parsed[i].code);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpint (options.mpi_reduce, ==, parsed[i].mpi_reduce);
  g_assert_cmpint (options.across_groups, ==, parsed[i].groups);
  g_assert_cmpuint (options.message_mask, ==, parsed[i].mask);
  g_assert_cmpint (options.dedupe_copies, ==, parsed[i].dedupe);
}

/* ---- programs */

static gint64
make_line (TestTrace *trace)
{
  return test_trace_array (trace, "9", test_trace_template (trace, "9", "1"), "1*1+0");
}

/* What was 8 bytes is 3 bytes. */
static void
make_small (TestTrace *trace)
{
  static const char from[] = "TypeSize=8";

  for (char *at = trace->text->str; (at = strstr (at, from)) != NULL; at++)
    at[strlen (from) - 1] = '3';
}

static void
exchange (TestTrace *trace)
{
  gint64 group = test_trace_shadow (trace, make_line (trace), "1", "1", FALSE);

  make_small (trace);
  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
}

/* Three characters. */
static void
reduce (TestTrace *trace)
{
  gint64 group = test_trace_reduction (trace, "1 0 3 0", 0);

  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
}

static void
collect (TestTrace *trace)
{
  g_autofree char *params =
      g_strdup_printf ("ArrayHandlePtr=%" G_GINT64_MODIFIER "x; Size=3; Count=9; Stream=1;",
                       (guint64) make_line (trace));

  make_small (trace);
  test_trace_io (trace, "dvm_fwrite", 0, params, "Res=9;");
  test_trace_io (trace, "dvm_fread", 0, params, "Res=9;");
}

/* An ordered loop over 6 columns; the edge of one column is an element of 3 bytes. */
static void
pipeline (TestTrace *trace, const char *parameter)
{
  gint64 view = test_trace_template (trace, "8,8", "1");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 after = test_trace_shadow (trace, array, "1,0", "0,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");
  g_autofree char *params = g_strdup_printf (
      "AcrossType=0; OldShadowGroupRefPtr=1; OldShadowGroupRef=0; NewShadowGroupRefPtr=1; "
      "NewShadowGroupRef=%" G_GINT64_MODIFIER "x; PipeLinePar=%s;",
      (guint64) after, parameter);

  make_small (trace);
  test_trace_call (trace, "across_", 0, 0, params, "ErrPipeLine=9");
  test_trace_run (trace, loop, 36);
}

static void
pipeline_of_default (TestTrace *trace)
{
  pipeline (trace, "0");
}

static void
pipeline_of_time (TestTrace *trace)
{
  pipeline (trace, "-0.000001");
}

static void
pipeline_of_two (TestTrace *trace)
{
  pipeline (trace, "2");
}

/* An array of 8 x 3 in rows, on each column of processors: 0-3 on 0 and 1. */
static gint64
make_replicated (TestTrace *trace, gint64 *view)
{
  *view = test_trace_template (trace, "8,8", "1,2");
  return test_trace_array (trace, "8,3", *view, "1*1+0,-1*0+0");
}

static void
redistribute (TestTrace *trace)
{
  gint64 view;

  make_replicated (trace, &view);
  test_trace_redis (trace, view, FALSE, "2,1", 0);
}

static void
read_element (TestTrace *trace)
{
  gint64 view, array = make_replicated (trace, &view);

  test_trace_copy (trace, "rwelm_", (TestSide){ array, "5,1" }, (TestSide){ 0, NULL }, "", 0);
}

static void
gather (TestTrace *trace)
{
  gint64 view, array = make_replicated (trace, &view);

  test_trace_copy (trace, "arrcpy_", (TestSide){ array, "-1,0:0" }, (TestSide){ 0, NULL },
                   "CopyRegim=1;", 0);
}

static void
load (TestTrace *trace)
{
  gint64 view, array = make_replicated (trace, &view);
  gint64 buffer = test_trace_buffer (trace, "crtrbp_", array, 0, "-1,2");

  test_trace_load (trace, "loadrb_", buffer, 0, 0);
  test_trace_load (trace, "waitrb_", buffer, 0, 0);
}

static const struct
{
  const char *name, *grid;
  const char *texts[3];
  void (*program) (TestTrace *trace);
  const char *messages;
} rows[] = {
  { "exchange/exact", "3", { NULL }, exchange, "0>1:3 1>0:3 1>2:3 2>1:3" },
  { "exchange/rounded", "3", { "Msk3=3" }, exchange, "0>1:4 1>0:4 1>2:4 2>1:4" },
  { "star/exact", "2", { "MPIReduce=0" }, reduce, "0>1:3 1>0:3" },
  { "star/rounded", "2", { "MPIReduce=0", "Msk3=3" }, reduce, "0>1:4 1>0:4" },
  { "star/allreduce", "2", { "Msk3=3" }, reduce, "" },
  { "collect/exact", "3", { NULL }, collect, "0>1:9 0>2:9 1>0:9 2>0:9" },
  { "collect/rounded", "3", { "Msk3=3" }, collect, "0>1:12 0>2:12 1>0:12 2>0:12" },
  { "pipeline/two", "2", { NULL }, pipeline_of_two, "0>1:9 0>1:9" },
  { "pipeline/rounded", "2", { "Msk3=3" }, pipeline_of_two, "0>1:12 0>1:12" },
  { "groups/wavefront", "2", { NULL }, pipeline_of_default, "0>1:8 0>1:24" },
  { "groups/three", "2", { "AcrossGroupNumber=3" }, pipeline_of_default, "0>1:6 0>1:6 0>1:6" },
  { "groups/time", "2", { "AcrossGroupNumber=3" }, pipeline_of_time, "0>1:6 0>1:6 0>1:6" },
  { "groups/program-says", "2", { "AcrossGroupNumber=3" }, pipeline_of_two, "0>1:9 0>1:9" },
  { "groups/one", "2", { "AcrossGroupNumber=1" }, pipeline_of_default, "0>1:24" },
  { "redistribution/all",
    "2x2",
    { NULL },
    redistribute,
    "0>2:96 1>0:96 1>2:96 2>1:96 2>3:96 3>1:96" },
  { "redistribution/once", "2x2", { "dedupe_copies=1" }, redistribute, "0>2:96 2>1:96" },
  { "element/all", "2x2", { NULL }, read_element, "2>0:8 2>1:8 3>0:8 3>1:8" },
  { "element/once", "2x2", { "dedupe_copies=1" }, read_element, "2>0:8 2>1:8" },
  { "gather/all", "2x2", { NULL }, gather, "2>0:32 3>0:32" },
  { "gather/once", "2x2", { "dedupe_copies=1" }, gather, "2>0:32" },
  { "buffer/all",
    "2x2",
    { NULL },
    load,
    "0>1:32 0>2:32 0>3:32 1>0:32 1>2:32 1>3:32 2>0:32 2>1:32 2>3:32 3>0:32 3>1:32 3>2:32" },
  { "buffer/once", "2x2", { "dedupe_copies=1" }, load, "0>2:32 0>3:32 2>0:32 2>1:32" },
};

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  char *dumps[2];

  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (TestLog) log = test_log_new ();
      PdObserver observer = test_log_observer (log);
      PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
      g_autoptr (TestTrace) trace = test_trace_new ("1 1");
      g_autoptr (GError) error = NULL;

      g_assert_true (pd_rts_parse (rows[i].texts, &options.dvm, &error));
      options.observer = &observer;
      options.one_step = k == 1;
      rows[i].program (trace);
      g_autoptr (TestRun) run = test_run (trace, rows[i].grid, &options);
      g_autofree char *messages = test_log_show (log);
      g_assert_cmpstr (messages, ==, rows[i].messages);
      dumps[k] = test_dump (run);
    }
  g_assert_cmpstr (dumps[0], ==, dumps[1]);
  for (guint k = 0; k < 2; k++)
    g_free (dumps[k]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (parsed); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/rts/parse/", parsed[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_parse);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/rts/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  return g_test_run ();
}
