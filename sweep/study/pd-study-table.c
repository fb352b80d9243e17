/* SPDX-License-Identifier: MIT */
#include "sweep/study/pd-study-table.h"

#include "reports/run/pd-report-sqlite.h"
#include "reports/results/pd-results-db.h"

#include <math.h>
#include <string.h>

/* The largest number of failed points in the report. */
#define MAX_FAILURES 5

static const PdMetricRow metrics[PD_N_METRICS] = {
  [PD_METRIC_TIME] = { "time", "Time, s" },
  [PD_METRIC_SPEED_UP] = { "speed-up", "Speed-up" },
  [PD_METRIC_EFFICIENCY] = { "efficiency", "Efficiency" },
  [PD_METRIC_COST] = { "cost", "Cost" },
  [PD_METRIC_PRODUCTIVE] = { "productive", "Productive time, share" },
  [PD_METRIC_INSUFFICIENT] = { "insufficient-parallelism", "Insufficient parallelism, share" },
  [PD_METRIC_COMMUNICATION] = { "communication", "Communication, share" },
  [PD_METRIC_IDLE] = { "idle", "Idle, share" },
};

const PdMetricRow *
pd_metric_row (PdMetric metric)
{
  g_return_val_if_fail ((guint) metric < PD_N_METRICS, NULL);

  return &metrics[metric];
}

static void
axis_clear (gpointer data)
{
  PdStudyAxis *axis = data;

  g_free (axis->name);
  g_free (axis->unit);
  g_clear_pointer (&axis->texts, g_ptr_array_unref);
  g_clear_pointer (&axis->numbers, g_array_unref);
}

void
pd_study_table_free (PdStudyTable *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->axes, g_array_unref);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->state.failures, g_ptr_array_unref);
  g_free (self->places);
  g_free (self->path);
  g_free (self);
}

/* ---- reading */

static PdAxisKind
find_kind (const char *name)
{
  for (guint kind = 0; kind < PD_N_AXIS_KINDS; kind++)
    if (g_strcmp0 (name, pd_axis_kind_name ((PdAxisKind) kind)) == 0)
      return (PdAxisKind) kind;
  return PD_AXIS_WORD;
}

static const char *
get_text (sqlite3_stmt *row, int column)
{
  const char *text = (const char *) sqlite3_column_text (row, column);

  return text != NULL ? text : "";
}

/* Prepares @sql, which has no parameter. */
static sqlite3_stmt *
ask (sqlite3 *db, const char *sql, GError **error)
{
  return pd_report_db_prepare (db, sql, 0, error);
}

static gboolean
read_axes (PdStudyTable *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) axes =
      ask (db, "SELECT name, unit, kind FROM axis ORDER BY number", error);
  g_autoptr (GError) local = NULL;

  while (axes != NULL && pd_report_db_next (db, axes, &local))
    {
      PdStudyAxis axis = { .name = g_strdup (get_text (axes, 0)),
                           .unit = g_strdup (get_text (axes, 1)),
                           .kind = find_kind (get_text (axes, 2)),
                           .texts = g_ptr_array_new_with_free_func (g_free),
                           .numbers = g_array_new (FALSE, FALSE, sizeof (gdouble)) };
      g_array_append_val (self->axes, axis);
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return axes != NULL && local == NULL;
}

static gboolean
read_axis_values (PdStudyTable *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) values =
      ask (db, "SELECT axis, text, value FROM axis_value ORDER BY axis, number", error);
  g_autoptr (GError) local = NULL;

  while (values != NULL && pd_report_db_next (db, values, &local))
    {
      gint64 number = sqlite3_column_int64 (values, 0);
      if (number < 0 || number >= self->axes->len)
        continue;
      PdStudyAxis *axis = &g_array_index (self->axes, PdStudyAxis, number);
      gdouble value = sqlite3_column_type (values, 2) == SQLITE_NULL
                          ? (gdouble) axis->texts->len
                          : sqlite3_column_double (values, 2);
      g_ptr_array_add (axis->texts, g_strdup (get_text (values, 1)));
      g_array_append_val (axis->numbers, value);
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return values != NULL && local == NULL;
}

static gboolean
read_rows (PdStudyTable *self, sqlite3 *db, gdouble price, GError **error)
{
  g_autoptr (sqlite3_stmt) rows = ask (
      db,
      "SELECT r.point, processors, execution_time_ps, total_time, efficiency, productive_time, "
      "insufficient_parallelism, communication, idle, low.value, high.value FROM result r "
      "LEFT JOIN figure low ON low.point = r.point AND low.name = 'execution_time_low_ps' "
      "LEFT JOIN figure high ON high.point = r.point AND high.name = 'execution_time_high_ps' "
      "WHERE node = 0 ORDER BY r.point",
      error);
  g_autoptr (GError) local = NULL;

  while (rows != NULL && pd_report_db_next (db, rows, &local))
    {
      gdouble total = sqlite3_column_double (rows, 3);
      PdStudyRow row = { .point = sqlite3_column_int64 (rows, 0),
                         .n_processors = (guint32) sqlite3_column_int64 (rows, 1) };
      row.values[PD_METRIC_TIME] = (gdouble) sqlite3_column_int64 (rows, 2) * 1e-12;
      row.values[PD_METRIC_EFFICIENCY] = sqlite3_column_double (rows, 4);
      row.values[PD_METRIC_COST] = price < 0 ? total : total / 3600 * price;
      for (int i = 0; i < 4; i++)
        row.values[PD_METRIC_PRODUCTIVE + i] =
            total > 0 ? sqlite3_column_double (rows, 5 + i) / total : 0;
      for (int i = 0; i < 2; i++)
        row.ends[i] = (gdouble) sqlite3_column_int64 (rows, 9 + i) * 1e-12;
      self->has_ranges = self->has_ranges || row.ends[1] > 0;
      g_array_append_val (self->rows, row);
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return rows != NULL && local == NULL;
}

/* Both are by point. */
static gboolean
read_places (PdStudyTable *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) places =
      ask (db, "SELECT point, axis, value_number FROM point_value ORDER BY point, axis", error);
  g_autoptr (GError) local = NULL;
  guint at = 0;

  self->places = g_new0 (guint32, (gsize) self->rows->len * self->axes->len + 1);
  while (places != NULL && pd_report_db_next (db, places, &local))
    {
      gint64 point = sqlite3_column_int64 (places, 0), axis = sqlite3_column_int64 (places, 1);
      gint64 number = sqlite3_column_int64 (places, 2);
      while (at < self->rows->len && g_array_index (self->rows, PdStudyRow, at).point < point)
        at++;
      if (at == self->rows->len || g_array_index (self->rows, PdStudyRow, at).point != point
          || axis < 0 || axis >= self->axes->len || number < 0
          || number >= g_array_index (self->axes, PdStudyAxis, axis).texts->len)
        continue;
      self->places[(gsize) at * self->axes->len + (gsize) axis] = (guint32) number;
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return places != NULL && local == NULL;
}

static gboolean
read_state (PdStudyTable *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) points =
      ask (db, "SELECT number, status, message FROM point ORDER BY number", error);
  g_autoptr (GError) local = NULL;

  self->state.failures = g_ptr_array_new_with_free_func (g_free);
  if (!pd_report_db_get_integer (db, "SELECT points FROM study", &self->state.n_points))
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "no study in it");
      return FALSE;
    }
  while (points != NULL && pd_report_db_next (db, points, &local))
    for (guint s = 0; s < PD_N_POINT_STATUSES; s++)
      {
        if (strcmp (get_text (points, 1), pd_point_status_name ((PdPointStatus) s)) != 0)
          continue;
        self->state.counts[s]++;
        if (!pd_point_status_has_result ((PdPointStatus) s)
            && self->state.failures->len < MAX_FAILURES)
          g_ptr_array_add (self->state.failures,
                           g_strdup_printf ("point %" G_GINT64_FORMAT ", %s: %s",
                                            (gint64) sqlite3_column_int64 (points, 0),
                                            get_text (points, 1), get_text (points, 2)));
      }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return points != NULL && local == NULL;
}

/* ---- speed-up */

/* Whether the axis says on how many processors: grids, or recordings of several numbers of ranks.
 */
static gboolean
is_of_processors (const PdStudyTable *self, guint a)
{
  const PdStudyAxis *axis = &g_array_index (self->axes, PdStudyAxis, a);

  return axis->kind == PD_AXIS_GRID || (self->has_ranks && g_str_equal (axis->name, "trace"));
}

/* The places of a row on all axes but those of processors, as a key. */
static char *
name_group (const PdStudyTable *self, guint row)
{
  GString *name = g_string_new (NULL);

  for (guint a = 0; a < self->axes->len; a++)
    if (!is_of_processors (self, a))
      g_string_append_printf (name, "%u,", pd_study_table_place (self, row, a));
  return g_string_free (name, FALSE);
}

static gboolean
has_processors (const PdStudyTable *self)
{
  for (guint a = 0; a < self->axes->len; a++)
    if (is_of_processors (self, a))
      return TRUE;
  return FALSE;
}

/* Recordings of several numbers of ranks, and no axis that says how many. */
static gboolean
find_ranks (const PdStudyTable *self)
{
  guint32 n = self->rows->len > 0 ? g_array_index (self->rows, PdStudyRow, 0).n_processors : 0;

  if (has_processors (self))
    return FALSE;
  for (guint i = 1; i < self->rows->len; i++)
    if (g_array_index (self->rows, PdStudyRow, i).n_processors != n)
      return TRUE;
  return FALSE;
}

/* Without an axis of processors against the first point of all. */
static void
compute_speed_up (PdStudyTable *self)
{
  g_autoptr (GHashTable) bases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean groups = has_processors (self);

  for (guint i = 0; i < self->rows->len; i++)
    {
      PdStudyRow *row = &g_array_index (self->rows, PdStudyRow, i);
      char *name = groups ? name_group (self, i) : g_strdup ("");
      const PdStudyRow *base = g_hash_table_lookup (bases, name);
      if (base == NULL || row->n_processors < base->n_processors)
        g_hash_table_insert (bases, name, row);
      else
        g_free (name);
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      PdStudyRow *row = &g_array_index (self->rows, PdStudyRow, i);
      g_autofree char *name = groups ? name_group (self, i) : g_strdup ("");
      const PdStudyRow *base = g_hash_table_lookup (bases, name);
      gdouble own = row->values[PD_METRIC_TIME];
      row->values[PD_METRIC_SPEED_UP] = own > 0 ? base->values[PD_METRIC_TIME] / own : 1;
    }
}

PdStudyTable *
pd_study_table_read (const char *path, gdouble price, GError **error)
{
  g_autoptr (PdStudyDb) db = pd_study_db_open_to_read (path, error);
  g_autoptr (PdStudyTable) self = NULL;
  sqlite3 *tables;

  if (db == NULL)
    return NULL;
  tables = pd_study_db_get_sqlite (db);
  self = g_new0 (PdStudyTable, 1);
  self->path = g_strdup (path);
  self->axes = g_array_new (FALSE, FALSE, sizeof (PdStudyAxis));
  g_array_set_clear_func (self->axes, axis_clear);
  self->rows = g_array_new (FALSE, FALSE, sizeof (PdStudyRow));
  /* one moment of a file that may grow meanwhile */
  sqlite3_exec (tables, "BEGIN", NULL, NULL, NULL);
  if (!read_axes (self, tables, error) || !read_axis_values (self, tables, error)
      || !read_rows (self, tables, price, error) || !read_places (self, tables, error)
      || !read_state (self, tables, error))
    {
      g_prefix_error (error, "'%s': ", path);
      return NULL;
    }
  self->has_ranks = find_ranks (self);
  compute_speed_up (self);
  return g_steal_pointer (&self);
}

/* ---- looking at it */

gint
pd_study_table_find_axis (const PdStudyTable *self, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint a = 0; a < self->axes->len; a++)
    {
      const PdStudyAxis *axis = &g_array_index (self->axes, PdStudyAxis, a);
      if (strcmp (axis->name, name) == 0)
        return (gint) a;
      g_ptr_array_add (names, axis->name);
    }
  g_ptr_array_add (names, NULL);
  g_autofree char *all = g_strjoinv (", ", (char **) names->pdata);
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "no axis '%s' in the study; it has %s",
               name, *all != '\0' ? all : "none");
  return -1;
}

gboolean
pd_study_table_keep (PdStudyTable *self, guint axis, const char *text, GError **error)
{
  const PdStudyAxis *of = &g_array_index (self->axes, PdStudyAxis, axis);
  guint number = 0, kept = 0;
  gsize width = self->axes->len;

  while (number < of->texts->len && strcmp (g_ptr_array_index (of->texts, number), text) != 0)
    number++;
  if (number == of->texts->len)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                   "axis '%s' has no value '%s'; the first one is '%s'", of->name, text,
                   of->texts->len > 0 ? (const char *) g_ptr_array_index (of->texts, 0) : "");
      return FALSE;
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      if (pd_study_table_place (self, i, axis) != number)
        continue;
      g_array_index (self->rows, PdStudyRow, kept) = g_array_index (self->rows, PdStudyRow, i);
      memmove (self->places + kept * width, self->places + i * width, width * sizeof (guint32));
      kept++;
    }
  g_array_set_size (self->rows, kept);
  return TRUE;
}

char *
pd_study_table_describe_row (const PdStudyTable *self, guint row)
{
  GString *text = g_string_new (NULL);

  for (guint a = 0; a < self->axes->len; a++)
    {
      const PdStudyAxis *axis = &g_array_index (self->axes, PdStudyAxis, a);
      g_string_append_printf (
          text, "%s%s=%s", a > 0 ? " " : "", axis->name,
          (const char *) g_ptr_array_index (axis->texts, pd_study_table_place (self, row, a)));
    }
  return g_string_free (text, FALSE);
}

gboolean
pd_study_table_is_better (PdMetric metric, gdouble a, gdouble b)
{
  gboolean large = metric == PD_METRIC_SPEED_UP || metric == PD_METRIC_EFFICIENCY
                   || metric == PD_METRIC_PRODUCTIVE;

  return large ? a > b : a < b;
}

typedef struct
{
  const PdStudyTable *table;
  PdMetric metric;
} Order;

static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  gdouble p = g_array_index (order->table->rows, PdStudyRow, x).values[order->metric];
  gdouble q = g_array_index (order->table->rows, PdStudyRow, y).values[order->metric];

  if (pd_study_table_is_better (order->metric, p, q))
    return -1;
  if (pd_study_table_is_better (order->metric, q, p))
    return 1;
  return x < y ? -1 : x > y;
}

GArray *
pd_study_table_order (const PdStudyTable *self, PdMetric metric)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint), self->rows->len);
  Order by = { self, metric };

  for (guint i = 0; i < self->rows->len; i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_rows, &by);
  return order;
}

GArray *
pd_study_table_pareto (const PdStudyTable *self)
{
  g_autoptr (GArray) order = pd_study_table_order (self, PD_METRIC_TIME);
  GArray *front = g_array_new (FALSE, FALSE, sizeof (guint));
  gdouble cheapest = INFINITY;

  for (guint i = 0; i < order->len;)
    {
      /* of those that are equally fast, the cheapest */
      guint best = g_array_index (order, guint, i);
      gdouble time = g_array_index (self->rows, PdStudyRow, best).values[PD_METRIC_TIME];
      for (; i < order->len; i++)
        {
          guint row = g_array_index (order, guint, i);
          const PdStudyRow *r = &g_array_index (self->rows, PdStudyRow, row);
          if (r->values[PD_METRIC_TIME] > time)
            break;
          if (r->values[PD_METRIC_COST]
              < g_array_index (self->rows, PdStudyRow, best).values[PD_METRIC_COST])
            best = row;
        }
      gdouble cost = g_array_index (self->rows, PdStudyRow, best).values[PD_METRIC_COST];
      if (cost < cheapest)
        {
          cheapest = cost;
          g_array_append_val (front, best);
        }
    }
  return front;
}
