/* SPDX-License-Identifier: MIT */
#include "tests/support/silent-changes.h"
#include "base/pd-messages.h"
#include "intervals/pd-interval-fold.h"
#include "predictor/dvm/predict/pd-predict.h"
#include "predictor/mp/pd-mp.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

const char *const test_change_names[TEST_N_CHANGES] = { "deleted", "doubled", "swapped",
                                                        "digit changed" };

/* ---- predictions */

void
test_seen_clear (TestSeen *self)
{
  g_free (self->figures);
  g_free (self->messages);
}

static char *
list_messages (const PdMessages *read, const PdReportRun *run)
{
  GString *text = g_string_new (run->incomplete ? "incomplete\n" : "");
  const PdMessages *const both[] = { read, run->messages };

  for (guint k = 0; k < G_N_ELEMENTS (both); k++)
    for (guint i = 0; both[k] != NULL && i < pd_messages_get_n (both[k]); i++)
      {
        const PdMessage *m = pd_messages_get (both[k], i);
        g_string_append_printf (text, "%s %s %" G_GUINT64_FORMAT "\n", m->id, m->subject, m->count);
      }
  return g_string_free (text, FALSE);
}

/* All figures of a run. */
static char *
list_figures (const PdReportRun *run)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);

  for (guint32 i = 0; i < run->n_processors; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " ", run->end_times[i].ps);
  g_string_append_printf (text, "%" G_GUINT64_FORMAT "\n", run->n_messages);
  for (guint i = 0; i < results->len; i++)
    {
      const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, i);
      for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
        g_string_append_printf (text, "%.12g ", pd_time_sum_to_seconds (r->values[c].sum));
    }
  return g_string_free (text, FALSE);
}

/* @run: (transfer full) (nullable) */
static TestSeen
see (PdReportRun *run, const PdMessages *read)
{
  TestSeen seen = { NULL, NULL };

  if (run != NULL)
    seen = (TestSeen){ list_figures (run), list_messages (read, run) };
  pd_report_run_free (run);
  return seen;
}

static TestSeen
predict_dvm (const TestSample *sample, GBytes *bytes)
{
  static const gint64 grid[] = { 2 };
  const PdPredictOptions options = { .trace = "sample",
                                     .bytes = bytes,
                                     .machine = sample->machine };

  return see (pd_predict (&options, 1, grid, NULL), NULL);
}

static TestSeen
predict_mp (const TestSample *sample, GBytes *bytes)
{
  const PdTraceSource source = { "sample", bytes };
  const PdTraceReadOptions reading = { .audit = PD_AUDIT_SIMULATED };
  const PdMpOptions options = { .trace = "sample", .machine = sample->machine, .flops = 1e9 };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &reading, messages, NULL);

  return see (trace != NULL ? pd_mp_predict (&options, trace, NULL) : NULL, messages);
}

TestSeen
test_predict_sample (const TestSample *sample, GBytes *bytes)
{
  return sample->is_dvm ? predict_dvm (sample, bytes) : predict_mp (sample, bytes);
}

/* ---- changes */

static gboolean
begins_record (const TestSample *sample, const char *line)
{
  return !sample->is_dvm || g_str_has_prefix (line, "call_") || g_str_has_prefix (line, "ret_")
         || g_str_has_prefix (line, "Event_");
}

/* The records; what is before the first one is part of it. */
GPtrArray *
test_split_records (const TestSample *sample, const char *text)
{
  GPtrArray *records = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) record = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (record->len > 0 && begins_record (sample, lines[i]))
        {
          g_ptr_array_add (records, g_strdup (record->str));
          g_string_set_size (record, 0);
        }
      g_string_append (record, lines[i]);
      if (lines[i + 1] != NULL)
        g_string_append_c (record, '\n');
    }
  if (record->len > 0)
    g_ptr_array_add (records, g_strdup (record->str));
  return records;
}

static char *
change_digit (const char *record, GRand *random)
{
  char *text = g_strdup (record);
  guint n = 0;

  for (char *p = text; *p != '\0'; p++)
    n += g_ascii_isdigit (*p) ? 1 : 0;
  guint wanted = n > 0 ? (guint) g_rand_int_range (random, 0, (gint32) n) : 0;
  for (char *p = text; *p != '\0'; p++)
    if (g_ascii_isdigit (*p) && wanted-- == 0)
      {
        *p = (char) ('0' + (*p - '0' + 1 + g_rand_int_range (random, 0, 9)) % 10);
        break;
      }
  return text;
}

GBytes *
test_change_record (const GPtrArray *records, guint at, TestChange change, GRand *random)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < records->len; i++)
    {
      const char *record = records->pdata[i];
      g_autofree char *changed =
          i == at && change == TEST_DIGIT ? change_digit (record, random) : g_strdup (record);
      if (i == at && change == TEST_DELETE)
        continue;
      if (change == TEST_SWAP && i == at && at + 1 < records->len)
        g_string_append (text, records->pdata[i + 1]);
      if (change != TEST_SWAP || i != at + 1)
        g_string_append (text, changed);
      if (i == at && change == TEST_DOUBLE)
        g_string_append (text, changed);
    }
  gsize size = text->len;
  return g_bytes_new_take (g_string_free (text, FALSE), size);
}

TestOutcome
test_judge_change (const TestSample *sample, const TestSeen *expected, GBytes *changed)
{
  g_auto (TestSeen) found = test_predict_sample (sample, changed);

  if (found.figures == NULL || strcmp (found.messages, expected->messages) != 0)
    return TEST_TOLD;
  return strcmp (found.figures, expected->figures) == 0 ? TEST_SAME : TEST_SILENT;
}

/* ---- what nothing in a trace contradicts */

/* The sum of all TIMEs, in seconds, and how many there are. */
static gdouble
sum_times (GBytes *bytes, guint *n)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  const char *end = text + size;
  gdouble sum = 0;

  for (*n = 0; (text = g_strstr_len (text, end - text, " TIME=")) != NULL; (*n)++)
    sum += g_ascii_strtod (text += 6, NULL);
  return sum;
}

/* A time that differs by less than the sum in the trailer may be off, which is off by some already.
 */
static gboolean
is_rounding (GBytes *whole, GBytes *changed)
{
  guint n;
  gdouble before = sum_times (whole, &n), after = sum_times (changed, &n);
  gdouble off = 2e-6 + (n < 100 ? 2e-7 : 2e-9) * n;

  return before != after && ABS (before - after) <= 2 * off;
}

/* What is beside the header lines: most parameters are told of once. */
static char *
get_parameters (GBytes *bytes)
{
  g_autoptr (GRegex) regex = g_regex_new ("TIME=.*", 0, 0, NULL);
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  return g_regex_replace (regex, text, (gssize) size, 0, "", 0, NULL);
}

static gboolean
is_parameter (GBytes *whole, GBytes *changed)
{
  g_autofree char *before = get_parameters (whole), *after = get_parameters (changed);

  return strcmp (before, after) != 0;
}

/* The first line in which @changed is not @whole. */
static char *
find_line (GBytes *whole, GBytes *changed)
{
  gsize n_before, n, at = 0;
  const char *before = g_bytes_get_data (whole, &n_before), *text = g_bytes_get_data (changed, &n);

  while (at < MIN (n, n_before) && text[at] == before[at])
    at++;
  while (at > 0 && text[at - 1] != '\n')
    at--;
  return g_strndup (text + at, strcspn (text + at, "\n"));
}

/* Whether only the bytes of a send differ: a receive says how many there is room for. */
static gboolean
is_size_of_send (const char *record, GBytes *whole, GBytes *changed)
{
  g_autofree char *line = find_line (whole, changed);
  g_auto (GStrv) old = g_strsplit_set (record, " \n", -1);
  g_auto (GStrv) new = g_strsplit_set (line, " \n", -1);
  guint n_differ = 0, n_sizes = 0;

  for (guint i = 0; old[i] != NULL && new[i] != NULL; i++)
    if (strcmp (old[i], new[i]) != 0)
      {
        n_differ++;
        n_sizes += i >= 2 && g_str_has_suffix (old[i - 2], "send") ? 1 : 0;
      }
  return n_differ == 1 && n_sizes == 1;
}

/* Computation of a rank of message passing is told of once, and so are names. So is the order of
 * what a rank does, as long as each message still has two ends: a later waitall waits for what an
 * earlier one would have. In graphs each dependency is, while the sizes of receives are compared by
 * check alone. */
static gboolean
is_told_once (const char *record, TestChange change)
{
  static const struct
  {
    const char *words;
    gint change; /* -1: any */
  } rows[] = {
    { "compute", -1 },          { "calc", -1 },
    { "requires", -1 },         { "reduce", TEST_DIGIT },
    { "b to ", TEST_DIGIT },    { "b from ", TEST_DIGIT },
    { "interval", TEST_DIGIT }, { "waitall", TEST_DELETE },
  };
  gboolean once = change == TEST_SWAP;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    once |= (rows[i].change < 0 || rows[i].change == (gint) change)
            && strstr (record, rows[i].words) != NULL;
  return once;
}

gboolean
test_may_be_silent (const TestSample *sample, const char *record, TestChange change, GBytes *whole,
                    GBytes *changed)
{
  if (sample->is_dvm)
    return change == TEST_DIGIT && (is_rounding (whole, changed) || is_parameter (whole, changed));
  return is_told_once (record, change)
         || (change == TEST_DIGIT && is_size_of_send (record, whole, changed));
}
