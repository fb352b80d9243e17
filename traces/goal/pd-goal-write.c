/* Writers of GOAL. The successors of an operation become ready in their order, so both
 * forms keep that order.
 * SPDX-License-Identifier: MIT */
#include "traces/goal/pd-goal.h"
#include "traces/goal/pd-goal-write.h"

#include <string.h>

#define NODE_SIZE 39
#define HEAD_SIZE 6
#define RANK_SIZE 16

/* ---- text */

static void
write_word (PdOutput *out, const char *word, guint32 value)
{
  pd_output_text (out, word);
  if (value == PD_GRAPH_ANY)
    pd_output_text (out, "-1");
  else
    pd_output_int (out, value);
}

static void
write_op (PdOutput *out, guint32 i, const PdGraphOp *op)
{
  static const char *const words[] = {
    [PD_GRAPH_SEND] = ": send ", [PD_GRAPH_RECV] = ": recv ", [PD_GRAPH_CALC] = ": calc "
  };

  pd_output_char (out, 'l');
  pd_output_int (out, i);
  pd_output_text (out, words[op->kind]);
  pd_output_int (out, op->size);
  if (op->kind != PD_GRAPH_CALC)
    {
      write_word (out, op->kind == PD_GRAPH_SEND ? "b to " : "b from ", op->peer);
      write_word (out, " tag ", op->tag);
    }
  if (op->cpu != 0)
    write_word (out, " cpu ", op->cpu);
  if (op->nic != 0)
    write_word (out, " nic ", op->nic);
  pd_output_char (out, '\n');
}

static void
write_dependency (PdOutput *out, guint32 op, guint32 on, gboolean on_start)
{
  pd_output_char (out, 'l');
  pd_output_int (out, op);
  pd_output_text (out, on_start ? " irequires l" : " requires l");
  pd_output_int (out, on);
  pd_output_char (out, '\n');
}

/* Whether what each operation waits for can be written right behind it: the
 * successors of each one are in the order of operations, and behind it. */
static gboolean
is_in_order (const PdGraph *graph, guint32 rank, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    {
      guint32 last[2] = { i, i }, n_next = pd_graph_get_n_successors (graph, rank, i);

      for (guint32 k = 0; k < n_next; k++)
        {
          gboolean on_start;
          guint32 op = pd_graph_get_successor (graph, rank, i, k, &on_start);

          if (op < last[on_start] || op == i)
            return FALSE;
          last[on_start] = op;
        }
    }
  return TRUE;
}

/* The dependencies of each operation: @first[op] to before @first[op + 1] of the
 * result. Bit 32 is set if the operation waits for a start. */
static guint64 *
list_dependencies (const PdGraph *graph, guint32 rank, guint32 n, guint64 *first)
{
  g_autofree guint32 *counts = g_new (guint32, (gsize) n + 1);
  guint64 *list, sum = 0;
  g_autofree guint64 *next = g_new (guint64, n);

  pd_graph_count_dependencies (graph, rank, counts);
  for (guint32 i = 0; i < n; i++)
    {
      first[i] = next[i] = sum;
      sum += counts[i];
    }
  first[n] = sum;
  list = g_new (guint64, sum);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 n_next = pd_graph_get_n_successors (graph, rank, i);
      for (guint32 k = 0; k < n_next; k++)
        {
          gboolean on_start;
          guint32 op = pd_graph_get_successor (graph, rank, i, k, &on_start);
          list[next[op]++] = (guint64) on_start << 32 | i;
        }
    }
  return list;
}

/* Each operation, and behind it its dependencies. */
static void
write_in_order (const PdGraph *graph, guint32 rank, guint32 n, PdOutput *out)
{
  g_autofree guint64 *first = g_new (guint64, (gsize) n + 1);
  g_autofree guint64 *list = list_dependencies (graph, rank, n, first);

  for (guint32 i = 0; i < n; i++)
    {
      PdGraphOp op;

      pd_graph_get_op (graph, rank, i, &op);
      write_op (out, i, &op);
      for (guint64 k = first[i]; k < first[i + 1]; k++)
        write_dependency (out, i, (guint32) list[k], list[k] >> 32 != 0);
    }
}

/* All operations, then all dependencies, by the operation that is waited for. */
static void
write_apart (const PdGraph *graph, guint32 rank, guint32 n, PdOutput *out)
{
  for (guint32 i = 0; i < n; i++)
    {
      PdGraphOp op;

      pd_graph_get_op (graph, rank, i, &op);
      write_op (out, i, &op);
    }
  for (guint32 i = 0; i < n; i++)
    {
      guint32 n_next = pd_graph_get_n_successors (graph, rank, i);
      for (guint32 k = 0; k < n_next; k++)
        {
          gboolean on_start;
          guint32 op = pd_graph_get_successor (graph, rank, i, k, &on_start);
          write_dependency (out, op, i, on_start);
        }
    }
}

void
pd_goal_write_text (const PdGraph *graph, PdOutput *out)
{
  guint32 n_ranks = pd_graph_get_n_ranks (graph);

  write_word (out, "num_ranks ", n_ranks);
  pd_output_char (out, '\n');
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      guint32 n = pd_graph_get_n_ops (graph, rank);

      write_word (out, "\nrank ", rank);
      pd_output_text (out, " {\n");
      if (is_in_order (graph, rank, n))
        write_in_order (graph, rank, n, out);
      else
        write_apart (graph, rank, n, out);
      pd_output_text (out, "}\n");
    }
}

/* ---- binary */

static guint8 *
put_u32 (guint8 *at, guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (at, &value, sizeof value);
  return at + sizeof value;
}

static guint8 *
put_u64 (guint8 *at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (at, &value, sizeof value);
  return at + sizeof value;
}

static void
add_u32 (PdOutput *out, guint32 value)
{
  guint8 bytes[4];

  put_u32 (bytes, value);
  pd_output_add (out, bytes, sizeof bytes);
}

/* The bytes of @rank's part. @waits has room for its operations. */
static guint64
count_part (const PdGraph *graph, guint32 rank, guint32 *waits)
{
  guint32 n = pd_graph_get_n_ops (graph, rank);
  guint64 size = 8 + (guint64) n * NODE_SIZE;

  pd_graph_count_dependencies (graph, rank, waits);
  for (guint32 i = 0; i < n; i++)
    size += 4 * (guint64) waits[i] + (waits[i] == 0 ? 4 : 0);
  return size;
}

static guint32
count_started (const PdGraph *graph, guint32 rank, guint32 i, guint32 n)
{
  guint32 k = 0;
  gboolean on_start = TRUE;

  while (k < n)
    {
      pd_graph_get_successor (graph, rank, i, k, &on_start);
      if (!on_start)
        break;
      k++;
    }
  return k;
}

static void
write_node (const PdGraph *graph, guint32 rank, guint32 i, guint32 waits, guint32 *first,
            PdOutput *out)
{
  static const guint8 kinds[] = { [PD_GRAPH_SEND] = 1, [PD_GRAPH_RECV] = 2, [PD_GRAPH_CALC] = 3 };
  guint32 n = pd_graph_get_n_successors (graph, rank, i);
  guint32 n_start = count_started (graph, rank, i, n);
  guint8 bytes[NODE_SIZE], *at = bytes;
  PdGraphOp op;

  pd_graph_get_op (graph, rank, i, &op);
  at = put_u32 (at, waits);
  *at++ = kinds[op.kind];
  at = put_u32 (at, op.peer);
  at = put_u64 (at, (guint64) op.size);
  at = put_u32 (at, op.tag);
  *at++ = op.cpu;
  *at++ = op.nic;
  at = put_u32 (at, n - n_start);
  at = put_u32 (at, *first);
  at = put_u32 (at, n_start);
  put_u32 (at, *first + (n - n_start));
  *first += n;
  pd_output_add (out, bytes, sizeof bytes);
}

/* The list has those that wait for the end first, the graph the others. */
static void
write_list (const PdGraph *graph, guint32 rank, guint32 i, PdOutput *out)
{
  guint32 n = pd_graph_get_n_successors (graph, rank, i);
  guint32 n_start = count_started (graph, rank, i, n);

  for (guint32 k = 0; k < n; k++)
    {
      gboolean on_start;
      add_u32 (out, pd_graph_get_successor (graph, rank, i, (n_start + k) % n, &on_start));
    }
}

static void
write_part (const PdGraph *graph, guint32 rank, guint32 *waits, PdOutput *out)
{
  guint32 n = pd_graph_get_n_ops (graph, rank), n_roots = 0, first = 0;

  pd_graph_count_dependencies (graph, rank, waits);
  for (guint32 i = 0; i < n; i++)
    n_roots += waits[i] == 0;
  add_u32 (out, n);
  add_u32 (out, n_roots);
  for (guint32 i = 0; i < n; i++)
    if (waits[i] == 0)
      add_u32 (out, i);
  for (guint32 i = 0; i < n; i++)
    write_node (graph, rank, i, waits[i], &first, out);
  for (guint32 i = 0; i < n; i++)
    write_list (graph, rank, i, out);
}

void
pd_goal_write_binary (const PdGraph *graph, PdOutput *out)
{
  const PdGraphTotals *totals = pd_graph_get_totals (graph);
  guint32 n_ranks = pd_graph_get_n_ranks (graph), most = 0;
  guint64 at = HEAD_SIZE + (guint64) n_ranks * RANK_SIZE;
  guint8 bytes[RANK_SIZE];
  g_autofree guint32 *waits = NULL;

  for (guint32 rank = 0; rank < n_ranks; rank++)
    most = MAX (most, pd_graph_get_n_ops (graph, rank));
  waits = g_new (guint32, (gsize) most + 1);
  put_u64 (bytes, PD_GOAL_MAGIC);
  pd_output_add (out, bytes, 8);
  add_u32 (out, n_ranks);
  pd_output_char (out, (char) totals->max_cpu);
  pd_output_char (out, (char) totals->max_nic);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      put_u64 (bytes, at);
      at += count_part (graph, rank, waits);
      put_u64 (bytes + 8, at);
      pd_output_add (out, bytes, RANK_SIZE);
    }
  for (guint32 rank = 0; rank < n_ranks; rank++)
    write_part (graph, rank, waits, out);
}
