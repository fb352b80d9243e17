/* predictor info TRACE…
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-info-private.h"
#include "predictor/scaled/pd-scaled.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/common/pd-counts.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/options/pd-mp-options.h"

#include "traces/dvm/pd-dvm-cleaning.h"
#include "traces/dvm/pd-dvm-summary.h"
#include "traces/open/pd-dvm-set.h"

#include <stdio.h>
#include <string.h>

void
pd_cmd_show (const char *label, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  pd_cmd_say (stdout, "  %-18s %s", label, text);
}

static double
seconds (PdTimeSum sum)
{
  return pd_time_sum_to_seconds (sum);
}

/* ---- parts of the answer */

static void
show_header (const PdDvmHeader *header)
{
  g_autofree char *grid = pd_sizes_format (header->ps_size, header->ps_rank);
  g_autofree char *virtual = pd_sizes_format (header->vps_size, header->vps_rank);

  pd_cmd_show ("kind", "DVM predictor trace");
  if (header->rts_version > 0)
    pd_cmd_show ("run-time system", "version %" G_GINT64_FORMAT "%s%s", header->rts_version,
                 header->mps[0] != '\0' ? ", messages by " : "", header->mps);
  pd_cmd_show ("recorded on", "%" G_GINT64_FORMAT " processor%s%s%s%s%s", header->proc_count,
               header->proc_count == 1 ? "" : "s", header->ps_rank > 0 ? ", grid " : "", grid,
               header->host[0] != '\0' ? ", host " : "", header->host);
  if (header->vproc_count > 0)
    pd_cmd_show ("shown to program", "%" G_GINT64_FORMAT " virtual processors, grid %s",
                 header->vproc_count, virtual);
}

static void
show_times (const PdDvmSummary *s, const PdDvmTrailer *trailer)
{
  PdTimeSum inside = { 0 };
  char startup[64];

  for (guint i = 0; i < PD_DVM_N_CLASSES; i++)
    inside.ps += s->ret_time_by_class[i].ps;
  pd_cmd_show ("records",
               "%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " of the program in %" G_GUINT64_FORMAT
               " calls",
               trailer->n_records, trailer->n_program_records, s->n_calls);
  pd_cmd_show ("program time", "%.6f s: %.6f s of computation, %.6f s in the run-time system",
               seconds (s->call_time) + seconds (inside), seconds (s->call_time), seconds (inside));
  if (s->startup_name[0] != '\0')
    pd_cmd_show ("start-up", "%s s before the first call (%s), left out above",
                 pd_time_format (s->startup, startup), s->startup_name);
}

static void
show_recorder (const PdDvmCleaning *cleaning)
{
  g_autofree char *share = pd_dvm_recorder_share_describe (&cleaning->share);
  g_autofree char *clamped = pd_dvm_recorder_share_describe_clamped (&cleaning->share);
  g_autofree char *cost = pd_dvm_recorder_share_describe_cost (&cleaning->share);

  pd_cmd_show ("recorder", "%s", share);
  pd_cmd_show ("clamped", "%s", clamped);
  if (cost != NULL)
    pd_cmd_show ("recorder cost", "%s", cost);
}

static void
show_structure (const PdDvmSummary *s)
{
  if (s->n_interval_keys > 0)
    pd_cmd_show ("intervals",
                 "%" G_GUINT64_FORMAT ", entered %" G_GUINT64_FORMAT " times, nested %u deep",
                 s->n_interval_keys, s->n_intervals, s->interval_depth);
  else
    pd_cmd_show ("intervals", "none: record with Is_DVM_STAT=1 and compile with -e4 to get them");
  pd_cmd_show ("parallel loops",
               "%" G_GUINT64_FORMAT " in %" G_GUINT64_FORMAT " portions, %.6f s of iterations",
               s->n_loops, s->n_portions, seconds (s->loop_time));
  if (s->n_tasks > 0)
    pd_cmd_show ("tasks", "%" G_GUINT64_FORMAT " entered", s->n_tasks);
}

static void
show_grids (const PdDvmSummary *s, const PdDvmHeader *header)
{
  g_autofree char *virtual = pd_sizes_format (header->vps_size, header->vps_rank);

  if (header->vproc_count > 0)
    pd_cmd_show ("sensible grids", "%s, for which it was recorded", virtual);
  else if (s->grid_rank == 0)
    pd_cmd_show ("sensible grids", "1: nothing is distributed");
  else
    pd_cmd_show ("sensible grids", "of up to %u dimension%s", s->grid_rank,
                 s->grid_rank == 1 ? "" : "s");
  for (guint i = 0; i < s->shapes->len; i++)
    {
      const PdDvmShape *shape = &g_array_index (s->shapes, PdDvmShape, i);
      g_autofree char *sizes = pd_sizes_format (shape->sizes, shape->rank);
      if (shape->type_size > 0)
        pd_cmd_show (i == 0 ? "arrays" : "",
                     "%" G_GUINT64_FORMAT " of %s elements of %" G_GINT64_FORMAT " bytes",
                     shape->n_arrays, sizes, shape->type_size);
      else
        pd_cmd_show (i == 0 ? "arrays" : "",
                     "%" G_GUINT64_FORMAT " of %s elements of type %" G_GINT64_FORMAT,
                     shape->n_arrays, sizes, -shape->type_size);
    }
}

static void
show_classes (const PdDvmSummary *s)
{
  const char *label = "calls by class";

  for (guint i = 0; i < PD_DVM_N_CLASSES; i++)
    if (s->n_calls_by_class[i] > 0)
      {
        pd_cmd_show (label, "%-5s %9" G_GUINT64_FORMAT "  %.6f s",
                     pd_dvm_class_get_name ((PdDvmClass) i), s->n_calls_by_class[i],
                     seconds (s->ret_time_by_class[i]));
        label = "";
      }
}

static void
show_end (const PdDvmTrailer *trailer)
{
  if (!trailer->complete)
    pd_cmd_show ("complete", "no: it ends without Event_dvm_exit");
  else if (trailer->exit_code != 0)
    pd_cmd_show ("complete", "yes, but the program ended with code %" G_GINT64_FORMAT,
                 trailer->exit_code);
  else
    pd_cmd_show ("complete", "yes");
}

/* ---- the command */

static PdDvmReader *
open_file (const PdDvmSet *set, guint i, GBytes *bytes, PdMessages *messages, GError **error)
{
  return bytes != NULL ? pd_dvm_reader_new_from_bytes (bytes, "stdin", messages, error)
                       : pd_dvm_set_open (set, i, messages, error);
}

/* The default changes of recorded times in a prediction. */
static PdDvmCleaning *
clean_file (const PdDvmSet *set, guint i, GBytes *bytes, GError **error)
{
  const PdDvmCleanOptions options = { .finds_cost = TRUE };
  g_autoptr (PdDvmReader) reader = open_file (set, i, bytes, NULL, error);

  return reader != NULL ? pd_dvm_cleaning_read (reader, &options, error) : NULL;
}

static gboolean
show_file (const PdDvmSet *set, guint i, GBytes *bytes, GError **error)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) local = NULL;
  g_autoptr (PdDvmCleaning) cleaning = clean_file (set, i, bytes, &local);
  g_autoptr (PdDvmReader) reader = open_file (set, i, bytes, messages, error);
  g_autoptr (PdDvmSummary) summary = NULL;

  if (reader != NULL && cleaning != NULL)
    pd_dvm_cleaning_apply (cleaning, reader);
  if (reader != NULL)
    summary = pd_dvm_summary_new (reader, error);
  if (summary != NULL && cleaning != NULL)
    pd_dvm_cleaning_report (cleaning, messages);
  pd_cmd_print_messages (messages);
  if (summary == NULL)
    return FALSE;
  if (cleaning == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  pd_cmd_say (stdout, "%s", pd_dvm_set_get_path (set, i));
  show_header (pd_dvm_reader_get_header (reader));
  if (pd_dvm_set_get_n (set) > 1)
    pd_cmd_show ("file of", "processor %u of %u", i, pd_dvm_set_get_n (set));
  show_times (summary, pd_dvm_reader_get_trailer (reader));
  show_recorder (cleaning);
  show_structure (summary);
  show_grids (summary, pd_dvm_reader_get_header (reader));
  show_classes (summary);
  show_end (pd_dvm_reader_get_trailer (reader));
  return TRUE;
}

static gboolean
show_trace (const char *path, const char *cache, GError **error)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmSet) set = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (strcmp (path, "-") == 0 && (bytes = pd_cmd_read_stdin (error)) == NULL)
    return FALSE;
  const PdTraceSource source = { path, bytes };
  if (pd_mp_is_trace (&source) || pd_scaled_is_model (&source))
    return pd_cmd_info_mp (&source, cache, error);
  set = pd_dvm_set_new (path, messages, error);
  pd_cmd_print_messages (messages);
  for (guint i = 0; set != NULL && i < pd_dvm_set_get_n (set); i++)
    if (!show_file (set, i, bytes, error))
      return FALSE;
  return set != NULL;
}

int
pd_cmd_info (int argc, char **argv, GError **error)
{
  g_autofree char *cache = NULL;
  const GOptionEntry entries[] = {
    { "cache", 0, 0, G_OPTION_ARG_FILENAME, &cache, PD_CACHE_HELP, "FOLDER" },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  if (!pd_command_parse (&argc, &argv, "TRACE…",
                         "Describes a trace: where it was recorded, its contents, and the "
                         "grids for which it can be predicted.\n"
                         "Example: predictor info heat2d.ptr.gz",
                         entries, error))
    return PD_EXIT_USAGE;
  if (argc < 2)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "which trace?");
      return PD_EXIT_USAGE;
    }
  pd_command_find_recordings (argv + 1, argc - 1);
  for (int i = 1; i < argc; i++)
    if (!show_trace (argv[i], cache, error))
      return PD_EXIT_FAILURE;
  return PD_EXIT_OK;
}
