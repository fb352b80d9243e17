/* SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-align-private.h"

#include "reports/run/pd-report-types.h"

#define MOST_CELLS 4000000 /* of a table of scores */

typedef struct
{
  const PdCompareOutline *a, *b;
  guint *of_a;   /* by result of A, the one of B */
  guint *of_b;   /* by result of B, the one of A */
  GArray *stack; /* guint: results of A whose insides are to be aligned */
} Aligner;

static void
match (Aligner *self, guint x, guint y)
{
  self->of_a[x] = y;
  self->of_b[y] = x;
  g_array_append_val (self->stack, x);
}

/* Those directly inside @at. */
static GArray *
list_inside (const PdCompareOutline *outline, guint at)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint k = outline->firsts[at]; k != PD_COMPARE_NONE; k = outline->nexts[k])
    g_array_append_val (list, k);
  return list;
}

static guint
at (const GArray *list, guint i)
{
  return g_array_index (list, guint, i);
}

/* ---- as sequences */

/* Part of a list: from @begin up to, not with, @end. */
typedef struct
{
  const GArray *list;
  guint begin, end;
} Part;

static gboolean
are_exact (const Aligner *self, guint x, guint y)
{
  return self->a->exacts[x] == self->b->exacts[y] && pd_compare_score (self->a, x, self->b, y) > 0;
}

/* A common beginning and a common end need no table. */
static void
match_ends (Aligner *self, Part *a, Part *b)
{
  while (a->begin < a->end && b->begin < b->end
         && are_exact (self, at (a->list, a->begin), at (b->list, b->begin)))
    match (self, at (a->list, a->begin++), at (b->list, b->begin++));
  while (a->begin < a->end && b->begin < b->end
         && are_exact (self, at (a->list, a->end - 1), at (b->list, b->end - 1)))
    match (self, at (a->list, --a->end), at (b->list, --b->end));
}

/* Needleman and Wunsch, J. Mol. Biol. 48 (1970), without a penalty for gaps. Row i and column k
 * of the table: the best sum over the rest from i and k on. */
static gint *
fill_table (const Aligner *self, const Part *a, const Part *b)
{
  gsize n = a->end - a->begin, m = b->end - b->begin, width = m + 1;
  gint *best = g_new0 (gint, (n + 1) * width);

  for (gsize i = n; i-- > 0;)
    for (gsize k = m; k-- > 0;)
      {
        gint score = pd_compare_score (self->a, at (a->list, a->begin + (guint) i), self->b,
                                       at (b->list, b->begin + (guint) k));
        gint without = MAX (best[(i + 1) * width + k], best[i * width + k + 1]);
        gint with = score > 0 ? score + best[(i + 1) * width + k + 1] : 0;
        best[i * width + k] = MAX (with, without);
      }
  return best;
}

static void
match_sequences (Aligner *self, const Part *a, const Part *b)
{
  gsize n = a->end - a->begin, m = b->end - b->begin, width = m + 1;

  if (n == 0 || m == 0 || n > MOST_CELLS / m)
    return;
  g_autofree gint *best = fill_table (self, a, b);
  for (gsize i = 0, k = 0; i < n && k < m;)
    {
      guint x = at (a->list, a->begin + (guint) i), y = at (b->list, b->begin + (guint) k);
      gint score = pd_compare_score (self->a, x, self->b, y);
      gint here = best[i * width + k];
      if (score > 0 && here == score + best[(i + 1) * width + k + 1])
        {
          match (self, x, y);
          i++;
          k++;
        }
      else if (here == best[i * width + k + 1])
        k++;
      else
        i++;
    }
}

/* ---- by name */

static guint
hash_result (gconstpointer r)
{
  return pd_compare_hash_name (r);
}

static gboolean
are_equal (gconstpointer r, gconstpointer s)
{
  return pd_compare_is_named_alike (r, s);
}

/* Those left, the first of a name in A with the first in B. */
static void
match_names (Aligner *self, const GArray *a, const GArray *b)
{
  g_autoptr (GHashTable) left = g_hash_table_new (hash_result, are_equal);

  for (guint i = a->len; i-- > 0;)
    if (self->of_a[at (a, i)] == PD_COMPARE_NONE)
      g_hash_table_insert (left, (gpointer) pd_report_result (self->a->run, at (a, i)),
                           GUINT_TO_POINTER (at (a, i)));
  for (guint k = 0; k < b->len; k++)
    {
      gconstpointer s = pd_report_result (self->b->run, at (b, k));
      gpointer found = NULL;
      if (self->of_b[at (b, k)] != PD_COMPARE_NONE
          || !g_hash_table_lookup_extended (left, s, NULL, &found))
        continue;
      match (self, GPOINTER_TO_UINT (found), at (b, k));
      g_hash_table_remove (left, s);
    }
}

/* ---- all */

static void
align_inside (Aligner *self, guint x)
{
  g_autoptr (GArray) a = list_inside (self->a, x);
  g_autoptr (GArray) b = list_inside (self->b, self->of_a[x]);
  Part part_a = { a, 0, a->len }, part_b = { b, 0, b->len };

  match_ends (self, &part_a, &part_b);
  match_sequences (self, &part_a, &part_b);
  match_names (self, a, b);
}

static guint *
new_unmatched (guint n)
{
  guint *of = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    of[i] = PD_COMPARE_NONE;
  return of;
}

guint *
pd_compare_align (const PdCompareOutline *a, const PdCompareOutline *b)
{
  g_autofree guint *of_a = new_unmatched (a->run->results->len);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  Aligner self = { a, b, of_a, new_unmatched (b->run->results->len), stack };

  match (&self, 0, 0);
  while (stack->len > 0)
    {
      guint x = g_array_index (stack, guint, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      align_inside (&self, x);
    }
  return self.of_b;
}
