/* changes SEED SECONDS FOUND: random message-passing programs in each of which one thing is
 * changed, until the time is over. Prints a table of what came of it; a silent change that the
 * program contradicts is a file in the folder FOUND. The status is 1 if there is one.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/mp-random.h"
#include "tests/support/silent-changes.h"
#include "traces/io/pd-input.h"
#include "traces/program/pd-program.h"
#include "traces/text/pd-text-writer.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  GRand *random;
  guint64 n[TEST_N_CHANGES][TEST_N_OUTCOMES];
  guint64 contradicted[TEST_N_CHANGES];
  guint64 n_programs;
  const char *found;
  const char *scratch;
} Campaign;

/* @text: (transfer full) (out): the program as a trace of Predictor's own form */
static gboolean
draw_text (Campaign *self, guint32 seed, char **text)
{
  const TestContents contents = { .no_self = seed & 1,
                                  .one_sided = FALSE,
                                  .others = (seed & 2) != 0 };
  PdMpTrace trace = { .program = test_draw_program (seed, contents) };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdTraceWriteOptions options = { 0 };
  gboolean ok = pd_trace_text_write (&trace, self->scratch, &options, messages, NULL);

  pd_program_free (trace.program);
  return ok && g_file_get_contents (self->scratch, text, NULL, NULL);
}

static void
keep (Campaign *self, guint32 seed, TestChange change, const char *record, GBytes *changed)
{
  gsize size;
  const char *text = g_bytes_get_data (changed, &size);
  g_autofree char *name =
      g_strdup_printf ("changes-%u-%" G_GUINT64_FORMAT, seed, self->contradicted[change]);
  g_autofree char *folder = g_build_filename (self->found, name, NULL);
  g_autofree char *path = g_build_filename (folder, "changed.txt", NULL);
  g_autofree char *reason = g_build_filename (folder, "reason", NULL);
  g_autofree char *why = g_strdup_printf ("%s silently: %s", test_change_names[change], record);

  g_mkdir_with_parents (folder, 0777);
  g_file_set_contents (path, text, (gssize) size, NULL);
  g_file_set_contents (reason, why, -1, NULL);
  g_printerr ("   %s: %s", name, why);
}

static void
change_once (Campaign *self, guint32 seed, const TestSample *sample, const TestSeen *expected,
             GBytes *whole, const GPtrArray *records)
{
  TestChange change = (TestChange) g_rand_int_range (self->random, 0, TEST_N_CHANGES);
  guint at = (guint) g_rand_int_range (self->random, 0, (gint32) records->len);
  g_autoptr (GBytes) changed = test_change_record (records, at, change, self->random);
  TestOutcome outcome =
      g_bytes_equal (whole, changed) ? TEST_SAME : test_judge_change (sample, expected, changed);

  self->n[change][outcome]++;
  if (outcome != TEST_SILENT
      || test_may_be_silent (sample, records->pdata[at], change, whole, changed))
    return;
  self->contradicted[change]++;
  keep (self, seed, change, records->pdata[at], changed);
}

/* @n: changes to each program */
static void
try_program (Campaign *self, guint32 seed, guint n)
{
  static const char *const machines[] = { "ideal", "mvs1000",
                                          "myrinet:startup=7us,per-byte=4ns,channels=2" };
  TestSample sample = { .name = "random", .machine = machines[seed % G_N_ELEMENTS (machines)] };
  g_autofree char *text = NULL;

  if (!draw_text (self, seed, &text))
    g_error ("a program of %u cannot be written", seed);
  g_autoptr (GBytes) whole = g_bytes_new (text, strlen (text));
  g_auto (TestSeen) expected = test_predict_sample (&sample, whole);
  g_autoptr (GPtrArray) records = test_split_records (&sample, text);
  g_assert_nonnull (expected.figures);
  for (guint i = 0; i < n; i++)
    change_once (self, seed, &sample, &expected, whole, records);
  self->n_programs++;
}

static gboolean
print_table (const Campaign *self)
{
  guint64 all = 0, n = 0;

  g_print (
      "| one record is | reported | same figures | figures change, and nothing contradicts them | "
      "findings |\n|---|---|---|---|---|\n");
  for (guint i = 0; i < TEST_N_CHANGES; i++)
    {
      const guint64 *of = self->n[i];
      g_print ("| %s | %" G_GUINT64_FORMAT " | %" G_GUINT64_FORMAT " | %" G_GUINT64_FORMAT
               " | %" G_GUINT64_FORMAT " |\n",
               test_change_names[i], of[TEST_TOLD], of[TEST_SAME],
               of[TEST_SILENT] - self->contradicted[i], self->contradicted[i]);
      n += of[TEST_TOLD] + of[TEST_SAME] + of[TEST_SILENT];
      all += self->contradicted[i];
    }
  g_printerr ("%" G_GUINT64_FORMAT " changes to %" G_GUINT64_FORMAT " programs\n", n,
              self->n_programs);
  return all == 0;
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  guint32 seed = (guint32) strtoul (argv[1], NULL, 10) * 100000;
  gint64 deadline = g_get_monotonic_time () + strtol (argv[2], NULL, 10) * G_USEC_PER_SEC;
  g_autofree char *scratch = g_strdup_printf ("%s/program-%u.txt", g_get_tmp_dir (), seed);
  Campaign self = { .random = g_rand_new_with_seed (seed), .found = argv[3], .scratch = scratch };

  while (g_get_monotonic_time () < deadline)
    try_program (&self, ++seed, 50);
  g_unlink (scratch);
  g_rand_free (self.random);
  return print_table (&self) ? 0 : 1;
}
