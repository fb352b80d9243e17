/* The similarity of two intervals. Types, names and numbers decide whether they can be the same
 * at all. Inner intervals, numbers of executions and communication usually survive edits of a
 * program, and are evidence; lines are evidence by their distances, since they shift together.
 * SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-outline-private.h"

#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-types.h"

#include <string.h>

/* Evidence. A match weighs more than all evidence that distinguishes it from another one, so that
 * no interval is left out for a better match of its neighbour. */
enum
{
  MATCH = 64,
  SAME_NAME = 16, /* number or name of the programmer */
  SAME_SHAPE = 8, /* inner intervals */
  SAME_FILE = 4,
  SAME_COUNTS = 8, /* which operations there are */
  SAME_LINE = 3,
  SAME_EXECUTIONS = 2,
  SAME_DISTANCE = 1, /* in lines, to the interval around, before, behind: each */
};

/* ---- the tree */

static guint
hash_text (const char *text)
{
  return g_str_hash (text != NULL ? text : "");
}

static guint
combine (guint hash, guint64 value)
{
  return (hash ^ (guint) (value ^ (value >> 32))) * 0x01000193u + 0x9e3779b9u;
}

static void
link_results (PdCompareOutline *self)
{
  g_autofree guint *positions = pd_report_positions (self->run);
  guint n = self->run->results->len;
  g_autofree guint *lasts = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    {
      self->firsts[i] = self->nexts[i] = self->previous[i] = lasts[i] = PD_COMPARE_NONE;
      guint parent = self->parents[i] = positions[pd_report_result (self->run, i)->parent];
      if (i == 0)
        continue;
      if (lasts[parent] == PD_COMPARE_NONE)
        self->firsts[parent] = i;
      else
        {
          self->nexts[lasts[parent]] = i;
          self->previous[i] = lasts[parent];
        }
      lasts[parent] = i;
    }
}

/* Which operations there are, a bit each. */
static guint
get_operations (const PdIntervalResult *r)
{
  guint operations = 0;

  for (guint q = 0; q < PD_Q_EXE_COUNT - PD_N_TIMES; q++)
    operations |= r->counts[q] > 0 ? 1u << q : 0;
  return operations;
}

/* A result comes before those inside it. */
static void
hash_results (PdCompareOutline *self)
{
  for (guint i = self->run->results->len; i-- > 0;)
    {
      const PdIntervalResult *r = pd_report_result (self->run, i);
      guint shape = combine (combine (r->type, (guint64) r->index), hash_text (r->name));
      guint exact = combine (combine (shape, hash_text (r->file)), (guint64) r->line);
      exact = combine (exact, get_operations (r));
      self->sizes[i] = 1;
      for (guint k = self->firsts[i]; k != PD_COMPARE_NONE; k = self->nexts[k])
        {
          shape = combine (shape, self->shapes[k]);
          exact = combine (exact, self->exacts[k]);
          self->sizes[i] += self->sizes[k];
        }
      self->shapes[i] = shape;
      self->exacts[i] = exact;
      g_hash_table_add (self->files, (gpointer) r->file);
    }
}

PdCompareOutline *
pd_compare_outline_new (const PdReportRun *run)
{
  PdCompareOutline *self = g_new0 (PdCompareOutline, 1);
  guint **const arrays[] = { &self->parents, &self->firsts, &self->nexts, &self->previous,
                             &self->sizes,   &self->shapes, &self->exacts };

  self->run = run;
  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    *arrays[i] = g_new (guint, run->results->len);
  self->files = g_hash_table_new (g_str_hash, g_str_equal);
  link_results (self);
  hash_results (self);
  return self;
}

void
pd_compare_outline_free (PdCompareOutline *self)
{
  if (self == NULL)
    return;
  g_free (self->parents);
  g_free (self->firsts);
  g_free (self->nexts);
  g_free (self->previous);
  g_free (self->sizes);
  g_free (self->shapes);
  g_free (self->exacts);
  g_hash_table_unref (self->files);
  g_free (self);
}

/* ---- names */

static gboolean
has_number (const PdIntervalResult *r)
{
  return r->type == PD_INTERVAL_USER && r->index != PD_INTERVAL_NO_INDEX;
}

static gboolean
has_name (const PdIntervalResult *r)
{
  return r->type == PD_INTERVAL_USER && r->name[0] != '\0';
}

gboolean
pd_compare_is_named_alike (const PdIntervalResult *x, const PdIntervalResult *y)
{
  if (x->type != y->type || x->index != y->index || strcmp (x->name, y->name) != 0)
    return FALSE;
  if (has_number (x))
    return TRUE;
  return strcmp (x->file, y->file) == 0 && (has_name (x) || x->line == y->line);
}

guint
pd_compare_hash_name (const PdIntervalResult *r)
{
  guint hash = combine (combine (r->type, (guint64) r->index), hash_text (r->name));

  if (has_number (r))
    return hash;
  hash = combine (hash, hash_text (r->file));
  return has_name (r) ? hash : combine (hash, (guint64) r->line);
}

/* ---- evidence */

/* A file may have been renamed: then neither run names the other's. */
static gboolean
can_be_file (const PdCompareOutline *a, const PdIntervalResult *x, const PdCompareOutline *b,
             const PdIntervalResult *y)
{
  return strcmp (x->file, y->file) == 0
         || (!g_hash_table_contains (a->files, y->file)
             && !g_hash_table_contains (b->files, x->file));
}

static gint
score_counts (const PdIntervalResult *x, const PdIntervalResult *y)
{
  gsize executions = PD_Q_EXE_COUNT - PD_N_TIMES;
  gint score = x->counts[executions] == y->counts[executions] ? SAME_EXECUTIONS : 0;

  return score + (get_operations (x) == get_operations (y) ? SAME_COUNTS : 0);
}

/* In lines from @from, one of the results, to @to; G_MININT64: there is none there. */
static gint64
get_distance (const PdCompareOutline *self, guint from, guint to)
{
  if (from == PD_COMPARE_NONE || to == PD_COMPARE_NONE)
    return G_MININT64;
  return pd_report_result (self->run, to)->line - pd_report_result (self->run, from)->line;
}

static gint
score_lines (const PdCompareOutline *a, guint x, const PdCompareOutline *b, guint y)
{
  gboolean same = get_distance (a, a->parents[x], x) == get_distance (b, b->parents[y], y);
  gboolean before = get_distance (a, a->previous[x], x) == get_distance (b, b->previous[y], y);
  gboolean behind = get_distance (a, x, a->nexts[x]) == get_distance (b, y, b->nexts[y]);
  gboolean line = pd_report_result (a->run, x)->line == pd_report_result (b->run, y)->line;

  return (line ? SAME_LINE : 0) + (same + before + behind) * SAME_DISTANCE;
}

/* Inner intervals: the same, or the same number. */
static gint
score_shape (const PdCompareOutline *a, guint x, const PdCompareOutline *b, guint y)
{
  guint few = MIN (a->sizes[x], b->sizes[y]), many = MAX (a->sizes[x], b->sizes[y]);

  if (a->shapes[x] == b->shapes[y])
    return SAME_SHAPE;
  return (gint) ((guint64) few * (SAME_SHAPE / 2) / many);
}

gint
pd_compare_score (const PdCompareOutline *a, guint x, const PdCompareOutline *b, guint y)
{
  const PdIntervalResult *r = pd_report_result (a->run, x), *s = pd_report_result (b->run, y);
  gboolean named = has_number (r) || has_name (r);

  if (r->type != s->type || r->index != s->index || strcmp (r->name, s->name) != 0)
    return 0;
  if (!has_number (r) && !can_be_file (a, r, b, s))
    return 0;
  return MATCH + (named ? SAME_NAME : 0) + (strcmp (r->file, s->file) == 0 ? SAME_FILE : 0)
         + score_shape (a, x, b, y) + score_counts (r, s) + score_lines (a, x, b, y);
}
