/* SPDX-License-Identifier: MIT */
#include "fit/pd-fit-data.h"

#include "comsys/machine/pd-points.h"
#include "measure/stats/pd-stats.h"

#include <math.h>
#include <string.h>

#define US 1e-6

typedef struct
{
  PdFitData *data;
  const PdSheetFile *sheet;
  gint64 *hosts; /* of each rank */
  gint64 n_ranks;
  gboolean force;
  GError **error;
} Reader;

/* ---- which ranks share a host */

/* "0*2 1*2"; without that fact all ranks are on one host. */
static gboolean
read_hosts (Reader *self)
{
  const char *text = pd_sheet_file_get_fact (self->sheet, "hosts");
  g_auto (GStrv) runs = g_strsplit (text != NULL ? text : "", " ", -1);
  gint64 n = 0;

  for (guint i = 0; runs[i] != NULL; i++)
    {
      char *star = strchr (runs[i], '*');
      gint64 host, length;
      if (star != NULL)
        *star = '\0';
      if (star == NULL || !g_ascii_string_to_signed (runs[i], 10, 0, 1 << 24, &host, NULL)
          || !g_ascii_string_to_signed (star + 1, 10, 1, (1 << 24) - n, &length, NULL))
        {
          g_set_error (self->error, PD_FIT_ERROR, PD_FIT_ERROR_FORMAT,
                       "%s: fact hosts: expected hosts and numbers of ranks, as 0*2 1*2, not '%s'",
                       pd_sheet_file_get_name (self->sheet), text);
          return FALSE;
        }
      self->hosts = g_renew (gint64, self->hosts, (gsize) (n + length));
      for (gint64 k = 0; k < length; k++)
        self->hosts[n++] = host;
    }
  self->n_ranks = n;
  return TRUE;
}

static gint64
host_of (const Reader *self, gint64 rank)
{
  return rank < self->n_ranks ? self->hosts[rank] : 0;
}

/* Of the first @n ranks, how many are on the first host; 0 if all are. */
static gint64
ranks_per_node (const Reader *self, gint64 n)
{
  gint64 k = 0;

  while (k < MIN (n, self->n_ranks) && self->hosts[k] == self->hosts[0])
    k++;
  return k < MIN (n, self->n_ranks) ? k : 0;
}

static void
count_hosts (Reader *self)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (gint64 i = 0; i < self->n_ranks; i++)
    {
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, &self->hosts[i])) + 1;
      g_hash_table_insert (counts, &self->hosts[i], GUINT_TO_POINTER (n));
      self->data->per_host = MAX (self->data->per_host, n);
    }
  self->data->hosts = MAX (self->data->hosts, g_hash_table_size (counts));
}

/* ---- rows */

static gboolean
fail_crowded (Reader *self, const PdSheetBlock *block, guint row)
{
  pd_sheet_block_fail (block, row, self->error,
                       "there were more processes than processors: these are times of the "
                       "scheduler; --force takes them nevertheless");
  if (self->error != NULL && *self->error != NULL)
    (*self->error)->code = PD_FIT_ERROR_CROWDED;
  return FALSE;
}

/* Whether the row is of a real machine that had processors for all. */
static gboolean
check_crowd (Reader *self, const PdSheetBlock *block, guint row)
{
  gint64 crowded = 0, pretended = 0;

  if ((pd_sheet_block_has (block, "oversubscribed")
       && !pd_sheet_block_get_integer (block, row, "oversubscribed", &crowded, self->error))
      || (pd_sheet_block_has (block, "pretended")
          && !pd_sheet_block_get_integer (block, row, "pretended", &pretended, self->error)))
    return FALSE;
  if (pretended != 0 && !self->force)
    return pd_sheet_block_fail (block, row, self->error,
                                "the nodes were pretended: these are times of another machine; "
                                "--force takes them nevertheless");
  return crowded == 0 || self->force || fail_crowded (self, block, row);
}

static gboolean
read_bytes (Reader *self, const PdSheetBlock *block, guint row, gint64 *bytes)
{
  if (!pd_sheet_block_get_integer (block, row, "bytes", bytes, self->error))
    return FALSE;
  return *bytes <= PD_POINT_MAX_BYTES
         || pd_sheet_block_fail (block, row, self->error, "bytes: expected at most 1 TiB");
}

/* A time in @column, and the ends of its interval in @column and suffixes; us. */
static gboolean
read_time (Reader *self, const PdSheetBlock *block, guint row, const char *column, gdouble scale,
           PdFitTime *time)
{
  g_autofree char *stem = g_strndup (column, strlen (column) - strlen ("_us"));
  g_autofree char *low = g_strconcat (stem, "_low_us", NULL);
  g_autofree char *high = g_strconcat (stem, "_high_us", NULL);

  if (pd_sheet_block_get_text (block, row, column, self->error) == NULL
      || !pd_sheet_block_get_real (block, row, column, &time->time, self->error)
      || !pd_sheet_block_get_real (block, row, low, &time->low, self->error)
      || !pd_sheet_block_get_real (block, row, high, &time->high, self->error))
    return FALSE;
  /* a day and a picosecond */
  if (!(time->time >= 1e-6 && time->time < 1e11) || time->low < 0 || time->high > 1e11)
    return pd_sheet_block_fail (block, row, self->error, "%s: expected a time of more than 0",
                                column);
  time->time *= scale;
  time->low *= scale;
  time->high *= scale;
  return TRUE;
}

/* Whether the machine disturbed all rounds of the row. */
static gboolean
read_disturbed (Reader *self, const PdSheetBlock *block, guint row, gboolean *all)
{
  gint64 rounds, disturbed;

  *all = FALSE;
  if (!pd_sheet_block_has (block, "disturbed"))
    return TRUE;
  if (!pd_sheet_block_get_integer (block, row, "rounds", &rounds, self->error)
      || !pd_sheet_block_get_integer (block, row, "disturbed", &disturbed, self->error))
    return FALSE;
  *all = disturbed >= rounds;
  return TRUE;
}

/* Of a variant that is not played nothing is taken. */
static gboolean
read_transfer (Reader *self, const PdSheetBlock *block, guint row)
{
  static const char *const names[] = { NULL, "ping-pong", "sendrecv", "isend-irecv" };
  PdFitTime time = { .processes = 2 };
  gint64 variant, first, second;
  gboolean is_disturbed;

  if (!pd_sheet_block_get_integer (block, row, "variant", &variant, self->error)
      || !pd_sheet_block_get_integer (block, row, "first", &first, self->error)
      || !pd_sheet_block_get_integer (block, row, "second", &second, self->error)
      || !read_bytes (self, block, row, &time.bytes))
    return FALSE;
  if (variant < 1 || variant >= (gint64) G_N_ELEMENTS (names))
    return TRUE;
  if (!check_crowd (self, block, row)
      || !read_time (self, block, row, "median_us", variant == 1 ? US : 2 * US, &time)
      || !read_disturbed (self, block, row, &is_disturbed))
    return FALSE;
  if (is_disturbed)
    self->data->n_disturbed++;
  time.what = pd_point_find (names[variant]);
  time.level = host_of (self, first) == host_of (self, second) ? PD_FIT_MEMORY : PD_FIT_NETWORK;
  time.per_node = time.level == PD_FIT_MEMORY ? 0 : 1;
  g_array_append_val (self->data->times, time);
  return TRUE;
}

/* Sheets of version 1.0.0 do not have the limit. */
static gboolean
read_pair (Reader *self, const PdSheetBlock *block, guint row)
{
  gint64 first, second, eager, *least;

  if (!pd_sheet_block_has (block, "eager_bytes"))
    return TRUE;
  if (!pd_sheet_block_get_integer (block, row, "first", &first, self->error)
      || !pd_sheet_block_get_integer (block, row, "second", &second, self->error)
      || !pd_sheet_block_get_integer (block, row, "eager_bytes", &eager, self->error)
      || !check_crowd (self, block, row))
    return FALSE;
  if (eager > PD_POINT_MAX_BYTES)
    return pd_sheet_block_fail (block, row, self->error, "eager_bytes: expected at most 1 TiB");
  least = &self->data->eager[host_of (self, first) == host_of (self, second) ? PD_FIT_MEMORY
                                                                             : PD_FIT_NETWORK];
  *least = *least < 0 ? eager : MIN (*least, eager);
  return TRUE;
}

/* Whether all processes arrived at the same time. */
static gboolean
is_together (const PdSheetBlock *block, guint row)
{
  return !pd_sheet_block_has (block, "arrival")
         || *pd_sheet_block_get_text (block, row, "arrival", NULL) == '\0';
}

/* Blocking ones that the model has; others are counted. */
static gboolean
read_collective (Reader *self, const PdSheetBlock *block, guint row)
{
  const char *operation = pd_sheet_block_get_text (block, row, "operation", self->error);
  const char *form = pd_sheet_block_get_text (block, row, "form", self->error);
  PdFitTime time = { .level = PD_FIT_MEMORY };

  if (operation == NULL || form == NULL
      || !pd_sheet_block_get_integer (block, row, "processes", &time.processes, self->error)
      || !read_bytes (self, block, row, &time.bytes))
    return FALSE;
  g_autofree char *name = g_strdelimit (g_strdup (operation), "_", '-');
  time.what =
      strcmp (form, "blocking") == 0 && is_together (block, row) ? pd_point_find (name) : NULL;
  if (time.what == NULL || time.processes < 2)
    {
      self->data->n_left_out++;
      return TRUE;
    }
  if (!check_crowd (self, block, row)
      || !read_time (self, block, row, "global_median_us", US, &time))
    return FALSE;
  time.per_node = ranks_per_node (self, time.processes);
  self->data->per_host =
      MAX (self->data->per_host, time.per_node > 0 ? time.per_node : time.processes);
  g_array_append_val (self->data->times, time);
  return TRUE;
}

static gboolean
read_loggp (Reader *self, const PdSheetBlock *block, guint row)
{
  static const struct
  {
    const char *column;
    gsize offset;
  } columns[] = {
    { "latency_us", G_STRUCT_OFFSET (PdLogGP, latency) },
    { "send_us", G_STRUCT_OFFSET (PdLogGP, send) },
    { "receive_us", G_STRUCT_OFFSET (PdLogGP, receive) },
    { "gap_us", G_STRUCT_OFFSET (PdLogGP, gap) },
    { "gap_of_byte_us", G_STRUCT_OFFSET (PdLogGP, gap_of_byte) },
  };
  PdLogGP loggp = { .residual = NAN };

  if (!check_crowd (self, block, row)
      || !pd_sheet_block_get_integer (block, row, "from_bytes", &loggp.from_bytes, self->error)
      || !pd_sheet_block_get_integer (block, row, "to_bytes", &loggp.to_bytes, self->error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      gdouble value;
      if (!pd_sheet_block_get_real (block, row, columns[i].column, &value, self->error))
        return FALSE;
      if (!(value >= 0 && value < 1e11))
        return pd_sheet_block_fail (block, row, self->error, "%s: expected at least 0",
                                    columns[i].column);
      value *= US;
      memcpy ((char *) &loggp + columns[i].offset, &value, sizeof value);
    }
  g_array_append_val (self->data->loggp, loggp);
  return TRUE;
}

static gboolean
read_contention (Reader *self, const PdSheetBlock *block, guint row)
{
  static const char *const levels[] = { "memory", "interconnect", "network" };
  const char *level = pd_sheet_block_get_text (block, row, "level", self->error);
  PdFitShared shared = { .level = NULL };
  PdFitTime time;

  if (level == NULL || !check_crowd (self, block, row)
      || !read_bytes (self, block, row, &shared.bytes)
      || !pd_sheet_block_get_integer (block, row, "sharing", &shared.sharing, self->error)
      || !read_time (self, block, row, "median_us", US, &time))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    if (strcmp (levels[i], level) == 0)
      shared.level = levels[i];
  if (shared.level == NULL || shared.sharing < 1)
    return pd_sheet_block_fail (block, row, self->error,
                                "expected the level memory, interconnect or network, and at least "
                                "1 that shares it");
  shared.time = time.time;
  g_array_append_val (self->data->shared, shared);
  return TRUE;
}

/* Of the kinds of exchanges those of memory. */
static gboolean
read_exchange (Reader *self, const PdSheetBlock *block, guint row)
{
  static const char *const kinds[] = { PD_FIT_COPY, PD_FIT_COPY_RUNS, PD_FIT_TOUCH };
  const char *kind = pd_sheet_block_get_text (block, row, "kind", self->error);
  PdFitTime time = { .processes = 2 };
  gboolean is_disturbed;

  if (kind == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i], kind) == 0)
      time.what = kinds[i];
  if (time.what == NULL)
    return TRUE;
  if (!check_crowd (self, block, row) || !read_bytes (self, block, row, &time.bytes)
      || !read_time (self, block, row, "median_us", US, &time)
      || !read_disturbed (self, block, row, &is_disturbed))
    return FALSE;
  if (is_disturbed)
    self->data->n_disturbed++;
  g_array_append_val (self->data->memory, time);
  return TRUE;
}

/* ---- sheets */

static const struct
{
  const char *name;
  gboolean (*read) (Reader *self, const PdSheetBlock *block, guint row);
} tables[] = {
  { "transfer", read_transfer },     { "pair", read_pair },
  { "collective", read_collective }, { "loggp", read_loggp },
  { "contention", read_contention }, { "exchange", read_exchange },
};

/* All of one library: times of several would be one machine that does not exist. */
static gboolean
read_facts (Reader *self)
{
  const char *mpi = pd_sheet_file_get_fact (self->sheet, "mpi");
  const char *date = pd_sheet_file_get_fact (self->sheet, "date");
  const char *host = pd_sheet_file_get_fact (self->sheet, "host");
  PdFitData *data = self->data;

  if (mpi == NULL)
    {
      g_set_error (self->error, PD_FIT_ERROR, PD_FIT_ERROR_DATA, "%s: expected the fact 'mpi'",
                   pd_sheet_file_get_name (self->sheet));
      return FALSE;
    }
  if (data->mpi != NULL && strcmp (data->mpi, mpi) != 0 && !self->force)
    {
      g_set_error (self->error, PD_FIT_ERROR, PD_FIT_ERROR_MIXED,
                   "%s: measured with '%s', other files with '%s': a description is of one of them",
                   pd_sheet_file_get_name (self->sheet), mpi, data->mpi);
      return FALSE;
    }
  if (data->mpi == NULL)
    data->mpi = g_strdup (mpi);
  if (data->host == NULL)
    data->host = g_strdup (host);
  if (date != NULL && (data->date == NULL || strcmp (date, data->date) > 0))
    {
      g_free (data->date);
      data->date = g_strdup (date);
    }
  return TRUE;
}

static gboolean
read_sheet (Reader *self)
{
  if (!read_facts (self) || !read_hosts (self))
    return FALSE;
  count_hosts (self);
  if (pd_sheet_file_get_block (self->sheet, "loggp") != NULL)
    g_array_set_size (self->data->loggp, 0); /* those of the last file hold */
  for (gsize t = 0; t < G_N_ELEMENTS (tables); t++)
    {
      const PdSheetBlock *block = pd_sheet_file_get_block (self->sheet, tables[t].name);
      for (guint row = 0; block != NULL && row < pd_sheet_block_get_length (block); row++)
        if (!tables[t].read (self, block, row))
          return FALSE;
    }
  return TRUE;
}

/* ---- medians of repeated measurements */

static int
compare_numbers (gint64 a, gint64 b)
{
  return a < b ? -1 : a > b;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const PdFitTime *s = a, *t = b;
  int by_name = strcmp (s->what, t->what);

  return by_name != 0                   ? by_name
         : s->level != t->level         ? compare_numbers (s->level, t->level)
         : s->processes != t->processes ? compare_numbers (s->processes, t->processes)
         : s->per_node != t->per_node   ? compare_numbers (s->per_node, t->per_node)
                                        : compare_numbers (s->bytes, t->bytes);
}

static int
compare_shared (gconstpointer a, gconstpointer b)
{
  const PdFitShared *s = a, *t = b;
  int by_level = strcmp (s->level, t->level);

  return by_level != 0          ? by_level
         : s->bytes != t->bytes ? compare_numbers (s->bytes, t->bytes)
                                : compare_numbers (s->sharing, t->sharing);
}

/* Of the doubles at @offset in @n elements of @size bytes; NaN if one is. */
static gdouble
median_of (const char *first, guint n, gsize size, gsize offset)
{
  g_autofree gdouble *values = g_new (gdouble, n);

  for (guint i = 0; i < n; i++)
    {
      memcpy (&values[i], first + i * size + offset, sizeof values[i]);
      if (isnan (values[i]))
        return NAN;
    }
  return pd_stats_median (values, n);
}

/* Equal elements of the sorted array become one. */
static void
merge (GArray *array, GCompareFunc compare, const gsize *offsets, guint n_offsets)
{
  gsize size = g_array_get_element_size (array);
  guint kept = 0, n;

  g_array_sort (array, compare);
  for (guint i = 0; i < array->len; i += n)
    {
      char *first = array->data + i * size;
      for (n = 1; i + n < array->len && compare (first, first + n * size) == 0; n++)
        ;
      for (guint k = 0; k < n_offsets; k++)
        {
          gdouble median = median_of (first, n, size, offsets[k]);
          memcpy (first + offsets[k], &median, sizeof median);
        }
      memmove (array->data + kept++ * size, first, size);
    }
  g_array_set_size (array, kept);
}

PdFitData *
pd_fit_data_new (PdSheetFile *const *sheets, guint n, gboolean force, GError **error)
{
  static const gsize of_time[] = { G_STRUCT_OFFSET (PdFitTime, time),
                                   G_STRUCT_OFFSET (PdFitTime, low),
                                   G_STRUCT_OFFSET (PdFitTime, high) };
  static const gsize of_shared[] = { G_STRUCT_OFFSET (PdFitShared, time) };
  g_autoptr (PdFitData) self = g_new0 (PdFitData, 1);
  gboolean ok = TRUE;

  self->hosts = 1;
  self->per_host = 1;
  for (guint level = 0; level < PD_FIT_N_LEVELS; level++)
    self->eager[level] = -1;
  self->times = g_array_new (FALSE, FALSE, sizeof (PdFitTime));
  self->memory = g_array_new (FALSE, FALSE, sizeof (PdFitTime));
  self->loggp = g_array_new (FALSE, FALSE, sizeof (PdLogGP));
  self->shared = g_array_new (FALSE, FALSE, sizeof (PdFitShared));
  for (guint i = 0; ok && i < n; i++)
    {
      Reader reader = { self, sheets[i], NULL, 0, force, error };
      ok = read_sheet (&reader);
      g_free (reader.hosts);
    }
  if (!ok)
    return NULL;
  merge (self->times, compare_times, of_time, G_N_ELEMENTS (of_time));
  merge (self->memory, compare_times, of_time, G_N_ELEMENTS (of_time));
  merge (self->shared, compare_shared, of_shared, G_N_ELEMENTS (of_shared));
  return g_steal_pointer (&self);
}

void
pd_fit_data_free (PdFitData *self)
{
  if (self == NULL)
    return;
  g_free (self->date);
  g_free (self->mpi);
  g_free (self->host);
  g_array_unref (self->times);
  g_array_unref (self->memory);
  g_array_unref (self->loggp);
  g_array_unref (self->shared);
  g_free (self);
}

GArray *
pd_fit_data_select (const PdFitData *self, const char *what, PdFitLevel level)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (PdFitTime));

  for (guint i = 0; i < self->times->len; i++)
    {
      const PdFitTime *time = &g_array_index (self->times, PdFitTime, i);
      if (time->level == level && strcmp (time->what, what) == 0)
        g_array_append_vals (found, time, 1);
    }
  return found;
}
