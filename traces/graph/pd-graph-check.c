/* The checks of graphs: findings, and dependencies that can never be met.
 * SPDX-License-Identifier: MIT */
#include "traces/graph/pd-graph-check-private.h"
#include "traces/graph/pd-graph-check-messages-private.h"

#define MAX_LINES 8 /* findings of a kind that are reported each */
#define MAX_NAMED 8 /* operations of a cycle that are named */

void
pd_graph_check_find (PdGraphCheck *self, PdFinding finding, guint32 rank, guint32 op,
                     const char *format, ...)
{
  static const struct
  {
    const char *id;
    PdSeverity severity;
  } kinds[] = {
    [PD_FINDING_CYCLE] = { "graph-cycle", PD_SEVERITY_WARNING },
    [PD_FINDING_UNREACHABLE] = { "graph-unreachable", PD_SEVERITY_WARNING },
    [PD_FINDING_UNMATCHED] = { "graph-unmatched", PD_SEVERITY_WARNING },
    [PD_FINDING_TRUNCATED] = { "graph-truncated", PD_SEVERITY_WARNING },
    [PD_FINDING_SIZE] = { "graph-size-differs", PD_SEVERITY_NOTE },
    [PD_FINDING_SELF] = { "graph-self", PD_SEVERITY_NOTE },
  };
  guint64 n = self->counts[finding]++;
  PdPlace place = { .file = self->name, .number = -1, .rank = rank, .is_mp = TRUE };
  g_autofree char *text = NULL, *record = NULL;
  char subject[24];
  va_list args;

  g_snprintf (subject, sizeof subject, "%d", (int) MIN (n, MAX_LINES));
  if (n <= MAX_LINES)
    {
      va_start (args, format);
      text = g_strdup_vprintf (format, args);
      va_end (args);
      record = g_strdup_printf ("operation %" G_GUINT32_FORMAT, op);
      place.record = record;
    }
  pd_messages_add (self->messages, kinds[finding].severity, kinds[finding].id, subject, &place,
                   "%s", text != NULL ? text : "");
}

/* ---- cycles */

/* The operations of a rank that cannot start when all others have started. */
typedef struct
{
  PdGraphCheck *check;
  guint32 rank;
  guint32 n;
  guint32 n_left;
  guint32 *waits; /* > 0: the operation cannot start */
} Rest;

/* Lets all operations start whose dependencies are met. */
static void
run_off (Rest *self)
{
  const PdGraph *graph = self->check->graph;
  g_autofree guint32 *ready = g_new (guint32, self->n);
  guint32 n_ready = 0;

  pd_graph_count_dependencies (graph, self->rank, self->waits);
  for (guint32 i = 0; i < self->n; i++)
    if (self->waits[i] == 0)
      ready[n_ready++] = i;
  for (guint32 at = 0; at < n_ready; at++)
    {
      guint32 n_next = pd_graph_get_n_successors (graph, self->rank, ready[at]);
      for (guint32 k = 0; k < n_next; k++)
        {
          gboolean on_start;
          guint32 op = pd_graph_get_successor (graph, self->rank, ready[at], k, &on_start);
          if (--self->waits[op] == 0)
            ready[n_ready++] = op;
        }
    }
  self->n_left = self->n - n_ready;
}

static void
report_cycle (const Rest *self, const guint32 *path, guint32 n)
{
  GString *text = g_string_new (NULL);

  for (guint32 k = 0; k < MIN (n, MAX_NAMED); k++)
    g_string_append_printf (text, "%" G_GUINT32_FORMAT ", ", path[k]);
  if (n > MAX_NAMED)
    g_string_append_printf (text, "%" G_GUINT32_FORMAT " more, ", n - MAX_NAMED);
  pd_graph_check_find (self->check, PD_FINDING_CYCLE, self->rank, path[0],
                       "operations wait for each other: %s%" G_GUINT32_FORMAT " again", text->str,
                       path[0]);
  g_string_free (text, TRUE);
}

/* Follows the rest of the operations from @start, depth first; @next[i] is the successor of i
 * to look at, @place[i] the position of i on the path, from 1, or n + 1 if it is done.
 * Returns the length of the first cycle that closes, 0 if none does. */
static guint32
follow (const Rest *self, guint32 start, guint32 *next, guint32 *place, guint32 *path)
{
  const PdGraph *graph = self->check->graph;
  guint32 depth = 0;

  path[depth++] = start;
  place[start] = depth;
  while (depth > 0)
    {
      guint32 i = path[depth - 1], op;
      gboolean on_start;

      if (next[i] >= pd_graph_get_n_successors (graph, self->rank, i))
        {
          place[i] = self->n + 1;
          depth--;
          continue;
        }
      op = pd_graph_get_successor (graph, self->rank, i, next[i]++, &on_start);
      if (self->waits[op] == 0 || place[op] > self->n)
        continue;
      if (place[op] > 0)
        {
          report_cycle (self, path + place[op] - 1, depth - (place[op] - 1));
          return depth - (place[op] - 1);
        }
      path[depth++] = op;
      place[op] = depth;
    }
  return 0;
}

static void
check_rank (PdGraphCheck *check, guint32 rank)
{
  Rest self = { .check = check, .rank = rank, .n = pd_graph_get_n_ops (check->graph, rank) };
  g_autofree guint32 *waits = g_new (guint32, (gsize) self.n + 1);
  guint32 n_cycle = 0, first = 0;

  self.waits = waits;
  run_off (&self);
  if (self.n_left == 0)
    return;

  g_autofree guint32 *next = g_new0 (guint32, self.n);
  g_autofree guint32 *place = g_new0 (guint32, self.n);
  g_autofree guint32 *path = g_new (guint32, self.n);
  while (first < self.n && waits[first] == 0)
    first++;
  for (guint32 i = first; i < self.n && n_cycle == 0; i++)
    if (waits[i] > 0 && place[i] == 0)
      n_cycle = follow (&self, i, next, place, path);
  if (self.n_left > n_cycle)
    pd_graph_check_find (check, PD_FINDING_UNREACHABLE, rank, first,
                         "%" G_GUINT32_FORMAT
                         " more operations wait for those of a cycle, or are on another one",
                         self.n_left - n_cycle);
}

guint64
pd_graph_check (const PdGraph *graph, const char *name, PdMessages *messages)
{
  PdGraphCheck self = { .graph = graph, .name = name, .messages = messages };
  guint32 n_ranks = pd_graph_get_n_ranks (graph);

  for (guint32 rank = 0; rank < n_ranks; rank++)
    check_rank (&self, rank);
  pd_graph_check_messages (&self);
  return self.counts[PD_FINDING_CYCLE] + self.counts[PD_FINDING_UNREACHABLE]
         + self.counts[PD_FINDING_UNMATCHED] + self.counts[PD_FINDING_TRUNCATED];
}
