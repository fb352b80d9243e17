/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-mp-options.h"

#include "predictor/common/pd-errors.h"
#include "predictor/mp/pd-mp-kind.h"
#include "traces/open/pd-trace-formats.h"

#include <string.h>

void
pd_mp_cli_options_fill (PdMpCliOptions *self, GOptionEntry *entries)
{
  const GOptionEntry table[PD_N_MP_OPTIONS + 1] = {
    { "flops", 0, 0, G_OPTION_ARG_STRING, &self->flops_text,
      "Operations per second of a processor of speed 1, for message-passing traces that count "
      "operations (default: 1Gf)",
      "RATE" },
    { "wildcards", 0, 0, G_OPTION_ARG_STRING, &self->wildcards,
      "Wildcard receives and Waitany complete as in the recorded run, or with the message that "
      "comes first in the prediction: recorded or simulated (default: recorded)",
      "WHAT" },
    { "reproduce", 0, 0, G_OPTION_ARG_NONE, &self->reproduce,
      "Show predicted and recorded times (default: off)", NULL },
    { "cache", 0, 0, G_OPTION_ARG_FILENAME, &self->cache, PD_CACHE_HELP, "FOLDER" },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

gboolean
pd_mp_cli_options_check (PdMpCliOptions *self, GError **error)
{
  const char *wildcards = self->wildcards != NULL ? self->wildcards : "recorded";

  self->simulated = strcmp (wildcards, "simulated") == 0;
  if (self->flops_text != NULL && !pd_mp_parse_flops (self->flops_text, &self->flops, error))
    return FALSE;
  if (self->simulated || strcmp (wildcards, "recorded") == 0)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "--wildcards takes recorded or simulated, not '%s'",
               wildcards);
  return FALSE;
}

gboolean
pd_options_refuse (const PdRefusedOption *options, gsize n, const char *of, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (options[i].given)
      {
        g_set_error (error, PD_USAGE_ERROR, 0, "%s means nothing for the trace of a %s program",
                     options[i].option, of);
        return FALSE;
      }
  return TRUE;
}

gboolean
pd_mp_cli_options_check_none (const PdMpCliOptions *self, GError **error)
{
  const PdRefusedOption options[] = { { "--flops", self->flops_text != NULL },
                                      { "--wildcards", self->wildcards != NULL },
                                      { "--cache", self->cache != NULL } };

  return pd_options_refuse (options, G_N_ELEMENTS (options), "DVM", error);
}

gboolean
pd_mp_check_model_options (const PdModelOptions *model, GError **error)
{
  const PdRefusedOption options[] = { { "--startup", model->startup != NULL },
                                      { "--clamped", model->clamped != NULL },
                                      { "--outliers", model->outliers != NULL },
                                      { "--recorder-cost", model->recorder_cost != NULL },
                                      { "--blocks", model->blocks_path != NULL },
                                      { "--weights-from-speed", model->weights_from_speed },
                                      { "--no-comm-split", model->no_comm_split },
                                      { "--across-tc-known", model->across_tc_known },
                                      { "--rts", model->rts != NULL } };

  return pd_options_refuse (options, G_N_ELEMENTS (options), "message-passing", error);
}

void
pd_mp_cli_options_clear (PdMpCliOptions *self)
{
  g_free (self->flops_text);
  g_free (self->wildcards);
  g_free (self->cache);
}
