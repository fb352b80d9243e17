/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-numbers-private.h"

#include "scale/near/pd-scale-near-private.h"
#include "scale/pd-scale-average-private.h"
#include "scale/pd-scale-collect-private.h"

#include <string.h>

#define MOST_LEVELS 16 /* of the loop around, each with a rule of its own, again and again */

static const struct
{
  const char *words;
  PdRulePurpose purpose;
  gboolean is_list;
} columns[] = {
  [PD_SCALE_PEER] = { "partner or root", PD_RULE_PEERS, FALSE },
  [PD_SCALE_RECV_PEER] = { "source", PD_RULE_PEERS, FALSE },
  [PD_SCALE_MATCHED_PEER] = { "sender of the message of a wildcard receive", PD_RULE_PEERS, FALSE },
  [PD_SCALE_TAG] = { "tag", PD_RULE_NUMBERS, FALSE },
  [PD_SCALE_RECV_TAG] = { "tag", PD_RULE_NUMBERS, FALSE },
  [PD_SCALE_MATCHED_TAG] = { "tag of the message of a wildcard receive", PD_RULE_NUMBERS, FALSE },
  [PD_SCALE_BYTES] = { "bytes", PD_RULE_NUMBERS, FALSE },
  [PD_SCALE_RECV_BYTES] = { "received bytes", PD_RULE_NUMBERS, FALSE },
  [PD_SCALE_SENT_BYTES] = { "sent bytes", PD_RULE_NUMBERS, FALSE },
  [PD_SCALE_REQUEST] = { "request", PD_RULE_NUMBERS, FALSE },
  [PD_SCALE_SLOTS] = { "requests", PD_RULE_NUMBERS, TRUE },
  [PD_SCALE_DONE] = { "completed requests", PD_RULE_NUMBERS, TRUE },
  [PD_SCALE_SEND_COUNTS] = { "bytes for each member", PD_RULE_NUMBERS, TRUE },
  [PD_SCALE_RECV_COUNTS] = { "bytes from each member", PD_RULE_NUMBERS, TRUE },
  [PD_SCALE_SOURCES] = { "sources", PD_RULE_PEERS, TRUE },
  [PD_SCALE_TARGETS] = { "targets", PD_RULE_PEERS, TRUE },
  [PD_SCALE_AMOUNT] = { "computation", PD_RULE_NUMBERS, FALSE },
  [PD_SCALE_REPETITIONS] = { "number of repetitions", PD_RULE_TIMES, FALSE },
};

#define MEMBER(source, i) (&g_array_index ((source)->members, PdScaleMember, (i)))
#define SAMPLES(array)    ((const PdRuleSample *) (void *) (array)->data)

const char *
pd_scale_column_name (gint column)
{
  return columns[column].words;
}

gdouble
pd_scale_amount_of (PdAmountUnit unit, PdActionKind kind, gint64 number)
{
  gdouble flops;

  if (!pd_scale_is_work (unit, kind))
    return (gdouble) number;
  memcpy (&flops, &number, sizeof flops);
  return flops;
}

/* ---- rules */

/* The rule of @samples, and what else explains them; 0 turns: of all. Another constant than a
 * partner is taken for one. */
static gboolean
find_rule (const PdScaleSource *source, PdScaleTopic topic, const GArray *samples, gint64 turn,
           PdScaleNumber *number, PdRule *rule)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (PdRule));
  const PdRulePurpose purpose = columns[topic.column].purpose;

  if (!pd_rule_find (purpose, SAMPLES (samples), samples->len, rule))
    return FALSE;
  if (source->phase == PD_SCALE_COUNT)
    pd_scale_known_count (source->known, topic, SAMPLES (samples), samples->len);
  else if (purpose == PD_RULE_PEERS || rule->kind != 0)
    pd_rule_find_others (rule, SAMPLES (samples), samples->len, others);
  if (source->phase == PD_SCALE_COLLECT)
    pd_scale_known_add (source->known, topic, rule);
  if (source->phase == PD_SCALE_CHOOSE)
    pd_scale_known_choose (source->known, topic, SAMPLES (samples), samples->len, rule, others);
  for (guint i = 0; i < others->len; i++)
    {
      const PdScaleOther other = { turn, g_array_index (others, PdRule, i) };
      g_array_append_val (number->others, other);
      if (source->phase == PD_SCALE_COLLECT)
        pd_scale_known_add (source->known, topic, &other.rule);
    }
  return TRUE;
}

/* The rules of the partners, where these have one for each repetition. */
static const GArray *
get_partners (const PdScaleSource *source, gint column)
{
  gboolean is_list = columns[column].is_list;
  const PdScaleNumber *partner =
      source->numbers != NULL && !is_list ? &source->numbers[PD_SCALE_PEER] : NULL;

  return partner != NULL && column > PD_SCALE_PEER && partner->how == PD_SCALE_BY_TURN
                 && !partner->by_level
             ? partner->turns
             : NULL;
}

/* The rule of a part of the numbers that come one after the other. */
static gboolean
fit_turn (const PdScaleSource *source, gint column, const GArray *part, guint turn,
          PdScaleNumber *number)
{
  const GArray *partners = number->by_level ? NULL : get_partners (source, column);
  PdScaleTopic topic = { .shape = source->shape, .column = column };

  topic.has_partner = partners != NULL && turn < partners->len;
  if (topic.has_partner)
    topic.partner = g_array_index (partners, PdRule, turn);
  return part->len > 0
         && find_rule (source, topic, part, turn, number,
                       &g_array_index (number->turns, PdRule, turn));
}

static gboolean
clear_turns (PdScaleNumber *number)
{
  number->by_level = FALSE;
  g_clear_pointer (&number->turns, g_array_unref);
  g_array_set_size (number->others, 0);
  return FALSE;
}

static void
begin_turns (PdScaleNumber *number, guint n)
{
  clear_turns (number);
  number->turns = g_array_new (FALSE, TRUE, sizeof (PdRule));
  g_array_set_size (number->turns, n);
}

/* Repetitions that are as many in all ranks may be of different kinds, as sends to four neighbours.
 */
static gboolean
fit_turns (const PdScaleSource *source, gint column, const GArray *samples, PdScaleNumber *number)
{
  gint64 m = g_array_index (samples, PdRuleSample, 0).place.m;
  g_autoptr (GArray) part = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));

  if (m < 2 || m > PD_SCALE_MOST_KINDS)
    return FALSE;
  begin_turns (number, (guint) m);
  for (gint64 k = 0; k < m; k++)
    {
      g_array_set_size (part, 0);
      for (guint i = 0; i < samples->len; i++)
        {
          const PdRuleSample *sample = &g_array_index (samples, PdRuleSample, i);
          if (sample->place.m != m)
            return clear_turns (number);
          if (sample->place.k == k)
            g_array_append_val (part, *sample);
        }
      if (!fit_turn (source, column, part, (guint) k, number))
        return clear_turns (number);
    }
  number->how = PD_SCALE_BY_TURN;
  return TRUE;
}

/* Repetitions of the loop around may be of different kinds, as sweeps from four corners. */
static gboolean
fit_level_turns (const PdScaleSource *source, gint column, const GArray *samples,
                 PdScaleNumber *number)
{
  g_autoptr (GArray) part = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));

  for (guint n = 2; n <= MOST_LEVELS; n++)
    {
      guint turn = 0;
      begin_turns (number, n);
      number->by_level = TRUE;
      for (gboolean fine = TRUE; fine && turn < n; turn += fine ? 1 : 0)
        {
          g_array_set_size (part, 0);
          for (guint i = 0; i < samples->len; i++)
            if (g_array_index (samples, PdRuleSample, i).place.l % n == turn)
              g_array_append_val (part, g_array_index (samples, PdRuleSample, i));
          fine = fit_turn (source, column, part, turn, number);
        }
      if (turn == n)
        {
          number->how = PD_SCALE_BY_TURN;
          return TRUE;
        }
    }
  return clear_turns (number);
}

static gboolean
are_different (const GArray *rules)
{
  for (guint i = 1; i < rules->len; i++)
    if (!pd_rule_equal (&g_array_index (rules, PdRule, i), &g_array_index (rules, PdRule, 0)))
      return TRUE;
  return FALSE;
}

/* Messages to different neighbours may be of different kinds, though one rule gives the numbers of
 * all where sizes of the grid are equal: other classes tell. */
static gboolean
fit_partners (const PdScaleSource *source, gint column, const GArray *samples,
              PdScaleNumber *number)
{
  PdScaleHow how = number->how;

  if (get_partners (source, column) == NULL)
    return FALSE;
  if (fit_turns (source, column, samples, number) && are_different (number->turns))
    return TRUE;
  number->how = how;
  return clear_turns (number);
}

static gboolean
fit_samples (const PdScaleSource *source, gint column, const GArray *samples, PdScaleNumber *number)
{
  const PdScaleTopic topic = { .shape = source->shape, .column = column };

  if (samples->len == 0)
    return TRUE;
  return fit_partners (source, column, samples, number)
         || find_rule (source, topic, samples, 0, number, &number->rule)
         || fit_turns (source, column, samples, number);
}

static gboolean
fit_rule (const PdScaleSource *source, gint column, GArray *samples, PdScaleNumber *number)
{
  for (guint i = 0; i < source->members->len; i++)
    if (!pd_scale_collect_repetitions (source, i, samples, NULL))
      return FALSE;
  number->how = PD_SCALE_BY_RULE;
  return fit_samples (source, column, samples, number);
}

/* A loop in a loop, of which only one could be seen, since nothing else is in the outer one: its
 * numbers begin again after as many repetitions as the inner one has. */
static gboolean
fit_periods (const PdScaleSource *source, gint column, PdScaleNumber *number)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));
  g_autoptr (GArray) periods = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));

  for (guint i = 0; i < source->members->len; i++)
    if (!pd_scale_collect_repetitions (source, i, samples, periods))
      return FALSE;
  g_array_set_size (number->others, 0);
  number->how = PD_SCALE_BY_RULE;
  number->has_period =
      periods->len > 0
      && pd_rule_find (PD_RULE_TIMES, SAMPLES (periods), periods->len, &number->period);
  return number->has_period && fit_samples (source, column, samples, number);
}

/* ---- numbers by the repetitions of two loops */

static gboolean
fit_levels (const PdScaleSource *source, gint column, PdScaleNumber *number)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));

  for (guint i = 0; i < source->members->len; i++)
    if (!pd_scale_collect_levels (source, i, samples))
      return FALSE;
  g_array_set_size (number->others, 0);
  number->how = PD_SCALE_BY_RULE;
  number->has_period = FALSE;
  return samples->len > 0
         && (fit_samples (source, column, samples, number)
             || fit_level_turns (source, column, samples, number));
}

/* ---- lists */

/* Each place of lists that are equally long may be of a kind of its own, as those of four
 * neighbours are. */
static gboolean
fit_places (const PdScaleSource *source, gint column, const GArray *entries, PdScaleNumber *number)
{
  gboolean fine = fit_turns (source, column, entries, number);

  number->how = PD_SCALE_BY_LIST;
  return fine;
}

static gboolean
fit_list (const PdScaleSource *source, gint column, GArray *lengths, PdScaleNumber *number)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));
  const PdScaleTopic topic = { .shape = source->shape, .column = column };

  for (guint i = 0; i < source->members->len; i++)
    {
      PdColumnPlace at = { 0, 0 };
      if (!pd_column_is_constant (source->columns[i]))
        return FALSE;
      gint64 list = pd_column_next (source->columns[i], &at);
      if (source->columns[i]->n > 0)
        pd_scale_collect_entries (source, i, list, lengths, entries);
    }
  number->how = PD_SCALE_BY_LIST;
  number->has_list = entries->len > 0;
  if (!number->has_list)
    return TRUE;
  return pd_rule_find (PD_RULE_NUMBERS, SAMPLES (lengths), lengths->len, &number->rule)
         && (find_rule (source, topic, entries, 0, number, &number->entries)
             || fit_places (source, column, entries, number));
}

/* ---- the same in all ranks */

static gboolean
fit_literal (const PdScaleSource *source, PdScaleNumber *number)
{
  for (guint i = 1; i < source->members->len; i++)
    if (!pd_column_equal (source->columns[0], source->columns[i]))
      return FALSE;
  number->how = PD_SCALE_LITERALLY;
  pd_column_append_all (&number->literal, source->columns[0]);
  return TRUE;
}

/* ---- whole numbers of all kinds */

static gboolean
fit_average (const PdScaleSource *source, gint column, PdScaleNumber *number)
{
  return column == PD_SCALE_BYTES && source->blocks != NULL
         && pd_scale_is_averaged (pd_scale_words_get_shape (source->words, source->shape)->op)
         && pd_scale_average_fit (source, number);
}

/* Whether the partner, or the source, means something to actions of @kind: 0 is a rank then. Roots
 * that are 0 everywhere may count as unused. */
static gboolean
uses_peer (PdActionKind kind, gint column)
{
  if (column == PD_SCALE_RECV_PEER)
    return kind == PD_ACT_SENDRECV;
  return column == PD_SCALE_PEER
         && ((kind >= PD_ACT_SEND && kind <= PD_ACT_RECV_INIT)
             || (kind >= PD_ACT_PUT && kind <= PD_ACT_RGET_ACCUMULATE)
             || (kind >= PD_ACT_WIN_LOCK && kind <= PD_ACT_WIN_FLUSH) || kind == PD_ACT_PROBE
             || kind == PD_ACT_IPROBE);
}

/* Numbers that the action does not use are the same everywhere. */
static gboolean
is_unused (const PdScaleSource *source, gint column, PdScaleNumber *number)
{
  gint64 defaults[PD_SCALE_N_COLUMNS];

  if (column == PD_SCALE_REPETITIONS || columns[column].is_list)
    return FALSE;
  PdActionKind kind = pd_scale_words_get_shape (source->words, source->shape)->kind;
  if (uses_peer (kind, column))
    return FALSE;
  pd_scale_get_defaults (kind, defaults);
  for (guint i = 0; i < source->members->len; i++)
    {
      PdColumnPlace at = { 0, 0 };
      if (!pd_column_is_constant (source->columns[i])
          || (source->columns[i]->n > 0
              && pd_column_next (source->columns[i], &at) != defaults[column]))
        return FALSE;
    }
  number->how = PD_SCALE_BY_RULE;
  pd_rule_set_constant (&number->rule, columns[column].purpose, defaults[column]);
  return TRUE;
}

gboolean
pd_scale_number_fit (const PdScaleSource *source, gint column, PdScaleNumber *number,
                     GError **error)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));

  number->others = g_array_new (FALSE, FALSE, sizeof (PdScaleOther));
  if (is_unused (source, column, number))
    return TRUE;
  if (pd_scale_near_is_needed (source, column))
    return pd_scale_near_fit (source, column, number)
           || pd_scale_number_refuse (source, column, columns[column].is_list, error);
  gboolean fine = columns[column].is_list ? fit_list (source, column, samples, number)
                                          : fit_rule (source, column, samples, number);

  return fine || (!columns[column].is_list && fit_periods (source, column, number))
         || (!columns[column].is_list && fit_levels (source, column, number))
         || fit_average (source, column, number) || fit_literal (source, number)
         || pd_scale_near_fit (source, column, number)
         || pd_scale_number_refuse (source, column, columns[column].is_list, error);
}
