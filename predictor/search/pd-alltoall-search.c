/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-alltoall-search.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/tools/pd-alltoall-execute.h"

#include <string.h>

G_STATIC_ASSERT (PD_ALLTOALL_LEVELS == PD_ALLTOALL_ADVICE_LEVELS);

const char *
pd_alltoall_timing_name (PdAlltoallTiming timing)
{
  return timing == PD_ALLTOALL_BY_STEP ? "step" : "message";
}

const char *
pd_alltoall_self_name (PdAlltoallSelf self)
{
  static const char *const names[] = {
    [PD_ALLTOALL_SELF_COPY] = "copy",
    [PD_ALLTOALL_SELF_NONE] = "none",
    [PD_ALLTOALL_SELF_MESSAGE] = "message",
  };

  g_return_val_if_fail ((guint) self < G_N_ELEMENTS (names), NULL);

  return names[self];
}

PdMachine *
pd_alltoall_load (const PdAlltoallQuestion *question, GError **error)
{
  g_autoptr (PdMachine) one = pd_machine_load (question->machine, question->settings, 1, error);

  if (one == NULL)
    return NULL;
  guint64 wanted = (guint64) question->what.n_ranks * pd_alltoall_get_room (one);
  if (wanted <= one->n_processors || wanted > G_MAXUINT32)
    return g_steal_pointer (&one);
  PdMachine *larger =
      pd_machine_load (question->machine, question->settings, (guint32) wanted, NULL);
  return larger != NULL ? larger : g_steal_pointer (&one);
}

/* ---- one shape */

static void
fill_shape (const PdAlltoallSteps *steps, PdAlltoallShape *shape)
{
  shape->n_steps = steps->steps->len;
  for (guint i = 0; i < steps->steps->len; i++)
    {
      const PdAlltoallStep *step = &g_array_index (steps->steps, PdAlltoallStep, i);
      guint slowest = 0;
      for (guint level = 0; level < PD_ALLTOALL_LEVELS; level++)
        {
          shape->cf[level] = MAX (shape->cf[level], step->cf[level]);
          slowest = step->time[level] > step->time[slowest] ? level : slowest;
        }
      if (step->time[slowest] <= 0)
        continue;
      shape->steps[slowest]++;
      pd_time_sum_add (
          &shape->times[slowest],
          pd_time_add (steps->startup, PD_TIME ((gint64) (step->time[slowest] + 0.5))));
    }
  for (guint level = 0; level < PD_ALLTOALL_LEVELS; level++)
    shape->n_messages[level] = steps->n_messages[level];
}

/* Times that do not fit stand for any that are longer: they have no order. */
static gboolean
check_time (const PdMachine *machine, const PdAlltoallShape *shape, GError **error)
{
  if (shape->time.ps < G_MAXINT64)
    return TRUE;
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
               "%s: an All-to-all of %ux%u takes too long: expected less than 106 days",
               machine->origin, shape->nodes, shape->per_node);
  return FALSE;
}

static gboolean
predict (PdMachine *machine, const PdAlltoallQuestion *question, PdAlltoallShape *shape,
         PdMessages *messages, GError **error)
{
  g_autofree guint32 *placement =
      pd_alltoall_place (machine, shape->nodes, shape->per_node, question->spread);
  PdAlltoall what = question->what;

  what.placement = placement;
  if (question->timing == PD_ALLTOALL_BY_MESSAGE || !pd_alltoall_has_steps (machine))
    return pd_alltoall_simulate (machine, &what, &shape->time, messages, error)
           && check_time (machine, shape, error);
  g_autoptr (PdAlltoallSteps) steps = pd_alltoall_get_steps (machine, &what, messages);
  shape->time = pd_alltoall_steps_get_time (steps, NULL);
  if (!check_time (machine, shape, error))
    return FALSE;
  fill_shape (steps, shape);
  return TRUE;
}

static gboolean
fits (const PdMachine *machine, guint32 nodes, guint32 per_node)
{
  g_autofree guint32 *placement = pd_alltoall_place (machine, nodes, per_node, FALSE);

  return placement != NULL;
}

/* ---- all of them */

static void
set_words (const PdAlltoallQuestion *question, gboolean has_steps, PdAlltoallAdvice *advice)
{
  advice->n_ranks = question->what.n_ranks;
  advice->bytes = question->what.bytes;
  advice->block = question->what.block;
  advice->timing = pd_alltoall_timing_name (has_steps ? question->timing : PD_ALLTOALL_BY_MESSAGE);
  advice->self = pd_alltoall_self_name (question->what.self);
  advice->sockets = question->spread ? "spread" : "fill";
  for (guint level = 0; level < PD_ALLTOALL_LEVELS; level++)
    advice->levels[level] = pd_alltoall_level_name (level);
}

gboolean
pd_alltoall_search (const PdAlltoallQuestion *question, PdAlltoallAdvice *advice, GError **error)
{
  guint32 n = question->what.n_ranks;
  g_autoptr (PdMachine) machine = pd_alltoall_load (question, error);

  if (machine == NULL)
    return FALSE;
  set_words (question, pd_alltoall_has_steps (machine), advice);
  for (guint32 nodes = 1; nodes <= n; nodes++)
    {
      PdAlltoallShape shape = { .nodes = nodes, .per_node = n / nodes };
      if (n % nodes != 0)
        continue;
      if (!fits (machine, nodes, n / nodes))
        {
          g_ptr_array_add (advice->left_out, g_strdup_printf ("%ux%u", nodes, n / nodes));
          continue;
        }
      if (!predict (machine, question, &shape, advice->report->messages, error))
        return FALSE;
      g_array_append_val (advice->shapes, shape);
    }
  if (advice->shapes->len > 0)
    {
      g_free (pd_alltoall_shapes_sort (advice->shapes));
      return TRUE;
    }
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
               "%s: expected room for %u ranks, the same number on each node", machine->origin, n);
  return FALSE;
}
