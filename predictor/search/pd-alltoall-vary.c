/* The sensitivity of the order of shapes: one assumption at a time.
 * SPDX-License-Identifier: MIT */
#include "predictor/search/pd-alltoall-search.h"
#include "predictor/search/pd-alltoall-vary.h"

#include <math.h>
#include <string.h>

/* ---- trials */

typedef struct
{
  const PdAlltoallQuestion *question;
  PdAlltoallAdvice *advice;
  char *order; /* of the advice; owned */
} Vary;

static gboolean
add_trial (const Vary *self, const PdAlltoallQuestion *other, const char *assumption,
           const char *value, gboolean is_base, GError **error)
{
  g_autoptr (PdReport) report = pd_report_new ();
  g_autoptr (PdAlltoallAdvice) advice = pd_alltoall_advice_new (report);

  if (!pd_alltoall_search (other, advice, error))
    return FALSE;
  PdAlltoallTrial trial = { .assumption = g_strdup (assumption),
                            .value = g_strdup (value),
                            .order = pd_alltoall_shapes_sort (advice->shapes),
                            .is_base = is_base };
  trial.holds = strcmp (trial.order, self->order) == 0;
  g_array_append_val (self->advice->trials, trial);
  return TRUE;
}

/* 1, 2, 4, … and all at once; and the requested number. */
static gboolean
vary_block (const Vary *self, GError **error)
{
  guint32 n = self->question->what.n_ranks, asked = MIN (self->question->what.block, n);
  PdAlltoallQuestion other = *self->question;

  for (guint32 block = 1, power = 1; block <= n;)
    {
      g_autofree char *value = g_strdup_printf ("%u", block);
      other.what.block = block;
      if (!add_trial (self, &other, "block", value, block == asked, error))
        return FALSE;
      if (block == n)
        break;
      power = block == power ? 2 * power : power;
      block = MIN (block < asked ? MIN (asked, power) : power, n);
    }
  return TRUE;
}

static gboolean
vary_options (const Vary *self, gboolean has_steps, GError **error)
{
  PdAlltoallTiming timing = self->question->timing;
  PdAlltoallQuestion other = *self->question;

  for (guint s = 0; s <= (has_steps ? PD_ALLTOALL_SELF_MESSAGE : PD_ALLTOALL_SELF_NONE); s++)
    {
      other.what.self = (PdAlltoallSelf) s;
      if (s == PD_ALLTOALL_SELF_MESSAGE && timing == PD_ALLTOALL_BY_MESSAGE)
        continue;
      if (!add_trial (self, &other, "self", pd_alltoall_self_name ((PdAlltoallSelf) s),
                      s == self->question->what.self, error))
        return FALSE;
    }
  other = *self->question;
  for (guint t = 0; t <= PD_ALLTOALL_BY_MESSAGE && has_steps; t++)
    {
      other.timing = (PdAlltoallTiming) t;
      if (t == PD_ALLTOALL_BY_MESSAGE && other.what.self == PD_ALLTOALL_SELF_MESSAGE)
        continue;
      if (!add_trial (self, &other, "timing", pd_alltoall_timing_name ((PdAlltoallTiming) t),
                      t == timing, error))
        return FALSE;
    }
  other = *self->question;
  for (guint s = 0; s < 2 && has_steps; s++)
    {
      other.spread = s == 1;
      if (!add_trial (self, &other, "sockets", s == 1 ? "spread" : "fill",
                      other.spread == self->question->spread, error))
        return FALSE;
    }
  return TRUE;
}

/* Every attribute of the network that is a word. */
static gboolean
vary_network (const Vary *self, const PdMachine *machine, GError **error)
{
  g_autoptr (GPtrArray) settings = g_ptr_array_new ();
  PdAlltoallQuestion other = *self->question;

  for (guint i = 0; other.settings != NULL && other.settings[i] != NULL; i++)
    g_ptr_array_add (settings, (gpointer) other.settings[i]);
  g_ptr_array_set_size (settings, (gint) settings->len + 2);
  other.settings = (const char *const *) settings->pdata;
  for (const PdParam *p = machine->network->class->params; p->name != NULL; p++)
    for (guint c = 0; p->choices != NULL && p->choices[c] != NULL; c++)
      {
        guint now = G_STRUCT_MEMBER (guint, machine->network->config, p->offset);
        g_autofree char *path = g_strdup_printf ("network/%s", p->name);
        g_autofree char *setting = g_strdup_printf ("%s=%s", path, p->choices[c]);
        settings->pdata[settings->len - 2] = setting;
        if (!add_trial (self, &other, path, p->choices[c], now == c, error))
          return FALSE;
      }
  return TRUE;
}

/* ---- ranges */

#define FARTHEST   16 /* factor, up and down */
#define PER_DOUBLE 8  /* tries */
#define HALVINGS   20

typedef struct
{
  GPtrArray *steps; /* PdAlltoallSteps, of each shape */
  GArray *shapes;   /* as they are numbered there */
  guint level;
} Scaled;

static char *
order_with (const Scaled *self, gdouble factor)
{
  gdouble scale[PD_ALLTOALL_LEVELS] = { 1, 1, 1 };
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (PdAlltoallShape));

  scale[self->level] = factor;
  g_array_append_vals (shapes, self->shapes->data, self->shapes->len);
  for (guint i = 0; i < shapes->len; i++)
    g_array_index (shapes, PdAlltoallShape, i).time =
        pd_alltoall_steps_get_time (g_ptr_array_index (self->steps, i), scale);
  return pd_alltoall_shapes_sort (shapes);
}

/* The farthest factor to which the order holds, tried outwards; @beyond: the one
 * behind it. */
static gdouble
find_end (const Scaled *self, const char *order, int sign, char **beyond)
{
  gdouble good = 1;

  for (int k = 1; k <= PER_DOUBLE * (int) log2 (FARTHEST); k++)
    {
      gdouble factor = exp2 ((gdouble) (sign * k) / PER_DOUBLE);
      *beyond = order_with (self, factor);
      if (strcmp (*beyond, order) == 0)
        {
          good = factor;
          g_clear_pointer (beyond, g_free);
          continue;
        }
      for (guint i = 0; i < HALVINGS; i++)
        {
          gdouble middle = sqrt (good * factor);
          g_autofree char *there = order_with (self, middle);
          if (strcmp (there, order) == 0)
            good = middle;
          else
            {
              factor = middle;
              g_free (*beyond);
              *beyond = g_steal_pointer (&there);
            }
        }
      return good;
    }
  return good;
}

static void
free_steps (gpointer data)
{
  pd_alltoall_steps_free (data);
}

static void
find_ranges (const Vary *self, const PdMachine *machine)
{
  const PdAlltoallQuestion *question = self->question;
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func (free_steps);
  Scaled scaled = { .steps = steps, .shapes = self->advice->shapes };
  guint64 n_messages[PD_ALLTOALL_LEVELS] = { 0 };

  for (guint i = 0; i < self->advice->shapes->len; i++)
    {
      const PdAlltoallShape *shape = &g_array_index (self->advice->shapes, PdAlltoallShape, i);
      g_autofree guint32 *placement =
          pd_alltoall_place (machine, shape->nodes, shape->per_node, question->spread);
      PdAlltoall what = question->what;
      what.placement = placement;
      g_ptr_array_add (steps, pd_alltoall_get_steps (machine, &what, NULL));
      for (guint level = 0; level < PD_ALLTOALL_LEVELS; level++)
        n_messages[level] += shape->n_messages[level];
    }
  for (scaled.level = 0; scaled.level < PD_ALLTOALL_LEVELS; scaled.level++)
    {
      PdAlltoallRange range = { .level = pd_alltoall_level_name (scaled.level),
                                .least = 1.0 / FARTHEST,
                                .most = FARTHEST };
      if (n_messages[scaled.level] == 0)
        continue;
      range.from = find_end (&scaled, self->order, -1, &range.order_low);
      range.to = find_end (&scaled, self->order, 1, &range.order_high);
      g_array_append_val (self->advice->ranges, range);
    }
}

gboolean
pd_alltoall_vary (const PdAlltoallQuestion *question, PdAlltoallAdvice *advice, GError **error)
{
  g_autoptr (PdMachine) machine = pd_alltoall_load (question, error);
  g_autofree char *order = NULL;

  if (machine == NULL)
    return FALSE;
  order = pd_alltoall_shapes_sort (advice->shapes);
  Vary vary = { question, advice, order };
  gboolean has_steps = pd_alltoall_has_steps (machine);
  if (!vary_block (&vary, error) || !vary_options (&vary, has_steps, error)
      || (has_steps && !vary_network (&vary, machine, error)))
    return FALSE;
  if (has_steps && question->timing == PD_ALLTOALL_BY_STEP)
    find_ranges (&vary, machine);
  return TRUE;
}
