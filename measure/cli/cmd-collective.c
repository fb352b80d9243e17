/* predictor-measure collective: its options, its facts, and its outputs.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-collective-run.h"
#include "measure/cli/pd-measure.h"
#include "measure/sheet/pd-summary.h"
#include "measure/mpi/mpi-bind.h"
#include "measure/mpi/mpi-collective.h"
#include "measure/mpi/mpi-operation-table.h"
#include "measure/mpi/mpi-operation-types.h"
#include "measure/mpi/mpi-sync.h"
#include "measure/mpi/mpi-tools.h"

#include <string.h>

/* ---- which operations */

static gboolean
is_any (const PdMpiOperation *operation)
{
  return operation != NULL;
}

static gboolean
has_form (const PdMpiOperation *operation, PdForm form)
{
  return pd_operation_form (operation) == form && !pd_operation_has_neighbours (operation);
}

static gboolean
is_blocking (const PdMpiOperation *operation)
{
  return has_form (operation, PD_FORM_BLOCKING);
}

static gboolean
is_nonblocking (const PdMpiOperation *operation)
{
  return has_form (operation, PD_FORM_NONBLOCKING);
}

static gboolean
is_persistent (const PdMpiOperation *operation)
{
  return has_form (operation, PD_FORM_PERSISTENT);
}

/* Neighbourhood operations of any form are a group of their own. */
static const struct
{
  const char *name;
  gboolean (*has) (const PdMpiOperation *operation);
} groups[] = {
  { "all", is_any },
  { "blocking", is_blocking },
  { "nonblocking", is_nonblocking },
  { "neighbor", pd_operation_has_neighbours },
  { "persistent", is_persistent },
};

static void
add_operation (GPtrArray *operations, const PdMpiOperation *operation)
{
  if (!g_ptr_array_find (operations, operation, NULL))
    g_ptr_array_add (operations, (gpointer) operation);
}

static gboolean
is_group (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    if (strcmp (groups[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Those of the group that can be done as asked. */
static void
add_group (const PdCollectiveRun *self, const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    for (guint k = 0; strcmp (groups[i].name, name) == 0 && k < pd_operations_n (); k++)
      {
        const PdMpiOperation *operation = pd_operation_at (k);
        if (groups[i].has (operation)
            && (!self->options.in_place || pd_operation_has_in_place (operation)))
          add_operation (self->operations, operation);
      }
}

/* Those with names first. */
static gboolean
find_operations (PdCollectiveRun *self, GError **error)
{
  g_auto (GStrv) words = g_strsplit (self->options.operations, ",", -1);

  self->operations = g_ptr_array_new ();
  for (guint i = 0; words[i] != NULL; i++)
    {
      const PdMpiOperation *operation;
      if (is_group (words[i]))
        continue;
      operation = pd_mpi_operation_find (words[i], error);
      if (operation == NULL)
        return FALSE;
      add_operation (self->operations, operation);
    }
  self->n_named = self->operations->len;
  for (guint i = 0; words[i] != NULL; i++)
    add_group (self, words[i]);
  if (self->operations->len > 0)
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
               "--operations=%s: this MPI has none of these", self->options.operations);
  return FALSE;
}

/* ---- facts */

static void
add_how (const PdCollectiveRun *self, int bound)
{
  const PdCollectiveOptions *options = &self->options;

  pd_mpi_bind_fact (self->output, bound);
  if (options->alignment > 0)
    pd_sheet_fact (self->output, "alignment", "%" G_GINT64_FORMAT " bytes", options->alignment);
  else
    pd_sheet_fact (self->output, "alignment",
                   "64 bytes, in each round at another place of the page");
  pd_sheet_fact (self->output, "rounds",
                 "%" G_GINT64_FORMAT ", each with new buffers and %" G_GINT64_FORMAT
                 " launches before",
                 options->rounds, options->warm_up);
  if (options->no_sync)
    pd_sheet_fact (self->output, "unsynchronised",
                   "plain loops; times contain waiting for other processes' launches");
  else if (options->stages.fixed > 0)
    pd_sheet_fact (self->output, "windows", "%g us, fixed", options->window);
  else
    pd_sheet_fact (self->output, "windows",
                   "stage 0 of %u launches is discarded, others have %u; windows change by a "
                   "factor of %g if more than %g are late, and shrink if %g times too wide",
                   options->stages.first, options->stages.launches, options->stages.factor,
                   options->stages.share, options->stages.wide);
  if (options->untouched)
    pd_sheet_fact (self->output, "untouched",
                   "buffers were never written: their pages are all the same one");
}

static void
add_stop (const PdCollectiveRun *self)
{
  const PdStopRule *stop = &self->options.stop;

  if (stop->relative_error > 0)
    pd_sheet_fact (self->output, "stop",
                   "a round: relative standard error of %g and %" G_GSIZE_FORMAT
                   " correct launches, or %" G_GSIZE_FORMAT " launches",
                   stop->relative_error, stop->least, stop->most);
  else
    pd_sheet_fact (self->output, "stop",
                   "a round: %" G_GSIZE_FORMAT " correct launches or %" G_GSIZE_FORMAT " launches",
                   stop->correct, stop->launches);
  pd_sheet_fact (self->output, "trim", "%g of the least and of the greatest times, for means",
                 self->options.trim);
  if (self->options.overlap)
    pd_sheet_fact (self->output, "overlap", "%s", PD_OVERLAP_DEFINITION);
}

/* The facts that are known at the end of the measurement. */
static void
add_found (const PdCollectiveRun *self)
{
  if (self->left_out->len > 0)
    pd_sheet_fact (self->output, "left_out", "%s", self->left_out->str);
  if (self->options.no_sync)
    return;
  pd_sheet_fact (self->output, "synchronisation", "%s", pd_sync_name (self->sync.algorithm));
  if (self->crowded)
    pd_sheet_fact (self->output, "clock_bound_us", "none: processes wait for processors");
  else
    pd_sheet_fact (self->output, "clock_bound_us", "%g", self->options.bound);
  pd_sheet_fact (self->output, "clock_error_us", "%.3f", self->worst * 1e6);
  pd_sheet_fact (self->output, "clock_refused", "%u", self->refused);
  pd_sheet_fact (self->output, "clock_round_trip_us", "%.3f to %.3f", self->nearest * 1e6,
                 self->farthest * 1e6);
  pd_sheet_fact (self->output, "empty_operation_us", "%.3f", self->empty * 1e6);
}

/* ---- results */

/* The launches of the program in a file, behind what this one has measured. */
static char *
format_summary (const char *path, GError **error)
{
  g_autoptr (PdSheet) sheet = pd_summary_of_file (path, error);

  return sheet != NULL ? pd_sheet_format_text (sheet) : NULL;
}

static gboolean
write_results (PdCollectiveRun *self, GError **error)
{
  PdSheetFiles files = self->options.files;
  g_autofree char *summary = NULL, *text = NULL, *both = NULL;

  add_found (self);
  if (self->options.append == NULL)
    return pd_sheet_write (self->output, &files, error);
  if (!pd_summary_append (self->output, self->options.append, error))
    return FALSE;
  files.text = NULL;
  if (!pd_sheet_write (self->output, &files, error))
    return FALSE;
  summary = format_summary (self->options.append, error);
  if (summary == NULL)
    return FALSE;
  text = pd_sheet_format_text (self->output);
  both = g_strconcat (text, "\n", summary, NULL);
  return pd_sheet_write_text (self->options.files.text, both, error);
}

/* ---- the command */

static gboolean
check_root (const PdCollectiveRun *self, GError **error)
{
  int least = g_array_index (self->processes, int, 0);

  if (self->options.root < least)
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
               "--root=%" G_GINT64_FORMAT ": expected a rank below %d, the least number of "
               "processes",
               self->options.root, least);
  return FALSE;
}

static gboolean
find_what (PdCollectiveRun *self, GError **error)
{
  if (self->size < 2)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
                   "expected at least 2 processes: mpiexec -n 2 predictor-measure collective");
      return FALSE;
    }
  if (!find_operations (self, error)
      || !pd_operation_datatype (self->options.datatype, &self->datatype, error)
      || !pd_operation_op (self->options.op, &self->op, error))
    return FALSE;
  self->sizes = pd_collective_sizes (&self->options, error);
  if (self->sizes == NULL)
    return FALSE;
  self->processes = pd_collective_processes (&self->options, self->size, error);
  return self->processes != NULL && check_root (self, error);
}

static gboolean
prepare (PdCollectiveRun *self, GError **error)
{
  PdTimerKind kind = pd_timer_find (self->options.timer, error);
  int bound = 0;

  if (kind == PD_N_TIMERS)
    return FALSE;
  self->sync = (PdSyncOptions) PD_SYNC_OPTIONS_DEFAULT;
  self->sync.algorithm = pd_sync_find (self->options.sync, error);
  self->sync.duration = self->options.sync_time;
  self->sync.max_age = self->options.max_age;
  MPI_Comm_rank (MPI_COMM_WORLD, &self->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &self->size);
  if (self->sync.algorithm == PD_N_SYNCS || !find_what (self, error)
      || !pd_mpi_check_crowd (MPI_COMM_WORLD, self->options.force, &self->crowded, error))
    return FALSE;
  if (!self->options.no_bind)
    bound = pd_mpi_bind (MPI_COMM_WORLD, FALSE);
  if (!pd_mpi_timer_start (MPI_COMM_WORLD, &self->timer, kind, error))
    return FALSE;
  pd_mpi_facts (MPI_COMM_WORLD, self->output, kind, self->crowded);
  add_how (self, bound);
  add_stop (self);
  return TRUE;
}

static gboolean
run_all (PdCollectiveRun *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  for (guint i = 0; i < self->processes->len; i++)
    {
      pd_collective_measure (self, g_array_index (self->processes, int, i), &local);
      if (!pd_mpi_failed (MPI_COMM_WORLD, local))
        continue;
      if (local != NULL)
        g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return self->rank != 0 || write_results (self, error);
}

gboolean
pd_measure_collective (int argc, char **argv, GError **error)
{
  PdCollectiveRun self = { .nearest = G_MAXDOUBLE };
  gboolean fine = pd_collective_options_parse (&self.options, argc, argv, error);

  if (fine)
    {
      self.output = pd_sheet_new ("collective");
      self.left_out = g_string_new (NULL);
      fine = prepare (&self, error) && run_all (&self, error);
    }
  g_clear_pointer (&self.operations, g_ptr_array_unref);
  g_clear_pointer (&self.sizes, g_array_unref);
  g_clear_pointer (&self.processes, g_array_unref);
  if (self.left_out != NULL)
    g_string_free (self.left_out, TRUE);
  pd_sheet_free (self.output);
  pd_collective_options_clear (&self.options);
  return fine;
}

gboolean
pd_measure_collective_alone (int argc, char **argv, gboolean *done, GError **error)
{
  PdCollectiveOptions options;
  gboolean fine;

  *done = FALSE;
  for (int i = 1; i < argc; i++)
    *done |= strcmp (argv[i], "--summary") == 0 || g_str_has_prefix (argv[i], "--summary=");
  if (!*done)
    return TRUE;
  fine = pd_collective_options_parse (&options, argc, argv, error);
  if (fine)
    {
      g_autoptr (PdSheet) sheet = pd_summary_of_file (options.summary, error);
      fine = sheet != NULL && pd_sheet_write (sheet, &options.files, error);
    }
  pd_collective_options_clear (&options);
  return fine;
}
