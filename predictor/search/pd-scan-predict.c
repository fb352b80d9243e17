/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-scan-predict.h"

#include "predictor/common/pd-errors.h"
#include "reports/hints/pd-scan.h"

#include <string.h>

/* The cost of making a machine and reading a program, in events. */
#define FIXED_EVENTS 4000

/* Eager limits that are tried at most. */
#define MAX_EAGER 32

typedef struct
{
  const PdScanOptions *options;
  PdScan *scan;
  GArray *points;   /* PdScanPoint */
  GPtrArray *paths; /* of eager limits in the description */
  guint64 left;     /* of events */
  guint64 each;     /* events of a prediction by itself */
} Search;

/* ---- the described machine */

static gboolean
is_latency (const PdParam *param)
{
  return param->unit == PD_UNIT_TIME && strcmp (param->name, "o") != 0
         && strcmp (param->name, "g") != 0;
}

/* In s and bytes/s: the first parameter of its kind that is not 0. */
static void
describe_network (PdScan *scan, const PdMachineNetwork *network)
{
  for (const PdParam *p = network->class->params; p != NULL && p->name != NULL; p++)
    {
      gconstpointer field = (const char *) network->config + p->offset;
      gdouble *latency = &scan->values[PD_SCAN_LATENCY];
      gdouble *bandwidth = &scan->values[PD_SCAN_BANDWIDTH];
      if (!(*latency > 0) && is_latency (p))
        *latency = pd_time_to_seconds (*(const PdTime *) field);
      if (!(*bandwidth > 0) && p->unit == PD_UNIT_RATE)
        *bandwidth = *(const gdouble *) field;
      if (!(*bandwidth > 0) && p->unit == PD_UNIT_PER_BYTE && *(const gdouble *) field > 0)
        *bandwidth = (gdouble) PD_PS_PER_S / *(const gdouble *) field;
    }
}

/* Paths of networks and memories, each once. */
static void
list_paths (Search *self, const PdMachineNetwork *network, const char *path)
{
  gboolean has_memory = FALSE, has_network = FALSE;

  g_ptr_array_add (self->paths, g_strdup (path));
  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (network->children, i);
      if (node->memory != NULL && !has_memory)
        g_ptr_array_add (self->paths, g_strconcat (path, "/nodes/memory", NULL));
      has_memory |= node->memory != NULL;
      g_autofree char *inner = g_strconcat (path, "/network", NULL);
      if (node->network != NULL && !has_network)
        list_paths (self, node->network, inner);
      has_network |= node->network != NULL;
    }
}

/* ---- predictions */

/* An error at a point is no error of the run: a program may wait for ever there. */
static gboolean
does_not_end (const GError *error)
{
  return error->domain == PD_SIMULATION_ERROR && error->code != PD_SIMULATION_ERROR_INTERRUPTED;
}

static GPtrArray *
copy_settings (const Search *self)
{
  GPtrArray *all = g_ptr_array_new ();

  for (const char *const *s = self->options->settings; s != NULL && *s != NULL; s++)
    g_ptr_array_add (all, g_strdup (*s));
  return all;
}

static char **
describe_point (gconstpointer what, guint i, guint64 *seed)
{
  const Search *self = what;
  const PdScanPoint *point = &g_array_index (self->points, PdScanPoint, i);
  g_autoptr (GPtrArray) all = copy_settings (self);

  *seed = self->options->seed;
  for (guint k = 0; k < PD_SCAN_N; k++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      if (point->at[k] == 0)
        continue;
      g_ascii_dtostr (number, sizeof number, pd_scan_get_factor (point->at[k]));
      g_ptr_array_add (all,
                       g_strconcat (pd_scan_get_setting ((PdScanParameter) k), "=", number, NULL));
    }
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_steal (all, NULL);
}

static PdMany
make_many (const Search *self, guint n)
{
  const PdScanOptions *options = self->options;

  return (PdMany){ .n = n,
                   .n_threads = options->n_threads,
                   .predict = options->predict,
                   .data = options->data,
                   .what = self,
                   .forgive = does_not_end };
}

/* ---- curves and grids */

static void
add_curves (Search *self, int distance)
{
  for (guint k = 0; k < PD_SCAN_N; k++)
    for (int step = -PD_SCAN_MOST_STEP; step <= PD_SCAN_MOST_STEP; step += distance)
      {
        PdScanPoint point = { { 0 } };
        point.at[k] = step;
        if (step != 0)
          g_array_append_val (self->points, point);
      }
}

static void
add_grid (Search *self, guint a, guint b)
{
  for (int x = -PD_SCAN_MOST_STEP; x <= PD_SCAN_MOST_STEP; x += PD_SCAN_GRID_STEP)
    for (int y = -PD_SCAN_MOST_STEP; y <= PD_SCAN_MOST_STEP; y += PD_SCAN_GRID_STEP)
      {
        PdScanPoint point = { { 0 } };
        point.at[a] = x;
        point.at[b] = y;
        if (x != 0 && y != 0)
          g_array_append_val (self->points, point);
      }
}

/* How many events as many predictions take. */
static guint64
cost_of (const Search *self, guint64 n)
{
  const PdScanOptions *options = self->options;

  return options->predict_batch != NULL ? n * self->each / options->max_batch : n * self->each;
}

static gboolean
is_affordable (const Search *self)
{
  return cost_of (self, self->points->len) <= self->left;
}

/* Those that do not cost too much; %FALSE: none. */
static gboolean
choose_points (Search *self)
{
  PdScan *scan = self->scan;

  add_curves (self, 1);
  guint n_curves = self->points->len;
  for (guint a = 0; a < PD_SCAN_N; a++)
    for (guint b = a + 1; b < PD_SCAN_N; b++)
      add_grid (self, a, b);
  scan->has_grids = is_affordable (self);
  if (!scan->has_grids)
    g_array_set_size (self->points, n_curves);
  scan->is_coarse = !is_affordable (self);
  if (scan->is_coarse)
    {
      g_array_set_size (self->points, 0);
      add_curves (self, PD_SCAN_GRID_STEP);
    }
  if (!is_affordable (self))
    {
      scan->left_out = self->points->len;
      return FALSE;
    }
  self->left -= cost_of (self, self->points->len);
  return TRUE;
}

static gboolean
predict_points (Search *self, GError **error)
{
  PdMany many = make_many (self, self->points->len);
  guint failed = 0;

  many.describe = describe_point;
  many.predict_batch = self->options->predict_batch;
  many.max_batch = self->options->max_batch;
  g_autoptr (GArray) times = pd_many_predict (&many, &failed, error);
  for (guint i = 0; times != NULL && i < times->len; i++)
    *pd_scan_get_place (self->scan, &g_array_index (self->points, PdScanPoint, i)) =
        g_array_index (times, PdTime, i);
  return times != NULL;
}

/* ---- eager limits: between two sizes of messages all are alike */

static void
note_message (gpointer data, guint32 source, guint32 target, gint64 bytes, PdTime when,
              gboolean collective)
{
  (void) source, (void) target, (void) when, (void) collective;
  if (g_hash_table_contains (data, &bytes))
    return;
  gint64 *size = g_new (gint64, 1);
  *size = bytes;
  g_hash_table_add (data, size);
}

static gint
compare_limits (gconstpointer a, gconstpointer b)
{
  const PdScanEager *x = a, *y = b;

  return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* None, and the sizes of the run's messages; of many, some at equal distances among them. */
static gboolean
list_limits (Search *self, GArray *limits, GError **error)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  const PdObserver observer = { .data = sizes, .message = note_message };
  PdScanEager limit = { -1, PD_TIME_PENDING };
  GHashTableIter iter;
  gpointer key;

  if (!self->options->observe (self->options->data, &observer, error))
    return FALSE;
  g_array_append_val (limits, limit);
  g_hash_table_iter_init (&iter, sizes);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      limit.bytes = *(const gint64 *) key;
      g_array_append_val (limits, limit);
    }
  g_array_sort (limits, compare_limits);
  guint n = limits->len;
  for (guint i = 0; n > MAX_EAGER && i < MAX_EAGER; i++)
    g_array_index (limits, PdScanEager, i) =
        g_array_index (limits, PdScanEager, (gsize) i * (n - 1) / (MAX_EAGER - 1));
  g_array_set_size (limits, MIN (n, MAX_EAGER));
  return TRUE;
}

static char **
describe_limit (gconstpointer what, guint i, guint64 *seed)
{
  const Search *self = what;
  gint64 bytes = g_array_index (self->scan->eager, PdScanEager, i).bytes;
  g_autofree char *value =
      bytes < 0 ? g_strdup ("none") : g_strdup_printf ("%" G_GINT64_FORMAT "B", bytes);
  g_autoptr (GPtrArray) all = copy_settings (self);

  *seed = self->options->seed;
  for (guint k = 0; k < self->paths->len; k++)
    g_ptr_array_add (all, g_strconcat (g_ptr_array_index (self->paths, k), "/eager=", value, NULL));
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_steal (all, NULL);
}

/* One after the other, since machines of a batch have one protocol. */
static gboolean
predict_limits (Search *self, GError **error)
{
  gboolean matters = FALSE;
  guint failed = 0;

  if (self->each > self->left)
    return TRUE;
  self->scan->eager = g_array_new (FALSE, TRUE, sizeof (PdScanEager));
  if (!list_limits (self, self->scan->eager, error))
    return FALSE;
  GArray *limits = self->scan->eager;
  PdMany many = make_many (self, limits->len);
  many.describe = describe_limit;
  if (limits->len * self->each <= self->left)
    {
      g_autoptr (GArray) times = pd_many_predict (&many, &failed, error);
      if (times == NULL)
        return FALSE;
      for (guint i = 0; i < limits->len; i++)
        {
          PdTime time = g_array_index (times, PdTime, i);
          g_array_index (limits, PdScanEager, i).time = time;
          matters |= time.ps != self->scan->today.ps;
        }
    }
  if (!matters)
    g_clear_pointer (&self->scan->eager, g_array_unref);
  return TRUE;
}

/* ---- all of it */

static gboolean
search (Search *self, GError **error)
{
  list_paths (self, self->options->machine->network, "network");
  return !choose_points (self) || (predict_points (self, error) && predict_limits (self, error));
}

gboolean
pd_scan_predict (const PdScanOptions *options, const PdReportRun *run, PdScan **scan,
                 GError **error)
{
  const PdMachineNetwork *network = options->machine->network;
  Search self = { .options = options,
                  .left = options->most,
                  .each = MAX (run->n_events, 1) + FIXED_EVENTS };

  *scan = NULL;
  if (run->n_processors < 2 || strcmp (network->class->type, "ideal") == 0)
    return TRUE;
  g_autoptr (PdScan) own = self.scan = pd_scan_new ();
  own->today = PD_TIME_ZERO;
  for (guint32 i = 0; i < run->n_processors; i++)
    own->today = pd_time_max (own->today, run->end_times[i]);
  for (guint i = 0; i < PD_SCAN_N; i++)
    own->curves[i][PD_SCAN_MOST_STEP] = own->today;
  describe_network (own, network);
  self.points = g_array_new (FALSE, FALSE, sizeof (PdScanPoint));
  self.paths = g_ptr_array_new_with_free_func (g_free);
  gboolean ok = search (&self, error);
  g_array_unref (self.points);
  g_ptr_array_unref (self.paths);
  if (ok)
    *scan = g_steal_pointer (&own);
  return ok;
}
