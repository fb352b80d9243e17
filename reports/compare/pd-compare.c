/* SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-private.h"
#include "base/pd-verdict.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"
#include "reports/compare/pd-compare-explain-private.h"
#include "reports/run/pd-report-common.h"

#include <math.h>

void
pd_compare_side_clear (PdCompareSide *side)
{
  g_clear_pointer (&side->name, g_free);
  g_clear_pointer (&side->machine, g_free);
  g_clear_pointer (&side->run, pd_report_run_free);
  g_clear_pointer (&side->calls, pd_run_calls_free);
}

void
pd_compare_free (PdCompare *self)
{
  if (self == NULL)
    return;
  g_free (self->command_line);
  pd_compare_side_clear (&self->sides[0]);
  pd_compare_side_clear (&self->sides[1]);
  g_array_unref (self->pairs);
  g_clear_pointer (&self->calls, g_array_unref);
  pd_interval_tree_free (self->tree);
  g_ptr_array_unref (self->sentences);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

/* ---- values */

PdCompareValue
pd_compare_get_value (const PdCompare *self, const PdComparePair *pair, PdCharacteristic c)
{
  PdCompareValue value = { .relative = 0 };

  for (guint side = 0; side < 2; side++)
    value.values[side] = pd_compare_result (self, pair, side)->values[c].sum;
  value.difference = value.values[1].ps - value.values[0].ps;
  if (value.difference != 0)
    value.relative = value.values[0].ps != 0
                         ? 100 * (gdouble) value.difference / fabs ((gdouble) value.values[0].ps)
                         : NAN;
  return value;
}

gboolean
pd_compare_is_of_waiting (const PdCompare *self)
{
  const PdCompareSide *a = &self->sides[0], *b = &self->sides[1];

  return a->run->model == PD_MODEL_DVM && b->run->model == PD_MODEL_DVM
         && (a->machine[0] == '\0') != (b->machine[0] == '\0');
}

gboolean
pd_compare_applies (const PdCompare *self, PdCharacteristic c)
{
  return pd_characteristic_applies (c, self->sides[0].run->model)
         && pd_characteristic_applies (c, self->sides[1].run->model);
}

char *
pd_compare_side_describe (const PdCompareSide *of)
{
  g_autofree char *size = pd_report_describe_size (of->run);
  g_autofree char *number =
      of->id > 0 ? g_strdup_printf (", run %" G_GINT64_FORMAT, of->id) : g_strdup ("");
  g_autofree char *part = of->run->recorded_share > 0
                              ? pd_verdict_describe_part (of->run->recorded_share)
                              : g_strdup ("incomplete");
  gboolean measured = of->machine[0] == '\0';

  return g_strdup_printf ("%s%s: %s%s, %s%s%s", of->name, number,
                          measured ? "measured" : "predicted for ", of->machine, size,
                          of->run->incomplete ? ", " : "", of->run->incomplete ? part : "");
}

/* ---- pairs */

/* What an interval is matched by. Lines shift from one version of a program to the next: one
 * with the programmer's number is known by that, one with a name by that and its file. */
static PdIntervalKey
match_key (const PdIntervalResult *r)
{
  PdIntervalKey key = { r->type, r->file, r->line, r->index, r->name };

  if (r->type != PD_INTERVAL_USER)
    return key;
  if (r->index != PD_INTERVAL_NO_INDEX)
    key.file = "";
  if (r->index != PD_INTERVAL_NO_INDEX || r->name[0] != '\0')
    key.line = 0;
  return key;
}

/* Puts the intervals of one run into the tree of all; of several that match alike in one place
 * the first is matched so, the others by all that is known of them. Returns: (transfer full):
 * by index of the result, its node there. */
static guint32 *
add_intervals (PdIntervalTree *tree, const PdReportRun *run)
{
  guint32 *nodes = g_new0 (guint32, run->results->len);
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  g_autofree guint *positions = pd_report_positions (run);

  for (guint i = 1; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      const PdIntervalKey key = match_key (r);
      const PdIntervalKey exact = { r->type, r->file, r->line, r->index, r->name };
      guint32 around = nodes[positions[r->parent]];
      nodes[i] = pd_interval_tree_child (tree, around, &key);
      if (!g_hash_table_add (taken, GUINT_TO_POINTER (nodes[i])))
        nodes[i] = pd_interval_tree_child (tree, around, &exact);
    }
  return nodes;
}

static void
pair_up (PdCompare *self)
{
  g_autofree guint32 *of_a = add_intervals (self->tree, self->sides[0].run);
  g_autofree guint32 *of_b = add_intervals (self->tree, self->sides[1].run);
  const guint32 *const nodes[2] = { of_a, of_b };
  g_autoptr (GArray) all = pd_interval_tree_fold (self->tree);
  g_autofree guint *positions = g_new0 (guint, all->len);

  for (guint i = 0; i < all->len; i++)
    {
      const PdIntervalResult *r = &g_array_index (all, PdIntervalResult, i);
      PdComparePair pair = { .at = { PD_COMPARE_NONE, PD_COMPARE_NONE },
                             .parent = positions[r->parent],
                             .key = { r->type, r->file, r->line, r->index, r->name },
                             .depth = r->depth };
      positions[r->node] = i;
      g_array_append_val (self->pairs, pair);
    }
  for (guint side = 2; side-- > 0;)
    for (guint i = self->sides[side].run->results->len; i-- > 0;)
      {
        const PdIntervalResult *r = pd_report_result (self->sides[side].run, i);
        PdComparePair *pair =
            &g_array_index (self->pairs, PdComparePair, positions[nodes[side][i]]);
        pair->at[side] = i;
        pair->key = (PdIntervalKey){ r->type, r->file, r->line, r->index, r->name };
      }
}

/* ---- tolerance */

static void
judge (PdCompare *self)
{
  const PdCompareOptions *options = &self->options;

  for (guint i = 0; i < self->pairs->len && options->tolerance >= 0; i++)
    {
      const PdComparePair *pair = pd_compare_pair (self, i);
      if (pair->depth > options->level)
        continue;
      if (!pd_compare_is_in_both (pair))
        {
          self->n_compared++;
          self->n_beyond++;
          continue;
        }
      for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
        {
          if (!options->wanted[c] || !pd_compare_applies (self, c))
            continue;
          PdCompareValue value = pd_compare_get_value (self, pair, c);
          self->n_compared++;
          /* NAN is beyond */
          self->n_beyond += fabs (value.relative) <= options->tolerance ? 0 : 1;
        }
    }
}

/* ---- notes */

static void
add_notes (PdCompare *self)
{
  const PdReportRun *a = self->sides[0].run, *b = self->sides[1].run;
  guint n_both = 0;
  gboolean any = FALSE;

  for (guint i = 0; i < self->pairs->len; i++)
    n_both += pd_compare_is_in_both (pd_compare_pair (self, i)) ? 1 : 0;
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    any = any || (self->options.wanted[c] && pd_compare_applies (self, c));
  if (!any)
    g_ptr_array_add (self->notes, g_strdup ("such programs have none of the characteristics that "
                                            "were asked for"));
  if (a->model != b->model)
    g_ptr_array_add (self->notes,
                     g_strdup_printf ("A is a run of a %s program and B of a %s program: they have "
                                      "few characteristics in common",
                                      a->model == PD_MODEL_MPI ? "message-passing" : "DVM",
                                      b->model == PD_MODEL_MPI ? "message-passing" : "DVM"));
  if (a->n_processors != b->n_processors)
    g_ptr_array_add (self->notes,
                     g_strdup_printf ("A has %u and B %u processors: all but Execution_time are "
                                      "sums over different numbers of them",
                                      a->n_processors, b->n_processors));
  if (n_both == 1 && a->results->len > 1 && b->results->len > 1)
    g_ptr_array_add (self->notes, g_strdup ("no interval inside the programs is in both: they may "
                                            "be different programs, or different versions of one"));
  if (a->incomplete || b->incomplete)
    g_ptr_array_add (self->notes,
                     g_strdup_printf ("the trace of %s ends early",
                                      a->incomplete ? b->incomplete ? "both" : "A" : "B"));
}

PdCompare *
pd_compare_new (PdCompareSide *a, PdCompareSide *b, const PdCompareOptions *options)
{
  g_return_val_if_fail (a->run != NULL && a->run->results != NULL, NULL);
  g_return_val_if_fail (b->run != NULL && b->run->results != NULL, NULL);

  PdCompare *self = g_new0 (PdCompare, 1);

  self->sides[0] = *a;
  self->sides[1] = *b;
  *a = *b = (PdCompareSide){ 0 };
  self->options = *options;
  self->tree = pd_interval_tree_new (1);
  self->pairs = g_array_new (FALSE, FALSE, sizeof (PdComparePair));
  self->sentences = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  pair_up (self);
  if (self->sides[0].calls != NULL && self->sides[1].calls != NULL)
    self->calls = pd_run_calls_pair (self->sides[0].calls, self->sides[1].calls);
  add_notes (self);
  pd_compare_explain (self);
  judge (self);
  return self;
}
