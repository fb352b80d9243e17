/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-collect-private.h"

#define MEMBER(source, i) (&g_array_index ((source)->members, PdScaleMember, (i)))

static PdRulePlace
place_of (const PdScaleSource *source, guint i)
{
  PdRulePlace place;

  pd_scale_place_in (&MEMBER (source, i)->world, source->mask, &place);
  return place;
}

/* ---- numbers by repetitions */

static void
add_sample (GArray *samples, PdRulePlace place, gint64 k, gint64 m, gint64 value)
{
  place.k = k;
  place.m = m;
  place.l = 0;
  const PdRuleSample sample = { place, value };
  g_array_append_val (samples, sample);
}

/* The numbers of the repetitions of the loop, the same each time that it is come to. */
static gboolean
read_repetitions (const PdColumn *column, const PdColumn *visits, GArray *numbers)
{
  PdColumnPlace at = { 0, 0 }, visit = { 0, 0 };

  if (!pd_column_is_constant (visits) || visits->n == 0)
    return FALSE;
  gint64 m = pd_column_next (visits, &visit);
  for (guint64 i = 0; i < column->n; i++)
    {
      gint64 value = pd_column_next (column, &at);
      if (i < (guint64) m)
        g_array_append_val (numbers, value);
      else if (g_array_index (numbers, gint64, i % (guint64) m) != value)
        return FALSE;
    }
  return m > 0 && column->n % (guint64) m == 0;
}

/* After how many repetitions the numbers begin again: all of them, if they do not. */
static guint
find_period (const GArray *numbers)
{
  const gint64 *data = (const gint64 *) (const void *) numbers->data;

  for (guint period = 1; 2 * period <= numbers->len; period++)
    if (numbers->len % period == 0
        && memcmp (data, data + period, (numbers->len - period) * sizeof *data) == 0)
      return period;
  return numbers->len;
}

static gboolean
add_repetitions (const PdColumn *column, const PdColumn *visits, PdRulePlace place, GArray *samples,
                 GArray *periods)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!read_repetitions (column, visits, numbers))
    return FALSE;
  guint m = periods != NULL ? find_period (numbers) : numbers->len;
  for (guint k = 0; k < m; k++)
    add_sample (samples, place, k, m, g_array_index (numbers, gint64, k));
  if (periods != NULL)
    add_sample (periods, place, 0, numbers->len, m);
  return TRUE;
}

gboolean
pd_scale_collect_repetitions (const PdScaleSource *source, guint i, GArray *samples,
                              GArray *periods)
{
  const PdColumn *column = source->columns[i], *visits = source->visits[i];
  PdRulePlace place = place_of (source, i);
  PdColumnPlace at = { 0, 0 }, visit = { 0, 0 };

  if (column->n == 0)
    return TRUE;
  if (!pd_column_is_constant (column))
    return add_repetitions (column, visits, place, samples, periods);
  gint64 value = pd_column_next (column, &at), m = pd_column_next (visits, &visit);
  if (periods != NULL)
    m = 1;
  gint64 step = m > PD_SCALE_MOST_KINDS ? m - 1 : 1; /* of many, the first and the last one */
  for (gint64 k = 0; k < m; k += step)
    add_sample (samples, place, k, m, value);
  return TRUE;
}

/* ---- numbers by the repetitions of two loops */

/* Checks that each execution of the outer loop has the same values as the first one. */
static gboolean
check_again (const GArray *samples, guint first, guint i, const PdRuleSample *sample)
{
  if (first + i >= samples->len)
    return FALSE;
  const PdRuleSample *known = &g_array_index (samples, PdRuleSample, first + i);
  return known->value == sample->value && known->place.k == sample->place.k
         && known->place.m == sample->place.m && known->place.l == sample->place.l;
}

gboolean
pd_scale_collect_levels (const PdScaleSource *source, guint member, GArray *samples)
{
  const PdColumn *column = source->columns[member], *visits = source->visits[member];
  PdColumnPlace at = { 0, 0 }, visit = { 0, 0 }, outer = { 0, 0 };
  PdRuleSample sample = { place_of (source, member), 0 };
  gint64 n_levels = pd_column_next (source->outer[member], &outer);
  guint first = samples->len, i = 0;

  if (!pd_column_is_constant (source->outer[member]) || n_levels < 2)
    return column->n == 0;
  for (guint64 v = 0, left = column->n; v < visits->n && left > 0; v++)
    {
      sample.place.l = (gint64) (v % (guint64) n_levels);
      sample.place.m = pd_column_next (visits, &visit);
      i = sample.place.l == 0 ? 0 : i;
      for (sample.place.k = 0; sample.place.k < sample.place.m && left > 0; sample.place.k++)
        {
          sample.value = pd_column_next (column, &at);
          if (v < (guint64) n_levels)
            g_array_append_val (samples, sample);
          else if (!check_again (samples, first, i, &sample))
            return FALSE;
          i++;
          left--;
        }
    }
  return TRUE;
}

/* ---- lists */

void
pd_scale_collect_entries (const PdScaleSource *source, guint i, gint64 list, GArray *lengths,
                          GArray *entries)
{
  PdRulePlace place = place_of (source, i);
  gsize n = 0;
  const gint64 *values =
      list != PD_SCALE_NO_LIST ? pd_scale_words_get_list (source->words, list, &n) : NULL;

  add_sample (lengths, place, 0, 1, list != PD_SCALE_NO_LIST ? (gint64) n : -1);
  for (gsize k = 0; k < n; k++)
    add_sample (entries, place, (gint64) k, (gint64) n, values[k]);
}
