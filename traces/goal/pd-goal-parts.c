/* A part begins at a line of a rank. Whether that is one, and not a part of a comment, tells the
 * part before, which has to end there.
 * SPDX-License-Identifier: MIT */
#include "traces/goal/pd-goal-parts.h"

#include "traces/goal/pd-goal-binary-private.h"
#include "traces/goal/pd-goal-scan-private.h"
#include "traces/graph/pd-graph-join.h"
#include "traces/io/pd-numbers.h"
#include "traces/io/pd-parts.h"

/* Places of ranks that are worth no thought. */
#define SMALL 4096

/* Most operations with their dependencies have more bytes of text. */
#define BYTES_PER_OP 32

typedef struct
{
  const PdParts *parts;
  guint32 n_ranks;
  guint32 *ends;    /* (array length=parts->n): the rank behind those of each, 0: it failed */
  guint32 *begins;  /* (array length=parts->n): the first rank of each */
  PdGraph **graphs; /* (array length=parts->n) (nullable) */
} Job;

static gboolean
get_rank (const char *begin, const char *end, gint64 *rank)
{
  while (begin < end && (*begin == ' ' || *begin == '\t'))
    begin++;
  if (end - begin < 6 || memcmp (begin, "rank", 4) != 0 || (begin[4] != ' ' && begin[4] != '\t'))
    return FALSE;
  for (begin += 5; begin < end && (*begin == ' ' || *begin == '\t');)
    begin++;
  return pd_numbers_read_int (begin, end, rank) != NULL && *rank >= 0 && *rank < G_MAXUINT32;
}

static guint64
cut (const PdTraceSource *source, guint64 at, guint64 end)
{
  gint64 rank;
  guint64 line;

  return pd_parts_find_line (source, at, end, get_rank, &rank, &line) ? line : end;
}

static guint32
count_ranks (const PdTraceSource *source)
{
  g_autoptr (PdInput) input = pd_trace_source_open (source, NULL);
  g_auto (PdGoalParser) parser = { .name = NULL };

  if (input == NULL)
    return 0;
  pd_goal_parser_init (&parser, input, "", NULL);
  return pd_goal_parse_head (&parser) ? parser.n_ranks : 0;
}

/* Room for a part's graph, which only takes memory as far as it is used: a graph that grows is
 * copied while other threads need the memory, too. */
static void
reserve (const Job *self, guint i, PdGoalParser *parser)
{
  guint64 size = self->parts->begins[i + 1] - self->parts->begins[i];

  pd_graph_builder_reserve (parser->builder, size / BYTES_PER_OP, size / BYTES_PER_OP);
}

/* The state in which the parser of the whole text would come to part @i, if that begins a rank. */
static gboolean
begin_part (const Job *self, guint i, PdGoalParser *parser)
{
  gint64 rank;
  guint64 line;

  if (i == 0)
    {
      if (!pd_goal_parse_head (parser))
        return FALSE;
      reserve (self, i, parser);
      return TRUE;
    }
  if (!pd_parts_find_line (self->parts->source, self->parts->begins[i], self->parts->begins[i + 1],
                           get_rank, &rank, &line))
    return FALSE;
  parser->n_ranks = self->n_ranks;
  parser->rank = self->begins[i] = (guint32) rank;
  parser->builder = pd_graph_builder_new (self->n_ranks);
  reserve (self, i, parser);
  return TRUE;
}

static void
read_part (guint i, gpointer data)
{
  const Job *self = data;
  g_autoptr (PdInput) input = pd_parts_open (self->parts, i);
  g_auto (PdGoalParser) parser = { .name = NULL };

  if (input == NULL)
    return;
  pd_goal_parser_init (&parser, input, "", NULL);
  if (!begin_part (self, i, &parser) || !pd_goal_parse_lines (&parser) || parser.in_rank
      || parser.in_comment || parser.builder == NULL
      || pd_input_get_problem (input) != PD_INPUT_FINE)
    return;
  self->ends[i] = parser.rank;
  self->graphs[i] = pd_goal_finish (g_steal_pointer (&parser.builder), "", NULL);
}

/* Whether each part begins where the one before has ended. */
static gboolean
check_parts (const Job *self)
{
  guint32 rank = 0;

  for (guint i = 0; i < self->parts->n; i++)
    {
      if (self->graphs[i] == NULL || self->begins[i] != rank)
        return FALSE;
      rank = self->ends[i];
    }
  return rank == self->n_ranks;
}

PdGraph *
pd_goal_read_parts (const PdTraceSource *source, guint n_threads)
{
  g_auto (PdParts) parts = { .source = NULL };
  guint32 n_ranks;

  /* of more ranks each must have operations before it; each part has a place for every rank */
  if (!pd_parts_init (&parts, source, n_threads, cut) || (n_ranks = count_ranks (source)) == 0
      || n_ranks > PD_GRAPH_RANKS_FOR_NOTHING
      || (guint64) n_ranks * parts.n > MAX (parts.begins[parts.n], SMALL))
    return NULL;
  g_autofree guint32 *begins = g_new0 (guint32, parts.n);
  g_autofree guint32 *ends = g_new0 (guint32, parts.n);
  g_autofree PdGraph **graphs = g_new0 (PdGraph *, parts.n);
  const Job self = { &parts, n_ranks, ends, begins, graphs };
  pd_parallel_run (parts.n, parts.n_threads, read_part, (gpointer) &self);
  if (check_parts (&self))
    return pd_graph_join (graphs, parts.n, parts.n_threads);
  for (guint i = 0; i < parts.n; i++)
    pd_graph_free (graphs[i]);
  return NULL;
}
