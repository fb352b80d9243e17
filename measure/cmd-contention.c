/* predictor-measure contention: levels and numbers of processes in turn, tables, the
 * recommended number of processes of a node.
 * SPDX-License-Identifier: MIT */
#include "measure/pd-contention-private.h"
#include "measure/pd-contention.h"
#include "measure/pd-measure.h"
#include "measure/pd-mpi.h"
#include "measure/pd-stats.h"

#include <math.h>

#define TAG 5

/* ---- tables */

static const PdColumn contention_columns[] = {
  { "level", PD_COLUMN_TEXT, NULL, 0 },
  { "bytes", PD_COLUMN_INTEGER, NULL, 0 },
  { "sharing", PD_COLUMN_INTEGER, NULL, 0 },
  { "processes", PD_COLUMN_INTEGER, NULL, 0 },
  { "repetitions", PD_COLUMN_INTEGER, NULL, 0 },
  { "rounds", PD_COLUMN_INTEGER, NULL, 0 },
  { "median_us", PD_COLUMN_REAL, NULL, 3 },
  { "median_low_us", PD_COLUMN_REAL, NULL, 3 },
  { "median_high_us", PD_COLUMN_REAL, NULL, 3 },
  { "mean_us", PD_COLUMN_REAL, NULL, 3 },
  { "throughput_mb_s", PD_COLUMN_REAL, NULL, 2 },
  { "factor", PD_COLUMN_REAL, NULL, 3 },
  { "super_linear", PD_COLUMN_INTEGER, NULL, 0 },
  { "together", PD_COLUMN_REAL, NULL, 3 },
  { "late", PD_COLUMN_INTEGER, NULL, 0 },
  { "synchronised", PD_COLUMN_INTEGER, NULL, 0 },
  { "bound", PD_COLUMN_INTEGER, NULL, 0 },
  { "pretended", PD_COLUMN_INTEGER, NULL, 0 },
  { "oversubscribed", PD_COLUMN_INTEGER, NULL, 0 },
};
static const PdTableSpec contention_table = { "contention", "Messages on shared channels",
                                              contention_columns,
                                              G_N_ELEMENTS (contention_columns) };

static const PdColumn place_columns[] = {
  { "rank", PD_COLUMN_INTEGER, "rank", 0 },     { "node", PD_COLUMN_INTEGER, "node", 0 },
  { "socket", PD_COLUMN_INTEGER, "socket", 0 }, { "core", PD_COLUMN_INTEGER, "core", 0 },
  { "thread", PD_COLUMN_INTEGER, "thread", 0 }, { "bound", PD_COLUMN_INTEGER, "bound", 0 },
  { "pretended", PD_COLUMN_INTEGER, NULL, 0 },
};
static const PdTableSpec place_table = { "place", "Where processes are", place_columns,
                                         G_N_ELEMENTS (place_columns) };

static const PdColumn advice_columns[] = {
  { "level", PD_COLUMN_TEXT, "level", 0 },
  { "sharing", PD_COLUMN_INTEGER, "cf", 0 },
  { "processes_per_node", PD_COLUMN_INTEGER, "processes per node", 0 },
  { "least", PD_COLUMN_INTEGER, NULL, 0 },
  { "most", PD_COLUMN_INTEGER, NULL, 0 },
  { "gain", PD_COLUMN_REAL, "gain", 3 },
  { "pretended", PD_COLUMN_INTEGER, NULL, 0 },
  { "oversubscribed", PD_COLUMN_INTEGER, NULL, 0 },
  { "reason", PD_COLUMN_TEXT, NULL, 0 },
};
static const PdTableSpec advice_table = { "recommended",
                                          "Recommended: the number of processes that move most",
                                          advice_columns, G_N_ELEMENTS (advice_columns) };

/* ---- a run */

typedef struct
{
  PdContentionOptions options;
  PdTimer timer;
  PdSync *sync;          /* NULL: as published */
  PdSyncCheck clocks[2]; /* at the beginning and at the end */
  PdPlaces places;
  PdPairs *pairs;
  GArray *cells; /* PdContentionCell, at rank 0 */
  int rank;
  int size;
  gboolean crowded;
  PdSheet *output;
} Contention;

static gint64
size_at (const Contention *self, guint i)
{
  return g_array_index (self->options.sizes, gint64, i);
}

/* ---- one number of processes on one channel */

/* The median of each third number from @first on; NaN if they are. */
static gdouble
median_of (const gdouble *first, gint64 rounds)
{
  g_autofree gdouble *values = g_new (gdouble, (gsize) rounds);

  for (gint64 i = 0; i < rounds; i++)
    values[i] = first[3 * i];
  if (isnan (values[0]))
    return NAN;
  return pd_stats_median (values, (gsize) rounds);
}

static gboolean
add_cell (Contention *self, PdContentionCell cell, const gdouble *numbers, GError **error)
{
  gint64 rounds = self->options.rounds;
  g_autofree gdouble *slowest = g_new (gdouble, (gsize) rounds);
  PdStats stats;

  if (numbers[PD_SHARING_WRONG] != 0)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DATA,
                   "%s, cf %u: a message of %" G_GINT64_FORMAT " bytes brought wrong data",
                   pd_level_name (cell.level), cell.sharing, cell.bytes);
      return FALSE;
    }
  for (gint64 i = 0; i < rounds; i++)
    slowest[i] = numbers[PD_SHARING_ROUNDS + 3 * i];
  pd_stats_compute (slowest, (gsize) rounds, 0, 0.95, &stats);
  cell.repetitions = (gint64) numbers[PD_SHARING_REPETITIONS];
  cell.rounds = (guint) rounds;
  cell.late = (guint) numbers[PD_SHARING_LATE];
  cell.median = stats.median;
  cell.low = stats.median_low;
  cell.high = stats.median_high;
  cell.mean = median_of (numbers + PD_SHARING_ROUNDS + 1, rounds);
  cell.together = median_of (numbers + PD_SHARING_ROUNDS + 2, rounds);
  g_array_append_val (self->cells, cell);
  return TRUE;
}

static gboolean
takes_part (const GArray *exchanges, int rank)
{
  for (guint i = 0; i < exchanges->len; i++)
    if (g_array_index (exchanges, PdExchange, i).rank == rank)
      return TRUE;
  return FALSE;
}

/* The first of those that exchange tells rank 0, while all others sleep. */
static gboolean
run_size (Contention *self, PdContentionCell cell, PdSharers *sharers, int first, GError **error)
{
  gsize n = PD_SHARING_NUMBERS (self->options.rounds);
  g_autofree gdouble *numbers = g_new0 (gdouble, n);
  gboolean fine = TRUE;

  if (self->sync != NULL)
    pd_sync_refresh (self->sync);
  if (sharers != NULL)
    pd_sharers_measure (sharers, &self->options, cell.bytes, numbers);
  pd_mpi_idle (MPI_COMM_WORLD);
  if (first != 0 && self->rank == first)
    MPI_Send (numbers, (int) n, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
  if (first != 0 && self->rank == 0)
    MPI_Recv (numbers, (int) n, MPI_DOUBLE, first, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (self->rank == 0)
    fine = add_cell (self, cell, numbers, error);
  MPI_Bcast (&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return fine;
}

static gboolean
run_sharing (Contention *self, PdLevel level, guint cf, GError **error)
{
  g_autoptr (GArray) exchanges = pd_pairs_share (self->pairs, level, cf);
  int first = g_array_index (exchanges, PdExchange, 0).rank;
  gboolean mine = takes_part (exchanges, self->rank), fine = TRUE;
  PdSharers sharers = { .timer = self->timer, .sync = self->sync };
  PdContentionCell cell = { .level = level, .sharing = cf, .processes = exchanges->len };
  guint n = self->options.sizes->len;

  if (mine)
    pd_sharers_begin (&sharers, exchanges, self->rank, size_at (self, n - 1));
  for (guint i = 0; fine && i < n; i++)
    {
      cell.bytes = size_at (self, i);
      if (self->rank == 0)
        pd_progress (self->options.quiet, "%s, cf %u of %u: %" G_GINT64_FORMAT " bytes (%u of %u)",
                     pd_level_name (level), cf, pd_pairs_most (self->pairs, level), cell.bytes,
                     i + 1, n);
      fine = run_size (self, cell, mine ? &sharers : NULL, first, error);
    }
  if (mine)
    pd_sharers_end (&sharers);
  return fine;
}

static gboolean
is_counted (const Contention *self, guint cf)
{
  const GArray *counts = self->options.counts;

  for (guint i = 0; counts != NULL && i < counts->len; i++)
    if (g_array_index (counts, gint64, i) == cf)
      return TRUE;
  return counts == NULL;
}

static void
skip_level (const Contention *self, PdLevel level)
{
  g_autofree char *name = g_strconcat ("skipped_", pd_level_name (level), NULL);

  pd_sheet_fact (self->output, name, "%s", pd_pairs_why (level));
  if (self->rank == 0)
    pd_progress (self->options.quiet, "%s: skipped, %s", pd_level_name (level),
                 pd_pairs_why (level));
}

static gboolean
run_levels (Contention *self, GError **error)
{
  guint measured = 0;

  for (PdLevel level = 0; level < PD_N_LEVELS; level++)
    {
      guint most = pd_pairs_most (self->pairs, level);
      if (!self->options.wanted[level])
        continue;
      if (most == 0)
        skip_level (self, level);
      for (guint cf = 1; cf <= most; cf++)
        if (is_counted (self, cf) && !run_sharing (self, level, cf, error))
          return FALSE;
      measured += most;
    }
  if (measured > 0)
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_ABSENT,
               "no processes share a channel: expected two on one socket, on two sockets or on "
               "two nodes");
  return FALSE;
}

/* ---- what is told */

static void
add_rows (const Contention *self)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      const PdContentionCell *one = &g_array_index (self->cells, PdContentionCell, i);
      const PdCell cells[] = {
        { .text = pd_level_name (one->level) },
        { .integer = one->bytes },
        { .integer = one->sharing },
        { .integer = one->processes },
        { .integer = one->repetitions },
        { .integer = one->rounds },
        { .real = one->median * 1e6 },
        { .real = one->low * 1e6 },
        { .real = one->high * 1e6 },
        { .real = one->mean * 1e6 },
        { .real = pd_contention_throughput (one) * 1e-6 },
        { .real = one->factor },
        { .integer = one->super_linear },
        { .real = one->together },
        { .integer = one->late },
        { .integer = self->sync != NULL },
        { .integer = self->places.bound },
        { .integer = self->places.pretended },
        { .integer = self->crowded },
      };
      G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (contention_columns));
      pd_sheet_row (self->output, &contention_table, cells);
    }
}

static void
add_places (const Contention *self)
{
  for (guint i = 0; i < self->places.n; i++)
    {
      const PdPlace *place = &self->places.places[i];
      const PdCell cells[] = {
        { .integer = i },
        { .integer = place->node },
        { .integer = place->socket },
        { .integer = place->core },
        { .integer = place->thread },
        { .integer = self->places.bound },
        { .integer = self->places.pretended },
      };
      G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (place_columns));
      pd_sheet_row (self->output, &place_table, cells);
    }
}

static void
add_advice_row (const Contention *self, const char *level, const PdContentionBest *best,
                gint64 per_node, const char *reason)
{
  g_autofree char *text = NULL;
  const PdCell cells[] = {
    { .text = level },
    { .integer = best->sharing },
    { .integer = per_node },
    { .integer = best->least },
    { .integer = best->most },
    { .real = best->gain },
    { .integer = self->places.pretended },
    { .integer = self->crowded },
    { .text = reason },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (advice_columns));
  pd_sheet_row (self->output, &advice_table, cells);
  text = g_strdup_printf ("%s: %s\n", level, reason);
  pd_sheet_note (self->output, text);
}

/* Sockets of the node of a level's channel that have processes: cf is of one of them. */
static gint64
count_sockets (const Contention *self, PdLevel level)
{
  g_autoptr (GHashTable) sockets = g_hash_table_new (NULL, NULL);
  int node[2], socket[2];

  if (level == PD_LEVEL_NETWORK)
    return 1;
  pd_pairs_ends (self->pairs, level, node, socket);
  for (guint i = 0; i < self->places.n; i++)
    if (self->places.places[i].node == node[0])
      g_hash_table_add (sockets, GINT_TO_POINTER (self->places.places[i].socket));
  return g_hash_table_size (sockets);
}

static const char *
get_remark (const Contention *self)
{
  static const char *const remarks[2][2] = { { "", "pretended" },
                                             { "oversubscribed", "pretended, oversubscribed" } };

  return remarks[self->crowded != 0][self->places.pretended != 0];
}

/* How many times the data of the smallest cf the recommended one moves. */
static char *
format_reason (const Contention *self, const PdContentionBest *best, const char *per)
{
  const char *remark = get_remark (self), *dot = remark[0] != '\0' ? "; " : "";

  if (best->least == best->most)
    return g_strdup_printf ("cf %u per %s is the only one that was measured%s%s", best->most, per,
                            dot, remark);
  return g_strdup_printf ("cf %u per %s of %u to %u moves %.2f times the data of cf %u, at most "
                          "%.2f are reached%s%s",
                          best->sharing, per, best->least, best->most, best->gain, best->least,
                          best->greatest, dot, remark);
}

/* What is recommended for a level. */
typedef struct
{
  gboolean known;
  PdContentionBest best;
  gint64 per_node;
} Advice;

/* Whether @a recommends less than @b: what has no alternatives only counts where nothing has. */
static gboolean
is_narrower (const Advice *a, const Advice *b)
{
  gboolean a_compared = a->best.least < a->best.most, b_compared = b->best.least < b->best.most;

  if (!b->known || a_compared != b_compared)
    return !b->known || a_compared;
  return a->per_node < b->per_node;
}

/* By level, then the least of them: who uses several channels waits for the narrowest. */
static void
add_advice (const Contention *self)
{
  static const char *const per[] = { "socket", "socket", "node" };
  const char *dot = get_remark (self)[0] != '\0' ? "; " : "";
  Advice narrowest = { .known = FALSE };
  PdLevel of = PD_N_LEVELS;

  for (PdLevel level = 0; level < PD_N_LEVELS; level++)
    {
      Advice advice = { .known = TRUE };
      if (!pd_contention_find_best (self->cells, level, &advice.best))
        continue;
      advice.per_node = advice.best.sharing * count_sockets (self, level);
      g_autofree char *reason = format_reason (self, &advice.best, per[level]);
      add_advice_row (self, pd_level_name (level), &advice.best, advice.per_node, reason);
      if (!is_narrower (&advice, &narrowest))
        continue;
      narrowest = advice;
      of = level;
    }
  if (!narrowest.known)
    return;
  g_autofree char *reason = g_strdup_printf ("the least of all levels, that of level %s%s%s",
                                             pd_level_name (of), dot, get_remark (self));
  add_advice_row (self, "overall", &narrowest.best, narrowest.per_node, reason);
}

static void
add_matrices (const Contention *self)
{
  for (PdLevel level = 0; level < PD_N_LEVELS; level++)
    for (int factors = 0; pd_pairs_most (self->pairs, level) > 0 && factors < 2; factors++)
      if (self->options.wanted[level])
        {
          g_autofree char *text =
              pd_contention_format (self->cells, level, factors, get_remark (self));
          pd_sheet_note (self->output, text);
        }
}

static void
add_facts (const Contention *self)
{
  PdSheet *out = self->output;

  pd_sheet_fact (out, "nodes", "%u", self->places.nodes);
  pd_sheet_fact (out, "sockets_per_node", "%u", self->places.sockets);
  pd_sheet_fact (out, "cores_per_socket", "%u", self->places.cores);
  pd_sheet_fact (out, "binding", "%s", self->places.how);
  if (self->options.topology != NULL)
    pd_sheet_fact (out, "pretended_topology", "%s", self->options.topology);
  if (self->options.per_node > 0)
    pd_sheet_fact (out, "pretended_nodes", "of %" G_GINT64_FORMAT " processes each",
                   self->options.per_node);
  if (self->sync == NULL)
    pd_sheet_fact (out, "start", "as published: behind a barrier");
  else
    pd_sheet_fact (out, "start",
                   "by common clocks that are apart by %.2f us at the beginning and %.2f us at "
                   "the end",
                   fabs (self->clocks[0].error) * 1e6, fabs (self->clocks[1].error) * 1e6);
  pd_sheet_fact (out, "model", "contention counts=processors directions=together");
}

/* ---- the command */

/* Where processes wait for processors clocks are told only. */
static gboolean
verify_clocks (Contention *self, int at, GError **error)
{
  gdouble bound = self->crowded ? (gdouble) INFINITY : self->options.bound * 1e-6;

  return self->sync == NULL || pd_sync_verify (self->sync, bound, &self->clocks[at], error);
}

static gboolean
find_pairs (Contention *self, GError **error)
{
  PdPairsOf of = self->crowded           ? PD_PAIRS_PROCESSES
                 : self->options.threads ? PD_PAIRS_THREADS
                                         : PD_PAIRS_CORES;

  if (!pd_places_find (MPI_COMM_WORLD, &self->options, &self->places, error))
    return FALSE;
  self->pairs = pd_pairs_new (self->places.places, self->places.n, of);
  return TRUE;
}

static gboolean
prepare (Contention *self, GError **error)
{
  PdSyncOptions sync = PD_SYNC_OPTIONS_DEFAULT;
  PdTimerKind kind = pd_timer_find (self->options.timer, error);

  if (kind == PD_N_TIMERS)
    return FALSE;
  sync.duration = self->options.duration;
  sync.algorithm = pd_sync_find (self->options.algorithm, error);
  if (sync.algorithm == PD_N_SYNCS)
    return FALSE;
  MPI_Comm_rank (MPI_COMM_WORLD, &self->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &self->size);
  if (self->size < 2)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
                   "expected at least 2 processes: mpiexec -n 2 predictor-measure contention");
      return FALSE;
    }
  /* who may run where is asked before it is changed */
  if (!pd_mpi_check_crowd (MPI_COMM_WORLD, self->options.force, &self->crowded, error)
      || !find_pairs (self, error)
      || !pd_mpi_timer_start (MPI_COMM_WORLD, &self->timer, kind, error))
    return FALSE;
  if (!self->options.as_published)
    self->sync = pd_sync_new (MPI_COMM_WORLD, &self->timer, &sync);
  pd_mpi_facts (MPI_COMM_WORLD, self->output, kind, self->crowded);
  return verify_clocks (self, 0, error);
}

/* Clocks that have moved are told behind what was measured. */
static gboolean
finish (Contention *self, GError **error)
{
  g_autoptr (GError) moved = NULL;

  verify_clocks (self, 1, &moved);
  if (self->rank == 0)
    {
      add_facts (self);
      pd_contention_compare (self->cells);
      add_places (self);
      add_rows (self);
      add_advice (self);
      add_matrices (self);
      if (!pd_sheet_write (self->output, &self->options.files, error))
        return FALSE;
    }
  if (moved == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&moved));
  return FALSE;
}

gboolean
pd_measure_contention (int argc, char **argv, GError **error)
{
  Contention self = { .rank = 0 };
  gboolean fine = pd_contention_options_parse (&self.options, argc, argv, error);

  if (fine)
    {
      self.output = pd_sheet_new ("contention");
      self.cells = g_array_new (FALSE, FALSE, sizeof (PdContentionCell));
      fine = prepare (&self, error) && run_levels (&self, error) && finish (&self, error);
    }
  g_clear_pointer (&self.cells, g_array_unref);
  pd_pairs_free (self.pairs);
  pd_places_clear (&self.places);
  pd_sync_free (self.sync);
  pd_sheet_free (self.output);
  pd_contention_options_clear (&self.options);
  return fine;
}
