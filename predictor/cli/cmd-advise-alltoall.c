/* predictor advise --alltoall: the best shape of a cluster for an All-to-all.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-advise-private.h"
#include "predictor/search/pd-alltoall-search.h"
#include "predictor/cli/pd-commands.h"

#include "base/pd-units.h"
#include "comsys/tools/pd-alltoall-execute.h"
#include "predictor/search/pd-alltoall-vary.h"
#include "reports/advice/pd-alltoall-advice-data.h"
#include "base/pd-file.h"

#include <string.h>

void
pd_alltoall_command_fill (PdAlltoallCommand *self, GOptionEntry *entries)
{
  const GOptionEntry table[PD_N_ALLTOALL_OPTIONS + 1] = {
    { "alltoall", 0, 0, G_OPTION_ARG_NONE, &self->wanted,
      "Order the shapes of a cluster, nodes x ranks per node, by the time of an All-to-all; "
      "without a trace (default: off)",
      NULL },
    { "ranks", 'p', 0, G_OPTION_ARG_INT64, &self->n_ranks,
      "With --alltoall: the number of ranks, 1 to 4096 (default: none, it must be given)", "P" },
    { "bytes", 0, 0, G_OPTION_ARG_STRING, &self->bytes,
      "With --alltoall: bytes from each rank to each rank, e.g. 1MiB (default: 1MB)", "SIZE" },
    { "block", 0, 0, G_OPTION_ARG_INT64, &self->block,
      "With --alltoall: messages of a rank in a step (default: as the machine says, else 1)", "N" },
    { "self", 0, 0, G_OPTION_ARG_STRING, &self->self,
      "With --alltoall: the time of a rank's message to itself: copy, none or message "
      "(default: copy)",
      "WHAT" },
    { "timing", 0, 0, G_OPTION_ARG_STRING, &self->timing,
      "With --alltoall: step, the sum of the slowest messages of all steps, or message, a "
      "simulation (default: step on machines of measured contention, else message)",
      "WHAT" },
    { "sockets", 0, 0, G_OPTION_ARG_STRING, &self->sockets,
      "With --alltoall: fill the sockets of a node one after the other, or spread over them "
      "(default: fill)",
      "HOW" },
    { "sensitivity", 0, 0, G_OPTION_ARG_NONE, &self->sensitivity,
      "With --alltoall: show how the order depends on each assumption (default: off)", NULL },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

void
pd_alltoall_command_clear (PdAlltoallCommand *self)
{
  g_free (self->bytes);
  g_free (self->self);
  g_free (self->timing);
  g_free (self->sockets);
}

gboolean
pd_alltoall_command_check_unused (const PdAlltoallCommand *self, GError **error)
{
  if (self->n_ranks == PD_ALLTOALL_NONE && self->block == PD_ALLTOALL_NONE && self->bytes == NULL
      && self->self == NULL && self->timing == NULL && self->sockets == NULL && !self->sensitivity)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--ranks, --bytes, --block, --self, --timing, --sockets and --sensitivity belong to "
               "--alltoall");
  return FALSE;
}

/* ---- options */

/* The index of @text among @words; the first one if it is %NULL. */
static gboolean
find_word (const char *option, const char *text, const char *const *words, guint *index,
           GError **error)
{
  g_autofree char *all = g_strjoinv (", ", (char **) words);

  for (*index = 0; words[*index] != NULL; (*index)++)
    if (text == NULL || strcmp (words[*index], text) == 0)
      return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "--%s takes one of %s, not '%s'", option, all, text);
  return FALSE;
}

static gboolean
read_words (const PdAlltoallCommand *self, PdAlltoallQuestion *question, GError **error)
{
  static const char *const selves[] = { "copy", "none", "message", NULL };
  static const char *const timings[] = { "step", "message", NULL };
  static const char *const sockets[] = { "fill", "spread", NULL };
  guint chosen[3];

  if (!find_word ("self", self->self, selves, &chosen[0], error)
      || !find_word ("timing", self->timing, timings, &chosen[1], error)
      || !find_word ("sockets", self->sockets, sockets, &chosen[2], error))
    return FALSE;
  question->what.self = (PdAlltoallSelf) chosen[0];
  question->timing = (PdAlltoallTiming) chosen[1];
  question->spread = chosen[2] == 1;
  return TRUE;
}

static gboolean
read_options (const PdAlltoallCommand *self, PdAlltoallQuestion *question, GError **error)
{
  PdNumber bytes = { .i = 1000000 };

  if (self->n_ranks == PD_ALLTOALL_NONE)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--alltoall takes 1 to %d ranks (-p)",
                   PD_ALLTOALL_MAX_RANKS);
      return FALSE;
    }
  if (self->n_ranks < 1 || self->n_ranks > PD_ALLTOALL_MAX_RANKS)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "--alltoall takes 1 to %d ranks (-p), not '%" G_GINT64_FORMAT "'",
                   PD_ALLTOALL_MAX_RANKS, self->n_ranks);
      return FALSE;
    }
  if (self->block != PD_ALLTOALL_NONE && (self->block < 1 || self->block > G_MAXINT32))
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "--block takes a number of messages from 1 on, not '%" G_GINT64_FORMAT "'",
                   self->block);
      return FALSE;
    }
  if (self->bytes != NULL
      && (!pd_units_parse (PD_UNIT_BYTES, self->bytes, &bytes, NULL) || bytes.i < 1))
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--bytes takes a size above 0 such as 1MB, not '%s'",
                   self->bytes);
      return FALSE;
    }
  question->what =
      (PdAlltoall){ .n_ranks = (guint32) self->n_ranks,
                    .bytes = bytes.i,
                    .block = self->block != PD_ALLTOALL_NONE ? (guint32) self->block : 1 };
  return read_words (self, question, error);
}

/* The parameters of the machine, and checks of requests that it cannot serve. */
static gboolean
ask_machine (const PdAlltoallCommand *self, PdAlltoallQuestion *question, GError **error)
{
  g_autoptr (PdMachine) machine = pd_alltoall_load (question, error);
  gboolean has_steps;

  if (machine == NULL)
    return FALSE;
  if (self->block == PD_ALLTOALL_NONE)
    question->what.block = pd_alltoall_get_block (machine);
  has_steps = pd_alltoall_has_steps (machine);
  if (!has_steps && g_strcmp0 (self->timing, "step") == 0)
    g_set_error (error, PD_USAGE_ERROR, 0,
                 "--timing step takes a machine of one network of type 'contention', not '%s'",
                 machine->name);
  else if (question->what.self == PD_ALLTOALL_SELF_MESSAGE
           && (!has_steps || question->timing == PD_ALLTOALL_BY_MESSAGE))
    g_set_error (error, PD_USAGE_ERROR, 0,
                 "--self message takes --timing step, and a machine of one network of type "
                 "'contention'");
  else
    return TRUE;
  return FALSE;
}

/* ---- the report */

/* Files first: if one cannot be written, nothing has been printed. */
static gboolean
write_results (const PdAlltoallOutput *output, gboolean quiet, const PdAlltoallAdvice *advice,
               GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GString) csv = g_string_new (NULL);

  pd_alltoall_advice_write_text (advice, output->verbose ? 1 : 0,
                                 output->output != NULL ? 80 : pd_cmd_terminal_width (), text);
  pd_alltoall_advice_write_csv (advice, csv);
  if (output->csv != NULL && !pd_report_save (output->csv, csv, error))
    return FALSE;
  if (output->output != NULL && !pd_report_save (output->output, text, error))
    return FALSE;
  if (output->json)
    {
      pd_alltoall_advice_write_json (advice, json);
      return pd_report_save ("-", json, error);
    }
  return output->output != NULL || quiet || pd_report_save ("-", text, error);
}

static gboolean
start_report (const PdAlltoallOutput *output, PdReport *report, GError **error)
{
  PdPredictOptions predict = { .machine = output->machine, .settings = output->settings };

  report->command_line = g_strdup (output->command_line);
  return (!pd_file_exists (output->machine) || pd_report_add_input (report, output->machine, error))
         && pd_cmd_name_machine (&predict, report, NULL, error);
}

int
pd_alltoall_command_run (const PdAlltoallCommand *self, const PdAlltoallOutput *output,
                         GError **error)
{
  PdAlltoallQuestion question = { .machine = output->machine, .settings = output->settings };
  const char *const inputs[] = { output->machine != NULL ? output->machine : "", NULL };
  const char *const written[] = { output->output, output->csv };
  g_autoptr (PdReport) report = pd_cmd_new_report ();
  g_autoptr (PdAlltoallAdvice) advice = pd_alltoall_advice_new (report);
  gboolean quiet = output->quiet;

  if (output->machine == NULL)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--alltoall takes a machine (-m)");
      return PD_EXIT_USAGE;
    }
  if (!read_options (self, &question, error)
      || !pd_cmd_check_files (inputs, written, G_N_ELEMENTS (written), error)
      || !pd_cmd_check_stdout (&written[1], 1, output->json, NULL, &quiet, error))
    return PD_EXIT_USAGE;
  if (!ask_machine (self, &question, error) || !start_report (output, report, error)
      || !pd_alltoall_search (&question, advice, error))
    return PD_EXIT_FAILURE;
  if ((self->sensitivity && !pd_alltoall_vary (&question, advice, error))
      || !write_results (output, quiet, advice, error))
    return PD_EXIT_FAILURE;
  return PD_EXIT_OK;
}
