/* predictor record: the contents of the recording.
 * SPDX-License-Identifier: MIT */
#include "predictor/options/cmd-record-verify.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/symbols/pd-resolve.h"

#include "traces/otf2/pd-otf2-reader.h"

#include <glib/gstdio.h>
#include <stdio.h>

/* Bytes of a file, or of all in a folder. */
static guint64
size_of (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint64 sum = 0;
  GStatBuf info;

  if (dir == NULL)
    return g_stat (path, &info) == 0 ? (guint64) info.st_size : 0;
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);
      sum += size_of (child);
    }
  return sum;
}

/* "overhead: 0.31 % of the run: blocking 0.25 % (0.31 us a call), collective 0.06 % (…)" */
static void
print_overhead (const PdRecordedInfo *info)
{
  gdouble all = pd_recorded_info_get_overhead (info);
  g_autoptr (GString) text = g_string_new (NULL);

  if (all <= 0)
    return;
  for (guint i = 0; i < PD_N_RECORDED_COSTS; i++)
    {
      gdouble share = pd_recorded_info_get_overhead_of (info, (PdRecordedCostKind) i);
      if (share > 0)
        g_string_append_printf (text, "%s %s %.2f %% (%.2f us a call)", text->len > 0 ? "," : ":",
                                pd_recorded_cost_name ((PdRecordedCostKind) i), share * 100,
                                info->costs[i].each * 1e-3);
    }
  pd_cmd_say (stderr, "overhead: %.2f %% of the run%s", all * 100, text->str);
}

/* Picoseconds that a reading of processor time costs, at most of all ranks; 0 = it is not read. */
static gdouble
find_reading_cost (const PdProgram *program)
{
  gint64 most = 0;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (program, rank);
      if (usage != NULL && pd_program_get_recorded_clock (program) == PD_CLOCK_CPU)
        most = MAX (most, usage->reading_cost.ps);
    }
  return (gdouble) most;
}

/* The share of the run that reading it, twice a call, took of the mean rank. */
static gdouble
get_reading_share (const PdRecordedInfo *info, const PdProgram *program)
{
  gdouble all = info->length * info->n_ranks * PD_PS_PER_S;

  return all > 0 ? 2 * find_reading_cost (program) * (gdouble) info->n_calls / all : 0;
}

static void
print_clock (const PdRecordedInfo *info, const PdProgram *program)
{
  if (pd_program_get_recorded_clock (program) == PD_CLOCK_CPU)
    pd_cmd_say (
        stderr,
        "clock: cpu; reading processor time takes 2 x %.2f us a call, %.2f %% of the run, and "
        "is not in computation",
        find_reading_cost (program) / PD_PS_PER_US, 100 * get_reading_share (info, program));
}

/* Prints on standard error: standard output belongs to the program. */
static void
print_summary (const char *archive, const char *folder, const PdRecordedInfo *info,
               const PdProgram *program)
{
  g_autofree char *size = g_format_size (size_of (folder));
  guint n_intervals = pd_program_get_n_intervals (program);
  g_autofree char *threads = info->n_threads > info->n_ranks
                                 ? g_strdup_printf (", %u threads", info->n_threads)
                                 : g_strdup ("");

  pd_cmd_say (stderr,
              "%s: %u ranks%s, %" G_GUINT64_FORMAT " calls, %" G_GUINT64_FORMAT
              " events, %u interval%s, %.6f s, %s",
              archive, info->n_ranks, threads, info->n_calls, info->n_events, n_intervals,
              n_intervals == 1 ? "" : "s", info->length, size);
  if (info->n_places > 0)
    pd_cmd_say (stderr, "call sites: %u, of which %u have lines of source", info->n_places,
                info->n_found);
  print_overhead (info);
  print_clock (info, program);
}

/* Where the ranks ran is not known here, only what this host has. */
static void
print_next (const char *folder, const PdRecordedInfo *info, gboolean has_wall_time)
{
  guint n = g_get_num_processors ();
  char *analyse_words[] = { "analyse", (char *) folder };
  char *run_words[] = { "run", (char *) folder };
  g_autofree char *analyse = pd_cmd_join (2, analyse_words);
  g_autofree char *again = pd_cmd_join (2, run_words);

  if (info->n_ranks > n && has_wall_time)
    pd_cmd_say (
        stderr,
        "%u ranks, but this host has %u processor%s: if ranks shared them, the times are partly "
        "those of waiting for a processor",
        info->n_ranks, n, n == 1 ? "" : "s");
  pd_cmd_say (stderr, "next: %s", analyse);
  pd_cmd_say (stderr, "      %s -m MACHINE, one of 'predictor machine list'", again);
}

gboolean
pd_cmd_record_verify (const char *folder, gboolean quiet, gdouble *share, GError **error)
{
  g_autofree char *archive = g_build_filename (folder, "traces.otf2", NULL);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_auto (PdRecordedInfo) info = { 0 };

  if (!pd_resolve_archive (archive, &info, error))
    return FALSE;
  g_autoptr (PdProgram) program = pd_otf2_read_outline (archive, messages, error);
  pd_cmd_print_messages (messages);
  if (program == NULL)
    return FALSE;
  gdouble overhead = pd_recorded_info_get_overhead (&info) + get_reading_share (&info, program);
  if (overhead > 0.05) /* as the man page says */
    pd_cmd_say (stderr, "%s: warning: recording took %.1f %% of the run, which is in its times",
                archive, overhead * 100);
  *share = pd_program_get_recorded_share (program);
  if (quiet)
    return TRUE;
  print_summary (archive, folder, &info, program);
  print_next (folder, &info, pd_program_get_recorded_clock (program) != PD_CLOCK_CPU);
  return TRUE;
}
