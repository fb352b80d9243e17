/* Changes to traces that nobody is told of. Every record of a sample is deleted, doubled, swapped
 * with the next one, or has a digit changed. Each time the prediction is the same, or fails, or
 * there is a warning; what is left are silent changes. Where the format carries redundancy there
 * must be none.
 * SPDX-License-Identifier: MIT */
#include "base/pd-verdict.h"
#include "intervals/pd-interval-fold.h"
#include "predictor/dvm/predict/pd-predict.h"
#include "predictor/mp/pd-mp.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

/* What is done to a record. */
typedef enum
{
  DELETE,
  DOUBLE,
  SWAP,
  DIGIT,
  N_CHANGES,
} Change;

static const char *const names[N_CHANGES] = { "deleted", "doubled", "swapped", "digit changed" };

#define N_DIGITS 3 /* of each record */

/* What comes of it. */
typedef enum
{
  SAME,
  TOLD,
  SILENT,
  N_OUTCOMES,
} Outcome;

typedef struct
{
  const char *name;
  const char *path; /* NULL: @text is the trace */
  const char *text;
  const char *machine;
  gboolean is_dvm;
  guint step; /* one record of so many is changed */
} Sample;

/* ---- predictions */

/* What a user sees of a prediction. */
typedef struct
{
  char *figures;  /* NULL: nothing came of it */
  char *messages; /* and other reasons for a status that is not 0 */
} Seen;

static void
seen_clear (Seen *self)
{
  g_free (self->figures);
  g_free (self->messages);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Seen, seen_clear)

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
static Seen
see (PdReportRun *run, const PdMessages *read)
{
  Seen seen = { NULL, NULL };

  if (run != NULL)
    seen = (Seen){ list_figures (run), list_messages (read, run) };
  pd_report_run_free (run);
  return seen;
}

static Seen
predict_dvm (const Sample *sample, GBytes *bytes)
{
  static const gint64 grid[] = { 2 };
  const PdPredictOptions options = { .trace = "sample",
                                     .bytes = bytes,
                                     .machine = sample->machine };

  return see (pd_predict (&options, 1, grid, NULL), NULL);
}

static Seen
predict_mp (const Sample *sample, GBytes *bytes)
{
  const PdTraceSource source = { "sample", bytes };
  const PdTraceReadOptions reading = { .audit = PD_AUDIT_SIMULATED };
  const PdMpOptions options = { .trace = "sample", .machine = sample->machine, .flops = 1e9 };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &reading, messages, NULL);

  return see (trace != NULL ? pd_mp_predict (&options, trace, NULL) : NULL, messages);
}

static Seen
predict (const Sample *sample, GBytes *bytes)
{
  return sample->is_dvm ? predict_dvm (sample, bytes) : predict_mp (sample, bytes);
}

/* ---- changes */

static gboolean
begins_record (const Sample *sample, const char *line)
{
  return !sample->is_dvm || g_str_has_prefix (line, "call_") || g_str_has_prefix (line, "ret_")
         || g_str_has_prefix (line, "Event_");
}

/* The records; what is before the first one is part of it. */
static GPtrArray *
split (const Sample *sample, const char *text)
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

static GBytes *
apply (const GPtrArray *records, guint at, Change change, GRand *random)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < records->len; i++)
    {
      const char *record = records->pdata[i];
      g_autofree char *changed =
          i == at && change == DIGIT ? change_digit (record, random) : g_strdup (record);
      if (i == at && change == DELETE)
        continue;
      if (change == SWAP && i == at && at + 1 < records->len)
        g_string_append (text, records->pdata[i + 1]);
      if (change != SWAP || i != at + 1)
        g_string_append (text, changed);
      if (i == at && change == DOUBLE)
        g_string_append (text, changed);
    }
  gsize size = text->len;
  return g_bytes_new_take (g_string_free (text, FALSE), size);
}

static Outcome
judge (const Sample *sample, const Seen *expected, GBytes *changed)
{
  g_auto (Seen) found = predict (sample, changed);

  if (found.figures == NULL || strcmp (found.messages, expected->messages) != 0)
    return TOLD;
  return strcmp (found.figures, expected->figures) == 0 ? SAME : SILENT;
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

/* Computation of a rank of message passing is told of once. So is the order of what a rank does,
 * as long as each message still has two ends; and in graphs each dependency, while the sizes of
 * receives are compared by check alone. */
static gboolean
is_told_once (const char *record, Change change)
{
  static const char *const always[] = { "compute", "calc", "requires" };
  static const char *const numbers[] = { "reduce", "b to ", "b from " };
  gboolean once = change == SWAP;

  for (gsize i = 0; i < G_N_ELEMENTS (always); i++)
    once |= strstr (record, always[i]) != NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    once |= change == DIGIT && strstr (record, numbers[i]) != NULL;
  return once;
}

static gboolean
may_be_silent (const Sample *sample, const char *record, Change change, GBytes *whole,
               GBytes *changed)
{
  if (sample->is_dvm)
    return change == DIGIT && (is_rounding (whole, changed) || is_parameter (whole, changed));
  return is_told_once (record, change);
}

/* ---- samples */

static const Sample samples[] = {
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
read_sample (const Sample *sample)
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
try_record (const Sample *sample, const Seen *expected, GBytes *whole, const GPtrArray *records,
            guint at, Change change, GRand *random, guint *n)
{
  g_autoptr (GBytes) changed = apply (records, at, change, random);
  Outcome outcome = judge (sample, expected, changed);

  n[outcome]++;
  if (outcome != SILENT || may_be_silent (sample, records->pdata[at], change, whole, changed))
    return;
  g_test_message ("silent, %s record %u: %s", names[change], at, (char *) records->pdata[at]);
  g_test_fail ();
}

static void
test_sample (gconstpointer data)
{
  const Sample *sample = data;
  g_autofree char *text = read_sample (sample);
  g_autoptr (GBytes) whole = g_bytes_new (text, strlen (text));
  g_auto (Seen) expected = predict (sample, whole);
  g_autoptr (GPtrArray) records = split (sample, text);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  g_assert_nonnull (expected.figures);
  for (Change change = 0; change < N_CHANGES; change++)
    {
      guint n[N_OUTCOMES] = { 0 };
      for (guint i = 0; i < records->len; i += sample->step * PD_TEST_SHARE)
        for (guint k = 0; k < (change == DIGIT ? N_DIGITS : 1); k++)
          try_record (sample, &expected, whole, records, i, change, random, n);
      g_test_message ("%s, %s: %u the same, %u told, %u that nothing contradicts", sample->name,
                      names[change], n[SAME], n[TOLD], n[SILENT]);
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
