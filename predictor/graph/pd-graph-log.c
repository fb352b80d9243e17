/* SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-watchers.h"

typedef struct
{
  PdLog *log;
  const PdGraph *graph;
  guint64 *first; /* (array length=n_ranks): of its operations in @begins */
  PdTime *begins; /* of operations under way; else PENDING */
  GString *text;
} PdGraphLog;

static void
log_free (gpointer data)
{
  PdGraphLog *self = data;

  g_free (self->first);
  g_free (self->begins);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static void
say_message (GString *text, const char *what, const PdGraphOp *op)
{
  g_string_append (text, what);
  if (op->peer == PD_GRAPH_ANY)
    g_string_append (text, "any source");
  else
    g_string_append_printf (text, "%u", op->peer);
  if (op->tag != PD_GRAPH_ANY)
    g_string_append_printf (text, ", tag %u", op->tag);
  g_string_append_printf (text, ", %" G_GINT64_FORMAT " bytes", op->size);
}

static void
write_line (PdGraphLog *self, guint32 rank, guint32 number, PdTime end)
{
  const PdTime times[2] = { self->begins[self->first[rank] + number], end };
  PdGraphOp op;

  if (!pd_log_wants_action (self->log, rank, number))
    return;
  pd_graph_get_op (self->graph, rank, number, &op);
  g_string_truncate (self->text, 0);
  if (op.kind == PD_GRAPH_CALC)
    g_string_append (self->text, "calc");
  else
    say_message (self->text, op.kind == PD_GRAPH_SEND ? "send to " : "recv from ", &op);
  if (pd_graph_get_totals (self->graph)->max_cpu > 0)
    g_string_append_printf (self->text, "; CPU %u", op.cpu);
  pd_log_rank_action (self->log, rank, number, times, self->text->str);
}

static void
start (gpointer data, const PdDeed *deed)
{
  PdGraphLog *self = data;

  self->begins[self->first[deed->rank] + deed->number] = deed->begin;
}

static void
end (gpointer data, const PdDeed *deed)
{
  PdGraphLog *self = data;

  write_line (self, deed->rank, (guint32) deed->number, deed->end);
  self->begins[self->first[deed->rank] + deed->number] = PD_TIME_PENDING;
}

static gboolean
finish (gpointer data, const PdTime *ends G_GNUC_UNUSED, GError **error)
{
  PdGraphLog *self = data;

  for (guint32 rank = 0; rank < pd_graph_get_n_ranks (self->graph); rank++)
    for (guint32 op = 0; op < pd_graph_get_n_ops (self->graph, rank); op++)
      if (!pd_time_is_pending (self->begins[self->first[rank] + op]))
        write_line (self, rank, op, PD_TIME_PENDING);
  return pd_log_end (self->log, error);
}

static const PdWatcherClass class = {
  .is_at = start, .done = end, .finish = finish, .free = log_free
};

void
pd_graph_log_watch (PdWatcher **watchers, PdLog *log, const PdGraph *graph, const char *trace)
{
  if (log == NULL)
    return;
  PdGraphLog *self = g_new0 (PdGraphLog, 1);
  guint32 n = pd_graph_get_n_ranks (graph);
  guint64 n_ops = 0;

  self->log = log;
  self->graph = graph;
  self->text = g_string_new (NULL);
  self->first = g_new (guint64, MAX (n, 1));
  for (guint32 rank = 0; rank < n; rank++)
    {
      self->first[rank] = n_ops;
      n_ops += pd_graph_get_n_ops (graph, rank);
    }
  self->begins = g_new (PdTime, MAX (n_ops, 1));
  for (guint64 i = 0; i < n_ops; i++)
    self->begins[i] = PD_TIME_PENDING;
  pd_log_begin_ranks (log, trace, n);
  pd_watch (watchers, &class, self);
}
