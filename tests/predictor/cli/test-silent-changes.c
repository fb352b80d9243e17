/* Changes to traces that nobody is told of. Every record of a sample is deleted, doubled, swapped
 * with the next one, or has a digit changed. Each time the prediction is the same, or fails, or
 * there is a warning; what is left are silent changes. Where the format carries redundancy there
 * must be none.
 * SPDX-License-Identifier: MIT */
#include "tests/support/silent-changes.h"
#include "traces/io/pd-input.h"

#include <string.h>

#define N_DIGITS 3 /* of each record */

/* ---- samples */

static const TestSample samples[] = {
  { "small", "tests/data/small.ptr", NULL, "mvs1000", TRUE, 1 },
  { "heat2d", "tests/data/heat2d_600.ptr.gz", NULL, "mvs1000", TRUE, 5 },
  { "ring", "tests/data/ring.ti", NULL, "example-cluster", FALSE, 1 },
  { "imbalance", "tests/data/imbalance.txt", NULL, "example-cluster", FALSE, 1 },
  { "calls", NULL,
    "predictor-trace 1\nranks 3\ncomm 1: 0 2\n"
    "0 compute 1ms\n0 isend 1 800 tag=3 request=0\n0 irecv 2 80 tag=4 request=1\n"
    "0 waitall 0 1\n0 bcast 64 root=1\n0 alltoallv send=[0,5,6] recv=[0,7,8]\n"
    "0 allgather 8 comm=1\n0 gatherv 9 root=2\n"
    "1 compute 2ms\n1 recv 0 800 tag=3\n1 ssend 2 8 tag=5\n1 bcast 64 root=1\n"
    "1 alltoallv send=[7,0,9] recv=[5,0,1]\n1 gatherv 3 root=2\n"
    "2 compute 3ms\n2 irecv 1 8 tag=5 request=0\n2 send 0 80 tag=4\n2 wait 0\n"
    "2 bcast 64 root=1\n2 alltoallv send=[8,1,0] recv=[6,9,0]\n2 allgather 8 comm=1\n"
    "2 gatherv 4 root=2 recv=[9,3,4]\n",
    "example-cluster", FALSE, 1 },
  { "graph", NULL,
    "num_ranks 2\nrank 0 {\na: calc 1000\nb: send 800b to 1 tag 1\nb requires a\n}\n"
    "rank 1 {\na: calc 500\nb: recv 800b from 0 tag 1\nb requires a\n}\n",
    "loggops:L=1us,o=1us,g=0,G=1ns", FALSE, 1 },
};

static char *
read_sample (const TestSample *sample)
{
  if (sample->path == NULL)
    return g_strdup (sample->text);
  g_autoptr (PdInput) input = pd_input_new_from_file (sample->path, NULL);
  const PdWindow *window = pd_input_get_window (input);

  while (pd_input_fill (input, 0))
    ;
  return g_strndup (window->data, window->size);
}

static void
try_record (const TestSample *sample, const TestSeen *expected, GBytes *whole,
            const GPtrArray *records, guint at, TestChange change, GRand *random, guint *n)
{
  g_autoptr (GBytes) changed = test_change_record (records, at, change, random);
  TestOutcome outcome = test_judge_change (sample, expected, changed);

  n[outcome]++;
  if (outcome != TEST_SILENT
      || test_may_be_silent (sample, records->pdata[at], change, whole, changed))
    return;
  g_test_message ("silent, %s record %u: %s", test_change_names[change], at,
                  (char *) records->pdata[at]);
  g_test_fail ();
}

static void
test_sample (gconstpointer data)
{
  const TestSample *sample = data;
  g_autofree char *text = read_sample (sample);
  g_autoptr (GBytes) whole = g_bytes_new (text, strlen (text));
  g_auto (TestSeen) expected = test_predict_sample (sample, whole);
  g_autoptr (GPtrArray) records = test_split_records (sample, text);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  g_assert_nonnull (expected.figures);
  for (TestChange change = 0; change < TEST_N_CHANGES; change++)
    {
      guint n[TEST_N_OUTCOMES] = { 0 };
      for (guint i = 0; i < records->len; i += sample->step * PD_TEST_SHARE)
        for (guint k = 0; k < (change == TEST_DIGIT ? N_DIGITS : 1); k++)
          try_record (sample, &expected, whole, records, i, change, random, n);
      g_test_message ("%s, %s: %u the same, %u told, %u that nothing contradicts", sample->name,
                      test_change_names[change], n[TEST_SAME], n[TEST_TOLD], n[TEST_SILENT]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = g_strconcat ("/silent-changes/", samples[i].name, NULL);
      g_test_add_data_func (path, &samples[i], test_sample);
    }
  return g_test_run ();
}
