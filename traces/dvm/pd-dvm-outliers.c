/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-outliers.h"

#include "base/pd-distribution.h"
#include "traces/dvm/pd-dvm-call.h"
#include "traces/dvm/pd-dvm-reader-private.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_TIMES   8                      /* of a place that is judged */
#define DEVIATIONS    10                     /* from the median */
#define NORMAL_MAD    1.4826                 /* standard deviation / MAD of a normal distribution */
#define RESOLUTION_PS (gdouble) PD_PS_PER_US /* of the recorder's clock */
/* Nothing takes so little that takes 20 times as long elsewhere, however times scatter. */
#define NOTHING_PS    (2.5 * RESOLUTION_PS)
#define NOTHING_RATIO 20
#define RATIO         4    /* to the median, or of the median to it */
#define RARE          4    /* at most one time of so many is an outlier */
#define LEAST_EFFECT  0.01 /* of the program time */

/* Times that are comparable: of a function or of a portion of a loop, in one place. */
typedef struct
{
  const char *name; /* interned by the reader; likewise @file */
  const char *file;
  gint64 line;
  gboolean is_loop;
  guint64 iterations; /* of a loop */
  guint64 portion;    /* of a loop, from 0: edges are portions of their own */
} Key;

typedef struct
{
  gint64 ps;
  gint64 decoded_ps;
  guint64 number; /* PdDvmCall.number */
} Value;

typedef struct
{
  Key key;
  GArray *values; /* Value, in order of time */
} Series;

struct _PdDvmOutliers
{
  PdDvmReader *reader; /* borrowed; NULL: finished */
  GHashTable *known;   /* Series*, by its key */
  GPtrArray *series;   /* Series*, owned, in order of first occurrence; NULL: finished */
  GStringChunk *names; /* of @places */
  GArray *places;      /* PdDvmOutlierPlace */
  GArray *corrections; /* PdDvmCorrection */
  PdDvmOutlierRule rule;
  PdTimeSum time;    /* of the program, without its start-up */
  PdTimeSum decoded; /* the same of the decoded times */
  gdouble variance;  /* of the sum of all times of the judged places, ps^2 */
  gboolean is_started;
  gboolean waits;      /* recorded on several processors, which wait for each other */
  gboolean in_portion; /* the next computation belongs to a loop */
  guint64 iterations;  /* of the loop mapped last */
  guint64 portion;     /* of it, that comes next */
};

/* Functions of these classes do as much in a place each time. Not so where they start, move
 * data, or do the program's input and output; intervals are the recorder's own cost. */
static const gboolean is_steady[PD_DVM_N_CLASSES] = {
  [PD_DVM_CLASS_REG] = TRUE, [PD_DVM_CLASS_OBJ] = TRUE,  [PD_DVM_CLASS_LOOP] = TRUE,
  [PD_DVM_CLASS_RED] = TRUE, [PD_DVM_CLASS_SHD] = TRUE,  [PD_DVM_CLASS_REM] = TRUE,
  [PD_DVM_CLASS_IND] = TRUE, [PD_DVM_CLASS_CONS] = TRUE,
};

/* ---- series */

static guint
hash_series (gconstpointer data)
{
  const Key *key = &((const Series *) data)->key;

  return g_direct_hash (key->name) * 31 + g_direct_hash (key->file) * 1009
         + (guint) key->line * 7919 + (guint) key->iterations * 104729 + (guint) key->portion * 2
         + (guint) key->is_loop;
}

static gboolean
equal_series (gconstpointer a, gconstpointer b)
{
  const Key *x = &((const Series *) a)->key, *y = &((const Series *) b)->key;

  return x->name == y->name && x->file == y->file && x->line == y->line && x->is_loop == y->is_loop
         && x->iterations == y->iterations && x->portion == y->portion;
}

static void
series_free (gpointer data)
{
  Series *series = data;

  g_array_unref (series->values);
  g_free (series);
}

static void
add_value (PdDvmOutliers *self, const Key *key, PdTime recorded, PdTime decoded, guint64 number)
{
  const Series wanted = { *key, NULL };
  const Value value = { recorded.ps, decoded.ps, number };
  Series *series = g_hash_table_lookup (self->known, &wanted);

  if (series == NULL)
    {
      series = g_new (Series, 1);
      *series = (Series){ *key, g_array_new (FALSE, FALSE, sizeof (Value)) };
      g_hash_table_add (self->known, series);
      g_ptr_array_add (self->series, series);
    }
  g_array_append_val (series->values, value);
}

/* ---- collecting */

/* How many iterations the loop has that is mapped; what cannot be counted is 0. */
static guint64
count_iterations (PdDvmReader *reader)
{
  guint n, n_last, n_step;
  guint64 product = 1;
  const gint64 *first = pd_dvm_call_get_array (reader, PD_DVM_KEY_InInitIndexArray, &n);
  const gint64 *last = pd_dvm_call_get_array (reader, PD_DVM_KEY_InLastIndexArray, &n_last);
  const gint64 *step = pd_dvm_call_get_array (reader, PD_DVM_KEY_InStepArray, &n_step);

  for (guint i = 0; i < n && i < n_last; i++)
    {
      gdouble by = i < n_step && step[i] != 0 ? (gdouble) step[i] : 1;
      gdouble count = floor (((gdouble) last[i] - (gdouble) first[i]) / by) + 1;
      product *= count >= 1 && count < 1e15 ? (guint64) count : 0;
    }
  return product;
}

static gboolean
is_judged (const PdDvmOutliers *self, PdDvmFunction function)
{
  gboolean waits = self->waits
                   && (pd_dvm_function_communicates (function) || function == PD_DVM_dopl_
                       || function == PD_DVM_endpl_);

  return is_steady[pd_dvm_function_get_class (function)] && !waits;
}

static void
follow_loop (PdDvmOutliers *self, PdDvmFunction function)
{
  gint64 is_portion = 0;

  if (function == PD_DVM_mappl_)
    {
      self->iterations = count_iterations (self->reader);
      self->portion = 0;
    }
  else if (function == PD_DVM_dopl_)
    {
      pd_dvm_call_get (self->reader, PD_DVM_KEY_DoPL, &is_portion);
      self->in_portion = is_portion != 0;
    }
  else if (function == PD_DVM_endpl_)
    self->in_portion = FALSE;
}

void
pd_dvm_outliers_add (PdDvmOutliers *self, const PdDvmCall *call)
{
  g_return_if_fail (self != NULL && self->reader != NULL && call != NULL);

  Key key = { .name = call->name, .file = call->file, .line = call->line };
  const PdDvmCallTimes *of = pd_dvm_reader_get_times (self->reader);
  const PdDvmCallTimes *recorded = &of[PD_DVM_RECORDED], *decoded = &of[PD_DVM_DECODED];
  if (self->is_started)
    {
      pd_time_sum_add (&self->time, recorded->call);
      pd_time_sum_add (&self->decoded, decoded->call);
    }
  pd_time_sum_add (&self->time, recorded->ret);
  pd_time_sum_add (&self->decoded, decoded->ret);
  self->is_started = TRUE;
  if (!call->is_single && is_judged (self, call->function))
    add_value (self, &key, recorded->ret, decoded->ret, call->number);
  if (self->in_portion)
    {
      key.is_loop = TRUE;
      key.iterations = self->iterations;
      key.portion = self->portion++;
      add_value (self, &key, recorded->call, decoded->call, call->number);
    }
  follow_loop (self, call->function);
}

/* ---- judging */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* The lower one of two in the middle. */
static gint64
median_of (gint64 *times, guint n)
{
  qsort (times, n, sizeof *times, compare_times);
  return times[(n - 1) / 2];
}

static void
find_median (const GArray *values, gint64 *median, gint64 *mad)
{
  g_autofree gint64 *times = g_new (gint64, values->len);

  for (guint i = 0; i < values->len; i++)
    times[i] = g_array_index (values, Value, i).ps;
  *median = median_of (times, values->len);
  for (guint i = 0; i < values->len; i++)
    times[i] = ABS (times[i] - *median);
  *mad = median_of (times, values->len);
}

/* The limits for the times of a series, in picoseconds. Outliers are below @low or above
 * @high. */
typedef struct
{
  gint64 median;
  gdouble low;
  gdouble high;
} Limits;

static Limits
find_limits (const Series *series)
{
  Limits limits;
  gint64 mad;

  find_median (series->values, &limits.median, &mad);
  gdouble median = (gdouble) limits.median, deviation = NORMAL_MAD * (gdouble) mad;
  gdouble most = DEVIATIONS * MAX (deviation, RESOLUTION_PS);
  limits.low = MIN (median - most, median / RATIO);
  if (median >= NOTHING_RATIO * NOTHING_PS)
    limits.low = MAX (limits.low, NOTHING_PS);
  limits.high = MAX (median + most, median * RATIO);
  return limits;
}

/* The first time of a place is never too long. */
static gboolean
is_outlier (const Series *series, guint i, const Limits *limits)
{
  gdouble x = (gdouble) g_array_index (series->values, Value, i).ps;

  return x < limits->low || (x > limits->high && i > 0);
}

static guint64
distance (gint64 a, gint64 b)
{
  return (guint64) ABS (a - b);
}

/* The outliers of @series, before it is known whether there are too many or matter too little. */
static PdDvmOutlierPlace
judge_series (const Series *series, const Limits *limits)
{
  const Key *key = &series->key;
  PdDvmOutlierPlace place = { .name = key->name,
                              .file = key->file,
                              .line = key->line,
                              .is_loop = key->is_loop,
                              .n = series->values->len };
  gint64 median = limits->median;

  place.median = place.farthest = PD_TIME (median);
  for (guint i = 0; i < series->values->len; i++)
    {
      const Value *value = &g_array_index (series->values, Value, i);
      if (!is_outlier (series, i, limits))
        continue;
      place.n_outliers++;
      place.excess += value->ps - median;
      place.off += distance (value->ps, median);
      if (distance (value->ps, median) > distance (place.farthest.ps, median))
        {
          place.farthest = PD_TIME (value->ps);
          place.number = value->number;
        }
    }
  return place;
}

/* Picoseconds that the rule makes of @ps, an outlier. */
static gint64
apply_rule (PdDvmOutlierRule rule, gint64 ps, const Limits *limits)
{
  if (rule == PD_DVM_OUTLIERS_MEDIAN)
    return limits->median;
  return (gdouble) ps > limits->high ? (gint64) floor (limits->high) : (gint64) ceil (limits->low);
}

/* Returns: picoseconds that the series takes more then. */
static gint64
correct_series (PdDvmOutliers *self, const Series *series, const Limits *limits)
{
  gint64 change = 0;

  for (guint i = 0; i < series->values->len; i++)
    {
      const Value *value = &g_array_index (series->values, Value, i);
      if (!is_outlier (series, i, limits))
        continue;
      PdDvmCorrection correction = { value->number, !series->key.is_loop,
                                     PD_TIME (apply_rule (self->rule, value->ps, limits)) };
      g_array_append_val (self->corrections, correction);
      change += correction.time.ps - value->ps;
    }
  return change;
}

static gboolean
matters (const PdDvmOutliers *self, const PdDvmOutlierPlace *place)
{
  return place->n_outliers > 0 && place->n_outliers <= place->n / RARE
         && (gdouble) place->off >= LEAST_EFFECT * (gdouble) self->time.ps;
}

/* ---- scatter */

/* The variance of the sum of all times of a place. The first time is left out: it is longer in
 * every run, because caches are cold. An outlier counts as the nearest time that is none. */
static gdouble
find_variance (const Series *series, const Limits *limits)
{
  PdBatches batches = { .n = 0 };

  for (guint i = series->values->len > 3 ? 1 : 0; i < series->values->len; i++)
    {
      gdouble x = (gdouble) g_array_index (series->values, Value, i).ps;
      pd_batches_add (&batches, limits != NULL ? CLAMP (x, limits->low, limits->high) : x);
    }
  return pd_batches_get_variance (&batches);
}

/* ---- places */

static PdDvmOutlierPlace *
find_place (PdDvmOutliers *self, const PdDvmOutlierPlace *like)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      PdDvmOutlierPlace *place = &g_array_index (self->places, PdDvmOutlierPlace, i);
      if (place->line == like->line && place->is_loop == like->is_loop
          && g_str_equal (place->name, like->name) && g_str_equal (place->file, like->file))
        return place;
    }
  return NULL;
}

/* A loop of several sizes, or with edges, is one place: it shows the median of those that are
 * off most. */
static void
add_place (PdDvmOutliers *self, PdDvmOutlierPlace found)
{
  PdDvmOutlierPlace *place = find_place (self, &found);

  if (place == NULL)
    {
      found.name = g_string_chunk_insert_const (self->names, found.name);
      found.file = g_string_chunk_insert_const (self->names, found.file);
      g_array_append_val (self->places, found);
      return;
    }
  if (distance (found.farthest.ps, found.median.ps)
      > distance (place->farthest.ps, place->median.ps))
    {
      place->median = found.median;
      place->farthest = found.farthest;
      place->number = found.number;
    }
  place->n += found.n;
  place->n_outliers += found.n_outliers;
  place->excess += found.excess;
  place->off += found.off;
  place->change += found.change;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const PdDvmOutlierPlace *x = a, *y = b;

  if (x->off != y->off)
    return x->off > y->off ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

/* The decoded times are judged. */
static void
take_decoded (PdDvmOutliers *self)
{
  self->time = self->decoded;
  for (guint i = 0; i < self->series->len; i++)
    {
      const Series *series = g_ptr_array_index (self->series, i);
      for (guint k = 0; k < series->values->len; k++)
        {
          Value *value = &g_array_index (series->values, Value, k);
          value->ps = value->decoded_ps;
        }
    }
}

static int
compare_corrections (gconstpointer a, gconstpointer b)
{
  const PdDvmCorrection *x = a, *y = b;

  return (x->number > y->number) - (x->number < y->number);
}

void
pd_dvm_outliers_finish (PdDvmOutliers *self, PdDvmOutlierRule rule, gboolean decoded)
{
  g_return_if_fail (self != NULL && self->series != NULL);

  self->rule = rule;
  if (decoded)
    take_decoded (self);
  for (guint i = 0; i < self->series->len; i++)
    {
      const Series *series = g_ptr_array_index (self->series, i);
      if (series->values->len < LEAST_TIMES)
        {
          self->variance += find_variance (series, NULL);
          continue;
        }
      Limits limits = find_limits (series);
      self->variance += find_variance (series, &limits);
      PdDvmOutlierPlace place = judge_series (series, &limits);
      if (!matters (self, &place))
        continue;
      if (rule != PD_DVM_OUTLIERS_KEEP)
        place.change = correct_series (self, series, &limits);
      add_place (self, place);
    }
  g_array_sort (self->places, compare_places);
  g_array_sort (self->corrections, compare_corrections);
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->series, g_ptr_array_unref);
  self->reader = NULL;
}

/* ---- creation, destruction, findings */

PdDvmOutliers *
pd_dvm_outliers_new (PdDvmReader *reader)
{
  g_return_val_if_fail (reader != NULL, NULL);
  PdDvmOutliers *self = g_new0 (PdDvmOutliers, 1);

  self->reader = reader;
  self->known = g_hash_table_new (hash_series, equal_series);
  self->series = g_ptr_array_new_with_free_func (series_free);
  self->names = g_string_chunk_new (256);
  self->places = g_array_new (FALSE, FALSE, sizeof (PdDvmOutlierPlace));
  self->corrections = g_array_new (FALSE, FALSE, sizeof (PdDvmCorrection));
  self->waits = pd_dvm_reader_get_header (reader)->proc_count > 1;
  return self;
}

void
pd_dvm_outliers_free (PdDvmOutliers *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->series, g_ptr_array_unref);
  g_string_chunk_free (self->names);
  g_array_unref (self->places);
  g_array_unref (self->corrections);
  g_free (self);
}

const GArray *
pd_dvm_outliers_get_places (const PdDvmOutliers *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->places;
}

const GArray *
pd_dvm_outliers_get_corrections (const PdDvmOutliers *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->corrections;
}

gint64
pd_dvm_outliers_get_change (const PdDvmOutliers *self)
{
  gint64 change = 0;

  for (guint i = 0; i < self->places->len; i++)
    change += g_array_index (self->places, PdDvmOutlierPlace, i).change;
  return change;
}

gdouble
pd_dvm_outliers_get_variance (const PdDvmOutliers *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->variance;
}
