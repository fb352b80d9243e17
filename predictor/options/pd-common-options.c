/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-common-options.h"

#include "predictor/common/pd-clean-options.h"
#include "predictor/common/pd-errors.h"
#include "predictor/common/pd-rts.h"

#include <string.h>

void
pd_common_options_fill (PdCommonOptions *self, GOptionEntry *entries)
{
  const GOptionEntry table[PD_N_COMMON_OPTIONS + 1] = {
    { "cpu-ratio", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->ratio_texts,
      "Computation is RATIO times as fast; with FILE:LINE=RATIO, inside the intervals that begin "
      "there; may be repeated (default: 1)",
      "RATIO" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &self->seed_text,
      "Seed of the random numbers of the machine's noise (default: 0)", "N" },
    { "log", 0, 0, G_OPTION_ARG_FILENAME, &self->log_path,
      "Write a protocol of the effect of every record on every processor (default: none)", "FILE" },
    { "log-procs", 0, 0, G_OPTION_ARG_STRING, &self->log_processors,
      "Processors in the protocol, e.g. 0,4-7 (default: all)", "LIST" },
    { "log-records", 0, 0, G_OPTION_ARG_STRING, &self->log_records,
      "Records in the protocol: N, A:B, A: or :B (default: all)", "RANGE" },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

gboolean
pd_common_options_check (PdCommonOptions *self, guint verbosity, GError **error)
{
  const char *restriction = self->log_processors != NULL ? "--log-procs"
                            : self->log_records != NULL  ? "--log-records"
                                                         : NULL;

  if (restriction != NULL && self->log_path == NULL && verbosity < 2)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "%s needs --log or -vv", restriction);
      return FALSE;
    }
  if (self->seed_text != NULL
      && !g_ascii_string_to_unsigned (self->seed_text, 10, 0, G_MAXUINT64, &self->seed, NULL))
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--seed '%s': expected a number from 0 to 2^64 - 1",
                   self->seed_text);
      return FALSE;
    }
  self->ratios = pd_cpu_ratios_parse ((const char *const *) self->ratio_texts, error);
  return self->ratios != NULL;
}

gboolean
pd_common_options_open_log (const PdCommonOptions *self, guint verbosity, PdLog **log,
                            GError **error)
{
  gboolean to_stdout = g_strcmp0 (self->log_path, "-") == 0;
  const PdLogOptions wanted = { .path = to_stdout ? NULL : self->log_path,
                                .streams = { to_stdout ? stdout : NULL,
                                             verbosity > 1 ? stderr : NULL },
                                .processors = self->log_processors,
                                .records = self->log_records };

  *log = NULL;
  if (self->log_path == NULL && verbosity < 2)
    return TRUE;
  *log = pd_log_new (&wanted, error);
  return *log != NULL;
}

void
pd_common_options_clear (PdCommonOptions *self)
{
  g_strfreev (self->ratio_texts);
  g_free (self->seed_text);
  g_free (self->log_path);
  g_free (self->log_processors);
  g_free (self->log_records);
  pd_cpu_ratios_free (self->ratios);
}

void
pd_model_options_fill (PdModelOptions *self, GOptionEntry *entries)
{
  const GOptionEntry table[PD_N_MODEL_OPTIONS + 1] = {
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->settings,
      "Override an attribute of the machine, e.g. network/startup=2us, or network-ratio=2, for "
      "which "
      "--network-ratio=2 is short; may be repeated (default: none)",
      "PATH=VALUE" },
    { "map", 0, 0, G_OPTION_ARG_STRING, &self->map,
      "Placement: block, cyclic, interleaved, per-node:N, or a list 0,2,4-7 of processors "
      "(default: "
      "block)",
      "MAP" },
    { "startup", 0, 0, G_OPTION_ARG_STRING, &self->startup,
      "The first record's start-up time: keep or drop (default: drop)", "WHAT" },
    { "clamped", 0, 0, G_OPTION_ARG_STRING, &self->clamped,
      "Recorded times that the recorder clamped to 1 us: decode or keep (default: decode, where "
      "the recorder's clock is known)",
      "WHAT" },
    { "outliers", 0, 0, G_OPTION_ARG_STRING, &self->outliers,
      "Outliers among the recorded times of a place: keep, median, or clip to the nearest time "
      "that is none (default: keep, and warn)",
      "WHAT" },
    { "recorder-cost", 0, 0, G_OPTION_ARG_STRING, &self->recorder_cost,
      "Cost of the recording itself: keep it, drop it together with the cost of statistics, or "
      "subtract the overhead in the description MACHINE (default: the predicted machine's)",
      "WHAT" },
    { "blocks", 0, 0, G_OPTION_ARG_FILENAME, &self->blocks_path,
      "Sizes of blocks, weights of processors and loads of elements that the trace does not have "
      "(default: none)",
      "FILE" },
    { "weights-from-speed", 0, 0, G_OPTION_ARG_NONE, &self->weights_from_speed,
      "Faster processors get larger blocks (default: off, equal blocks)", NULL },
    { "no-comm-split", 0, 0, G_OPTION_ARG_NONE, &self->no_comm_split,
      "Reductions over replicated loops do not create communicators (default: off)", NULL },
    { "across-tc-known", 0, 0, G_OPTION_ARG_NONE, &self->across_tc_known,
      "Ordered loops are pipelines also in their first execution (default: off, which measures the "
      "time of an iteration)",
      NULL },
    { "rts", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->rts,
      "Parameter of the run-time system: AcrossGroupNumber (default: 0), MPIReduce (2), Msk3 (0) "
      "or dedupe_copies (0); may be repeated",
      "KEY=VALUE" },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

static gboolean
read_clean_options (const PdModelOptions *self, PdDvmCleanOptions *clean, GError **error)
{
  if ((self->clamped == NULL || pd_clean_options_set (clean, "clamped", self->clamped, error))
      && (self->outliers == NULL || pd_clean_options_set (clean, "outliers", self->outliers, error))
      && (self->recorder_cost == NULL
          || pd_clean_options_set (clean, "recorder-cost", self->recorder_cost, error)))
    return TRUE;
  g_prefix_error (error, "%s", "--");
  return FALSE;
}

gboolean
pd_model_options_check (const PdModelOptions *self, GError **error)
{
  PdDvmOptions dvm = { 0 };
  PdDvmCleanOptions clean = { 0 };
  GError *cause = NULL;

  if (!pd_rts_parse ((const char *const *) self->rts, &dvm, &cause))
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--rts: %s", cause->message);
      g_error_free (cause);
      return FALSE;
    }
  if (!read_clean_options (self, &clean, error))
    return FALSE;
  if (self->startup == NULL || strcmp (self->startup, "keep") == 0
      || strcmp (self->startup, "drop") == 0)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "--startup takes keep or drop, not '%s'", self->startup);
  return FALSE;
}

gboolean
pd_model_options_apply (PdModelOptions *self, PdPredictOptions *options, GError **error)
{
  if (self->blocks_path != NULL && self->blocks == NULL)
    {
      self->blocks = pd_block_file_new (self->blocks_path, error);
      if (self->blocks == NULL)
        return FALSE;
    }
  options->settings = (const char *const *) self->settings;
  options->map = self->map;
  options->dvm.keep_startup = g_strcmp0 (self->startup, "keep") == 0;
  options->dvm.no_comm_split = self->no_comm_split;
  options->dvm.across_tc_known = self->across_tc_known;
  options->dvm.blocks = self->blocks;
  options->dvm.weights_from_speed = self->weights_from_speed;
  return read_clean_options (self, &options->clean, error)
         && pd_rts_parse ((const char *const *) self->rts, &options->dvm, error);
}

void
pd_model_options_clear (PdModelOptions *self)
{
  g_strfreev (self->settings);
  g_strfreev (self->rts);
  g_free (self->map);
  g_free (self->startup);
  g_free (self->clamped);
  g_free (self->outliers);
  g_free (self->recorder_cost);
  g_free (self->blocks_path);
  pd_block_file_free (self->blocks);
}
