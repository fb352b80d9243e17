/* The report itself: its parts, its inputs, and saving its text.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report.h"
#include "base/pd-target.h"
#include "intervals/pd-interval-fold.h"
#include "base/pd-file.h"

#include <errno.h>
#include <string.h>

G_DEFINE_QUARK (pd_report_error_quark, pd_report_error)

static void
input_clear (gpointer data)
{
  PdReportInput *input = data;

  g_free (input->name);
  g_free (input->sha256);
}

void
pd_report_run_free (PdReportRun *run)
{
  if (run == NULL)
    return;
  g_free (run->grid);
  g_clear_pointer (&run->names, g_string_chunk_free);
  g_clear_pointer (&run->results, g_array_unref);
  if (run->analysis == NULL)
    pd_interval_tree_free (run->tree);
  pd_analysis_free (run->analysis);
  pd_sensitivity_free (run->sensitivity);
  g_clear_pointer (&run->what_ifs, g_array_unref);
  pd_scan_free (run->scan);
  pd_timeline_bins_free (run->bins);
  pd_comm_matrix_free (run->matrix);
  g_clear_pointer (&run->pairs, g_array_unref);
  g_free (run->end_times);
  g_free (run->recorded_ends);
  g_free (run->outside);
  g_clear_pointer (&run->files, g_array_unref);
  g_clear_pointer (&run->recorded, g_array_unref);
  g_clear_pointer (&run->recorded_communication, g_array_unref);
  g_clear_pointer (&run->ideal, g_array_unref);
  g_clear_pointer (&run->samples, g_array_unref);
  g_clear_pointer (&run->range, pd_time_range_free);
  pd_messages_free (run->messages);
  pd_report_run_free (run->calls);
  pd_program_free (run->replayed);
  g_free (run);
}

void
pd_report_run_take_calls (PdReportRun *run, PdReportRun *calls, PdProgram *replayed)
{
  g_return_if_fail (run->calls == NULL && calls->analysis != NULL && calls->tree != NULL);

  calls->results = pd_interval_tree_fold (calls->tree);
  calls->model = pd_interval_tree_get_model (calls->tree);
  run->calls = calls;
  run->replayed = replayed;
}

void
pd_report_run_set_share (PdReportRun *run, gdouble share)
{
  run->incomplete = share < 1;
  run->recorded_share = run->incomplete ? share : 0;
}

gdouble
pd_report_run_get_share (const PdReportRun *run)
{
  return run->incomplete ? run->recorded_share : 1;
}

static void
machine_part_clear (gpointer data)
{
  PdReportMachinePart *part = data;

  g_free (part->title);
  g_free (part->detail);
}

GArray *
pd_report_new_machine_parts (void)
{
  GArray *parts = g_array_new (FALSE, TRUE, sizeof (PdReportMachinePart));

  g_array_set_clear_func (parts, machine_part_clear);
  return parts;
}

static void
run_free (gpointer data)
{
  pd_report_run_free (data);
}

PdReport *
pd_report_new (void)
{
  PdReport *self = g_new0 (PdReport, 1);

  self->inputs = g_array_new (FALSE, FALSE, sizeof (PdReportInput));
  g_array_set_clear_func (self->inputs, input_clear);
  self->runs = g_ptr_array_new_with_free_func (run_free);
  self->messages = pd_messages_new ();
  self->view.level = PD_REPORT_VIEW_ALL_LEVELS;
  return self;
}

void
pd_report_free (PdReport *self)
{
  if (self == NULL)
    return;
  pd_sha256_file_stop (self->ahead);
  g_free (self->ahead_path);
  g_free (self->command_line);
  g_free (self->machine);
  g_free (self->machine_text);
  g_clear_pointer (&self->machine_parts, g_array_unref);
  g_free (self->date);
  pd_report_view_clear (&self->view);
  g_array_unref (self->inputs);
  g_ptr_array_unref (self->runs);
  pd_messages_free (self->messages);
  pd_model_report_free (self->model);
  g_free (self);
}

void
pd_report_begin_input (PdReport *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  const char *resolved = pd_file_resolve (path, &error);

  g_return_if_fail (self->ahead == NULL);
  if (resolved == NULL)
    return;
  self->ahead_path = g_strdup (path);
  self->ahead = pd_sha256_file_begin (resolved);
}

/* Returns: (transfer full) (nullable): the sum of @path, with errno if it cannot be read. */
static char *
sum_input (PdReport *self, const char *path, const char *resolved)
{
  if (self->ahead != NULL && strcmp (self->ahead_path, path) == 0)
    return pd_sha256_file_end (g_steal_pointer (&self->ahead));
  return pd_sha256_file_end (pd_sha256_file_begin (resolved));
}

gboolean
pd_report_add_input (PdReport *self, const char *path, GError **error)
{
  const char *resolved = pd_file_resolve (path, error);
  PdReportInput input = { NULL, NULL };

  if (resolved == NULL)
    return FALSE;
  input.sha256 = sum_input (self, path, resolved);
  if (input.sha256 == NULL)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "cannot read '%s': %s", path,
                   g_strerror (errno));
      return FALSE;
    }
  input.name = g_strdup (path);
  g_array_append_val (self->inputs, input);
  return TRUE;
}

void
pd_report_run_fold (PdReportRun *run)
{
  g_return_if_fail (run != NULL && run->tree != NULL);

  g_clear_pointer (&run->results, g_array_unref);
  run->results = pd_interval_tree_fold (run->tree);
  run->model = pd_interval_tree_get_model (run->tree);
}

void
pd_report_run_compact (PdReportRun *run)
{
  g_return_if_fail (run != NULL && run->tree != NULL);

  pd_report_run_fold (run);
  run->names = g_string_chunk_new (256);
  for (guint i = 0; i < run->results->len; i++)
    {
      PdIntervalResult *result = &g_array_index (run->results, PdIntervalResult, i);
      if (result->file != NULL)
        result->file = g_string_chunk_insert_const (run->names, result->file);
      if (result->name != NULL)
        result->name = g_string_chunk_insert_const (run->names, result->name);
    }
  if (run->analysis == NULL)
    pd_interval_tree_free (run->tree);
  run->tree = NULL;
  g_clear_pointer (&run->analysis, pd_analysis_free);
  g_clear_pointer (&run->end_times, g_free);
  g_clear_pointer (&run->bins, pd_timeline_bins_free);
  g_clear_pointer (&run->matrix, pd_comm_matrix_free);
}

void
pd_report_add_run (PdReport *self, PdReportRun *run)
{
  g_return_if_fail (run != NULL);
  g_return_if_fail (run->tree == NULL ? run->names != NULL && !self->per_processor
                                      : run->end_times != NULL);

  if (run->tree != NULL)
    pd_report_run_fold (run);
  if (run->messages == NULL)
    run->messages = pd_messages_new ();
  if (run->grid == NULL)
    run->grid = g_strdup_printf ("%u", run->n_processors);
  g_ptr_array_add (self->runs, run);
}

gboolean
pd_report_save (const char *path, const GString *text, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (pd_target_save (path, text->str, text->len, &local))
    return TRUE;
  g_set_error_literal (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE, local->message);
  return FALSE;
}
