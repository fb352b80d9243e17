/* Exchanges of very many messages that are simulated as a whole: how near they
 * come to the same messages one by one, where both are possible.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"

/* A 256x256 array goes from (BLOCK,*) to (*,BLOCK): all to all, 16 times. */
static TestTrace *
make_trace (void)
{
  TestTrace *trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "256,256", "1");

  test_trace_array (trace, "256,256", view, "1*1+0,2*1+0");
  for (guint i = 0; i < 16; i++)
    {
      test_trace_redis (trace, view, FALSE, i % 2 == 0 ? "2" : "1", 0);
      test_trace_ordinary (trace, 1, 1);
    }
  return trace;
}

/* The time of the program less its 32 us of ordinary computation. */
static gdouble
predict (const char *machine, const char *grid, guint64 most, guint *n_warnings)
{
  g_autoptr (TestTrace) trace = make_trace ();
  PdPredictOptions options = test_options (machine);

  options.dvm.most_messages = most;
  g_autoptr (TestRun) run = test_run (trace, grid, &options);
  if (n_warnings != NULL)
    *n_warnings = (guint) pd_messages_count (run->messages, "aggregated-exchange");
  return (gdouble) run->end_times[0].ps - 32e6;
}

/* Startups, bytes, several processors on one connection, announced messages. */
static const struct
{
  const char *name, *machine;
  gdouble low, high; /* as a whole against one by one */
} machines[] = {
  { "ideal", "ideal", 1, 1 },
  { "bus", "ethernet:startup=7us,per-byte=4ns", 0.95, 1.05 },
  { "channels", "myrinet:startup=7us,per-byte=4ns", 0.8, 1.45 },
  { "two-channels", "myrinet:startup=7us,per-byte=4ns,channels=2", 0.8, 1.35 },
  { "announced", "myrinet:startup=7us,per-byte=4ns,eager=none", 0.7, 1.6 },
  { "shared", "myrinet:startup=7us,per-byte=4ns,processors-per-node=4", 0.8, 1.3 },
  { "memory", "memory:startup=1us,per-byte=1ns", 0.95, 1.05 },
  { "overheads", "memory:startup=1us,per-byte=1ns,send-overhead=1us,recv-overhead=1us", 0.9, 1.1 },
};

static void
test_near (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  static const char *const grids[] = { "16", "32", "64" };

  for (gsize k = 0; k < G_N_ELEMENTS (grids); k++)
    {
      guint n_warnings;
      gdouble single = predict (machines[i].machine, grids[k], 0, &n_warnings);
      g_assert_cmpuint (n_warnings, ==, 0);
      gdouble whole = predict (machines[i].machine, grids[k], 1, &n_warnings);
      g_assert_cmpuint (n_warnings, ==, 16);
      g_test_message ("%s: %.3f us one by one, %.3f us as a whole", grids[k], single / 1e6,
                      whole / 1e6);
      g_assert_cmpfloat (whole, >=, machines[i].low * single);
      g_assert_cmpfloat (whole, <=, machines[i].high * single);
    }
}

/* The default limit counts messages, and not neighbours of very many processors. */
static void
test_limit (void)
{
  guint n_warnings;

  predict ("ideal", "256", 65280, &n_warnings); /* 256 * 255 messages */
  g_assert_cmpuint (n_warnings, ==, 0);
  predict ("ideal", "256", 65279, &n_warnings);
  g_assert_cmpuint (n_warnings, ==, 16);
}

/* The same number of messages and bytes is counted either way. */
static void
test_counts (void)
{
  for (guint64 most = 0; most < 2; most++)
    {
      g_autoptr (TestTrace) trace = make_trace ();
      PdPredictOptions options = test_options ("ideal");
      options.dvm.most_messages = most;
      g_autoptr (TestRun) run = test_run (trace, "16", &options);
      g_assert_cmpuint (run->n_messages, ==, 16 * 16 * 15);
      g_assert_cmpint ((gint64) run->n_bytes.ps, ==, (gint64) 16 * 256 * 256 * 8 / 16 * 15);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/aggregate/near/", machines[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_near);
    }
  g_test_add_func ("/predictor/aggregate/limit", test_limit);
  g_test_add_func ("/predictor/aggregate/counts", test_counts);
  return g_test_run ();
}
