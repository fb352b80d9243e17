/* Guidelines for the performance of collective operations of MPI.
 * SPDX-License-Identifier: MIT */
#include "measure/sheet/pd-guidelines.h"

#include "measure/sheet/pd-sheet-rows.h"
#include "measure/stats/pd-stats.h"

#include <math.h>
#include <string.h>

/* ---- the guidelines */

/* The size of an operation that does a part of another one's work, of @p processes. */
typedef enum
{
  SIZE_SAME,
  SIZE_ALL,  /* p blocks */
  SIZE_PART, /* the p-th part, rounded up */
} SizeRule;

typedef struct
{
  const char *operation;
  SizeRule size;
} Part;

/* An operation, and what does the same, one after the other. Bytes of gather, scatter,
 * allgather, alltoall, reduce_scatter and reduce_scatter_block are those of a block. */
static const struct
{
  const char *operation;
  Part parts[2];
} guidelines[] = {
  { "allgather", { { "gather", SIZE_SAME }, { "bcast", SIZE_ALL } } },
  { "allgather", { { "allreduce", SIZE_ALL } } },
  { "allgather", { { "alltoall", SIZE_SAME } } },
  { "allgather", { { "allgatherv", SIZE_SAME } } },
  { "allreduce", { { "reduce", SIZE_SAME }, { "bcast", SIZE_SAME } } },
  { "allreduce", { { "reduce_scatter_block", SIZE_PART }, { "allgather", SIZE_PART } } },
  { "alltoall", { { "alltoallv", SIZE_SAME } } },
  { "barrier", { { "allreduce", SIZE_SAME } } },
  { "bcast", { { "allgather", SIZE_SAME } } },
  { "bcast", { { "scatter", SIZE_PART }, { "allgather", SIZE_PART } } },
  { "gather", { { "allgather", SIZE_SAME } } },
  { "gather", { { "gatherv", SIZE_SAME } } },
  { "gather", { { "reduce", SIZE_ALL } } },
  { "reduce", { { "allreduce", SIZE_SAME } } },
  { "reduce", { { "reduce_scatter_block", SIZE_PART }, { "gather", SIZE_PART } } },
  { "reduce_scatter_block", { { "allreduce", SIZE_ALL } } },
  { "reduce_scatter_block", { { "reduce", SIZE_ALL }, { "scatter", SIZE_SAME } } },
  { "reduce_scatter_block", { { "reduce_scatter", SIZE_SAME } } },
  { "scatter", { { "bcast", SIZE_ALL } } },
  { "scatter", { { "scatterv", SIZE_SAME } } },
};

/* ---- measurements */

/* An operation of a size; the medians of its launches of the program are in @all until
 * they become one. */
typedef struct
{
  const char *group; /* circumstances, of the chunk: compared as pointers */
  const char *operation;
  gint64 bytes;
  gint64 processes;
  GArray *all; /* gdouble, three per launch; owned */
  gdouble median;
  gdouble low;
  gdouble high;
} Time;

static const char *const launch_columns[] = { "datatype", "op", "root" };

typedef struct
{
  GHashTable *launches[G_N_ELEMENTS (launch_columns)]; /* measurement → text */
  GArray *times;                                       /* Time, sorted */
  GStringChunk *texts;
  PdSheet *output;
  PdGuidelineCounts counts;
} Guidelines;

static const char *
get_text (PdSheetGet get, gpointer source, const char *column)
{
  const char *text = get (source, column);

  return text != NULL ? text : "";
}

/* All operations of a launch of the program have the same datatype, op and root, but not
 * all of them say so: the first that does says it for all. */
static gboolean
note_launch (gpointer data, const char *table, guint measurement, PdSheetGet get, gpointer source,
             GError **error)
{
  Guidelines *self = data;

  (void) table, (void) error;
  for (guint i = 0; i < G_N_ELEMENTS (self->launches); i++)
    {
      const char *text = get_text (get, source, launch_columns[i]);
      if (*text != '\0' && strcmp (text, "-1") != 0
          && !g_hash_table_contains (self->launches[i], GUINT_TO_POINTER (measurement)))
        g_hash_table_insert (self->launches[i], GUINT_TO_POINTER (measurement),
                             g_utf8_make_valid (text, -1));
    }
  return TRUE;
}

static const char *const circumstances[] = { "processes",     "in_place", "buffers",
                                             "arrival",       "skew_us",  "synchronised",
                                             "oversubscribed" };

static const char *
get_group (Guidelines *self, guint measurement, PdSheetGet get, gpointer source)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (circumstances); i++)
    {
      g_autofree char *valid = g_utf8_make_valid (get_text (get, source, circumstances[i]), -1);
      g_string_append_printf (text, "\n%s", valid);
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->launches); i++)
    {
      const char *of_launch =
          g_hash_table_lookup (self->launches[i], GUINT_TO_POINTER (measurement));
      g_string_append_printf (text, "\n%s", of_launch != NULL ? of_launch : "");
    }
  return g_string_chunk_insert_const (self->texts, text->str);
}

static Time *
find_time (Guidelines *self, const char *group, const char *operation, gint64 bytes)
{
  for (guint i = 0; i < self->times->len; i++)
    {
      Time *time = &g_array_index (self->times, Time, i);
      if (time->group == group && time->operation == operation && time->bytes == bytes)
        return time;
    }
  return NULL;
}

static gboolean
add_row (gpointer data, const char *table, guint measurement, PdSheetGet get, gpointer source,
         GError **error)
{
  Guidelines *self = data;
  const char *form = get (source, "form"), *name = get (source, "operation");
  gdouble bytes, processes, numbers[3];
  Time *time;

  (void) table;
  if (g_strcmp0 (form, "blocking") != 0 || name == NULL || !g_utf8_validate (name, -1, NULL))
    return TRUE;
  const char *group = get_group (self, measurement, get, source);
  const char *operation = g_string_chunk_insert_const (self->texts, name);
  if (!pd_sheet_get_real (get, source, "bytes", &bytes, error)
      || !pd_sheet_get_real (get, source, "processes", &processes, error)
      || !pd_sheet_get_real (get, source, "global_median_us", &numbers[0], error)
      || !pd_sheet_get_real (get, source, "global_median_low_us", &numbers[1], error)
      || !pd_sheet_get_real (get, source, "global_median_high_us", &numbers[2], error))
    return FALSE;
  if (isnan (numbers[0] + numbers[1] + numbers[2])
      || !(bytes >= 0 && bytes <= 0x1p53 && processes >= 1 && processes <= 0x1p31))
    return TRUE;
  time = find_time (self, group, operation, (gint64) bytes);
  if (time == NULL)
    {
      Time made = { group,
                    operation,
                    (gint64) bytes,
                    (gint64) processes,
                    g_array_new (FALSE, FALSE, sizeof numbers),
                    0,
                    0,
                    0 };
      g_array_append_val (self->times, made);
      time = &g_array_index (self->times, Time, self->times->len - 1);
    }
  g_array_append_val (time->all, numbers);
  return TRUE;
}

static void
clear_time (gpointer data)
{
  g_array_unref (((Time *) data)->all);
}

/* Groups in the order of their texts, so that the order of the file does not matter. */
static int
compare_times (gconstpointer a, gconstpointer b)
{
  const Time *s = a, *t = b;
  int by_group = strcmp (s->group, t->group), by_name = strcmp (s->operation, t->operation);

  return by_group != 0  ? by_group
         : by_name != 0 ? by_name
                        : (s->bytes > t->bytes) - (s->bytes < t->bytes);
}

static gdouble
median_at (const Time *time, guint place)
{
  g_autofree gdouble *values = g_new (gdouble, time->all->len);

  for (guint i = 0; i < time->all->len; i++)
    values[i] = ((const gdouble *) time->all->data)[3 * i + place];
  return pd_stats_median (values, time->all->len);
}

static void
finish_times (Guidelines *self)
{
  g_array_sort (self->times, compare_times);
  for (guint i = 0; i < self->times->len; i++)
    {
      Time *time = &g_array_index (self->times, Time, i);
      time->median = median_at (time, 0);
      time->low = median_at (time, 1);
      time->high = median_at (time, 2);
    }
}

/* The time of that size, or of the next greater one; NULL: there is none. */
static const Time *
find_at_least (const Guidelines *self, const char *group, const char *operation, gint64 bytes)
{
  for (guint i = 0; i < self->times->len; i++)
    {
      const Time *time = &g_array_index (self->times, Time, i);
      if (time->group == group && strcmp (time->operation, operation) == 0 && time->bytes >= bytes)
        return time;
    }
  return NULL;
}

/* ---- messages */

static const PdColumn columns[] = {
  { "guideline", PD_COLUMN_TEXT, NULL, 0 },     { "processes", PD_COLUMN_INTEGER, NULL, 0 },
  { "bytes", PD_COLUMN_INTEGER, NULL, 0 },      { "median_us", PD_COLUMN_REAL, NULL, 3 },
  { "median_low_us", PD_COLUMN_REAL, NULL, 3 }, { "other_us", PD_COLUMN_REAL, NULL, 3 },
  { "other_high_us", PD_COLUMN_REAL, NULL, 3 }, { "factor", PD_COLUMN_REAL, NULL, 3 },
  { "verdict", PD_COLUMN_TEXT, NULL, 0 },
};
static const PdTableSpec table = { "guideline", "Guidelines", columns, G_N_ELEMENTS (columns) };

/* An equivalent of @left takes @median, or up to @high. */
static void
add_check (Guidelines *self, const Time *left, const char *guideline, const char *others,
           gdouble median, gdouble high)
{
  gboolean is_violated = left->low > high, is_doubtful = !is_violated && left->median > median;
  const PdSheetCell cells[] = {
    { .text = guideline },
    { .integer = left->processes },
    { .integer = left->bytes },
    { .real = left->median },
    { .real = left->low },
    { .real = median },
    { .real = high },
    { .real = median > 0 ? left->median / median : NAN },
    { .text = is_violated   ? "violated"
              : is_doubtful ? "doubtful"
                            : "holds" },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  pd_sheet_row (self->output, &table, cells);
  self->counts.checked++;
  self->counts.violated += is_violated ? 1 : 0;
  self->counts.doubtful += is_doubtful ? 1 : 0;
  if (!is_violated)
    return;
  g_autofree char *text = g_strdup_printf (
      "violated: %s; %s of %" G_GINT64_FORMAT " bytes on %" G_GINT64_FORMAT
      " processes takes %.3f us (at least %.3f), %s %.3f us (at most %.3f): %.2f times as long",
      guideline, left->operation, left->bytes, left->processes, left->median, left->low, others,
      median, high, left->median / median);
  pd_sheet_note (self->output, text);
}

/* ---- checks */

static gint64
size_of (SizeRule rule, const Time *left)
{
  switch (rule)
    {
    case SIZE_ALL:
      return left->bytes * left->processes;
    case SIZE_PART:
      return (left->bytes + left->processes - 1) / left->processes;
    case SIZE_SAME:
      break;
    }
  return left->bytes;
}

static void
check_parts (Guidelines *self, const Time *left, const Part *parts)
{
  g_autoptr (GString) guideline = g_string_new (left->operation), others = g_string_new (NULL);
  gdouble median = 0, high = 0;

  for (int i = 0; i < 2 && parts[i].operation != NULL; i++)
    {
      const Time *part =
          find_at_least (self, left->group, parts[i].operation, size_of (parts[i].size, left));
      if (part == NULL)
        return;
      median += part->median;
      high += part->high;
      g_string_append_printf (guideline, " %s %s", i == 0 ? "<=" : "+", part->operation);
      g_string_append_printf (others, "%s%s of %" G_GINT64_FORMAT " bytes", i > 0 ? " and " : "",
                              part->operation, part->bytes);
    }
  g_string_append (others, parts[1].operation != NULL ? " take" : " takes");
  add_check (self, left, guideline->str, others->str, median, high);
}

/* Against the next greater size, and against so many of the next smaller one. */
static void
check_sizes (Guidelines *self, const Time *left, const Time *next)
{
  gint64 times = left->bytes > 0 ? next->bytes / left->bytes : 0;
  g_autofree char *greater =
      g_strdup_printf ("that of %" G_GINT64_FORMAT " bytes takes", next->bytes);
  g_autofree char *smaller = g_strdup_printf (
      "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " bytes take", times, left->bytes);

  add_check (self, left, "monotony", greater, next->median, next->high);
  if (times > 1 && next->bytes % left->bytes == 0)
    add_check (self, next, "splitting", smaller, (gdouble) times * left->median,
               (gdouble) times * left->high);
}

static void
check_all (Guidelines *self)
{
  for (gsize k = 0; k < G_N_ELEMENTS (guidelines); k++)
    for (guint i = 0; i < self->times->len; i++)
      {
        const Time *left = &g_array_index (self->times, Time, i);
        if (strcmp (left->operation, guidelines[k].operation) == 0)
          check_parts (self, left, guidelines[k].parts);
      }
  for (guint i = 0; i + 1 < self->times->len; i++)
    {
      const Time *left = &g_array_index (self->times, Time, i);
      if (left[1].group == left->group && left[1].operation == left->operation)
        check_sizes (self, left, left + 1);
    }
}

static void
add_facts (Guidelines *self, const char *path)
{
  const PdGuidelineCounts *counts = &self->counts;
  g_autofree char *text = g_strdup_printf (
      "\n%u guidelines checked: %u violated; %u doubtful, by medians whose intervals overlap.\n",
      counts->checked, counts->violated, counts->doubtful);

  pd_sheet_fact (self->output, "file", "%s", path);
  pd_sheet_fact (self->output, "violated",
                 "the lower end of the median's interval, at 0.95, is above the sum of the upper "
                 "ends of the others");
  pd_sheet_note (self->output, text);
}

static void
clear (Guidelines *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->launches); i++)
    g_hash_table_unref (self->launches[i]);
  g_array_unref (self->times);
  g_string_chunk_free (self->texts);
  pd_sheet_free (self->output);
}

static gboolean
check_file (Guidelines *self, const char *path, GError **error)
{
  static const char *const tables[] = { "collective", NULL };

  if (!pd_sheet_each_row (path, tables, note_launch, self, error)
      || !pd_sheet_each_row (path, tables, add_row, self, error))
    return FALSE;
  finish_times (self);
  check_all (self);
  if (self->counts.checked > 0)
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ,
               "'%s' has no two blocking collective operations, with intervals of their medians, "
               "that a guideline compares",
               path);
  return FALSE;
}

PdSheet *
pd_guidelines_of_file (const char *path, PdGuidelineCounts *counts, GError **error)
{
  Guidelines self = { .times = g_array_new (FALSE, FALSE, sizeof (Time)),
                      .texts = g_string_chunk_new (256),
                      .output = pd_sheet_new ("guidelines") };
  PdSheet *output = NULL;

  g_array_set_clear_func (self.times, clear_time);
  for (guint i = 0; i < G_N_ELEMENTS (self.launches); i++)
    self.launches[i] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (check_file (&self, path, error))
    {
      add_facts (&self, path);
      output = g_steal_pointer (&self.output);
    }
  *counts = self.counts;
  clear (&self);
  return output;
}
