/* Traces of Dimemas (.dim): each record becomes an action of its task, which is
 * the rank of that number.
 *
 * A send with the immediate bit is never waited for: its request is given back
 * at once. A wait is for the oldest receive of its source, tag and communicator
 * that is pending. Events whose values open and whose zeros close blocks, one
 * within the other in all tasks, become intervals: of (type, value) the source
 * file is the type and the line is the value.
 * SPDX-License-Identifier: MIT */
#include "base/pd-number.h"
#include "base/pd-error.h"
#include "traces/dim/pd-dim-reader-private.h"
#include "traces/dim/pd-dim-collective-private.h"
#include "traces/dim/pd-dim-lines-private.h"
#include "traces/dim/pd-dim-survey-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder-take.h"

#include <string.h>

typedef gboolean (*RecordFunc) (PdDimReader *self, const gint64 *values, guint n);

PdPlace
pd_dim_reader_place (const PdDimReader *self)
{
  return (PdPlace){ self->lines.name, (gint64) self->lines.line, NULL, -1, self->task, TRUE };
}

gboolean
pd_dim_reader_add (PdDimReader *self, const PdAction *action)
{
  if (pd_program_builder_add (self->survey.builder, (guint32) self->task, action, self->error))
    return TRUE;
  g_prefix_error (self->error, "%s:%" G_GUINT64_FORMAT ": ", self->lines.name, self->lines.line);
  return FALSE;
}

static gboolean
add_plain (PdDimReader *self, const PdAction *action)
{
  if (pd_program_builder_add_plain (self->survey.builder, (guint32) self->task, action,
                                    self->error))
    return TRUE;
  g_prefix_error (self->error, "%s:%" G_GUINT64_FORMAT ": ", self->lines.name, self->lines.line);
  return FALSE;
}

/* ---- bursts */

/* "0.010000000" to picoseconds, exactly up to 12 decimals; %NULL if it is
 * written otherwise. */
static const char *
parse_decimal (const char *p, gint64 *ps)
{
  static const guint64 scales[13] = {
    1000000000000, 100000000000, 10000000000, 1000000000, 100000000, 10000000, 1000000,
    100000,        10000,        1000,        100,        10,        1
  };
  const char *start = p;
  guint64 whole = 0, part = 0;
  guint digits = 0;

  for (; (guint8) (*p - '0') <= 9; p++)
    whole = whole * 10 + (guint64) (*p - '0');
  if (p == start || p - start > 6)
    return NULL;
  if (*p == '.')
    for (p++; (guint8) (*p - '0') <= 9 && digits < 12; p++, digits++)
      part = part * 10 + (guint64) (*p - '0');
  *ps = (gint64) (whole * (guint64) PD_PS_PER_S + part * scales[digits]);
  return *p == '\n' ? p + 1 : NULL;
}

/* Any form of a number up to the end of the line. */
static gboolean
parse_seconds (PdDimReader *self, const char *p, gint64 *ps)
{
  const char *end = p;
  char text[64];
  gdouble seconds;
  PdTime time;

  while (*end != '\n')
    end++;
  gsize n = (gsize) (end - p) - (end > p && end[-1] == '\r' ? 1 : 0);
  if (n == 0 || n >= sizeof text || memchr (p, '\0', n) != NULL)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_SYNTAX, "expected a burst's seconds");
  memcpy (text, p, n);
  text[n] = '\0';
  if (!pd_number_parse_real (text, &seconds))
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_SYNTAX, "'%s': expected a burst's seconds",
                               text);
  if (!pd_time_from_seconds (seconds, &time))
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "a burst of %s s, expected 0 s to 106 days", text);
  *ps = time.ps;
  return TRUE;
}

static gboolean
add_burst (PdDimReader *self, gint64 ps, PdAction *action)
{
  if (ps == 0)
    return TRUE;
  action->amount.time = PD_TIME (ps);
  return add_plain (self, action);
}

/* ---- messages */

/* Partner, tag and communicator of a record 2 or 3; @values are partner, [its
 * thread,] bytes, tag, communicator, kind. */
static gboolean
set_envelope (PdDimReader *self, PdAction *action, const gint64 *values, guint n)
{
  const gint64 *v = n == 6 ? values + 2 : values + 1;
  const PdDimComm *comm = pd_dim_survey_get_comm (&self->survey, v[2]);

  if (comm == NULL)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "communicator %" G_GINT64_FORMAT " is not defined", v[2]);
  gint64 rank = pd_dim_comm_find_rank (comm, values[0]);
  if (rank < 0)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "task %" G_GINT64_FORMAT " is not in communicator %" G_GINT64_FORMAT,
                               values[0], v[2]);
  if (v[1] < 0 || v[1] > G_MAXINT32 || v[0] < 0)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "%" G_GINT64_FORMAT " bytes with tag %" G_GINT64_FORMAT
                               ", expected 0 or more and 0 to 2147483647",
                               v[0], v[1]);
  action->comm = comm->index;
  action->peer = (gint32) rank;
  action->bytes = v[0];
  action->tag = (gint32) v[1];
  return TRUE;
}

/* Source and tag take 55 bits. The factor spreads the numbers of communicators over all
 * bits, so that keys of different communicators differ. */
static guint64
get_key (const PdAction *action)
{
  guint64 key = (guint64) action->peer << 31 | (guint64) action->tag;

  return key ^ (guint64) action->comm * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
}

/* "2:task:thr:dst:dst_thr:bytes:tag:comm:sync" */
static gboolean
read_send (PdDimReader *self, const gint64 *values, guint n)
{
  gint64 sync = values[n - 1];

  if (sync < 0 || sync >= PD_DIM_N_SENDS)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "synchronisation %" G_GINT64_FORMAT " of a send, expected 0 to 3",
                               sync);
  PdAction *action = &self->sends[sync];
  if (!set_envelope (self, action, values, n))
    return FALSE;
  if (sync < 2)
    return add_plain (self, action);
  /* an asynchronous send: the trace has no wait for it */
  guint32 slot = pd_pending_add (&self->pending, PD_DIM_OWN_KEY);
  pd_pending_remove (&self->pending, slot);
  action->request = self->give_back.request = slot;
  return add_plain (self, action) && add_plain (self, &self->give_back);
}

/* "3:task:thr:src:src_thr:bytes:tag:comm:kind" */
static gboolean
read_recv (PdDimReader *self, const gint64 *values, guint n)
{
  PdAction *action = values[n - 1] == 0 ? &self->recv : &self->irecv;

  if (values[n - 1] < 0 || values[n - 1] > 2)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "kind %" G_GINT64_FORMAT " of a receive, expected 0 to 2",
                               values[n - 1]);
  if (!set_envelope (self, action, values, n))
    return FALSE;
  if (values[n - 1] == 0)
    return add_plain (self, action);
  if (values[n - 1] == 1)
    {
      action->request = pd_pending_add (&self->pending, get_key (action));
      return add_plain (self, action);
    }
  if (pd_pending_find (&self->pending, get_key (action), &self->wait.request))
    {
      pd_pending_remove (&self->pending, self->wait.request);
      return add_plain (self, &self->wait);
    }
  PdPlace place = pd_dim_reader_place (self);
  pd_dim_reader_stop_repeats (self);
  pd_messages_add (self->messages, PD_SEVERITY_WARNING, "dim-wait", NULL, &place,
                   "there is nothing to wait for: no receive from that task with that tag "
                   "is pending; the wait is left out");
  return TRUE;
}

/* ---- events */

static gboolean
open_block (PdDimReader *self, gint64 type, gint64 value)
{
  char file[32], name[64];
  PdProgramInterval interval = { name, file, value, -1 };
  PdDimBlock block = { .type = type, .at = self->repeats.at };

  g_snprintf (file, sizeof file, "%" G_GINT64_FORMAT, type);
  g_snprintf (name, sizeof name, "%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, type, value);
  block.interval = pd_program_builder_add_interval (self->survey.builder, &interval);
  g_array_append_val (self->blocks, block);
  self->mark.kind = PD_ACT_ENTER;
  self->mark.interval = block.interval;
  return pd_dim_reader_add (self, &self->mark);
}

/* "20:task:thr:type:value" */
static gboolean
read_event (PdDimReader *self, const gint64 *values, guint n G_GNUC_UNUSED)
{
  const PdDimEventType *type = pd_dim_survey_find_type (&self->survey, values[0]);

  if (type == NULL || type->is_broken || !type->closes)
    return TRUE;
  if (values[1] != 0)
    return open_block (self, values[0], values[1]);
  if (self->blocks->len == 0)
    return TRUE;
  const PdDimBlock *block = &g_array_index (self->blocks, PdDimBlock, self->blocks->len - 1);
  if (block->type != values[0])
    return TRUE;
  self->mark.kind = PD_ACT_LEAVE;
  self->mark.interval = block->interval;
  g_array_set_size (self->blocks, self->blocks->len - 1);
  return pd_dim_reader_add (self, &self->mark);
}

/* ---- records */

static gboolean
read_no_op (PdDimReader *self G_GNUC_UNUSED, const gint64 *values G_GNUC_UNUSED,
            guint n G_GNUC_UNUSED)
{
  return TRUE;
}

/* Those that are whole numbers from the task on; @n counts behind the thread. */
static const struct
{
  gint64 type;
  guint min;
  guint max;
  RecordFunc read;
  const char *form;
} kinds[] = {
  { 2, 5, 6, read_send, "2:TASK:THREAD:TARGET:THREAD:BYTES:TAG:COMMUNICATOR:SYNC" },
  { 3, 5, 6, read_recv, "3:TASK:THREAD:SOURCE:THREAD:BYTES:TAG:COMMUNICATOR:KIND" },
  { 20, 2, 2, read_event, "20:TASK:THREAD:TYPE:VALUE" },
  { 10, 6, 7, pd_dim_read_collective,
    "10:TASK:THREAD:OPERATION:COMMUNICATOR:IS_ROOT:ROOT_THREAD:SENT:RECEIVED[:SYNC]" },
  { 0, 0, 0, read_no_op, "0:TASK:THREAD" },
};

/* How records of the task begin: @p is behind the type of one, at "TASK:THREAD:". */
static void
note_place (PdDimReader *self, const char *p)
{
  guint8 mask[sizeof self->place_mask] = { 0 };
  gsize n = 0;

  for (guint colons = 0; colons < 2 && p[n] != '\n'; n++)
    colons += p[n] == ':';
  self->place_mask = self->place = 0;
  self->n_place = n;
  if (n > sizeof mask || p[n - 1] != ':')
    return;
  memset (mask, 0xff, n);
  memcpy (&self->place_mask, mask, sizeof mask);
  memcpy (&self->place, p, n);
}

/* Whether @p is a record of the task at hand. Nothing from @end on is read. */
static inline gboolean
is_of_task (const PdDimReader *self, const char *p, const char *end)
{
  guint64 word;

  if (end - p < (gssize) (2 + sizeof word) || p[1] != ':' || self->place_mask == 0)
    return FALSE;
  memcpy (&word, p + 2, sizeof word);
  return (word & self->place_mask) == self->place;
}

/* A task's records are together: those of @task are the next ones. @p: as of note_place(). */
static gboolean
begin_task (PdDimReader *self, gint64 task, const char *p)
{
  if (task < 0 || task >= self->survey.n_tasks)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "task %" G_GINT64_FORMAT ", expected 0 to %u", task,
                               self->survey.n_tasks - 1);
  if (!pd_program_builder_claim (self->survey.builder, (guint32) task) || self->seen[task])
    return pd_dim_reader_fail (
        self, PD_TRACE_ERROR_FORMAT,
        "records of task %" G_GINT64_FORMAT " are in two places; they must be together", task);
  self->seen[task] = TRUE;
  self->task = task;
  note_place (self, p);
  pd_dim_reader_stop_repeats (self);
  pd_pending_remove_all (&self->pending);
  g_array_set_size (self->blocks, 0);
  g_array_set_size (self->started, 0);
  return TRUE;
}

static gboolean
check_place (PdDimReader *self, gint64 task, gint64 thread, const char *p)
{
  if (thread != 0)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "thread %" G_GINT64_FORMAT ", expected 0", thread);
  return (task == self->task && task >= 0) || begin_task (self, task, p);
}

/* "1:task:thr:seconds", "11:…" of an accelerator */
static gboolean
read_burst (PdDimReader *self, const char *p, gint64 type)
{
  const char *text = p;
  gint64 head[2] = { 0, 0 }, ps = 0;

  p = pd_dim_parse_int (p, &head[0]);
  p = p != NULL && *p == ':' ? pd_dim_parse_int (p + 1, &head[1]) : NULL;
  if (p == NULL || *p != ':')
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_SYNTAX, "expected %d:TASK:THREAD:SECONDS",
                               (int) type);
  if (!check_place (self, head[0], head[1], text))
    return FALSE;
  PdPlace place = pd_dim_reader_place (self);
  if (type == 11)
    {
      pd_dim_reader_stop_repeats (self);
      pd_messages_add (self->messages, PD_SEVERITY_WARNING, "dim-accelerator", NULL, &place,
                       "a burst of an accelerator takes as long as it is recorded");
    }
  return (parse_decimal (p + 1, &ps) != NULL || parse_seconds (self, p + 1, &ps))
         && add_burst (self, ps, type == 11 ? &self->delay : &self->burst);
}

static gboolean
read_numbers (PdDimReader *self, const char *p, gint64 type)
{
  const char *text = p;
  gint64 values[9];
  guint n = G_N_ELEMENTS (values), k = 0;

  while (k < G_N_ELEMENTS (kinds) && kinds[k].type != type)
    k++;
  if (k == G_N_ELEMENTS (kinds))
    return pd_dim_reader_fail (
        self, PD_TRACE_ERROR_SYNTAX,
        "record of type %" G_GINT64_FORMAT ", expected 0, 1, 2, 3, 10, 11, 20, d or s", type);
  p = pd_dim_parse_ints (p, values, &n);
  if (p == NULL || n < 2 + kinds[k].min || n > 2 + kinds[k].max)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_SYNTAX, "expected %s", kinds[k].form);
  return check_place (self, values[0], values[1], text) && kinds[k].read (self, values + 2, n - 2);
}

static gboolean
read_any_record (PdDimReader *self, const char *p)
{
  gint64 type;

  if (*p == 'd' || *p == 's' || *p == '\n' || *p == '\r' || *p == '#')
    return TRUE; /* read by the survey; offsets */
  p = pd_dim_parse_int (p, &type);
  if (p == NULL || *p != ':')
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_SYNTAX,
                               "expected a record: its type, a colon, task, thread, …");
  return type == 1 || type == 11 ? read_burst (self, p + 1, type)
                                 : read_numbers (self, p + 1, type);
}

/* The record at @p, quick for bursts and messages of the task at hand. Returns: (nullable): behind
 * it. */
static const char *
read_record (PdDimReader *self, const char *p, const char *end)
{
  gint64 values[7], ps = 0;
  guint n = G_N_ELEMENTS (values);
  const char *next;

  if (G_LIKELY (is_of_task (self, p, end)))
    switch (p[0])
      {
      case '1':
        next = parse_decimal (p + 2 + self->n_place, &ps);
        if (next != NULL)
          return add_burst (self, ps, &self->burst) ? next : NULL;
        break;
      case '2':
      case '3':
        next = pd_dim_parse_ints (p + 2 + self->n_place, values, &n);
        if (next != NULL && (n == 5 || n == 6))
          return (p[0] == '2' ? read_send (self, values, n) : read_recv (self, values, n)) ? next
                                                                                           : NULL;
        break;
      default:
        break;
      }
  return read_any_record (self, p) ? (const char *) memchr (p, '\n', (gsize) (end - p)) + 1 : NULL;
}

/* ---- all */

/* All records from @begin on. FALSE: an error. */
static gboolean
read_records (PdDimReader *self, const char *begin, const char *end)
{
  for (const char *p = begin, *next; p < end; p = next)
    {
      next = pd_dim_reader_repeat (self, begin, p, end);
      if (next == NULL && (next = read_record (self, p, end)) != NULL)
        self->lines.line++;
      if (next == NULL)
        return FALSE;
      self->repeats.at += (gsize) (next - p);
    }
  return TRUE;
}

gboolean
pd_dim_reader_records (PdDimReader *self)
{
  const char *begin, *end;
  g_autoptr (GError) local = NULL;

  while (pd_dim_lines_next (&self->lines, &begin, &end, &local))
    if (!read_records (self, begin, end))
      {
        /* a file that ends within a record is short; the record is not an error */
        if (!self->lines.is_rest)
          return FALSE;
        g_clear_error (self->error);
        self->survey.is_short = TRUE;
        self->lines.line++;
      }
  return pd_propagate (self->error, g_steal_pointer (&local));
}

static void
init_actions (PdDimReader *self)
{
  static const PdActionKind sends[PD_DIM_N_SENDS] = { PD_ACT_SEND, PD_ACT_SSEND, PD_ACT_ISEND,
                                                      PD_ACT_ISSEND };

  pd_action_init (&self->burst, PD_ACT_COMPUTE);
  pd_action_init (&self->delay, PD_ACT_DELAY);
  for (guint i = 0; i < PD_DIM_N_SENDS; i++)
    pd_action_init (&self->sends[i], sends[i]);
  pd_action_init (&self->recv, PD_ACT_RECV);
  pd_action_init (&self->irecv, PD_ACT_IRECV);
  pd_action_init (&self->wait, PD_ACT_WAIT);
  pd_action_init (&self->give_back, PD_ACT_REQUEST_FREE);
  pd_action_init (&self->collective, PD_ACT_COLLECTIVE);
  pd_action_init (&self->icollective, PD_ACT_ICOLLECTIVE);
  pd_action_init (&self->mark, PD_ACT_ENTER);
}

void
pd_dim_reader_init (PdDimReader *self, PdMessages *messages, GError **error)
{
  *self = (PdDimReader){ .messages = messages, .task = -1, .error = error };
  init_actions (self);
  pd_repeats_init (&self->repeats);
  self->blocks = g_array_new (FALSE, FALSE, sizeof (PdDimBlock));
  self->started = g_array_new (FALSE, FALSE, sizeof (PdDimStarted));
}

void
pd_dim_reader_clear (PdDimReader *self)
{
  pd_dim_survey_clear (&self->survey);
  pd_dim_lines_clear (&self->lines);
  pd_pending_clear (&self->pending);
  pd_repeats_clear (&self->repeats);
  g_clear_pointer (&self->blocks, g_array_unref);
  g_clear_pointer (&self->started, g_array_unref);
}
