/* predictor advise with several machines, or shapes of them, from options to exit status.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/predict/pd-recorded.h"
#include "predictor/cli/cmd-advise-private.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/options/pd-mp-options.h"
#include "reports/run/pd-report-db.h"
#include "traces/open/pd-trace-read.h"
#include "base/pd-file.h"

gboolean
pd_cmd_advise_is_choice (const PdAdviseCommand *options)
{
  return options->shapes || (options->machines != NULL && options->machines[1] != NULL);
}

/* What the reports of all options begin with. */
typedef struct
{
  const PdAdviseCommand *options;
  const PdDvmSet *set; /* (nullable): of a DVM program */
  const PdTraceSource *source;
  const PdMpTrace *program;   /* (nullable): what was read of it, */
  const PdMessages *messages; /* (nullable): … and what was said then */
} Beginning;

static PdReport *
start_report (const char *machine, gpointer data, GError **error)
{
  const Beginning *self = data;
  g_autoptr (PdReport) report = NULL;

  if (self->set != NULL)
    report = pd_cmd_start_report (self->set, machine, self->options->model.blocks_path, error);
  else
    {
      report = pd_cmd_new_report ();
      if (!pd_cmd_add_trace (report, self->source, self->program, error))
        return NULL;
      if (pd_file_exists (machine) && !pd_report_add_input (report, machine, error))
        return NULL;
    }
  if (self->set != NULL && report != NULL && self->source->bytes != NULL)
    pd_cmd_add_stdin (report, self->source->bytes);
  if (report != NULL)
    pd_messages_add_all (report->messages, self->messages);
  if (report != NULL)
    pd_recorded_report (self->options->cleanings, report->messages);
  return g_steal_pointer (&report);
}

/* The runs of all options, or none. */
static gboolean
write_db (const PdChoice *choice, const char *path, GError **error)
{
  guint n = choice->options->len;
  g_autofree const PdReport **reports = g_new (const PdReport *, n);

  for (guint i = 0; i < n; i++)
    reports[i] = ((const PdChoiceOption *) g_ptr_array_index (choice->options, i))->report;
  return pd_report_write_all_db (reports, n, path, error);
}

/* Files first, as always. */
static gboolean
write_choice (const PdAdviseCommand *options, const PdChoice *choice, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GString) csv = g_string_new (NULL);

  pd_choice_write_csv (choice, csv);
  if (options->csv != NULL && !pd_report_save (options->csv, csv, error))
    return FALSE;
  if (options->db != NULL && !write_db (choice, options->db, error))
    return FALSE;
  pd_choice_write_text (choice, options->verbose ? 1 : 0,
                        options->output != NULL ? 80 : pd_cmd_terminal_width (), text);
  if (options->output != NULL && !pd_report_save (options->output, text, error))
    return FALSE;
  if (options->json)
    {
      pd_choice_write_json (choice, json);
      return pd_report_save ("-", json, error);
    }
  return options->output != NULL || options->quiet || pd_report_save ("-", text, error);
}

/* What was said of the trace, for any machine. */
static int
conclude_trace (const PdChoiceQuestion *question, const PdChoice *choice, const char *done,
                GError **error)
{
  g_autoptr (PdMessages) all = pd_messages_new ();
  gdouble share = 1;

  for (guint i = 0; i < choice->options->len; i++)
    {
      const PdChoiceOption *option = g_ptr_array_index (choice->options, i);
      gdouble own = pd_cmd_collect_messages (option->report, all);
      share = MIN (share, own);
    }
  return pd_cmd_conclude (question->search.predict.trace, all, share, done, error);
}

/* What was finished is written, and then said what is wrong with the trace. */
static int
conclude_written (const PdAdviseCommand *options, const PdChoiceQuestion *question,
                  const PdChoice *choice, GError **error)
{
  int status = options->strict ? conclude_trace (question, choice, NULL, error) : PD_EXIT_OK;

  if (status != PD_EXIT_OK)
    return status;
  if (!write_choice (options, choice, error))
    return PD_EXIT_FAILURE;
  if (choice->interrupted)
    {
      g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED,
                   "interrupted; what was finished is reported");
      return PD_EXIT_INTERRUPTED;
    }
  return conclude_trace (question, choice, "; predicted what there is", error);
}

static int
conclude_choice (const PdAdviseCommand *options, const PdChoiceQuestion *question,
                 char *command_line, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (PdChoice) choice = pd_cmd_advise_choose (question, &local);

  if (choice != NULL)
    {
      choice->command_line = g_strdup (command_line);
      return conclude_written (options, question, choice, error);
    }
  pd_cmd_print_warnings (((const Beginning *) question->data)->messages);
  int status = pd_cmd_status_of_error (local);
  g_propagate_error (error, g_steal_pointer (&local));
  return status;
}

/* @set: of a DVM program, @program: of another one. */
static int
choose (PdAdviseCommand *options, const PdTraceSource *source, const PdDvmSet *set,
        const PdMpTrace *program, const PdMessages *messages, char *command_line, GError **error)
{
  static const char *const ideal[] = { "ideal", NULL };
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (GArray) counts = NULL;
  Beginning beginning = { options, set, source, program, messages };
  PdTraceFacts facts;
  PdChoiceQuestion question = { .machines = options->machines != NULL
                                                ? (const char *const *) options->machines
                                                : ideal,
                                .shapes = options->shapes,
                                .search = pd_cmd_advise_get_search (options, source, &begin),
                                .program = program,
                                .flops = options->flops,
                                .start_report = start_report,
                                .data = &beginning };

  if (options->shapes && options->model.map != NULL)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--shapes: --map would be another placement");
      return PD_EXIT_USAGE;
    }
  if (!pd_model_options_apply (&options->model, &question.search.predict, error))
    return PD_EXIT_FAILURE;
  int status = program == NULL
                   ? pd_cmd_advise_read_facts (options, &question.search, &facts, &counts, error)
                   : PD_EXIT_OK;
  return status == PD_EXIT_OK ? conclude_choice (options, &question, command_line, error) : status;
}

int
pd_cmd_advise_choose_for_dvm (PdAdviseCommand *options, const PdTraceSource *source,
                              const PdDvmSet *set, char *command_line, GError **error)
{
  return choose (options, source, set, NULL, NULL, command_line, error);
}

int
pd_cmd_advise_choose_for_program (PdAdviseCommand *options, const PdTraceSource *source,
                                  char *command_line, GError **error)
{
  const PdTraceReadOptions reading = { .audit = PD_AUDIT_SIMULATED };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = NULL;

  if (!pd_cmd_advise_is_choice (options) || options->counts != NULL
      || options->max_processors != PD_ADVISE_NO_MAX)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "%s is the trace of a message-passing program: its number of ranks is that of "
                   "the trace, so there is nothing to choose from but several machines (-m) and "
                   "--shapes ('predictor run' predicts it)",
                   pd_trace_source_get_name (source));
      return PD_EXIT_USAGE;
    }
  if (!pd_mp_check_model_options (&options->model, error))
    return PD_EXIT_USAGE;
  trace = pd_mp_trace_read (source, &reading, messages, error);
  if (trace == NULL)
    return PD_EXIT_FAILURE;
  return choose (options, source, NULL, trace, messages, command_line, error);
}
