/* The report of contention: facts, tables, matrices, the recommended number of processes.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-sharers.h"
#include "measure/mpi/mpi-contention-report.h"

#include <math.h>

typedef PdContentionRun Contention;

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

/* ---- rows */

static void
add_rows (const Contention *self)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      const PdContentionCell *one = &g_array_index (self->cells, PdContentionCell, i);
      const PdSheetCell cells[] = {
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
      const PdCpuPlace *place = &self->places.places[i];
      const PdSheetCell cells[] = {
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

/* The row of a number of processes; @why: of the text. */
static void
add_advice_row (const Contention *self, const char *level, const PdContentionBest *best,
                gint64 per_node, const char *reason, GString *why)
{
  const PdSheetCell cells[] = {
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
  g_string_append_printf (why, "%s: %s\n", level, reason);
}

/* Sockets of the node of a level's channel that have processes: cf is of one of them. */
static gint64
count_sockets (const Contention *self, PdPairLevel level)
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

/* The recommendation for a level. */
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
  g_autoptr (GString) why = g_string_new (NULL);
  Advice narrowest = { .known = FALSE };
  PdPairLevel of = PD_N_LEVELS;

  for (PdPairLevel level = 0; level < PD_N_LEVELS; level++)
    {
      Advice advice = { .known = TRUE };
      if (!pd_contention_find_best (self->cells, level, &advice.best))
        continue;
      advice.per_node = advice.best.sharing * count_sockets (self, level);
      g_autofree char *reason = format_reason (self, &advice.best, per[level]);
      add_advice_row (self, pd_level_name (level), &advice.best, advice.per_node, reason, why);
      if (!is_narrower (&advice, &narrowest))
        continue;
      narrowest = advice;
      of = level;
    }
  if (!narrowest.known)
    return;
  g_autofree char *reason = g_strdup_printf ("the least of all levels, that of level %s%s%s",
                                             pd_level_name (of), dot, get_remark (self));
  add_advice_row (self, "overall", &narrowest.best, narrowest.per_node, reason, why);
  pd_sheet_note (self->output, why->str);
}

static void
add_matrices (const Contention *self)
{
  for (PdPairLevel level = 0; level < PD_N_LEVELS; level++)
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

void
pd_contention_report (const PdContentionRun *self)
{
  add_facts (self);
  add_places (self);
  add_rows (self);
  add_advice (self);
  add_matrices (self);
}
