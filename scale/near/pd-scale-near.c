/* SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-near-private.h"

#include "base/pd-random.h"
#include "scale/pd-scale-average-private.h"

#include <math.h>

#define N_QUANTILES 64 /* of the scatter that is kept */
#define MILLION     1000000

/* Sizes that were recorded, one behind the other. */
typedef struct
{
  guint32 n_ranks;
  gint64 value;
  guint64 n;
} Sizes;

typedef struct
{
  GArray *sizes; /* Sizes */
  gboolean is_ready;
  gint64 unit; /* all sizes are multiples of it */
  PdScaleTimes mean;
  PdColumn ratios; /* quantiles of the scatter around the mean, in millionths */
} Pool;

#define MEMBER(source, i) (&g_array_index ((source)->members, PdScaleMember, (i)))

static void
free_pool (gpointer data)
{
  Pool *pool = data;

  g_array_unref (pool->sizes);
  pd_column_clear (&pool->ratios);
  g_free (pool);
}

GHashTable *
pd_scale_pools_new (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, free_pool);
}

/* ---- sizes */

static gboolean
is_list (gint column)
{
  return column == PD_SCALE_SEND_COUNTS || column == PD_SCALE_RECV_COUNTS;
}

gboolean
pd_scale_near_is_size (gint column)
{
  return is_list (column) || column == PD_SCALE_BYTES || column == PD_SCALE_RECV_BYTES
         || column == PD_SCALE_SENT_BYTES;
}

static Pool *
find_pool (const PdScaleSource *source)
{
  return source->pools != NULL
             ? g_hash_table_lookup (source->pools, GUINT_TO_POINTER (source->shape + 1))
             : NULL;
}

/* A rank that has a size for each member sends their average as its block. */
static gboolean
is_average (const PdScaleSource *source, gint column)
{
  return column == PD_SCALE_BYTES
         && pd_scale_is_averaged (pd_scale_words_get_shape (source->words, source->shape)->op);
}

/* The source, where the target of the same call is approximated. */
static gboolean
is_other_end (const PdScaleSource *source, gint column)
{
  return column == PD_SCALE_RECV_PEER && source->numbers != NULL
         && source->numbers[PD_SCALE_PEER].near != PD_SCALE_EXACT;
}

gboolean
pd_scale_near_is_needed (const PdScaleSource *source, gint column)
{
  return is_other_end (source, column)
         || (pd_scale_near_is_size (column) && find_pool (source) != NULL);
}

static void
add_sizes (GArray *sizes, guint32 n_ranks, gint64 value, guint64 n)
{
  const Sizes one = { n_ranks, value, n };

  if (value >= 0)
    g_array_append_val (sizes, one);
}

static void
add_list (const PdScaleSource *source, guint32 n_ranks, PdColumnRun run, GArray *sizes)
{
  gsize n = 0;
  const gint64 *values =
      run.value != PD_SCALE_NO_LIST ? pd_scale_words_get_list (source->words, run.value, &n) : NULL;

  for (gsize k = 0; k < n; k++)
    add_sizes (sizes, n_ranks, values[k], run.n);
}

static void
add_members (const PdScaleSource *source, gint column, GArray *sizes)
{
  for (guint i = 0; i < source->members->len; i++)
    for (gsize r = 0; r < source->columns[i]->runs.n; r++)
      {
        PdColumnRun run = pd_vector_at (&source->columns[i]->runs, PdColumnRun, r);
        guint32 n_ranks = MEMBER (source, i)->run->n_ranks;
        if (is_list (column))
          add_list (source, n_ranks, run, sizes);
        else
          add_sizes (sizes, n_ranks, run.value, run.n);
      }
}

static gint
compare_sizes (gconstpointer a, gconstpointer b)
{
  const Sizes *one = a, *other = b;

  if (one->n_ranks != other->n_ranks)
    return one->n_ranks < other->n_ranks ? -1 : 1;
  return one->value < other->value ? -1 : one->value > other->value;
}

/* The mean of those from @begin on that are of one number of ranks; @end: where these end. */
static PdScalePoint
get_mean (const GArray *sizes, guint begin, guint *end)
{
  guint32 n_ranks = g_array_index (sizes, Sizes, begin).n_ranks;
  gdouble sum = 0, n = 0;

  for (*end = begin; *end < sizes->len; ++*end)
    {
      const Sizes *one = &g_array_index (sizes, Sizes, *end);
      if (one->n_ranks != n_ranks)
        break;
      sum += (gdouble) one->value * (gdouble) one->n;
      n += (gdouble) one->n;
    }
  return (PdScalePoint){ n_ranks, sum / n };
}

/* Quantiles of those from @begin on, which are sorted. */
static void
find_ratios (Pool *self, guint begin, gdouble mean)
{
  gdouble n = 0, passed = 0;
  guint i = begin;

  for (guint j = begin; j < self->sizes->len; j++)
    n += (gdouble) g_array_index (self->sizes, Sizes, j).n;
  for (guint q = 0; q < N_QUANTILES; q++)
    {
      gdouble wanted = n * (q + 0.5) / N_QUANTILES;
      while (i + 1 < self->sizes->len
             && passed + (gdouble) g_array_index (self->sizes, Sizes, i).n < wanted)
        passed += (gdouble) g_array_index (self->sizes, Sizes, i++).n;
      gdouble ratio = mean > 0 ? (gdouble) g_array_index (self->sizes, Sizes, i).value / mean : 1;
      pd_column_append (&self->ratios, llround (MIN (ratio, MILLION) * MILLION), 1);
    }
}

static void
make_ready (Pool *self)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (PdScalePoint));
  guint begin = 0, end = 0;

  if (self->is_ready)
    return;
  self->is_ready = TRUE;
  g_array_sort (self->sizes, compare_sizes);
  for (guint i = 0; i < self->sizes->len; i++)
    self->unit = pd_rule_common_divisor (self->unit, g_array_index (self->sizes, Sizes, i).value);
  for (; end < self->sizes->len; begin = end < self->sizes->len ? end : begin)
    {
      PdScalePoint point = get_mean (self->sizes, begin, &end);
      g_array_append_val (points, point);
    }
  self->unit = MAX (self->unit, 1);
  if (points->len == 0)
    return;
  pd_scale_times_fit ((const PdScalePoint *) (void *) points->data, points->len, &self->mean);
  find_ratios (self, begin, g_array_index (points, PdScalePoint, points->len - 1).amount);
}

static gboolean
set_constant (PdRulePurpose purpose, gint64 value, PdScaleNumber *number)
{
  number->how = PD_SCALE_BY_RULE;
  number->near = PD_SCALE_NEAREST;
  pd_rule_set_constant (&number->rule, purpose, value);
  return TRUE;
}

/* The rule of the lengths of lists. */
static gboolean
fit_lengths (const PdScaleSource *source, PdScaleNumber *number)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));

  number->how = PD_SCALE_BY_LIST;
  number->has_list = FALSE;
  for (guint i = 0; i < source->members->len; i++)
    for (gsize r = 0; r < source->columns[i]->runs.n; r++)
      {
        gint64 list = pd_vector_at (&source->columns[i]->runs, PdColumnRun, r).value;
        PdRuleSample sample = { .value = -1 };
        gsize n = 0;
        pd_scale_place_in (&MEMBER (source, i)->world, source->mask, &sample.place);
        sample.place.m = 1;
        if (list != PD_SCALE_NO_LIST)
          pd_scale_words_get_list (source->words, list, &n);
        sample.value = list != PD_SCALE_NO_LIST ? (gint64) n : -1;
        number->has_list = number->has_list || n > 0;
        g_array_append_val (samples, sample);
      }
  return !number->has_list
         || pd_rule_find (PD_RULE_NUMBERS, (const PdRuleSample *) (void *) samples->data,
                          samples->len, &number->rule);
}

/* Places of a list are neighbours, not ranks. */
static gboolean
has_neighbours (const PdScaleSource *source)
{
  PdCollKind op = pd_scale_words_get_shape (source->words, source->shape)->op;

  return op >= PD_COLL_NEIGHBOR_ALLGATHER && op <= PD_COLL_NEIGHBOR_ALLTOALLW;
}

static gboolean
fit_sizes (const PdScaleSource *source, gint column, PdScaleNumber *number)
{
  Pool *pool = find_pool (source);

  if (pool == NULL)
    {
      pool = g_new0 (Pool, 1);
      pool->sizes = g_array_new (FALSE, FALSE, sizeof (Sizes));
      g_hash_table_insert (source->pools, GUINT_TO_POINTER (source->shape + 1), pool);
    }
  if (is_list (column) && (has_neighbours (source) || !fit_lengths (source, number)))
    return FALSE;
  if (is_list (column) && !number->has_list)
    return TRUE;
  number->near = PD_SCALE_DRAWN;
  if (source->phase == PD_SCALE_COUNT)
    add_members (source, column, pool->sizes);
  if (source->phase != PD_SCALE_CHOOSE)
    return TRUE;
  make_ready (pool);
  number->unit = pool->unit;
  number->mean = pool->mean;
  pd_column_append_all (&number->literal, &pool->ratios);
  return TRUE;
}

static gint64
draw (const PdScaleNumber *number, gint64 ranks, gint64 from, gint64 to, guint64 i)
{
  const guint32 counter[4] = { (guint32) i, (guint32) (i >> 32), (guint32) from, (guint32) to };
  const guint32 key[2] = { 0, 0 };
  guint32 bits[4];
  gdouble value = pd_scale_times_get (&number->mean, (gdouble) ranks);

  if (number->literal.n > 0)
    {
      pd_random_philox (counter, key, bits);
      guint64 which = ((guint64) bits[1] << 32 | bits[0]) % number->literal.n;
      for (gsize r = 0; r < number->literal.runs.n; r++)
        {
          PdColumnRun run = pd_vector_at (&number->literal.runs, PdColumnRun, r);
          if (which < run.n)
            {
              value *= (gdouble) run.value / MILLION;
              break;
            }
          which -= run.n;
        }
    }
  value = value / (gdouble) number->unit;
  return value < (gdouble) (G_MAXINT64 / 4) / (gdouble) number->unit
             ? llround (value) * number->unit
             : G_MININT64;
}

static gboolean
is_received (const PdScaleShape *shape, gint column)
{
  return column == PD_SCALE_RECV_BYTES || column == PD_SCALE_RECV_COUNTS
         || shape->kind == PD_ACT_RECV || shape->kind == PD_ACT_IRECV
         || shape->kind == PD_ACT_RECV_INIT
         || (shape->op == PD_COLL_SCATTERV && column == PD_SCALE_BYTES);
}

gint64
pd_scale_near_draw (const PdScaleNumber *number, const PdScaleShape *shape, gint column,
                    const PdRulePlace *place, gint64 other, guint64 i)
{
  gboolean is_collective = shape->kind == PD_ACT_COLLECTIVE || shape->kind == PD_ACT_ICOLLECTIVE;
  gint64 one = is_list (column) ? other : place->rank;

  if (is_collective && (shape->op == PD_COLL_ALLGATHERV || shape->op == PD_COLL_REDUCE_SCATTER))
    return draw (number, place->total, one, one, i); /* all have the block of each */
  if (is_collective && !is_list (column) && shape->op != PD_COLL_GATHERV
      && shape->op != PD_COLL_SCATTERV)
    return draw (number, place->total, 0, 0, i); /* all have the same */
  if (is_received (shape, column))
    return draw (number, place->total, other, place->rank, i);
  return draw (number, place->total, place->rank, other, i);
}

gint64
pd_scale_near_bound (const PdScaleModel *self, gint column, gint64 n, gint64 value)
{
  static const gint64 least[PD_SCALE_N_COLUMNS] = {
    [PD_SCALE_TAG] = PD_PROGRAM_ANY,
    [PD_SCALE_RECV_TAG] = PD_PROGRAM_ANY,
    [PD_SCALE_MATCHED_TAG] = PD_PROGRAM_ANY,
  };

  if (self->share.reason == NULL)
    return value;
  if (column <= PD_SCALE_MATCHED_PEER)
    return value < PD_PROGRAM_PROC_NULL || value >= n ? PD_PROGRAM_PROC_NULL : value;
  if (column == PD_SCALE_REPETITIONS)
    return CLAMP (value, 0, G_MAXINT32);
  return MAX (value, least[column]);
}

/* ---- */

gboolean
pd_scale_near_fit (const PdScaleSource *source, gint column, PdScaleNumber *number)
{
  number->has_period = FALSE;
  g_array_set_size (number->others, 0);
  g_clear_pointer (&number->turns, g_array_unref);
  if (source->pools == NULL)
    return FALSE;
  if (is_average (source, column))
    return set_constant (PD_RULE_NUMBERS, 0, number);
  if (pd_scale_near_is_size (column))
    return fit_sizes (source, column, number);
  switch (column)
    {
    case PD_SCALE_RECV_PEER:
      return (is_other_end (source, column) && pd_scale_nearest_fit_source (source, number))
             || pd_scale_nearest_fit (source, PD_RULE_PEERS, number);
    case PD_SCALE_PEER:
      return pd_scale_nearest_fit (source, PD_RULE_PEERS, number);
    case PD_SCALE_TAG:
    case PD_SCALE_RECV_TAG:
      return pd_scale_nearest_fit (source, PD_RULE_NUMBERS, number);
    case PD_SCALE_REPETITIONS:
      return pd_scale_nearest_fit (source, PD_RULE_TIMES, number);
    case PD_SCALE_MATCHED_PEER: /* the prediction says who sends first */
      return set_constant (PD_RULE_PEERS, PD_PROGRAM_ANY, number);
    case PD_SCALE_MATCHED_TAG:
      return set_constant (PD_RULE_NUMBERS, PD_PROGRAM_ANY, number);
    default:
      return FALSE;
    }
}
