/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-amounts-private.h"

#include "scale/pd-scale-numbers-private.h"

#include <math.h>
#include <stdlib.h>

#define MOST_SCATTER 65536 /* ratios that a place has, in all ranks together */
#define MOST_ROWS    64    /* ranks whose ratios are kept */
#define STALL        5     /* times the median distance from the median: more has other reasons */
#define ALIKE        0.05 /* repetitions differ if that share of the computation is missed without */

/* Behind them, one for all that follow. */
#define N_TURNS (PD_SCALE_MOST_TURNS + 1)

/* Of one element, in all ranks of a class. */
typedef struct
{
  const PdScaleModel *model;
  const PdScaleAmounts *from;
  PdActionKind kind;
  GArray *(*lists)[N_TURNS]; /* (element-type gdouble): of each number of ranks, each repetition */
  GArray *scratch;           /* gdouble */
} Fit;

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

/* Of the repetitions from @first up to before @end, on the number of ranks @s. */
static gboolean
get_median (const Fit *fit, guint s, guint first, guint end, gdouble *median)
{
  g_array_set_size (fit->scratch, 0);
  for (guint turn = first; turn < end; turn++)
    g_array_append_vals (fit->scratch, fit->lists[s][turn]->data, fit->lists[s][turn]->len);
  if (fit->scratch->len > 0)
    *median = median_of (fit->scratch);
  return fit->scratch->len > 0;
}

/* ---- amounts */

/* What is done with an amount of the repetition @turn. */
typedef void (*Each) (gdouble amount, guint turn, gpointer data);

static void
list_amounts (const Fit *fit, guint i, Each each, gpointer data)
{
  const PdColumn *column = fit->from->columns[i], *visits = fit->from->visits[i];
  PdColumnPlace at = { 0, 0 }, visit = { 0, 0 };
  guint64 left = column->n;

  for (guint64 v = 0; v < visits->n && left > 0; v++)
    {
      gint64 m = pd_column_next (visits, &visit);
      for (gint64 k = 0; k < m && left > 0; k++, left--)
        each (pd_scale_amount_of (fit->model->unit, fit->kind, pd_column_next (column, &at)),
              (guint) MIN (k % fit->from->periods[i], PD_SCALE_MOST_TURNS), data);
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
add_amount (gdouble amount, guint turn, gpointer data)
{
  GArray **lists = data;

  g_array_append_val (lists[turn], amount);
}

static void
begin (Fit *fit)
{
  fit->scratch = g_array_new (FALSE, FALSE, sizeof (gdouble));
  fit->lists = g_malloc_n (fit->model->sizes->len, sizeof *fit->lists);
  for (guint s = 0; s < fit->model->sizes->len; s++)
    for (guint turn = 0; turn < N_TURNS; turn++)
      fit->lists[s][turn] = g_array_new (FALSE, FALSE, sizeof (gdouble));
  for (guint i = 0; i < fit->from->members->len; i++)
    list_amounts (fit, i, add_amount, fit->lists[find_size (fit, i)]);
}

static void
end (Fit *fit)
{
  g_array_unref (fit->scratch);
  for (guint s = 0; s < fit->model->sizes->len; s++)
    for (guint turn = 0; turn < N_TURNS; turn++)
      g_array_unref (fit->lists[s][turn]);
  g_free (fit->lists);
}

/* ---- times */

/* Whether, on the number of ranks @s, all repetitions from @first on compute about as long. */
static gboolean
are_alike (const Fit *fit, guint s, guint first)
{
  gdouble all, own, missed = 0, sum = 0;

  if (!get_median (fit, s, first, N_TURNS, &all))
    return TRUE;
  for (guint turn = 0; turn < N_TURNS; turn++)
    for (guint i = 0; i < fit->lists[s][turn]->len; i++)
      sum += g_array_index (fit->lists[s][turn], gdouble, i);
  for (guint turn = first; turn < N_TURNS; turn++)
    if (get_median (fit, s, turn, turn + 1, &own))
      missed += fabs (own - all) * fit->scratch->len;
  return missed <= ALIKE * sum;
}

/* How many repetitions at first differ from those behind them, on two numbers of ranks or more. */
static guint
count_different (const Fit *fit)
{
  guint most = 0, second = 0;

  for (guint s = 0; s < fit->model->sizes->len; s++)
    {
      guint n = 0;
      while (n < PD_SCALE_MOST_TURNS && !are_alike (fit, s, n))
        n++;
      second = MAX (second, MIN (n, most));
      most = MAX (most, n);
    }
  return second;
}

/* Of the repetitions from @first up to before @end. */
static gboolean
fit_turns (const Fit *fit, guint first, guint end, PdScaleTimes *times)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (PdScalePoint));

  for (guint s = 0; s < fit->model->sizes->len; s++)
    {
      PdScalePoint point = { SIZE (fit, s), 0 };
      if (get_median (fit, s, first, end, &point.amount))
        g_array_append_val (points, point);
    }
  if (points->len > 0)
    pd_scale_times_fit ((const PdScalePoint *) (void *) points->data, points->len, times);
  return points->len > 0;
}

/* Weighted by what the largest recording has of these repetitions. */
static void
add_error (PdScaleModel *model, const Fit *fit, guint first, guint end, PdScaleTimes *times)
{
  gdouble median = 0;

  for (guint s = 0; s < fit->model->sizes->len; s++)
    if (get_median (fit, s, first, end, &median))
      times->weight = median * fit->scratch->len;
  model->time_error += times->error * times->weight;
  model->time_sum += times->weight;
}

static void
fit_times (PdScaleModel *model, const Fit *fit, PdScaleNode *node)
{
  guint n = count_different (fit);

  if (!fit_turns (fit, n, N_TURNS, &node->times)) /* there are no more */
    fit_turns (fit, 0, N_TURNS, &node->times);
  add_error (model, fit, n, N_TURNS, &node->times);
  if (n == 0)
    return;
  node->turns = g_array_new (FALSE, TRUE, sizeof (PdScaleTimes));
  g_array_set_size (node->turns, n);
  for (guint turn = 0; turn < n; turn++)
    {
      PdScaleTimes *times = &g_array_index (node->turns, PdScaleTimes, turn);
      if (fit_turns (fit, turn, turn + 1, times))
        add_error (model, fit, turn, turn + 1, times);
      else
        *times = node->times;
    }
}

/* ---- scatter */

/* Of a rank. */
typedef struct
{
  GArray **ratios; /* (element-type gdouble): of each of the first repetitions, and of the others */
  const gdouble *medians; /* likewise, of the largest recording */
  const gdouble *spreads; /* the median distance from them */
  guint n_turns;
} Row;

static void
add_ratio (gdouble amount, guint turn, gpointer data)
{
  const Row *self = data;
  guint i = MIN (turn, self->n_turns);
  gdouble more = amount - self->medians[i];
  gdouble ratio = more > STALL * self->spreads[i] ? -more
                  : self->medians[i] > 0          ? amount / self->medians[i]
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
  guint n_turns = pd_scale_node_count_turns (node),
        n_rows = MIN (n / count_runs (fit, first), MOST_ROWS);
  gdouble medians[N_TURNS] = { 0 }, spreads[N_TURNS] = { 0 };

  for (guint turn = 0; turn <= n_turns; turn++)
    if (get_median (fit, s, turn, turn < n_turns ? turn + 1 : N_TURNS, &medians[turn]))
      spreads[turn] = get_spread (fit->scratch, medians[turn]);
  if (fit->from->columns[first]->n > MOST_SCATTER / n_rows)
    n_rows = 1;
  node->scatter = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < n_rows; i++)
    {
      GArray *ratios[N_TURNS];
      Row row = { ratios, medians, spreads, n_turns };
      for (guint turn = 0; turn <= n_turns; turn++)
        {
          ratios[turn] = g_array_new (FALSE, FALSE, sizeof (gdouble));
          g_ptr_array_add (node->scatter, ratios[turn]);
        }
      list_amounts (fit, first + i * n / n_rows, add_ratio, &row);
    }
}

static gboolean
scatters_in (const GArray *list)
{
  for (guint i = 1; i < list->len; i++)
    if (compare_doubles (&g_array_index (list, gdouble, i), &g_array_index (list, gdouble, 0)) != 0)
      return TRUE;
  return FALSE;
}

/* Whether ranks of one recording, or times that they come here, differ. */
static gboolean
scatters (const Fit *fit, const PdScaleNode *node)
{
  guint n_turns = pd_scale_node_count_turns (node);
  gdouble median = 0, other = 0;

  for (guint s = 0; s < fit->model->sizes->len; s++)
    for (guint turn = 0; turn < N_TURNS; turn++)
      {
        if (scatters_in (fit->lists[s][turn]))
          return TRUE;
        if (turn > n_turns && get_median (fit, s, turn, turn + 1, &other)
            && get_median (fit, s, n_turns, N_TURNS, &median)
            && compare_doubles (&median, &other) != 0)
          return TRUE;
      }
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

static gboolean
has_any (const Fit *fit)
{
  for (guint s = 0; s < fit->model->sizes->len; s++)
    for (guint turn = 0; turn < N_TURNS; turn++)
      for (guint i = 0; i < fit->lists[s][turn]->len; i++)
        if (g_array_index (fit->lists[s][turn], gdouble, i) > 0)
          return TRUE;
  return FALSE;
}

void
pd_scale_amounts_fit (PdScaleModel *model, const PdScaleAmounts *amounts, PdScaleNode *node)
{
  Fit fit = { .model = model,
              .from = amounts,
              .kind = pd_scale_words_get_shape (model->words, node->shape)->kind };

  begin (&fit);
  node->has_amount = has_any (&fit);
  if (node->has_amount)
    {
      fit_times (model, &fit, node);
      if (are_equal (amounts))
        pd_column_append_all (&node->amounts, amounts->columns[0]);
      else if (scatters (&fit, node))
        make_scatter (&fit, node);
    }
  end (&fit);
}
