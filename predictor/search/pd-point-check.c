/* The check of a study before points are computed.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/search/pd-bounds.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/common/pd-errors.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/search/pd-point-private.h"
#include "sweep/run/pd-input-message.h"
#include "predictor/search/pd-point-check.h"
#include "predictor/search/pd-point-predict-private.h"
#include "traces/open/pd-dvm-set.h"
#include "traces/open/pd-trace-folder.h"
#include "base/pd-file.h"

#include <glib/gstdio.h>
#include <string.h>

/* ---- names */

/* The dimensions of grids that make sense for the trace of @study, which has to be known by
 * then; those of several traces are those of the first. */
static gboolean
get_rank (const PdStudy *study, guint *rank, GError **error)
{
  const PdAxis *axis = pd_study_find_axis (study, "trace");
  const char *trace = pd_study_find (study, "trace");
  PdTraceFacts facts;

  if (trace == NULL && axis != NULL && axis->texts->len > 0)
    trace = g_ptr_array_index (axis->texts, 0);
  if (trace == NULL)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "all:N needs a trace in front of it");
      return FALSE;
    }
  if (!pd_trace_facts_read (&facts, trace, NULL, FALSE, NULL, error))
    return FALSE;
  *rank = facts.rank;
  return TRUE;
}

/* Processor counts have a grammar of their own. */
static gboolean
expand (const PdStudy *study, const char *text, PdAxis *axis, GError **error)
{
  g_autoptr (GArray) counts = NULL;
  guint rank = 1;

  if (strcmp (axis->name, "procs") != 0)
    return FALSE;
  axis->kind = PD_AXIS_GRID;
  if (!pd_counts_need_rank (text) || get_rank (study, &rank, error))
    counts = pd_counts_parse (text, rank, error);
  for (guint i = 0; counts != NULL && i < counts->len; i++)
    {
      const PdCount *count = &g_array_index (counts, PdCount, i);
      gdouble n = (gdouble) pd_count_get_n (count);
      g_ptr_array_add (axis->texts, pd_sizes_format (count->sizes, count->rank));
      g_array_append_val (axis->numbers, n);
    }
  return TRUE;
}

const PdStudyNames pd_point_names = { expand };

/* ---- every value of a parameter */

/* Calls @func for each value of @name, or for @otherwise if there is none. */
static gboolean
for_each_value (const PdStudy *study, const char *name, const char *otherwise,
                gboolean (*func) (const PdStudy *study, const char *value, gpointer data,
                                  GError **error),
                gpointer data, GError **error)
{
  const PdAxis *axis = pd_study_find_axis (study, name);
  const char *fixed = pd_study_find (study, name);

  for (guint i = 0; axis != NULL && i < axis->texts->len; i++)
    if (!func (study, g_ptr_array_index (axis->texts, i), data, error))
      return FALSE;
  if (axis != NULL)
    return TRUE;
  if (fixed == NULL)
    fixed = otherwise;
  return fixed == NULL || func (study, fixed, data, error);
}

/* The processes of a study, and those that continue it, read its files again. */
static gboolean
check_readable_again (const char *path, GError **error)
{
  if (!pd_file_exists (path) || g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN,
               "%s: the files of a study are read more than once: expected a regular file", path);
  return FALSE;
}

static gboolean
check_trace (const PdStudy *study, const char *name, gpointer data, GError **error)
{
  const char *path = pd_trace_find_recording (name);
  const PdTraceSource source = { path, NULL };

  (void) data;
  if (strcmp (path, "-") == 0)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "the traces of a study are read more than once: not from standard input");
      return FALSE;
    }
  if (!check_readable_again (path, error))
    return FALSE;
  if (pd_mp_is_trace (&source))
    return TRUE;
  g_autoptr (PdPointTrace) trace = pd_point_trace_new (path, error);
  if (trace == NULL || trace->model == NULL || pd_study_find (study, "procs") != NULL
      || pd_study_find_axis (study, "procs") != NULL)
    return trace != NULL;
  g_set_error (error, PD_USAGE_ERROR, 0, "%s is a model: expected numbers of ranks (-n, or procs)",
               name);
  return FALSE;
}

/* Whether the paths that point 0 sets exist. A value that makes no machine is not looked
 * at: it may be that of some points only. */
static gboolean
check_machine (const PdStudy *study, const char *spec, gpointer data, GError **error)
{
  const PdStudyPoint *point = data;
  if (!check_readable_again (spec, error))
    return FALSE;
  g_autoptr (PdMachineSource) source = pd_machine_source_new (spec, error);
  g_autoptr (GError) local = NULL;

  (void) study;
  if (source == NULL)
    return FALSE;
  g_autoptr (PdMachine) machine =
      pd_machine_source_load (source, (const char *const *) point->settings->pdata, 0, &local);
  if (machine != NULL || g_error_matches (local, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE)
      || g_error_matches (local, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
check_axes (const PdStudy *study, GError **error)
{
  for (guint i = 0; i < pd_study_get_n_axes (study); i++)
    {
      const PdAxis *axis = pd_study_get_axis (study, i);
      for (guint k = 0; k < axis->texts->len; k++)
        if (!pd_point_check_value (axis->name, g_ptr_array_index (axis->texts, k), error))
          {
            g_prefix_error (error, "axis '%s': ", axis->name);
            return FALSE;
          }
    }
  return TRUE;
}

gboolean
pd_point_check_study (const PdStudy *study, GError **error)
{
  g_auto (PdStudyPoint) point = { .trace = NULL };

  if (!check_axes (study, error) || !pd_point_read (&point, study, 0, error))
    return FALSE;
  return for_each_value (study, "trace", NULL, check_trace, NULL, error)
         && for_each_value (study, "machine", "ideal", check_machine, &point, error);
}

/* ---- inputs */

static PdStudyInput *
find_input (const GArray *inputs, const char *name)
{
  for (guint i = 0; i < inputs->len; i++)
    if (strcmp (g_array_index (inputs, PdStudyInput, i).name, name) == 0)
      return &g_array_index (inputs, PdStudyInput, i);
  return NULL;
}

/* The scope of numbers of devices and files: this system, since it was started. */
static char *
name_system (void)
{
  char *text = NULL;

  return g_file_get_contents ("/proc/sys/kernel/random/boot_id", &text, NULL, NULL)
             ? g_strchomp (text)
             : g_strdup (g_get_host_name ());
}

/* Equal where it is the same file, unchanged; NULL if it is not there. */
static char *
make_stamp (const char *path)
{
  g_autofree char *system = name_system ();
  GStatBuf info;

  if (g_stat (path, &info) != 0)
    return NULL;
  return g_strdup_printf ("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT
                          " %" G_GINT64_FORMAT ".%09ld %" G_GINT64_FORMAT ".%09ld",
                          system, (guint64) info.st_dev, (guint64) info.st_ino,
                          (gint64) info.st_size, (gint64) info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                          (gint64) info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

/* @path under the name @name. */
static gboolean
add_named (GArray *inputs, const char *path, const char *name, GError **error)
{
  g_autoptr (PdReport) report = pd_report_new ();

  if (find_input (inputs, name) != NULL)
    return TRUE;
  if (!check_readable_again (path, error))
    return FALSE;
  /* before it is read: a file changed meanwhile is another one */
  g_autofree char *stamp = make_stamp (path);
  if (!pd_report_add_input (report, path, error))
    return FALSE;
  const PdReportInput *there = &g_array_index (report->inputs, PdReportInput, 0);
  const PdStudyInput input = { g_strdup (name), g_strdup (there->sha256), g_strdup (path),
                               g_steal_pointer (&stamp) };
  g_array_append_val (inputs, input);
  return TRUE;
}

static gboolean
add_file (GArray *inputs, const char *path, GError **error)
{
  return add_named (inputs, path, path, error);
}

static gboolean
add_dvm (GArray *inputs, const char *path, GError **error)
{
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (path, NULL, error);
  gboolean ok = set != NULL;

  for (guint i = 0; ok && i < pd_dvm_set_get_n (set); i++)
    ok = add_file (inputs, pd_dvm_set_get_path (set, i), error);
  return ok;
}

static gboolean
add_trace (const PdStudy *study, const char *name, gpointer data, GError **error)
{
  const char *path = pd_trace_find_recording (name);
  g_autoptr (PdPointTrace) trace = pd_point_trace_new (path, error);

  (void) study;
  if (trace == NULL)
    return FALSE;
  if (trace->model != NULL)
    return add_file (data, path, error);
  if (trace->mp == NULL)
    return add_dvm (data, path, error);
  if (pd_trace_source_is_file (&(PdTraceSource){ path, NULL }) && !add_file (data, path, error))
    return FALSE;
  for (guint i = 0; trace->mp->parts != NULL && i < trace->mp->parts->len; i++)
    if (!add_file (data, g_ptr_array_index (trace->mp->parts, i), error))
      return FALSE;
  return TRUE;
}

/* The lists of detours that a machine takes its noise from. */
typedef struct
{
  GArray *inputs;
  const char *spec;
  const GPtrArray *settings; /* of point 0 */
} Detours;

/* @file: (nullable): of a setting */
static gboolean
add_noise_samples_of (const Detours *self, const char *file, GError **error)
{
  g_autofree char *setting = g_strconcat ("noise/file=", file, NULL);
  g_autoptr (GPtrArray) settings = g_ptr_array_new ();

  for (guint i = 0; i + 1 < self->settings->len; i++)
    if (!g_str_has_prefix (g_ptr_array_index (self->settings, i), "noise/"))
      g_ptr_array_add (settings, g_ptr_array_index (self->settings, i));
  g_ptr_array_add (settings, (gpointer) "noise/kind=trace");
  if (file != NULL)
    g_ptr_array_add (settings, setting);
  g_ptr_array_add (settings, NULL);
  g_autoptr (PdMachine) machine =
      pd_machine_load (self->spec, (const char *const *) settings->pdata, 0, NULL);
  /* where that makes no machine, or there is no file, points say so */
  return machine == NULL || !pd_file_exists (machine->noise.file)
         || add_file (self->inputs, machine->noise.file, error);
}

static gboolean
add_noise_samples (const PdStudy *study, const char *file, gpointer data, GError **error)
{
  (void) study;
  return add_noise_samples_of (data, file, error);
}

static gboolean
add_noise_samples_of_kind (const PdStudy *study, const char *noise_kind, gpointer data,
                           GError **error)
{
  (void) study;
  return strcmp (noise_kind, "trace") != 0 || add_noise_samples_of (data, NULL, error);
}

/* Inline machines are no files. A machine that is only one with the settings of the study
 * is its file; with noise as it was measured, that of the noise, too. */
static gboolean
add_machine (const PdStudy *study, const char *spec, gpointer data, GError **error)
{
  g_autoptr (PdMachine) machine = pd_machine_load (spec, NULL, 0, NULL);
  g_auto (PdStudyPoint) point = { .trace = NULL };

  if (!pd_point_read (&point, study, 0, error))
    return FALSE;
  if (machine == NULL)
    machine = pd_machine_load (spec, (const char *const *) point.settings->pdata, 0, NULL);
  const char *path = machine != NULL ? machine->origin : spec;
  if (pd_file_exists (path) && !add_named (data, path, spec, error))
    return FALSE;
  if (machine != NULL && machine->noise.kind == PD_NOISE_TRACE
      && !add_file (data, machine->noise.file, error))
    return FALSE;
  Detours noise_samples = { data, spec, point.settings };
  return for_each_value (study, "noise/kind", NULL, add_noise_samples_of_kind, &noise_samples,
                         error)
         && for_each_value (study, "noise/file", NULL, add_noise_samples, &noise_samples, error);
}

static gboolean
add_blocks (const PdStudy *study, const char *path, gpointer data, GError **error)
{
  (void) study;
  return add_file (data, path, error);
}

/* Those that are small, and whose names are not always their paths. */
static gboolean
add_descriptions (const PdStudy *study, GArray *inputs, GError **error)
{
  return for_each_value (study, "machine", NULL, add_machine, inputs, error)
         && for_each_value (study, "blocks", NULL, add_blocks, inputs, error);
}

GArray *
pd_point_list_inputs (const PdStudy *study, GError **error)
{
  g_autoptr (GArray) inputs = pd_study_inputs_new ();

  if (!for_each_value (study, "trace", NULL, add_trace, inputs, error)
      || !add_descriptions (study, inputs, error))
    return NULL;
  return g_steal_pointer (&inputs);
}

gboolean
pd_point_check_inputs (const GArray *inputs, GError **error)
{
  for (guint i = 0; i < inputs->len; i++)
    {
      const PdStudyInput *input = &g_array_index (inputs, PdStudyInput, i);
      g_autoptr (PdReport) report = pd_report_new ();
      gboolean ok = pd_report_add_input (report, input->path, NULL);
      if (ok
          && strcmp (g_array_index (report->inputs, PdReportInput, 0).sha256, input->sha256) == 0)
        continue;
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS,
                   "'%s' has changed while points were computed, of the one or of the other",
                   input->name);
      return FALSE;
    }
  return TRUE;
}

/* ---- inputs elsewhere */

static gboolean
refuse_host (const char *name, GError **error)
{
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS,
               "host %s: '%s' is another file there than where the study was begun; points would "
               "be of the one or of the other",
               g_get_host_name (), name);
  return FALSE;
}

/* One that is known by its path. */
static gboolean
check_path (const PdStudyInput *input, GError **error)
{
  g_autofree char *stamp = make_stamp (input->path);
  g_autoptr (PdReport) report = pd_report_new ();

  if (g_strcmp0 (stamp, input->stamp) == 0)
    return TRUE;
  if (!pd_report_add_input (report, input->path, error))
    {
      g_prefix_error (error, "host %s: ", g_get_host_name ());
      return FALSE;
    }
  return strcmp (g_array_index (report->inputs, PdReportInput, 0).sha256, input->sha256) == 0
         || refuse_host (input->name, error);
}

gboolean
pd_point_check_host (const PdStudy *study, const GArray *inputs, GError **error)
{
  g_autoptr (GArray) own = pd_study_inputs_new ();

  if (!add_descriptions (study, own, error))
    {
      g_prefix_error (error, "host %s: ", g_get_host_name ());
      return FALSE;
    }
  for (guint i = 0; i < own->len; i++)
    {
      const PdStudyInput *here = &g_array_index (own, PdStudyInput, i);
      const PdStudyInput *there = find_input (inputs, here->name);
      if (there == NULL || strcmp (here->sha256, there->sha256) != 0)
        return refuse_host (here->name, error);
    }
  for (guint i = 0; i < inputs->len; i++)
    {
      const PdStudyInput *there = &g_array_index (inputs, PdStudyInput, i);
      if (find_input (own, there->name) != NULL)
        continue;
      /* a machine that has another path here, or none */
      if (strcmp (there->name, there->path) != 0)
        return refuse_host (there->name, error);
      if (!check_path (there, error))
        return FALSE;
    }
  return TRUE;
}
