/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-amounts-private.h"

#include "scale/pd-scale-numbers-private.h"

#include <math.h>
#include <stdlib.h>

#define MOST_SCATTER 65536 /* ratios that a place has, in all ranks together */
#define MOST_ROWS    64    /* ranks whose ratios are kept */
#define STALL        5     /* times the median distance from the median: more has other reasons */
#define ALIKE        0.01 /* repetitions differ if that share of the computation is missed without */

/* Behind them, one for all that follow. */
#define N_TURNS  (PD_SCALE_MOST_TURNS + 1)
#define N_LEVELS (PD_SCALE_MOST_LEVELS + 1)

/* Amounts by the repetition of the loop around, and by that of the loop around it. */
typedef GArray *Cells[N_LEVELS][N_TURNS]; /* (nullable) (element-type gdouble) */

/* Of one element, in all ranks of a class. */
typedef struct
{
  const PdScaleModel *model;
  const PdScaleAmounts *from;
  PdActionKind kind;
  Cells *lists;    /* of each number of ranks */
  GArray *scratch; /* gdouble */
} Fit;

/* From the first ones up to before the others. */
typedef struct
{
  guint turn, turn_end;
  guint level, level_end;
} Part;

#define MEMBER(from, i) (&g_array_index ((from)->members, PdScaleMember, (i)))
#define SIZE(fit, s)    (g_array_index ((fit)->model->sizes, guint32, (s)))

/* ---- medians */

static int
compare_doubles (const void *a, const void *b)
{
  gdouble one = *(const gdouble *) a, other = *(const gdouble *) b;

  return one < other ? -1 : one > other;
}

static gdouble
median_of (GArray *values)
{
  guint n = values->len;
  gdouble *data = (gdouble *) (void *) values->data;

  qsort (data, n, sizeof *data, compare_doubles);
  return n % 2 == 1 ? data[n / 2] : (data[n / 2 - 1] + data[n / 2]) / 2;
}

/* Of a part of the repetitions, on the number of ranks @s. */
static gboolean
get_median (const Fit *fit, guint s, Part part, gdouble *median)
{
  g_array_set_size (fit->scratch, 0);
  for (guint level = part.level; level < part.level_end; level++)
    for (guint turn = part.turn; turn < part.turn_end; turn++)
      {
        const GArray *cell = fit->lists[s][level][turn];
        if (cell != NULL)
          g_array_append_vals (fit->scratch, cell->data, cell->len);
      }
  if (fit->scratch->len > 0)
    *median = median_of (fit->scratch);
  return fit->scratch->len > 0;
}

/* How far all of them are from @median together. */
static gdouble
sum_distances (const GArray *values, gdouble median)
{
  gdouble sum = 0;

  for (guint i = 0; i < values->len; i++)
    sum += fabs (g_array_index (values, gdouble, i) - median);
  return sum;
}

/* ---- amounts */

/* Called for an amount of the repetition @turn in the repetition @level. */
typedef void (*Each) (gdouble amount, guint level, guint turn, gpointer data);

static void
list_amounts (const Fit *fit, guint i, Each each, gpointer data)
{
  const PdColumn *column = fit->from->columns[i], *visits = fit->from->visits[i];
  PdColumnPlace at = { 0, 0 }, visit = { 0, 0 }, outer = { 0, 0 };
  gint64 period = fit->from->periods[i], level = 0, n_levels = 0;
  guint64 left = column->n;

  for (guint64 v = 0; v < visits->n && left > 0; v++, level++)
    {
      while (level >= n_levels && outer.run < fit->from->outer[i]->runs.n)
        {
          level = 0;
          n_levels = pd_column_next (fit->from->outer[i], &outer);
        }
      gint64 m = pd_column_next (visits, &visit);
      for (gint64 k = 0; k < m && left > 0; k++, left--)
        each (pd_scale_amount_of (fit->model->unit, fit->kind, pd_column_next (column, &at)),
              (guint) MIN (k < period ? level : k / period, PD_SCALE_MOST_LEVELS),
              (guint) MIN (k % period, PD_SCALE_MOST_TURNS), data);
    }
}

static guint
find_size (const Fit *fit, guint i)
{
  guint s = 0;

  while (SIZE (fit, s) != MEMBER (fit->from, i)->run->n_ranks)
    s++;
  return s;
}

static void
add_amount (gdouble amount, guint level, guint turn, gpointer data)
{
  Cells *cells = data;
  GArray **cell = &(*cells)[level][turn];

  if (*cell == NULL)
    *cell = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_array_append_val (*cell, amount);
}

static void
begin (Fit *fit)
{
  fit->scratch = g_array_new (FALSE, FALSE, sizeof (gdouble));
  fit->lists = g_malloc0_n (fit->model->sizes->len, sizeof *fit->lists);
  for (guint i = 0; i < fit->from->members->len; i++)
    list_amounts (fit, i, add_amount, &fit->lists[find_size (fit, i)]);
}

static void
end (Fit *fit)
{
  g_array_unref (fit->scratch);
  for (guint s = 0; s < fit->model->sizes->len; s++)
    for (guint level = 0; level < N_LEVELS; level++)
      for (guint turn = 0; turn < N_TURNS; turn++)
        g_clear_pointer (&fit->lists[s][level][turn], g_array_unref);
  g_free (fit->lists);
}

/* ---- times */

/* How much there is on the number of ranks @s, and how far that is from the medians of repetitions.
 */
static gdouble
sum_up (const Fit *fit, guint s, gdouble *noise)
{
  gdouble sum = 0, median = 0;

  *noise = 0;
  for (guint level = 0; level < N_LEVELS; level++)
    for (guint turn = 0; turn < N_TURNS; turn++)
      if (get_median (fit, s, (Part){ turn, turn + 1, level, level + 1 }, &median))
        {
          *noise += sum_distances (fit->scratch, median);
          sum += sum_distances (fit->scratch, 0);
        }
  return sum;
}

/* By how much the median of @all misses the medians of its turns, or of its levels. */
static gdouble
get_missed (const Fit *fit, guint s, Part all, gboolean by_level)
{
  gdouble median, own, missed = 0;

  if (!get_median (fit, s, all, &median))
    return 0;
  for (guint i = by_level ? all.level : all.turn; i < (by_level ? all.level_end : all.turn_end);
       i++)
    {
      const Part part = { by_level ? all.turn : i, by_level ? all.turn_end : i + 1,
                          by_level ? i : all.level, by_level ? i + 1 : all.level_end };
      if (get_median (fit, s, part, &own))
        missed += fabs (own - median) * fit->scratch->len;
    }
  return missed;
}

/* The part of a group of times: @turn and @level are from 0 to how many have times of their own. */
static Part
get_part (guint turn, guint n_turns, guint level, guint n_levels)
{
  return (Part){ turn, turn < n_turns ? turn + 1 : N_TURNS, level,
                 level < n_levels ? level + 1 : N_LEVELS };
}

/* How many repetitions at first differ from those behind them on the number of ranks @s, by more
 * than equal ones do; @n_turns: if levels are counted, how many turns differ. */
static guint
count_on (const Fit *fit, guint s, gboolean by_level, guint n_turns)
{
  guint n = 0, most = by_level ? PD_SCALE_MOST_LEVELS : PD_SCALE_MOST_TURNS;
  gdouble noise, sum = sum_up (fit, s, &noise);

  for (; n < most; n++)
    {
      gdouble missed = 0;
      for (guint turn = 0; turn <= n_turns && by_level; turn++)
        missed += get_missed (fit, s, get_part (turn, n_turns, n, 0), TRUE);
      if (!by_level)
        missed = get_missed (fit, s, get_part (n, 0, 0, 0), FALSE);
      if (missed <= ALIKE * sum || missed <= noise)
        break;
    }
  return n;
}

/* On two numbers of ranks or more. */
static guint
count_different (const Fit *fit, gboolean by_level, guint n_turns)
{
  guint most = 0, second = 0;

  for (guint s = 0; s < fit->model->sizes->len; s++)
    {
      guint n = count_on (fit, s, by_level, n_turns);
      second = MAX (second, MIN (n, most));
      most = MAX (most, n);
    }
  return second;
}

/* @points: get one for each number of ranks. The weight is that of the largest recording. */
static gboolean
fit_part (const Fit *fit, Part part, GArray *points, PdScaleTimes *times)
{
  gdouble weight = 0;

  for (guint s = 0; s < fit->model->sizes->len; s++)
    {
      PdScalePoint point = { SIZE (fit, s), 0 };
      if (!get_median (fit, s, part, &point.amount))
        continue;
      g_array_append_val (points, point);
      weight = point.amount * fit->scratch->len;
    }
  if (points->len == 0)
    return FALSE;
  pd_scale_times_fit ((const PdScalePoint *) (void *) points->data, points->len, times);
  times->weight = weight;
  return TRUE;
}

static Part
get_part_of (const PdScaleNode *node, guint group)
{
  return get_part (group % (node->n_turns + 1), node->n_turns, group / (node->n_turns + 1),
                   node->n_levels);
}

static void
fit_times (const Fit *fit, PdScaleNode *node)
{
  node->n_turns = MAX (node->n_turns, count_different (fit, FALSE, 0));
  node->n_levels = MAX (node->n_levels, count_different (fit, TRUE, node->n_turns));
  node->times = g_array_new (FALSE, TRUE, sizeof (PdScaleTimes));
  node->points = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_array_set_size (node->times, (node->n_turns + 1) * (node->n_levels + 1));
  for (guint i = 0; i < node->times->len; i++)
    {
      PdScaleTimes *times = &g_array_index (node->times, PdScaleTimes, i);
      GArray *points = g_array_new (FALSE, FALSE, sizeof (PdScalePoint));
      g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (PdScalePoint));
      guint turn = i % (node->n_turns + 1);
      g_ptr_array_add (node->points, points);
      if (fit_part (fit, get_part_of (node, i), points, times))
        continue;
      /* on other numbers of ranks there may be some */
      if (!fit_part (fit, get_part (turn, node->n_turns, 0, 0), others, times))
        fit_part (fit, get_part (0, 0, 0, 0), others, times);
      times->weight = 0;
    }
}

/* ---- scatter */

/* Of a rank. */
typedef struct
{
  const PdScaleNode *node;
  GArray **ratios;        /* (element-type gdouble): of each group of times */
  const gdouble *medians; /* likewise, of the largest recording */
  const gdouble *spreads; /* the median distance from them */
} Row;

static void
add_ratio (gdouble amount, guint level, guint turn, gpointer data)
{
  const Row *self = data;
  guint i = pd_scale_node_get_group (self->node, level, turn);
  gdouble more = amount - self->medians[i];
  gboolean stalls = self->medians[i] > 0 && self->spreads[i] > 0 && more > STALL * self->spreads[i];
  gdouble ratio = stalls                 ? -more / sqrt (self->medians[i])
                  : self->medians[i] > 0 ? amount / self->medians[i]
                                         : 1;

  g_array_append_val (self->ratios[i], ratio);
}

/* The median distance of @values, which it changes, from @median. */
static gdouble
get_spread (GArray *values, gdouble median)
{
  for (guint i = 0; i < values->len; i++)
    g_array_index (values, gdouble, i) = fabs (g_array_index (values, gdouble, i) - median);
  return median_of (values);
}

/* The members of the largest recording are the last ones. */
static guint
count_smaller (const Fit *fit)
{
  guint n = fit->from->members->len, s = find_size (fit, n - 1);

  while (n > 0 && find_size (fit, n - 1) == s)
    n--;
  return n;
}

/* How many recordings the members from @first on are of. */
static guint
count_runs (const Fit *fit, guint first)
{
  guint n = 1;

  for (guint i = first + 1; i < fit->from->members->len; i++)
    n += MEMBER (fit->from, i)->run != MEMBER (fit->from, i - 1)->run ? 1 : 0;
  return n;
}

/* The ratios of ranks of the largest recording to the medians there: of as many as one recording
 * has, so that no more of them are interrupted than in one. */
static void
make_scatter (const Fit *fit, PdScaleNode *node)
{
  guint first = count_smaller (fit), n = fit->from->members->len - first,
        s = find_size (fit, first);
  guint n_rows = MIN (n / count_runs (fit, first), MOST_ROWS), n_groups = node->times->len;
  gdouble medians[N_TURNS * N_LEVELS] = { 0 }, spreads[N_TURNS * N_LEVELS] = { 0 };

  for (guint i = 0; i < n_groups; i++)
    if (get_median (fit, s, get_part_of (node, i), &medians[i]))
      spreads[i] = get_spread (fit->scratch, medians[i]);
  if (fit->from->columns[first]->n > MOST_SCATTER / n_rows)
    n_rows = 1;
  node->scatter = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint row = 0; row < n_rows; row++)
    {
      for (guint i = 0; i < n_groups; i++)
        g_ptr_array_add (node->scatter, g_array_new (FALSE, FALSE, sizeof (gdouble)));
      Row ratios = { node, (GArray **) node->scatter->pdata + row * n_groups, medians, spreads };
      list_amounts (fit, first + row * n / n_rows, add_ratio, &ratios);
    }
}

/* Whether ranks of one recording, or times that they come here, differ. */
static gboolean
scatters (const Fit *fit, const PdScaleNode *node)
{
  gdouble median = 0;

  for (guint s = 0; s < fit->model->sizes->len; s++)
    for (guint i = 0; i < node->times->len; i++)
      if (get_median (fit, s, get_part_of (node, i), &median)
          && sum_distances (fit->scratch, median) > 0)
        return TRUE;
  return FALSE;
}

/* ---- all */

static gboolean
are_equal (const PdScaleAmounts *amounts)
{
  for (guint i = 1; i < amounts->members->len; i++)
    if (!pd_column_equal (amounts->columns[0], amounts->columns[i]))
      return FALSE;
  return TRUE;
}

/* Equal amounts then do not say that they are so on other numbers of ranks. */
static gboolean
is_of_one_size (const Fit *fit)
{
  return count_smaller (fit) == 0;
}

static gboolean
has_any (const Fit *fit)
{
  gdouble noise, sum = 0;

  for (guint s = 0; s < fit->model->sizes->len; s++)
    sum += sum_up (fit, s, &noise);
  return sum > 0;
}

void
pd_scale_amounts_fit (const PdScaleModel *model, const PdScaleAmounts *amounts, PdScaleNode *node)
{
  Fit fit = { .model = model,
              .from = amounts,
              .kind = pd_scale_words_get_shape (model->words, node->shape)->kind };

  begin (&fit);
  node->has_amount = has_any (&fit);
  if (node->has_amount)
    {
      fit_times (&fit, node);
      gboolean equal = are_equal (amounts);
      if (equal)
        pd_column_append_all (&node->amounts, amounts->columns[0]);
      if ((!equal || is_of_one_size (&fit)) && scatters (&fit, node))
        make_scatter (&fit, node);
    }
  end (&fit);
}
