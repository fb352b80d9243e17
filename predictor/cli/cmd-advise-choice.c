/* predictor advise with several machines, or several ways to use one: each is searched by
 * itself, then they are compared.
 * SPDX-License-Identifier: MIT */
#include "comsys/tools/pd-alltoall.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/range/pd-range-common.h"
#include "predictor/cli/cmd-advise-private.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/scaled/pd-scaled.h"

/* ---- shapes */

/* Nodes x ranks of each for @n ranks, or for any number of them (0): the divisors of @n, or of
 * the processors of a node. */
static GArray *
list_shapes (const char *machine, const char *const *settings, guint32 n, GError **error)
{
  g_autoptr (PdMachine) loaded = pd_machine_load (machine, settings, MAX (n, 1), error);
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (loaded == NULL)
    return NULL;
  guint32 room = pd_alltoall_get_room (loaded);
  for (guint32 k = 1; k <= room; k++)
    if ((n > 0 ? n : room) % k == 0)
      g_array_append_val (shapes, k);
  return g_steal_pointer (&shapes);
}

static char *
name_shape (guint32 n, guint32 per_node)
{
  return n > 0 ? g_strdup_printf ("%ux%u", n / per_node, per_node)
               : g_strdup_printf ("nx%u", per_node);
}

/* ---- one option */

/* How many ranks the programs are on; 0: on several numbers. */
static guint32
get_n_ranks (const PdChoiceQuestion *question)
{
  return question->programs != NULL && question->programs->len == 1
             ? pd_mp_trace_get_n_ranks (g_ptr_array_index (question->programs, 0))
             : 0;
}

static const char *
name_program (const PdChoiceQuestion *question, const PdPredictOptions *predict, guint i)
{
  if (question->model != NULL)
    return PD_SCALED_NAME;
  return question->names != NULL ? g_ptr_array_index (question->names, i) : predict->trace;
}

static gboolean
predict_program (const PdChoiceQuestion *question, const PdPredictOptions *predict, guint i,
                 PdReport *report, GError **error)
{
  const PdMpTrace *program = g_ptr_array_index (question->programs, i);
  const PdRangeRecorded recorded = pd_range_read_mp (program);
  const PdMpOptions what = { .trace = name_program (question, predict, i),
                             .machine = predict->machine,
                             .settings = predict->settings,
                             .map = predict->map,
                             .ratios = predict->ratios,
                             .seed = predict->seed,
                             .flops = question->flops,
                             .simulated = question->simulated,
                             .recorded = &recorded,
                             .stop = predict->stop };
  PdReportRun *run = pd_mp_predict (&what, program, error);

  if (run == NULL)
    return FALSE;
  if (question->model != NULL)
    pd_scaled_widen (question->model, run->range);
  pd_report_run_compact (run);
  pd_report_add_run (report, run);
  return TRUE;
}

/* Results that were finished before an interruption are kept. */
PdAdvice *
pd_cmd_advise_predict_programs (const PdChoiceQuestion *question, const PdPredictOptions *predict,
                                PdReport *report, GError **error)
{
  const PdAdviceCriteria *criteria = &question->search.criteria;
  g_autoptr (GError) local = NULL;
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < question->programs->len; i++)
    ok = predict_program (question, predict, i, report, &local);
  if (!ok
      && (report->runs->len == 0
          || !g_error_matches (local, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED)))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  PdAdvice *advice = pd_advice_new (report, criteria);
  advice->interrupted = !ok;
  /* in programs from a model the rules may have errors, too */
  advice->margin = question->model == NULL ? pd_range_get_floor (PD_MODEL_MPI) : 0;
  pd_advice_choose (criteria, (const PdReportRun *const *) (gpointer) report->runs->pdata,
                    report->runs->len, advice->best);
  return advice;
}

static PdAdvice *
search_dvm (const PdChoiceQuestion *question, const PdPredictOptions *predict, PdReport *report,
            GError **error)
{
  PdAdviseOptions what = question->search;

  what.predict = *predict;
  return pd_advise (&what, report, error);
}

/* A run that does not fit is left out, with its reason; an interruption leaves out all later
 * runs; other errors end the search. @reason is taken. */
static gboolean
leave_out (PdChoice *choice, const char *machine, const char *shape, GError *reason, GError **error)
{
  choice->interrupted =
      g_error_matches (reason, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED)
      && choice->options->len > 0;
  if (choice->interrupted)
    {
      g_error_free (reason);
      return TRUE;
    }
  if (!g_error_matches (reason, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE)
      && !g_error_matches (reason, PD_MACHINE_ERROR, PD_MACHINE_ERROR_MAP))
    {
      g_propagate_error (error, reason);
      return FALSE;
    }
  g_ptr_array_add (choice->left_out, g_strdup_printf ("%s%s%s: %s", machine, *shape ? " " : "",
                                                      shape, reason->message));
  g_error_free (reason);
  return TRUE;
}

static gboolean
add_option (const PdChoiceQuestion *question, const char *machine, guint32 per_node,
            PdChoice *choice, GError **error)
{
  guint32 n = get_n_ranks (question);
  g_autofree char *shape = per_node > 0 ? name_shape (n, per_node) : g_strdup ("");
  g_autofree char *map = per_node > 0 ? g_strdup_printf ("per-node:%u", per_node) : NULL;
  g_autoptr (PdReport) report = question->start_report (machine, question->data, error);
  g_autoptr (GError) local = NULL;
  PdPredictOptions predict = question->search.predict;

  predict.machine = machine;
  predict.map = map != NULL ? map : predict.map;
  if (report == NULL || !pd_cmd_name_machine (&predict, report, NULL, error))
    return FALSE;
  PdAdvice *advice = question->programs != NULL
                         ? pd_cmd_advise_predict_programs (question, &predict, report, &local)
                         : search_dvm (question, &predict, report, &local);
  if (advice != NULL)
    {
      choice->interrupted = advice->interrupted;
      pd_choice_add (choice, machine, shape, g_steal_pointer (&report), advice);
      return TRUE;
    }
  return leave_out (choice, machine, shape, g_steal_pointer (&local), error);
}

/* ---- all of them */

static gboolean
add_shapes (const PdChoiceQuestion *question, const char *machine, PdChoice *choice, GError **error)
{
  guint32 n = get_n_ranks (question);
  g_autoptr (GError) local = NULL;
  g_autoptr (GArray) shapes = list_shapes (machine, question->search.predict.settings, n, &local);

  if (shapes == NULL)
    return leave_out (choice, machine, "", g_steal_pointer (&local), error);
  for (guint i = 0; i < shapes->len && !choice->interrupted; i++)
    if (!add_option (question, machine, g_array_index (shapes, guint32, i), choice, error))
      return FALSE;
  return TRUE;
}

PdChoice *
pd_cmd_advise_choose (const PdChoiceQuestion *question, GError **error)
{
  g_autoptr (PdChoice) choice = pd_choice_new (&question->search.criteria);

  for (guint i = 0; question->machines[i] != NULL && !choice->interrupted; i++)
    {
      const char *machine = question->machines[i];
      gboolean ok = question->shapes ? add_shapes (question, machine, choice, error)
                                     : add_option (question, machine, 0, choice, error);
      if (!ok)
        return NULL;
    }
  if (choice->options->len > 0)
    return g_steal_pointer (&choice);
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE, "nothing fits; %s",
               choice->left_out->len > 0 ? (const char *) g_ptr_array_index (choice->left_out, 0)
                                         : "the machine has no shapes");
  return NULL;
}
