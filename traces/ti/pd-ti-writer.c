/* Programs as time-independent traces: one file of all ranks, in the order of
 * ranks, sizes in bytes. Actions that this form cannot express are left out or replaced
 * by the nearest one, with one message per kind that counts them.
 * SPDX-License-Identifier: MIT */
#include "traces/ti/pd-ti-writer.h"
#include "traces/ti/pd-ti-write-private.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/ti/pd-ti-fields-private.h"
#include "traces/ti/pd-ti-requests-private.h"
#include "traces/ti/pd-ti-write-collective-private.h"
#include "traces/ti/pd-ti-writer-private.h"

#include <string.h>

void
pd_ti_write_lose (const PdTiWriter *self, const char *id, const char *subject, const char *text)
{
  PdPlace place = { self->path, 0, NULL, -1, self->rank, TRUE };

  pd_messages_add (self->messages, PD_SEVERITY_WARNING, id, subject, &place, "%s%s%s",
                   subject != NULL ? subject : "", subject != NULL ? ": " : "", text);
}

/* ---- fields */

void
pd_ti_write_begin (PdTiWriter *self, const char *word)
{
  pd_output_int (self->out, self->rank);
  pd_output_char (self->out, ' ');
  pd_output_text (self->out, word);
}

void
pd_ti_write_int (PdTiWriter *self, gint64 value)
{
  pd_output_char (self->out, ' ');
  pd_output_int (self->out, value);
}

void
pd_ti_write_double (PdTiWriter *self, gdouble value)
{
  pd_output_char (self->out, ' ');
  pd_output_double (self->out, value);
}

void
pd_ti_write_end (PdTiWriter *self)
{
  pd_output_char (self->out, '\n');
}

gdouble
pd_ti_write_get_flops (const PdTiWriter *self, PdAmount amount)
{
  if (pd_program_get_unit (self->program) == PD_AMOUNT_FLOPS)
    return amount.flops;
  return pd_time_to_seconds (amount.time) * self->flops;
}

/* Messages of communicators have ranks of the world here. */
static gint32
to_world (const PdTiWriter *self, const PdAction *action, gint32 peer)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (self->program, action->comm, &n);

  if (peer < 0)
    return peer == PD_PROGRAM_ANY ? PD_TI_ANY_SOURCE : PD_TI_PROC_NULL;
  return ranks != NULL ? (gint32) ranks[peer] : peer;
}

/* The peer that a reader finds in the written one. */
static gint32
read_peer (gint32 peer)
{
  if (peer >= 0)
    return peer;
  return peer == PD_TI_ANY_SOURCE ? PD_PROGRAM_ANY : PD_PROGRAM_PROC_NULL;
}

static gint32
to_tag (gint32 tag)
{
  return tag == PD_PROGRAM_ANY ? PD_TI_ANY_TAG : tag;
}

/* ---- requests */

/* An action ends all that its reader has pending. */
static void
close_all (PdTiWriter *self)
{
  pd_pending_remove_all (&self->pending);
  for (guint32 i = 0; i < self->requests->len; i++)
    g_array_index (self->requests, PdTiRequest, i).is_open = FALSE;
}

void
pd_ti_write_open (PdTiWriter *self, guint32 slot, PdTiRequest request)
{
  request.is_open = TRUE;
  request.pending = pd_pending_add (&self->pending, request.key);
  if (slot >= self->requests->len)
    g_array_set_size (self->requests, slot + 1);
  g_array_index (self->requests, PdTiRequest, slot) = request;
}

/* NULL: nothing here has begun in @slot. */
static PdTiRequest *
find_request (PdTiWriter *self, guint32 slot)
{
  PdTiRequest *request =
      slot < self->requests->len ? &g_array_index (self->requests, PdTiRequest, slot) : NULL;

  return request != NULL && request->is_open ? request : NULL;
}

/* ---- actions */

static void
write_compute (PdTiWriter *self, const PdAction *action, const char *word)
{
  pd_ti_write_begin (self, word);
  pd_ti_write_double (self, pd_ti_write_get_flops (self, action->amount));
  pd_ti_write_end (self);
}

static void
write_delay (PdTiWriter *self, const PdAction *action, const char *word)
{
  char seconds[64];

  pd_ti_write_begin (self, word);
  pd_output_char (self->out, ' ');
  pd_output_text (self->out, pd_time_format (action->amount.time, seconds));
  pd_ti_write_end (self);
}

static void
check_message (const PdTiWriter *self, const PdAction *action)
{
  if (action->comm != 0)
    pd_ti_write_lose (
        self, "ti-lost-communicator", NULL,
        "a message of a communicator becomes one of the world, which may match another");
}

static void
write_message (PdTiWriter *self, const PdAction *action, const char *word)
{
  gint32 peer = to_world (self, action, action->peer), own = (gint32) self->rank;
  gboolean receives = action->kind == PD_ACT_RECV || action->kind == PD_ACT_IRECV;

  check_message (self, action);
  pd_ti_write_begin (self, word);
  pd_ti_write_int (self, peer);
  pd_ti_write_int (self, to_tag (action->tag));
  pd_ti_write_int (self, action->bytes);
  pd_ti_write_int (self, PD_TI_BYTE_TYPE);
  pd_ti_write_end (self);
  if (receives ? action->kind == PD_ACT_IRECV : action->kind >= PD_ACT_ISEND)
    pd_ti_write_open (
        self, action->request,
        (PdTiRequest){ .source = receives ? peer : own,
                       .target = receives ? own : peer,
                       .tag = to_tag (action->tag),
                       .key = pd_ti_key (self->rank, read_peer (peer), action->tag, !receives) });
}

static void
write_sendrecv (PdTiWriter *self, const PdAction *action, const char *word)
{
  check_message (self, action);
  if (action->tag != 0 || action->recv_tag != 0)
    pd_ti_write_lose (self, "ti-lost-tag", NULL, "a sendRecv has no tags");
  pd_ti_write_begin (self, word);
  pd_ti_write_int (self, action->bytes);
  pd_ti_write_int (self, to_world (self, action, action->peer));
  pd_ti_write_int (self, action->recv_bytes);
  pd_ti_write_int (self, to_world (self, action, action->recv_peer));
  pd_ti_write_int (self, PD_TI_BYTE_TYPE);
  pd_ti_write_int (self, PD_TI_BYTE_TYPE);
  pd_ti_write_end (self);
}

static void
check_outcome (const PdTiWriter *self, const PdAction *action)
{
  if (action->has_done)
    pd_ti_write_lose (self, "ti-lost-outcome", NULL,
                      "which requests had completed in the recorded run is not stored");
}

/* A request that has not begun in the written trace is complete. */
static void
write_wait (PdTiWriter *self, const PdAction *action, const char *word)
{
  PdTiRequest *request = find_request (self, action->request);
  guint32 oldest;

  if (request == NULL)
    return;
  check_outcome (self, action);
  pd_ti_write_begin (self, word);
  pd_ti_write_int (self, request->source);
  pd_ti_write_int (self, request->target);
  pd_ti_write_int (self, request->tag);
  pd_ti_write_end (self);
  if (pd_pending_find (&self->pending, request->key, &oldest) && oldest != request->pending)
    pd_ti_write_lose (self, "ti-lost-order", NULL,
                      "of requests alike the oldest is meant, whichever it is of");
  if (action->kind != PD_ACT_WAIT)
    return;
  pd_pending_remove (&self->pending, request->pending);
  request->is_open = FALSE;
}

static void
write_waitall (PdTiWriter *self, const PdAction *action, const char *word)
{
  PdAction one;

  if (action->n_slots == 0)
    {
      pd_ti_write_begin (self, word);
      pd_ti_write_end (self);
      close_all (self);
      return;
    }
  /* a waitall of this form is of all that are pending */
  pd_action_init (&one, PD_ACT_WAIT);
  for (guint32 i = 0; i < action->n_slots; i++)
    {
      one.request = action->slots[i];
      write_wait (self, &one, "wait");
    }
}

static void
write_some (PdTiWriter *self, const PdAction *action, const char *word)
{
  pd_ti_write_lose (self, "ti-lost-requests", pd_action_name (action),
                    "cannot name the requests it is of");
  check_outcome (self, action);
  pd_ti_write_begin (self, word);
  if (action->kind == PD_ACT_WAITANY)
    pd_ti_write_int (self, action->n_slots);
  pd_ti_write_end (self);
}

/* Whether a name reads back: it stands before the line's number, in one line. */
static gboolean
is_plain (const char *name)
{
  gsize n = strlen (name);

  return n > 0 && !pd_ti_is_blank (name[0]) && !pd_ti_is_blank (name[n - 1])
         && strchr (name, '\n') == NULL;
}

static void
write_location (PdTiWriter *self, const PdAction *action, const char *word)
{
  const char *name = pd_program_get_string (self->program, action->name);

  if (!is_plain (name))
    {
      pd_ti_write_lose (self, "ti-lost-location", NULL,
                        "left out: a file without a name, or with blanks around it or a line end");
      return;
    }
  pd_ti_write_begin (self, word);
  pd_output_char (self->out, ' ');
  pd_output_text (self->out, name);
  pd_ti_write_int (self, action->line);
  pd_ti_write_end (self);
}

static void
write_rma (PdTiWriter *self, const PdAction *action, const char *word)
{
  pd_ti_write_lose (self, "ti-lost-window", NULL, "an action on a window cannot name it");
  pd_ti_write_begin (self, word);
  if (action->kind <= PD_ACT_ACCUMULATE)
    {
      pd_ti_write_int (self, to_world (self, action, action->peer));
      pd_ti_write_int (self, 0);
      pd_ti_write_int (self, action->bytes);
      pd_ti_write_int (self, PD_TI_BYTE_TYPE);
    }
  pd_ti_write_end (self);
}

/* ---- the table; a hole is left out with a warning */

static const struct
{
  const char *word;
  void (*write) (PdTiWriter *self, const PdAction *action, const char *word);
} rows[PD_N_ACTS] = {
  [PD_ACT_COMPUTE] = { "compute", write_compute },
  [PD_ACT_DELAY] = { "sleep", write_delay },
  [PD_ACT_SEND] = { "send", write_message },
  [PD_ACT_BSEND] = { "bsend", write_message },
  [PD_ACT_SSEND] = { "Ssend", write_message },
  [PD_ACT_ISEND] = { "isend", write_message },
  [PD_ACT_IBSEND] = { "ibsend", write_message },
  [PD_ACT_ISSEND] = { "ISsend", write_message },
  [PD_ACT_RECV] = { "recv", write_message },
  [PD_ACT_IRECV] = { "irecv", write_message },
  [PD_ACT_SENDRECV] = { "sendRecv", write_sendrecv },
  [PD_ACT_WAIT] = { "wait", write_wait },
  [PD_ACT_WAITALL] = { "waitall", write_waitall },
  [PD_ACT_WAITANY] = { "waitAny", write_some },
  [PD_ACT_TEST] = { "test", write_wait },
  [PD_ACT_TESTALL] = { "testall", write_some },
  [PD_ACT_TESTANY] = { "testany", write_some },
  [PD_ACT_TESTSOME] = { "testsome", write_some },
  [PD_ACT_COLLECTIVE] = { "", pd_ti_write_collective },
  [PD_ACT_ICOLLECTIVE] = { "", pd_ti_write_collective },
  [PD_ACT_PUT] = { "Put", write_rma },
  [PD_ACT_GET] = { "Get", write_rma },
  [PD_ACT_ACCUMULATE] = { "Accumulate", write_rma },
  [PD_ACT_WIN_FENCE] = { "Win_fence", write_rma },
  [PD_ACT_WIN_LOCK] = { "Win_lock", write_rma },
  [PD_ACT_WIN_UNLOCK] = { "Win_unlock", write_rma },
  [PD_ACT_LOCATION] = { "location", write_location },
};

/* The kind of action that is written. A ready send becomes an ordinary one, and a call
 * outside the model a time. */
static PdActionKind
get_nearest (const PdTiWriter *self, PdAction *action)
{
  if (action->kind == PD_ACT_RSEND || action->kind == PD_ACT_IRSEND)
    {
      pd_ti_write_lose (self, "ti-lost-mode", NULL, "a ready send becomes an ordinary one");
      action->kind = action->kind == PD_ACT_RSEND ? PD_ACT_SEND : PD_ACT_ISEND;
    }
  if (action->kind == PD_ACT_LOCAL)
    action->kind = PD_ACT_DELAY;
  if (action->kind == PD_ACT_OTHER)
    {
      pd_ti_write_lose (self, "ti-lost-call", NULL, "a call outside the model becomes a sleep");
      action->kind = PD_ACT_DELAY;
    }
  return action->kind;
}

/* Notes properties that no action of this form can have. */
static void
check_action (const PdTiWriter *self, const PdAction *action)
{
  if (action->matched_peer != PD_PROGRAM_ANY || action->matched_tag != PD_PROGRAM_ANY)
    pd_ti_write_lose (
        self, "ti-lost-match", NULL,
        "the source that a wildcard receive matched in the recorded run is not stored");
  if (action->recorded >= 0)
    pd_ti_write_lose (self, "ti-lost-time", NULL,
                      "the durations of calls in the recorded run are not stored");
}

static void
write_rank (PdTiWriter *self)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *next;

  pd_action_reader_init (&reader, self->program);
  pd_action_reader_begin (&reader, self->rank);
  close_all (self);
  if (!pd_time_is_pending (pd_program_get_recorded_end (self->program, self->rank)))
    pd_ti_write_lose (self, "ti-lost-end", NULL,
                      "the end of a rank in the recorded run is not stored");
  pd_ti_write_begin (self, "init");
  pd_ti_write_end (self);
  while ((next = pd_action_reader_next (&reader)) != NULL)
    {
      PdAction action = *next;
      PdActionKind kind = get_nearest (self, &action);
      check_action (self, &action);
      if (rows[kind].write != NULL)
        rows[kind].write (self, &action, rows[kind].word);
      else
        pd_ti_write_lose (self, "ti-lost-action", pd_action_name (&action),
                          "left out: there is no word for it");
    }
  pd_ti_write_begin (self, "finalize");
  pd_ti_write_end (self);
}

gboolean
pd_trace_ti_write (const PdMpTrace *trace, const char *path, const PdTraceWriteOptions *options,
                   PdMessages *messages, GError **error)
{
  g_autoptr (PdOutput) out = NULL;
  g_autoptr (GArray) requests = g_array_new (FALSE, TRUE, sizeof (PdTiRequest));

  if (trace->program == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                   "time-independent traces have no dependency graphs; write them as GOAL");
      return FALSE;
    }
  out = pd_output_new (path, error);
  if (out == NULL)
    return FALSE;
  PdTiWriter writer = { trace->program, out, messages, path, options->flops, 0, requests, { 0 } };
  for (; writer.rank < pd_program_get_n_ranks (trace->program); writer.rank++)
    write_rank (&writer);
  pd_pending_clear (&writer.pending);
  return pd_output_close (out, error);
}
