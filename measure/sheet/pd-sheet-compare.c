/* Two files of measurements, case by case.
 * SPDX-License-Identifier: MIT */
#include "measure/sheet/pd-sheet-compare.h"

#include "measure/sheet/pd-sheet-rows.h"
#include "measure/stats/pd-mann-whitney.h"
#include "measure/stats/pd-stats.h"

#include <math.h>
#include <string.h>

/* ---- which tables have samples */

#define MOST_KEYS 16

/* Columns whose name is in front of the value in the label of a case begin with "+", those
 * that are in no label, with "-"; bytes have a column of their own. */
static const struct
{
  const char *table;
  const char *value;
  const char *keys[MOST_KEYS];
} sampled[] = {
  { "transfer_round",
    "time_us",
    { "+variant", "+first", "+second", "-bytes", "-oversubscribed", NULL } },
  { "collective_round",
    "median_us",
    { "operation", "-form", "+processes", "-bytes", "-root", "-datatype", "-op", "-in_place",
      "buffers", "arrival", "-skew_us", "-synchronised", "-oversubscribed", NULL } },
  { "exchange_round",
    "time_us",
    { "kind", "+processes", "+threads", "+window", "-bytes", "-oversubscribed", NULL } },
};

static const char *const tables[] = { "fact", "transfer_round", "collective_round",
                                      "exchange_round", NULL };

/* ---- samples of a file */

/* A time of a case. */
typedef struct
{
  guint measurement;
  gboolean is_disturbed;
  gdouble time; /* microseconds */
} Value;

typedef struct
{
  char *key;
  char *table;
  char *label;
  gint64 bytes;
  GArray *values; /* Value, by measurement */
} Case;

typedef struct
{
  GPtrArray *cases;  /* Case *, owned, as they are in the file */
  GHashTable *known; /* key of a case → Case */
  GString *facts;    /* MPI, host and date of the first measurement */
  guint measurements;
} Samples;

static void
free_case (gpointer data)
{
  Case *one = data;

  g_free (one->key);
  g_free (one->table);
  g_free (one->label);
  g_array_unref (one->values);
  g_free (one);
}

static Samples *
samples_new (void)
{
  Samples *self = g_new0 (Samples, 1);

  self->cases = g_ptr_array_new_with_free_func (free_case);
  self->known = g_hash_table_new (g_str_hash, g_str_equal);
  self->facts = g_string_new (NULL);
  return self;
}

static void
samples_free (Samples *self)
{
  g_ptr_array_unref (self->cases);
  g_hash_table_unref (self->known);
  g_string_free (self->facts, TRUE);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Samples, samples_free)

/* ---- reading */

static void
add_fact (Samples *self, guint measurement, PdSheetGet get, gpointer source)
{
  static const char *const told[] = { "mpi", "host", "date", NULL };
  const char *name = get (source, "name"), *value;

  if (measurement != 1 || name == NULL || !g_strv_contains (told, name))
    return;
  value = get (source, "value");
  g_string_append_printf (self->facts, "%s%s", self->facts->len > 0 ? ", " : "",
                          value != NULL ? value : "");
}

/* Texts of databases may be anything. */
static char *
get_field (PdSheetGet get, gpointer source, const char *column)
{
  const char *text = get (source, column);

  return g_utf8_make_valid (text != NULL ? text : "", -1);
}

static void
name_case (const char *const *keys, PdSheetGet get, gpointer source, GString *key, GString *label)
{
  for (guint i = 0; keys[i] != NULL; i++)
    {
      const char *column = keys[i] + (keys[i][0] == '+' || keys[i][0] == '-' ? 1 : 0);
      g_autofree char *field = get_field (get, source, column);
      g_string_append_printf (key, "\n%s", field);
      if (keys[i][0] == '-' || *field == '\0')
        continue;
      g_string_append_printf (label, "%s%s%s%s", label->len > 0 ? " " : "",
                              keys[i][0] == '+' ? column : "", keys[i][0] == '+' ? " " : "", field);
    }
}

static Case *
find_case (Samples *self, guint kind, PdSheetGet get, gpointer source)
{
  g_autoptr (GString) key = g_string_new (sampled[kind].table), label = g_string_new (NULL);
  g_autofree char *bytes = get_field (get, source, "bytes");
  Case *one;

  name_case (sampled[kind].keys, get, source, key, label);
  one = g_hash_table_lookup (self->known, key->str);
  if (one != NULL)
    return one;
  one = g_new0 (Case, 1);
  one->key = g_strdup (key->str);
  one->table = g_strndup (sampled[kind].table, strlen (sampled[kind].table) - strlen ("_round"));
  one->label = g_strdup (label->str);
  one->bytes = g_ascii_strtoll (bytes, NULL, 10);
  one->values = g_array_new (FALSE, FALSE, sizeof (Value));
  g_ptr_array_add (self->cases, one);
  g_hash_table_insert (self->known, one->key, one);
  return one;
}

static gboolean
add_row (gpointer data, const char *table, guint measurement, PdSheetGet get, gpointer source,
         GError **error)
{
  Samples *self = data;
  gdouble disturbed;

  self->measurements = MAX (self->measurements, measurement);
  if (strcmp (table, "fact") == 0)
    add_fact (self, measurement, get, source);
  for (guint i = 0; i < G_N_ELEMENTS (sampled); i++)
    if (strcmp (sampled[i].table, table) == 0)
      {
        Value value = { .measurement = measurement };
        if (!pd_sheet_get_real (get, source, sampled[i].value, &value.time, error)
            || !pd_sheet_get_real (get, source, "disturbed", &disturbed, error))
          return FALSE;
        value.is_disturbed = disturbed > 0;
        if (!isnan (value.time))
          g_array_append_val (find_case (self, i, get, source)->values, value);
      }
  return TRUE;
}

static Samples *
read_samples (const char *path, GError **error)
{
  g_autoptr (Samples) self = samples_new ();

  if (!pd_sheet_each_row (path, tables, add_row, self, error))
    return NULL;
  if (self->cases->len > 0)
    return g_steal_pointer (&self);
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ,
               "'%s' has no rounds of messages or operations", path);
  return NULL;
}

/* ---- the cases */

/* The undisturbed ones of the @n values at @first; with @all, all of them. */
static GArray *
select_rounds (const Value *first, guint n, gboolean all)
{
  GArray *times = g_array_new (FALSE, FALSE, sizeof (gdouble));

  for (guint i = 0; i < n; i++)
    if (all || !first[i].is_disturbed)
      g_array_append_val (times, first[i].time);
  return times;
}

/* Medians of the undisturbed values of each launch of the program that has any. */
static GArray *
select_runs (const Case *one)
{
  GArray *medians = g_array_new (FALSE, FALSE, sizeof (gdouble));

  for (guint i = 0, n; i < one->values->len; i += n)
    {
      const Value *first = &g_array_index (one->values, Value, i);
      for (n = 0; i + n < one->values->len && first[n].measurement == first->measurement; n++)
        ;
      g_autoptr (GArray) times = select_rounds (first, n, FALSE);
      if (times->len == 0)
        continue;
      gdouble median = pd_stats_median ((const gdouble *) times->data, times->len);
      g_array_append_val (medians, median);
    }
  return medians;
}

typedef struct
{
  const Case *what;
  GArray *times[2]; /* gdouble, owned */
  gboolean of_runs;
  gboolean is_disturbed; /* a file has no undisturbed round: nothing can be said */
  gdouble medians[2];
  PdMannWhitney test;
} Pair;

static void
clear_pair (gpointer data)
{
  Pair *pair = data;

  g_array_unref (pair->times[0]);
  g_array_unref (pair->times[1]);
}

/* Where all rounds were disturbed, their median is shown, but not judged. */
static void
take_rounds (Pair *pair, int file, const Case *one)
{
  const Value *values = (const Value *) (gconstpointer) one->values->data;

  pair->times[file] = select_rounds (values, one->values->len, FALSE);
  if (pair->times[file]->len > 0)
    return;
  g_array_unref (pair->times[file]);
  pair->times[file] = select_rounds (values, one->values->len, TRUE);
  pair->is_disturbed = TRUE;
}

static Pair
make_pair (const Case *first, const Case *second)
{
  Pair pair = { .what = first,
                .times = { select_runs (first), select_runs (second) },
                .of_runs = TRUE };

  pair.of_runs = MIN (pair.times[0]->len, pair.times[1]->len) >= PD_COMPARE_RUNS;
  if (!pair.of_runs)
    {
      clear_pair (&pair);
      take_rounds (&pair, 0, first);
      take_rounds (&pair, 1, second);
    }
  for (int i = 0; i < 2; i++)
    pair.medians[i] = pd_stats_median ((const gdouble *) pair.times[i]->data, pair.times[i]->len);
  pd_mann_whitney ((const gdouble *) pair.times[0]->data, pair.times[0]->len,
                   (const gdouble *) pair.times[1]->data, pair.times[1]->len, &pair.test);
  return pair;
}

static GArray *
make_pairs (const Samples *first, const Samples *second)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  g_array_set_clear_func (pairs, clear_pair);
  for (guint i = 0; i < first->cases->len; i++)
    {
      const Case *one = g_ptr_array_index (first->cases, i);
      const Case *other = g_hash_table_lookup (second->known, one->key);
      if (other == NULL)
        continue;
      Pair pair = make_pair (one, other);
      g_array_append_val (pairs, pair);
    }
  return pairs;
}

/* ---- messages */

static const PdColumn columns[] = {
  { "measurement", PD_COLUMN_TEXT, "measurement", 0 },
  { "what", PD_COLUMN_TEXT, "what", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "sample", PD_COLUMN_TEXT, "sample", 0 },
  { "first_n", PD_COLUMN_INTEGER, "n", 0 },
  { "second_n", PD_COLUMN_INTEGER, "n", 0 },
  { "first_median_us", PD_COLUMN_REAL, "first us", 3 },
  { "second_median_us", PD_COLUMN_REAL, "second us", 3 },
  { "change", PD_COLUMN_REAL, "change", 3 },
  { "u", PD_COLUMN_REAL, "U", 1 },
  { "p", PD_COLUMN_REAL, "p", 6 },
  { "exact", PD_COLUMN_INTEGER, NULL, 0 },
  { "p_of_all", PD_COLUMN_REAL, "p of all", 6 },
  { "verdict", PD_COLUMN_TEXT, "verdict", 0 },
};
static const PdTableSpec table = { "comparison", "Cases of both files", columns,
                                   G_N_ELEMENTS (columns) };

typedef enum
{
  VERDICT_SAME,
  VERDICT_SLOWER,
  VERDICT_FASTER,
  VERDICT_TOO_FEW,
  VERDICT_DISTURBED,
  N_VERDICTS
} Verdict;

static const char *const verdicts[N_VERDICTS] = { "no difference shown", "slower", "faster",
                                                  "too few", "disturbed" };

static Verdict
judge (const Pair *pair, guint n_tests, gdouble adjusted, gdouble significance)
{
  if (pair->is_disturbed)
    return VERDICT_DISTURBED;
  if (adjusted <= significance)
    return pair->test.u < (gdouble) pair->times[0]->len * pair->times[1]->len / 2 ? VERDICT_SLOWER
                                                                                  : VERDICT_FASTER;
  return pair->test.least_p * n_tests > significance ? VERDICT_TOO_FEW : VERDICT_SAME;
}

static void
add_pair (PdSheet *output, const Pair *pair, gdouble adjusted, Verdict verdict)
{
  gdouble change = pair->medians[1] / pair->medians[0] - 1;
  const PdSheetCell cells[] = {
    { .text = pair->what->table },
    { .text = pair->what->label },
    { .integer = pair->what->bytes },
    { .text = pair->of_runs ? "runs" : "rounds" },
    { .integer = pair->times[0]->len },
    { .integer = pair->times[1]->len },
    { .real = pair->medians[0] },
    { .real = pair->medians[1] },
    { .real = isfinite (change) ? change : NAN },
    { .real = pair->is_disturbed ? NAN : pair->test.u },
    { .real = pair->is_disturbed ? NAN : pair->test.p },
    { .integer = pair->test.is_exact },
    { .real = adjusted },
    { .text = verdicts[verdict] },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  pd_sheet_row (output, &table, cells);
  if (verdict != VERDICT_SLOWER && verdict != VERDICT_FASTER)
    return;
  g_autofree char *text = g_strdup_printf (
      "%s (%s) of %" G_GINT64_FORMAT " bytes is %s in the second file: %.3f us against %.3f us, "
      "%+.1f %%, p = %.2g",
      pair->what->table, pair->what->label, pair->what->bytes, verdicts[verdict], pair->medians[1],
      pair->medians[0], 100 * change, adjusted);
  pd_sheet_note (output, text);
}

static void
add_facts (PdSheet *output, const char *path, const char *name, const Samples *samples)
{
  pd_sheet_fact (output, name, "%s: %s; launches of the program: %u", path, samples->facts->str,
                 samples->measurements);
}

static void
add_counts (PdSheet *output, const PdCompareCounts *counts, const Samples *first,
            const Samples *second)
{
  g_autofree char *text = g_strdup_printf (
      "\n%u cases compared: %u slower and %u faster in the second file; of %u others no difference "
      "is shown, %u have samples too small to show any, and %u are not judged, since one of the "
      "files has disturbed rounds only.\n",
      counts->compared, counts->slower, counts->faster,
      counts->compared - counts->slower - counts->faster - counts->too_few - counts->disturbed,
      counts->too_few, counts->disturbed);

  pd_sheet_fact (output, "only_in_first", "%u cases", first->cases->len - counts->compared);
  pd_sheet_fact (output, "only_in_second", "%u cases", second->cases->len - counts->compared);
  pd_sheet_note (output, text);
}

/* Corrected probabilities of the pairs that are judged; NAN of the others.
 * Returns: how many are judged. */
static guint
correct (const GArray *pairs, gdouble *adjusted)
{
  g_autofree gdouble *p = g_new (gdouble, pairs->len), *corrected = g_new (gdouble, pairs->len);
  guint n = 0;

  for (guint i = 0; i < pairs->len; i++)
    if (!g_array_index (pairs, Pair, i).is_disturbed)
      p[n++] = g_array_index (pairs, Pair, i).test.p;
  pd_holm (p, n, corrected);
  for (guint i = 0, k = 0; i < pairs->len; i++)
    adjusted[i] = g_array_index (pairs, Pair, i).is_disturbed ? NAN : corrected[k++];
  return n;
}

static PdSheet *
compare (const GArray *pairs, gdouble significance, PdCompareCounts *counts)
{
  PdSheet *output = pd_sheet_new ("compare");
  g_autofree gdouble *adjusted = g_new (gdouble, pairs->len);
  guint n_tests = correct (pairs, adjusted), found[N_VERDICTS] = { 0 };

  for (guint i = 0; i < pairs->len; i++)
    {
      const Pair *pair = &g_array_index (pairs, Pair, i);
      Verdict verdict = judge (pair, n_tests, adjusted[i], significance);
      found[verdict]++;
      add_pair (output, pair, adjusted[i], verdict);
    }
  *counts = (PdCompareCounts){ pairs->len, found[VERDICT_SLOWER], found[VERDICT_FASTER],
                               found[VERDICT_TOO_FEW], found[VERDICT_DISTURBED] };
  return output;
}

PdSheet *
pd_sheet_compare_files (const char *first, const char *second, gdouble significance,
                        PdCompareCounts *counts, GError **error)
{
  g_autoptr (Samples) a = read_samples (first, error);
  g_autoptr (Samples) b = a != NULL ? read_samples (second, error) : NULL;
  g_autoptr (GArray) pairs = NULL;
  PdSheet *output;

  if (b == NULL)
    return NULL;
  pairs = make_pairs (a, b);
  if (pairs->len == 0)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ,
                   "'%s' and '%s' have no case in common: no operation of the same size, number of "
                   "processes and circumstances",
                   first, second);
      return NULL;
    }
  output = compare (pairs, significance, counts);
  add_facts (output, first, "first", a);
  add_facts (output, second, "second", b);
  pd_sheet_fact (output, "test",
                 "Mann and Whitney's U, two-sided; p of all: by Holm's correction for %u tests; "
                 "significant up to %g",
                 counts->compared - counts->disturbed, significance);
  add_counts (output, counts, a, b);
  return output;
}
