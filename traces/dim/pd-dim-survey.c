/* Data of a trace that single records do not have. Only the root's record of a collective
 * operation marks the root, and only all events of a type show whether they mark blocks.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "traces/dim/pd-dim-lines-private.h"
#include "traces/dim/pd-dim-survey-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

const PdCollKind pd_dim_ops[PD_DIM_N_OPS] = {
  PD_COLL_BARRIER,        PD_COLL_BCAST,
  PD_COLL_GATHER,         PD_COLL_GATHERV,
  PD_COLL_SCATTER,        PD_COLL_SCATTERV,
  PD_COLL_ALLGATHER,      PD_COLL_ALLGATHERV,
  PD_COLL_ALLTOALL,       PD_COLL_ALLTOALLV,
  PD_COLL_REDUCE,         PD_COLL_ALLREDUCE,
  PD_COLL_REDUCE_SCATTER, PD_COLL_REDUCE_SCATTER_BLOCK,
  PD_COLL_SCAN,           PD_COLL_ALLTOALLW,
};

/* ---- the header */

/* The threads of each task: "(1,1,…)". */
static const char *
read_threads (PdDimSurvey *self, const char *p, gint64 n_tasks, GError **error)
{
  gint64 n = 0, threads;

  for (; p != NULL && n < n_tasks && (p = pd_dim_parse_int (p + 1, &threads)) != NULL; n++)
    {
      if (threads != 1)
        {
          pd_dim_fail (&self->lines, PD_TRACE_ERROR_FORMAT, error,
                       "task %" G_GINT64_FORMAT " has %" G_GINT64_FORMAT
                       " threads; only traces with one thread in each task can be read",
                       n, threads);
          return NULL;
        }
      if (*p != ',' && *p != ')')
        break;
      if (*p == ')' && n + 1 < n_tasks)
        break;
    }
  if (p != NULL && n == n_tasks && *p == ')' && (p[1] == ',' || p[1] == '\n' || p[1] == '\r'))
    return p + 1;
  pd_dim_fail (&self->lines, PD_TRACE_ERROR_SYNTAX, error,
               "header: expected the numbers of threads of %" G_GINT64_FORMAT
               " tasks in parentheses",
               n_tasks);
  return NULL;
}

/* "1,<offset>" or "0". */
static const char *
read_offset (PdDimSurvey *self, const char *p)
{
  guint64 offset = 0;
  gint64 flag;

  p = pd_dim_parse_int (p, &flag);
  if (p == NULL || *p != ',')
    return p;
  for (p++; g_ascii_isdigit (*p); p++)
    if (__builtin_mul_overflow (offset, 10, &offset)
        || __builtin_add_overflow (offset, (guint64) (*p - '0'), &offset))
      return NULL;
  if (flag != 0)
    self->definitions = offset;
  return p;
}

static gboolean
read_header (PdDimSurvey *self, const char **begin, const char *end, GError **error)
{
  static const char magic[] = "#DIMEMAS:\"";
  const char *p = *begin, *line_end = memchr (p, '\n', (gsize) (end - p));
  gint64 n_tasks = 0;

  if ((gsize) (end - p) < sizeof magic || memcmp (p, magic, sizeof magic - 1) != 0)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_FORMAT, error,
                        "not a Dimemas trace: expected '#DIMEMAS:\"'");
  p = memchr (p + sizeof magic - 1, '"', (gsize) (line_end - p) - (sizeof magic - 1));
  if (p != NULL)
    p = p[1] == ':' ? read_offset (self, p + 2) : NULL;
  if (p != NULL)
    p = *p == ':' ? pd_dim_parse_int (p + 1, &n_tasks) : NULL;
  if (p == NULL || *p != '(' || n_tasks < 1)
    return pd_dim_fail (
        &self->lines, PD_TRACE_ERROR_SYNTAX, error,
        "header: expected #DIMEMAS:\"NAME\":1,OFFSET:TASKS(THREADS,…),COMMUNICATORS");
  if (n_tasks > PD_PROGRAM_MAX_RANKS)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_LIMIT, error,
                        "%" G_GINT64_FORMAT " tasks are more than %d", n_tasks,
                        PD_PROGRAM_MAX_RANKS);
  if (read_threads (self, p, n_tasks, error) == NULL)
    return FALSE;
  self->n_tasks = (guint32) n_tasks;
  self->lines.line++;
  self->builder = pd_program_builder_new (self->n_tasks, PD_AMOUNT_TIME);
  pd_program_builder_fold (self->builder);
  *begin = line_end + 1;
  return TRUE;
}

/* ---- communicators */

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const PdDimMember *x = a, *y = b;

  return x->task < y->task ? -1 : x->task > y->task;
}

static void
comm_clear (gpointer data)
{
  PdDimComm *comm = data;

  if (comm->members != NULL)
    g_atomic_rc_box_release (comm->members);
  g_array_unref (comm->calls);
}

static gboolean
is_world (const PdDimSurvey *self, const GArray *tasks)
{
  for (guint32 i = 0; i < tasks->len; i++)
    if (g_array_index (tasks, guint32, i) != i)
      return FALSE;
  return tasks->len == self->n_tasks;
}

static gboolean
add_comm (PdDimSurvey *self, gint64 id, const GArray *tasks, GError **error)
{
  PdDimComm comm = { .id = id, .n = tasks->len };

  if (self->builder == NULL)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_FORMAT, error,
                        "communicators are expected before the records");
  if (self->is_late)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_FORMAT, error,
                        "communicators are expected before the collective operations on them");
  if (pd_dim_survey_find_comm (self, id) != NULL)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_VALUE, error,
                        "communicator %" G_GINT64_FORMAT " is defined twice", id);
  if (!is_world (self, tasks))
    {
      g_autoptr (GError) local = NULL;
      comm.index = pd_program_builder_add_comm (self->builder, (const guint32 *) tasks->data,
                                                tasks->len, &local);
      if (comm.index == 0)
        return pd_dim_fail (&self->lines, PD_TRACE_ERROR_VALUE, error, "%s", local->message);
      comm.members = g_atomic_rc_box_alloc (tasks->len * sizeof (PdDimMember));
      for (guint32 i = 0; i < tasks->len; i++)
        comm.members[i] = (PdDimMember){ g_array_index (tasks, guint32, i), i };
      qsort (comm.members, comm.n, sizeof *comm.members, compare_members);
    }
  comm.calls = g_array_new (FALSE, TRUE, sizeof (PdDimCall));
  g_array_append_val (self->comms, comm);
  return TRUE;
}

/* "d:1:comm:n:t0:t1:…"; windows and files are not looked at. */
static gboolean
read_definition (PdDimSurvey *self, const char *p, GError **error)
{
  g_autoptr (GArray) tasks = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64 head[3];
  guint n = G_N_ELEMENTS (head);
  gint64 task = 0;

  pd_dim_parse_ints (p, head, &n);
  if (n >= 1 && head[0] != 1)
    return TRUE;
  for (guint colons = 0; n == 3 && colons < 3 && *p != '\n'; p++)
    colons += *p == ':';
  while (n == 3 && tasks->len < head[2] && (p = pd_dim_parse_int (p, &task)) != NULL)
    {
      guint32 number = (guint32) task;
      if (task < 0 || task >= self->n_tasks)
        return pd_dim_fail (&self->lines, PD_TRACE_ERROR_VALUE, error,
                            "task %" G_GINT64_FORMAT " does not exist; there are %u", task,
                            self->n_tasks);
      g_array_append_val (tasks, number);
      if (*p == ':')
        p++;
    }
  if (n == 3 && p != NULL && (gint64) tasks->len == head[2] && (*p == '\n' || *p == '\r'))
    return add_comm (self, head[1], tasks, error);
  return pd_dim_fail (&self->lines, PD_TRACE_ERROR_SYNTAX, error,
                      "expected d:1:COMMUNICATOR:N:TASK:… with N tasks");
}

PdDimComm *
pd_dim_survey_find_comm (PdDimSurvey *self, gint64 id)
{
  PdDimComm *comms = (PdDimComm *) (gpointer) self->comms->data;

  if (self->comm < self->comms->len && comms[self->comm].id == id)
    return &comms[self->comm];
  gpointer index = g_hash_table_lookup (self->comm_index, &id);
  for (guint i = self->n_indexed; index == NULL && i < self->comms->len; i++)
    {
      pd_dim_add_index (self->comm_index, comms[i].id, i);
      self->n_indexed = i + 1;
      if (comms[i].id == id)
        index = GUINT_TO_POINTER (i + 1);
    }
  if (index == NULL)
    return NULL;
  self->comm = GPOINTER_TO_UINT (index) - 1;
  return &comms[self->comm];
}

gint64
pd_dim_comm_get_rank (const PdDimComm *self, gint64 task)
{
  guint32 low = 0, high = self->n;

  if (self->members == NULL)
    return task >= 0 && task < self->n ? task : -1;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (self->members[middle].task < task)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->n && self->members[low].task == task ? (gint64) self->members[low].rank : -1;
}

/* ---- collective operations */

static const char *
op_name (gint64 op)
{
  return pd_coll_name (pd_dim_ops[op % PD_DIM_N_OPS]);
}

/* A root says so itself; prv2dim has every member of a reduction name it. */
static gboolean
note_root (PdDimSurvey *self, const PdDimComm *comm, PdDimCall *call, guint32 task,
           const gint64 *values, guint n, GError **error)
{
  gboolean is_named = values[0] < PD_DIM_N_OPS && pd_dim_ops[values[0]] == PD_COLL_REDUCE
                      && pd_dim_get_sync (values, n) == PD_DIM_ROOT_SYNC;
  gint64 root = is_named ? values[2] : task;

  if (!is_named && values[2] != 1)
    return TRUE;
  if (is_named && pd_dim_comm_get_rank (comm, root) < 0)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_VALUE, error,
                        "the root of reduce is task %" G_GINT64_FORMAT
                        ", expected a member of communicator %" G_GINT64_FORMAT,
                        root, comm->id);
  if (call->has_root && call->root != root)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_VALUE, error,
                        "tasks %u and %" G_GINT64_FORMAT " are both root of %s, number %u on "
                        "communicator %" G_GINT64_FORMAT,
                        call->root, root, op_name (call->op), comm->n_called, comm->id);
  call->has_root = TRUE;
  call->root = (guint32) root;
  return TRUE;
}

/* The same operation by all members, and one root. */
static gboolean
note_call (PdDimSurvey *self, PdDimComm *comm, guint32 task, const gint64 *values, guint n,
           GError **error)
{
  PdDimCall new = { .op = (guint8) values[0] };

  if (comm->task != task + 1)
    comm->n_called = 0;
  comm->task = task + 1;
  if (comm->n_called == comm->calls->len)
    g_array_append_val (comm->calls, new);
  PdDimCall *call = &g_array_index (comm->calls, PdDimCall, comm->n_called++);
  if (call->op != new.op)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_VALUE, error,
                        "task %u calls %s as number %u on communicator %" G_GINT64_FORMAT
                        ", where others call %s",
                        task, op_name (values[0]), comm->n_called, comm->id, op_name (call->op));
  return note_root (self, comm, call, task, values, n, error);
}

/* "10:task:thr:op:comm:is_root:root_thr:sent:recvd[:synch]"; errors of the record itself
 * are found later. */
static gboolean
look_at_collective (PdDimSurvey *self, const char *p, GError **error)
{
  gint64 values[9];
  guint n = G_N_ELEMENTS (values);

  if (pd_dim_parse_ints (p, values, &n) == NULL || n < 8 || values[2] < 0
      || values[2] >= 2 * PD_DIM_N_OPS || values[0] < 0 || values[0] >= self->n_tasks
      || pd_dim_get_sync (values + 2, n - 2) == PD_DIM_WAIT)
    return TRUE;
  PdDimComm *comm = pd_dim_survey_find_comm (self, values[3]);
  self->is_late = self->is_late || comm == NULL;
  return comm == NULL || note_call (self, comm, (guint32) values[0], values + 2, n - 2, error);
}

/* ---- lines */

static gboolean
look_at_line (PdDimSurvey *self, const char *p, GError **error)
{
  if (p[0] == 'd' && p[1] == ':')
    return read_definition (self, p + 2, error);
  if (p[0] == '1' && p[1] == '0' && p[2] == ':')
    return look_at_collective (self, p + 3, error);
  if (p[0] == '2' && p[1] == '0' && p[2] == ':')
    pd_dim_look_at_event (self, p + 3);
  return TRUE;
}

void
pd_dim_survey_init (PdDimSurvey *self)
{
  *self = (PdDimSurvey){ .comms = g_array_new (FALSE, FALSE, sizeof (PdDimComm)),
                         .types = g_array_new (FALSE, FALSE, sizeof (PdDimEventType)),
                         .open = g_array_new (FALSE, FALSE, sizeof (guint)) };
  g_array_set_clear_func (self->comms, comm_clear);
  self->comm_index = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->type_index = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

/* Most lines are not looked at. */
static inline gboolean
may_matter (const char *p)
{
  return p[0] == 'd' || ((p[0] == '1' || p[0] == '2') && p[1] == '0');
}

/* The line behind the one at @p. */
static inline const char *
next_line (PdDimSurvey *self, const char *p, const char *end)
{
  self->lines.line++;
  return (const char *) memchr (p, '\n', (gsize) (end - p)) + 1;
}

gboolean
pd_dim_survey_lines (PdDimSurvey *self, GError **error)
{
  const char *p, *end;
  g_autoptr (GError) local = NULL;

  while (pd_dim_lines_next (&self->lines, &p, &end, &local))
    {
      if (self->n_tasks == 0 && !read_header (self, &p, end, error))
        return FALSE;
      for (; p < end; p = next_line (self, p, end))
        if (may_matter (p) && !look_at_line (self, p, error))
          return FALSE;
    }
  if (!pd_propagate (error, g_steal_pointer (&local)))
    return FALSE;
  if (self->n_tasks == 0)
    return pd_dim_fail (&self->lines, PD_TRACE_ERROR_FORMAT, error, "the trace is empty");
  if (self->builder != NULL)
    self->is_short = self->lines.size < self->definitions;
  if (!self->is_short)
    pd_dim_break_open (self, 0);
  return TRUE;
}

/* ---- parts */

gboolean
pd_dim_survey_begin (PdDimSurvey *self, const PdTraceSource *source, guint64 *records)
{
  const char *p, *end;

  pd_dim_survey_init (self);
  if (!pd_dim_lines_init (&self->lines, source, NULL))
    return FALSE;
  while (pd_dim_lines_next (&self->lines, &p, &end, NULL) && !self->lines.is_rest)
    {
      if (self->n_tasks == 0 && !read_header (self, &p, end, NULL))
        return FALSE;
      for (; p < end; p = next_line (self, p, end))
        if (strchr ("d#\r\n", *p) == NULL)
          {
            *records = self->lines.size - (guint64) (end - p);
            return TRUE;
          }
        else if (!look_at_line (self, p, NULL))
          return FALSE;
    }
  return FALSE;
}

/* ---- the whole trace */

void
pd_dim_survey_rewind (PdDimSurvey *self)
{
  for (guint i = 0; i < self->comms->len; i++)
    g_array_index (self->comms, PdDimComm, i).task = 0;
}

gboolean
pd_dim_survey (PdDimSurvey *self, const PdTraceSource *source, GError **error)
{
  pd_dim_survey_init (self);
  if (!pd_dim_lines_init (&self->lines, source, error) || !pd_dim_survey_lines (self, error))
    return FALSE;
  pd_dim_survey_rewind (self);
  return TRUE;
}

void
pd_dim_survey_clear (PdDimSurvey *self)
{
  pd_dim_lines_clear (&self->lines);
  g_clear_pointer (&self->builder, pd_program_builder_free);
  g_clear_pointer (&self->comms, g_array_unref);
  g_clear_pointer (&self->comm_index, g_hash_table_unref);
  g_clear_pointer (&self->types, g_array_unref);
  g_clear_pointer (&self->type_index, g_hash_table_unref);
  g_clear_pointer (&self->open, g_array_unref);
}
