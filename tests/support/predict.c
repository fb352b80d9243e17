/* SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"
#include "intervals/pd-interval-fold.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* ---- watching */

TestLog *
test_log_new (void)
{
  TestLog *self = g_new0 (TestLog, 1);

  self->messages = g_array_new (FALSE, FALSE, sizeof (TestMessage));
  self->collectives = g_array_new (FALSE, FALSE, sizeof (TestCollective));
  return self;
}

void
test_log_free (TestLog *self)
{
  g_array_unref (self->messages);
  g_array_unref (self->collectives);
  g_free (self);
}

static void
see_message (gpointer data, guint32 source, guint32 target, gint64 bytes, G_GNUC_UNUSED PdTime when,
             gboolean collective)
{
  TestLog *self = data;
  TestMessage message = { source, target, bytes, collective };

  g_array_append_val (self->messages, message);
}

static void
see_collective (gpointer data, guint32 rank, const char *name, gint64 bytes,
                G_GNUC_UNUSED PdTime when)
{
  TestLog *self = data;
  TestCollective collective = { rank, name, bytes };

  g_array_append_val (self->collectives, collective);
}

PdObserver
test_log_observer (TestLog *self)
{
  return (PdObserver){ self, see_message, see_collective };
}

static int
compare_messages (gconstpointer a, gconstpointer b)
{
  const TestMessage *x = a, *y = b;

  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  if (x->target != y->target)
    return x->target < y->target ? -1 : 1;
  return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

char *
test_log_show (const TestLog *self)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (TestMessage));
  GString *text = g_string_new (NULL);

  g_array_append_vals (sorted, self->messages->data, self->messages->len);
  g_array_sort (sorted, compare_messages);
  for (guint i = 0; i < sorted->len; i++)
    {
      const TestMessage *message = &g_array_index (sorted, TestMessage, i);
      if (!message->collective)
        g_string_append_printf (text, "%s%u>%u:%" G_GINT64_FORMAT, text->len > 0 ? " " : "",
                                message->source, message->target, message->bytes);
    }
  return g_string_free (text, FALSE);
}

guint
test_log_count (const TestLog *self, gint64 *bytes)
{
  guint n = 0;

  *bytes = 0;
  for (guint i = 0; i < self->messages->len; i++)
    {
      const TestMessage *message = &g_array_index (self->messages, TestMessage, i);
      if (message->collective)
        continue;
      n++;
      *bytes += message->bytes;
    }
  return n;
}

char *
test_log_show_collectives (const TestLog *self, guint32 rank)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->collectives->len; i++)
    {
      const TestCollective *c = &g_array_index (self->collectives, TestCollective, i);
      if (c->rank == rank)
        g_string_append_printf (text, "%s%s:%" G_GINT64_FORMAT, text->len > 0 ? " " : "", c->name,
                                c->bytes);
    }
  return g_string_free (text, FALSE);
}

guint
test_log_count_collectives (const TestLog *self, const char *name, gint64 bytes)
{
  guint n = 0;

  for (guint i = 0; i < self->collectives->len; i++)
    {
      const TestCollective *c = &g_array_index (self->collectives, TestCollective, i);
      n += strcmp (c->name, name) == 0 && (bytes < 0 || c->bytes == bytes);
    }
  return n;
}

/* ---- running */

/* Times worked by hand are those of the messages alone. */
static const char *const no_packing[] = { "software/pack-per-byte=0", "software/pack-per-run=0",
                                          "software/touch-per-byte=0", NULL };

PdPredictOptions
test_options (const char *machine)
{
  return (PdPredictOptions){ .machine = machine,
                             .settings = no_packing,
                             .dvm = { .keep_startup = TRUE, .mpi_reduce = TRUE },
                             .check = TRUE };
}

PdReportRun *
test_predict_file (const char *path, const char *grid, const PdPredictOptions *options,
                   GError **error)
{
  PdPredictOptions own = *options;
  g_auto (GStrv) words = g_strsplit (grid, "x", -1);
  gint64 sizes[PD_MAX_GRID_RANK];
  guint rank = g_strv_length (words);

  g_assert_cmpuint (rank, <=, PD_MAX_GRID_RANK);
  for (guint d = 0; d < rank; d++)
    sizes[d] = g_ascii_strtoll (words[d], NULL, 10);
  own.trace = path;
  return pd_predict (&own, rank, sizes, error);
}

PdReportRun *
test_predict (const char *text, const char *grid, const PdPredictOptions *options, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) failure = NULL;
  int fd = g_file_open_tmp ("pd-test-XXXXXX.ptr", &path, &failure);

  g_assert_no_error (failure);
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (gssize) strlen (text));
  close (fd);
  PdReportRun *run = test_predict_file (path, grid, options, error);
  g_unlink (path);
  return run;
}

PdReportRun *
test_run (TestTrace *trace, const char *grid, const PdPredictOptions *options)
{
  g_autoptr (GError) error = NULL;

  if (strstr (trace->text->str, "Event_dvm_exit") == NULL)
    test_trace_exit (trace, 0);
  PdReportRun *run = test_predict (trace->text->str, grid, options, &error);
  g_assert_no_error (error);
  g_assert_nonnull (run);
  return run;
}

void
test_run_script (TestTrace *trace, const char *script, int code, const char *warning)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_auto (GStrv) lines = g_strsplit (script, "\n", -1);
  g_autoptr (GError) error = NULL;

  for (guint k = 0; lines[k] != NULL && lines[k][0] != '\0'; k++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[k], "|", 3);
      g_assert_cmpuint (g_strv_length (parts), ==, 3);
      test_trace_call (trace, parts[0], 1, 1, parts[1], parts[2]);
    }
  test_trace_exit (trace, 1);
  PdReportRun *run = test_predict (trace->text->str, "4", &options, &error);
  if (code >= 0)
    {
      g_assert_null (run);
      g_assert_error (error, PD_DVM_MODEL_ERROR, code);
      g_assert_nonnull (strstr (error->message, "t.fdv:10"));
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, warning != NULL ? 1 : 0);
  if (warning != NULL)
    g_assert_cmpuint (pd_messages_count (run->messages, warning), >, 0);
  test_report_run_free (run);
}

void
test_watch (TestTrace *trace, const char *grid, const PdPredictOptions *options)
{
  test_report_run_free (test_run (trace, grid, options));
}

PdReportRun *
test_run_file (const char *path, const char *grid, const PdPredictOptions *options)
{
  g_autoptr (GError) error = NULL;
  PdReportRun *run = test_predict_file (path, grid, options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (run);
  return run;
}

void
test_report_run_free (PdReportRun *run)
{
  pd_interval_tree_free (run->tree);
  pd_messages_free (run->messages);
  g_free (run->grid);
  g_free (run->end_times);
  g_free (run);
}

/* ---- reading */

gint64
test_value (const PdReportRun *run, guint32 node, guint32 processor, PdCharacteristic c)
{
  PdTime values[PD_N_CHARACTERISTICS];

  pd_interval_tree_get_processor (run->tree, node, processor, values);
  return values[c].ps;
}

char *
test_values (const PdReportRun *run, guint32 node, PdCharacteristic c)
{
  GString *text = g_string_new (NULL);

  for (guint32 p = 0; p < run->n_processors; p++)
    {
      gint64 ps = test_value (run, node, p, c);
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, p > 0 ? " " : "", ps / PD_PS_PER_US);
      if (ps % PD_PS_PER_US != 0)
        g_string_append_printf (text, ".%06" G_GINT64_FORMAT, ps % PD_PS_PER_US);
    }
  return g_string_free (text, FALSE);
}

PdIntervalResult *
test_result (const PdReportRun *run, guint32 node)
{
  g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);

  for (guint i = 0; i < results->len; i++)
    {
      const PdIntervalResult *result = &g_array_index (results, PdIntervalResult, i);
      if (result->node != node)
        continue;
      PdIntervalResult *copy = g_new (PdIntervalResult, 1);
      *copy = *result;
      return copy;
    }
  g_assert_not_reached ();
}

guint32
test_node (const PdReportRun *run, PdIntervalType type, gint64 line)
{
  g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);

  for (guint i = 0; i < results->len; i++)
    {
      const PdIntervalResult *result = &g_array_index (results, PdIntervalResult, i);
      if (result->type == type && result->line == line)
        return result->node;
    }
  return G_MAXUINT32;
}

char *
test_dump (const PdReportRun *run)
{
  GString *text = g_string_new (NULL);
  guint32 n_nodes = pd_interval_tree_get_n_nodes (run->tree);
  gsize n = (gsize) run->n_processors * PD_N_CHARACTERISTICS;
  g_autofree PdTime *values = g_new (PdTime, n);
  g_autofree gboolean *present = g_new (gboolean, run->n_processors);

  g_string_append_printf (text, "%" G_GUINT64_FORMAT " messages\n", run->n_messages);
  for (guint32 node = 0; node < n_nodes; node++)
    {
      pd_interval_tree_get_all_processors (run->tree, node, values, present);
      g_autofree PdIntervalResult *result = test_result (run, node);
      g_string_append_printf (text, "node %u %d:%" G_GINT64_FORMAT, node, (int) result->type,
                              result->line);
      for (guint i = 0; i < G_N_ELEMENTS (result->counts); i++)
        g_string_append_printf (text, " %" G_GUINT64_FORMAT, result->counts[i]);
      for (gsize i = 0; i < n; i++)
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT,
                                i % PD_N_CHARACTERISTICS == 0 ? "\n" : " ", values[i].ps);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < pd_messages_get_n (run->messages); i++)
    {
      const PdMessage *message = pd_messages_get (run->messages, i);
      g_string_append_printf (text, "%s %s %" G_GUINT64_FORMAT "\n", message->id, message->subject,
                              message->count);
    }
  return g_string_free (text, FALSE);
}

PdReportRun *
test_run_watched (TestTrace *trace, const char *grid, char **messages)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");

  options.observer = &observer;
  PdReportRun *run = test_run (trace, grid, &options);
  *messages = test_log_show (log);
  return run;
}
