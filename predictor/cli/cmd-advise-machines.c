/* predictor advise with several machines, or shapes of them, from options to exit status.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/predict/pd-recorded.h"
#include "predictor/cli/cmd-advise-private.h"
#include "predictor/cli/pd-commands.h"
#include "base/pd-error.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/options/pd-mp-options.h"
#include "predictor/scaled/pd-scaled.h"
#include "reports/run/pd-report-db.h"
#include "traces/open/pd-trace-read.h"
#include "base/pd-file.h"

gboolean
pd_cmd_advise_is_choice (const PdAdviseCommand *options)
{
  return options->shapes || (options->machines != NULL && options->machines[1] != NULL);
}

/* Of message passing: traces, or what a model gives on several numbers of ranks. */
typedef struct
{
  GPtrArray *all;      /* (element-type PdMpTrace) */
  GPtrArray *names;    /* (nullable) (element-type utf8): of traces, borrowed */
  PdScaleModel *model; /* (nullable) */
} Programs;

static void
programs_clear (Programs *self)
{
  g_clear_pointer (&self->all, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  pd_scale_model_free (self->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Programs, programs_clear)

/* The common head of the reports of all options. */
typedef struct
{
  const PdAdviseCommand *options;
  const PdDvmSet *set; /* (nullable): of a DVM program */
  const PdTraceSource *source;
  const Programs *programs;   /* (nullable): the programs read, */
  const PdMessages *messages; /* (nullable): … and their messages */
} Beginning;

static gboolean
add_programs (PdReport *report, const Beginning *self, GError **error)
{
  const Programs *programs = self->programs;

  if (programs->names == NULL)
    return pd_cmd_add_trace (report, self->source, g_ptr_array_index (programs->all, 0), error);
  for (guint i = 0; i < programs->all->len; i++)
    {
      const PdTraceSource source = { g_ptr_array_index (programs->names, i), NULL };
      if (!pd_cmd_add_trace (report, &source, g_ptr_array_index (programs->all, i), error))
        return FALSE;
    }
  return TRUE;
}

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
      if (!add_programs (report, self, error))
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

/* The messages about the trace, for any machine. */
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

/* Writes the finished results, and then reports the faults of the trace. */
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
                   "interrupted; the finished predictions are reported");
      return PD_EXIT_INTERRUPTED;
    }
  return conclude_trace (question, choice, "; predicted nevertheless", error);
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

/* On one machine: which of several numbers of ranks is best. */
static int
advise_ranks (const PdAdviseCommand *options, const PdChoiceQuestion *question, char *command_line,
              GError **error)
{
  PdPredictOptions predict = question->search.predict;
  g_autoptr (PdReport) report = question->start_report (predict.machine, question->data, error);
  g_autoptr (GError) local = NULL;

  if (report == NULL || !pd_cmd_name_machine (&predict, report, NULL, error))
    return PD_EXIT_FAILURE;
  report->command_line = g_strdup (command_line);
  g_autoptr (PdAdvice) advice = pd_cmd_advise_predict_programs (question, &predict, report, &local);
  if (advice == NULL)
    {
      int status = pd_cmd_status_of_error (local);
      g_propagate_error (error, g_steal_pointer (&local));
      return status;
    }
  advice->scope = g_strdup (question->names != NULL
                                ? "The numbers of ranks that were recorded."
                                : "The numbers of ranks that were asked for, which a model gives.");
  return pd_cmd_advise_conclude (options, predict.trace, advice, error);
}

/* @set: of a DVM program, @programs: of another one. */
static int
choose (PdAdviseCommand *options, const PdTraceSource *source, const PdDvmSet *set,
        const Programs *programs, const PdMessages *messages, char *command_line, GError **error)
{
  static const char *const ideal[] = { "ideal", NULL };
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (GArray) counts = NULL;
  Beginning beginning = { options, set, source, programs, messages };
  PdTraceFacts facts;
  PdChoiceQuestion question = { .machines = options->machines != NULL
                                                ? (const char *const *) options->machines
                                                : ideal,
                                .shapes = options->shapes,
                                .search = pd_cmd_advise_get_search (options, source, &begin),
                                .programs = programs != NULL ? programs->all : NULL,
                                .names = programs != NULL ? programs->names : NULL,
                                .model = programs != NULL ? programs->model : NULL,
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
  int status = programs == NULL
                   ? pd_cmd_advise_read_facts (options, &question.search, &facts, &counts, error)
                   : PD_EXIT_OK;
  if (status != PD_EXIT_OK)
    return status;
  return pd_cmd_advise_is_choice (options)
             ? conclude_choice (options, &question, command_line, error)
             : advise_ranks (options, &question, command_line, error);
}

int
pd_cmd_advise_choose_for_dvm (PdAdviseCommand *options, const PdTraceSource *source,
                              const PdDvmSet *set, char *command_line, GError **error)
{
  return choose (options, source, set, NULL, NULL, command_line, error);
}

/* Whether there is something to choose from. */
static gboolean
check_choice (const PdAdviseCommand *options, const PdTraceSource *source, gboolean is_model,
              GError **error)
{
  const char *name = pd_trace_source_get_name (source);

  if (is_model && options->counts != NULL && options->max_processors == PD_ADVISE_NO_MAX)
    return TRUE;
  if (!is_model && (pd_cmd_advise_is_choice (options) || options->more != NULL)
      && options->counts == NULL && options->max_processors == PD_ADVISE_NO_MAX)
    return TRUE;
  if (is_model)
    g_set_error (error, PD_USAGE_ERROR, 0,
                 "%s is a model: expected the numbers of ranks to choose from (-n)", name);
  else
    g_set_error (
        error, PD_USAGE_ERROR, 0,
        "%s is the trace of a message-passing program: its number of ranks is that of "
        "the trace, so there is nothing to choose from but several machines (-m), --shapes, "
        "and traces on other numbers ('predictor run' predicts it)",
        name);
  return FALSE;
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  return pd_count_compare (a, b);
}

/* By rising number of ranks, as advice wants them. */
static gboolean
make_programs (const PdAdviseCommand *options, const PdTraceSource *source, Programs *self,
               PdMessages *messages, GError **error)
{
  g_autoptr (GArray) counts = pd_counts_parse (options->counts, PD_RULE_DIMS, error);

  self->model = counts != NULL ? pd_scaled_open (source, error) : NULL;
  if (self->model == NULL)
    return FALSE;
  pd_scaled_report (self->model, messages);
  g_array_sort (counts, compare_counts);
  for (guint i = 0; i < counts->len; i++)
    {
      PdMpTrace *trace = pd_scaled_make (self->model, &g_array_index (counts, PdCount, i), messages,
                                         pd_cmd_catch_interrupt (), error);
      if (trace == NULL)
        return FALSE;
      g_ptr_array_add (self->all, trace);
    }
  return TRUE;
}

/* A trace, and the word that names it. */
typedef struct
{
  const char *name;
  PdMpTrace *trace;
} Named;

static gint
compare_ranks (gconstpointer a, gconstpointer b)
{
  guint32 x = pd_mp_trace_get_n_ranks (((const Named *) a)->trace);
  guint32 y = pd_mp_trace_get_n_ranks (((const Named *) b)->trace);

  return (x > y) - (x < y);
}

/* The traces are those of @named, whose order changes. */
static gboolean
take_traces (Programs *self, GArray *named, GError **error)
{
  gboolean ok = TRUE;

  g_array_sort (named, compare_ranks);
  self->names = g_ptr_array_new ();
  for (guint i = 0; i < named->len; i++)
    {
      const Named *one = &g_array_index (named, Named, i), *before = i > 0 ? one - 1 : NULL;
      if (ok && before != NULL && compare_ranks (before, one) == 0)
        ok = pd_fail (error, PD_USAGE_ERROR, 0,
                      "%s and %s are both of %u ranks: expected traces on different numbers",
                      before->name, one->name, pd_mp_trace_get_n_ranks (one->trace));
      g_ptr_array_add (self->all, one->trace);
      g_ptr_array_add (self->names, (gpointer) one->name);
    }
  return ok;
}

/* Recordings of one program on several numbers of ranks, in any order. */
static gboolean
read_several (const PdAdviseCommand *options, const char *first, Programs *self,
              PdMessages *messages, GError **error)
{
  const PdTraceReadOptions reading = { .audit = PD_AUDIT_SIMULATED };
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (Named));
  gboolean ok = TRUE;

  for (guint i = 0; ok && (i == 0 || options->more[i - 1] != NULL); i++)
    {
      const char *name = i == 0 ? first : options->more[i - 1];
      const PdTraceSource source = { name, NULL };
      Named one = { name, NULL };
      ok = (pd_mp_is_trace (&source) && !pd_scaled_is_model (&source))
           || pd_fail (error, PD_USAGE_ERROR, 0,
                       "%s: expected a trace of a message-passing program, as %s is", name, first);
      if (ok)
        one.trace = pd_mp_trace_read (&source, &reading, messages, error);
      ok = ok && one.trace != NULL;
      if (ok)
        g_array_append_val (named, one);
    }
  return take_traces (self, named, ok ? error : NULL) && ok;
}

static gboolean
read_programs (const PdAdviseCommand *options, const PdTraceSource *source, gboolean is_model,
               Programs *self, PdMessages *messages, GError **error)
{
  const PdTraceReadOptions reading = { .audit = PD_AUDIT_SIMULATED };

  self->all = g_ptr_array_new_with_free_func ((GDestroyNotify) pd_mp_trace_free);
  if (is_model)
    return make_programs (options, source, self, messages, error);
  if (options->more != NULL)
    return read_several (options, source->path, self, messages, error);
  PdMpTrace *trace = pd_mp_trace_read (source, &reading, messages, error);
  if (trace != NULL)
    g_ptr_array_add (self->all, trace);
  return trace != NULL;
}

int
pd_cmd_advise_choose_for_program (PdAdviseCommand *options, const PdTraceSource *source,
                                  char *command_line, GError **error)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  gboolean is_model = pd_scaled_is_model (source);
  g_auto (Programs) programs = { .all = NULL };
  g_autoptr (GError) local = NULL;

  if (!check_choice (options, source, is_model, error)
      || !pd_mp_check_model_options (&options->model, error))
    return PD_EXIT_USAGE;
  if (read_programs (options, source, is_model, &programs, messages, &local))
    return choose (options, source, NULL, &programs, messages, command_line, error);
  int status = pd_cmd_status_of_error (local);
  g_propagate_error (error, g_steal_pointer (&local));
  return status;
}
