/* SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-private.h"
#include "base/pd-verdict.h"
#include "intervals/pd-interval-rows.h"
#include "reports/compare/pd-compare-align-private.h"
#include "reports/compare/pd-compare-explain-private.h"
#include "reports/run/pd-report-common.h"

#include <math.h>
#include <string.h>

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
pd_compare_label (const PdCompare *self, const PdComparePair *pair)
{
  const PdIntervalResult *b = pd_compare_result (self, pair, 1);
  char *label = pd_report_interval_label (&pair->key);

  if (pair->at[0] == PD_COMPARE_NONE || b == NULL || b->line == pair->key.line)
    return label;
  char *both = g_strdup_printf ("%s (B: %" G_GINT64_FORMAT ")", label, b->line);
  g_free (label);
  return both;
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

/* An interval whose pair is to be made. */
typedef struct
{
  guint at[2];
  guint parent; /* pair */
} Due;

typedef struct
{
  PdCompare *compare;
  const PdCompareOutline *outlines[2];
  const guint *of_a; /* by result of A, the one of B */
  const guint *of_b; /* by result of B, the one of A */
  GArray *due;       /* Due: the next one is the last */
} Merge;

static guint
append_pair (PdCompare *self, const Due *due)
{
  guint side = due->at[0] != PD_COMPARE_NONE ? 0 : 1, number = self->pairs->len;
  const PdIntervalResult *r = pd_report_result (self->sides[side].run, due->at[side]);
  PdComparePair pair = { .at = { due->at[0], due->at[1] },
                         .parent = due->parent,
                         .key = { r->type, r->file, r->line, r->index, r->name },
                         .depth =
                             number == 0 ? 0 : pd_compare_pair (self, due->parent)->depth + 1 };

  g_array_append_val (self->pairs, pair);
  return number;
}

/* Those of B from @k on that A lacks. */
static void
add_alone (const Merge *self, guint k, guint parent, GArray *inside)
{
  for (; k != PD_COMPARE_NONE && self->of_b[k] == PD_COMPARE_NONE; k = self->outlines[1]->nexts[k])
    g_array_append_vals (inside, &(Due){ { PD_COMPARE_NONE, k }, parent }, 1);
}

/* The pairs inside pair @number, in the order of A; those that only B has precede their
 * successor in B, or are last. */
static void
add_inside (Merge *self, guint number)
{
  const PdComparePair pair = *pd_compare_pair (self->compare, number);
  const PdCompareOutline *a = self->outlines[0], *b = self->outlines[1];
  g_autoptr (GArray) inside = g_array_new (FALSE, FALSE, sizeof (Due));
  guint i = pair.at[0] != PD_COMPARE_NONE ? a->firsts[pair.at[0]] : PD_COMPARE_NONE;
  guint next = pair.at[1] != PD_COMPARE_NONE ? b->firsts[pair.at[1]] : PD_COMPARE_NONE;

  for (; i != PD_COMPARE_NONE; i = a->nexts[i])
    {
      guint k = self->of_a[i];
      if (k != PD_COMPARE_NONE)
        {
          add_alone (self, next, number, inside);
          next = b->nexts[k];
        }
      g_array_append_vals (inside, &(Due){ { i, k }, number }, 1);
    }
  add_alone (self, next, number, inside);
  for (i = inside->len; i-- > 0;)
    g_array_append_vals (self->due, &g_array_index (inside, Due, i), 1);
}

static void
merge_all (Merge *self)
{
  g_array_append_vals (self->due, &(Due){ { 0, 0 }, 0 }, 1);
  while (self->due->len > 0)
    {
      Due due = g_array_index (self->due, Due, self->due->len - 1);
      g_array_set_size (self->due, self->due->len - 1);
      add_inside (self, append_pair (self->compare, &due));
    }
}

static void
pair_up (PdCompare *self)
{
  g_autoptr (PdCompareOutline) a = pd_compare_outline_new (self->sides[0].run);
  g_autoptr (PdCompareOutline) b = pd_compare_outline_new (self->sides[1].run);
  g_autofree guint *of_b = pd_compare_align (a, b);
  g_autofree guint *of_a = g_new (guint, a->run->results->len);
  g_autoptr (GArray) due = g_array_new (FALSE, FALSE, sizeof (Due));
  Merge merge = { self, { a, b }, of_a, of_b, due };

  for (guint i = 0; i < a->run->results->len; i++)
    of_a[i] = PD_COMPARE_NONE;
  for (guint i = 0; i < b->run->results->len; i++)
    if (of_b[i] != PD_COMPARE_NONE)
      of_a[of_b[i]] = i;
  merge_all (&merge);
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

/* An interval of both whose file has been renamed, or which is of another program. */
static gboolean
has_other_file (const PdCompare *self, const PdComparePair *pair)
{
  const PdIntervalResult *a = pd_compare_result (self, pair, 0);
  const PdIntervalResult *b = pd_compare_result (self, pair, 1);

  return a != NULL && b != NULL && strcmp (a->file, b->file) != 0
         && !pd_compare_is_named_alike (a, b);
}

static void
note_files (PdCompare *self)
{
  for (guint i = 1; i < self->pairs->len; i++)
    {
      const PdComparePair *pair = pd_compare_pair (self, i);
      if (!has_other_file (self, pair))
        continue;
      g_ptr_array_add (
          self->notes,
          g_strdup_printf ("intervals of %s in A and of %s in B are matched by structure and order",
                           pd_compare_result (self, pair, 0)->file,
                           pd_compare_result (self, pair, 1)->file));
      return;
    }
}

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
  note_files (self);
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
