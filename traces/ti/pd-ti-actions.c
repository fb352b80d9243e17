/* The actions of time-independent traces: those that SMPI replays, those that
 * its tracer writes besides, and those that mean nothing for us.
 * SPDX-License-Identifier: MIT */
#include "base/pd-time.h"
#include "traces/ti/pd-ti-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/ti/pd-ti-actions-private.h"
#include "traces/ti/pd-ti-collectives-private.h"
#include "traces/ti/pd-ti-fields-private.h"
#include "traces/ti/pd-ti-requests-private.h"

#include <string.h>

gboolean
pd_ti_add (PdTi *self, const PdAction *action, GError **error)
{
  return pd_program_builder_add (self->builder, self->rank, action, error);
}

static gboolean
add_plain (PdTi *self, const PdAction *action, GError **error)
{
  return pd_program_builder_add_plain (self->builder, self->rank, action, error);
}

/* ---- messages */

gboolean
pd_ti_add_message (PdTi *self, GError **error)
{
  const PdTiMessage *message = &self->message;
  PdAction action;
  PdActionKind kind = self->action->kind;
  gboolean receives = kind == PD_ACT_RECV || kind == PD_ACT_IRECV;

  pd_action_init (&action, kind);
  if (kind == PD_ACT_COMPUTE)
    {
      action.amount.flops = message->flops;
      return add_plain (self, &action, error);
    }
  action.peer = message->peer;
  action.tag = message->tag;
  action.bytes = message->bytes;
  if (kind >= PD_ACT_ISEND && kind != PD_ACT_RECV)
    action.request = pd_pending_add (&self->own->pending,
                                     pd_ti_key (self->rank, action.peer, action.tag, !receives));
  return add_plain (self, &action, error);
}

gboolean
pd_ti_read_message (PdTi *self, PdTiFields *fields, GError **error)
{
  PdTiMessage *message = &self->message;
  PdActionKind kind = self->action->kind;
  gboolean receives = kind == PD_ACT_RECV || kind == PD_ACT_IRECV;
  gint64 n, size;

  if (!pd_ti_take_peer (self, fields, receives ? "source" : "target", &message->peer, error)
      || !pd_ti_take_tag (self, fields, &message->tag, error)
      || !pd_ti_take_int (self, fields, "count", &n, error)
      || !pd_ti_take_type (self, fields, &size, error))
    return FALSE;
  /* of unknown size: room for whatever comes */
  if (receives && n < 0)
    message->bytes = G_MAXINT32;
  else if (!pd_ti_to_bytes (n, size, &message->bytes, error))
    return FALSE;
  return pd_ti_add_message (self, error);
}

/* n_s DST n_r SRC [DT_s DT_r]; the tags are not traced */
static gboolean
take_exchange (PdTi *self, PdTiFields *fields, PdAction *action, GError **error)
{
  gint64 sent, received, size;

  return pd_ti_take_int (self, fields, "count to send", &sent, error)
         && pd_ti_take_peer (self, fields, "target", &action->peer, error)
         && pd_ti_take_int (self, fields, "count to receive", &received, error)
         && pd_ti_take_peer (self, fields, "source", &action->recv_peer, error)
         && pd_ti_take_type (self, fields, &size, error)
         && pd_ti_to_bytes (sent, size, &action->bytes, error)
         && pd_ti_take_type (self, fields, &size, error)
         && pd_ti_to_bytes (received, size, &action->recv_bytes, error);
}

static gboolean
read_sendrecv (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_SENDRECV);
  return take_exchange (self, fields, &action, error) && pd_ti_add (self, &action, error);
}

static gboolean
read_isendrecv (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction both, action;

  pd_action_init (&both, PD_ACT_SENDRECV);
  if (!take_exchange (self, fields, &both, error))
    return FALSE;
  pd_action_init (&action, PD_ACT_ISEND);
  action.peer = both.peer;
  action.bytes = both.bytes;
  action.request =
      pd_pending_add (&self->own->pending, pd_ti_key (self->rank, action.peer, 0, TRUE));
  if (!pd_ti_add (self, &action, error))
    return FALSE;
  pd_action_init (&action, PD_ACT_IRECV);
  action.peer = both.recv_peer;
  action.bytes = both.recv_bytes;
  action.request =
      pd_pending_add (&self->own->pending, pd_ti_key (self->rank, action.peer, 0, FALSE));
  return pd_ti_add (self, &action, error);
}

/* Start TARGET TAG BYTES [DT] of a persistent request: one to the rank itself
 * is a receive, whose source is not traced. */
static gboolean
read_start (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  gint32 target;

  pd_action_init (&action, PD_ACT_ISEND);
  if (!pd_ti_take_peer (self, fields, "target", &target, error)
      || !pd_ti_take_tag (self, fields, &action.tag, error)
      || !pd_ti_take_int (self, fields, "size", &action.bytes, error))
    return FALSE;
  fields->p = fields->end;
  action.peer = target;
  if (target >= 0 && (guint32) target == self->rank)
    {
      action.kind = PD_ACT_IRECV;
      action.peer = PD_PROGRAM_ANY;
      pd_ti_warn (self, PD_SEVERITY_NOTE, "ti-start", NULL,
                  "a persistent receive is taken as one from any source: the trace does not record "
                  "the source");
    }
  action.request =
      pd_pending_add (&self->own->pending,
                      pd_ti_key (self->rank, action.peer, action.tag, action.kind == PD_ACT_ISEND));
  return pd_ti_add (self, &action, error);
}

/* ---- windows: the trace does not tell which, nor whom a lock is for */

/* TARGET TAG n [DT] */
static gboolean
read_rma (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  gint64 n, size;

  pd_action_init (&action, self->action->kind);
  if (!pd_ti_take_peer (self, fields, "target", &action.peer, error)
      || !pd_ti_take_tag (self, fields, &action.tag, error)
      || !pd_ti_take_int (self, fields, "count", &n, error)
      || !pd_ti_take_type (self, fields, &size, error)
      || !pd_ti_to_bytes (n, size, &action.bytes, error))
    return FALSE;
  action.tag = 0;
  return pd_ti_add (self, &action, error);
}

/* Both ways. */
static gboolean
read_fetch (PdTi *self, PdTiFields *fields, GError **error)
{
  PdTiFields again = *fields;
  const PdTiAction *action = self->action;
  PdTiAction get = *self->action;

  if (!read_rma (self, fields, error))
    return FALSE;
  get.kind = PD_ACT_GET;
  self->action = &get;
  gboolean fine = read_rma (self, &again, error);
  self->action = action;
  return fine;
}

static gboolean
read_epoch (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;

  fields->p = fields->end;
  pd_action_init (&action, self->action->kind);
  if (action.kind != PD_ACT_WIN_FENCE)
    action.peer = PD_PROGRAM_ANY;
  return pd_ti_add (self, &action, error);
}

/* ---- the rest */

gboolean
pd_ti_read_compute (PdTi *self, PdTiFields *fields, GError **error)
{
  return pd_ti_take_double (fields, "amount", &self->message.flops, error)
         && pd_ti_add_message (self, error);
}

static gboolean
read_sleep (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  gdouble seconds;

  pd_action_init (&action, PD_ACT_DELAY);
  if (!pd_ti_take_double (fields, "time", &seconds, error))
    return FALSE;
  if (pd_time_from_seconds (seconds, &action.amount.time))
    return pd_ti_add (self, &action, error);
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, "%g s, expected 0 to 106 days",
               seconds);
  return FALSE;
}

/* FILE LINE; a file name with blanks has them here, too */
static gboolean
read_location (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  const char *last, *end;

  if (!pd_ti_has_more (fields))
    return TRUE;
  for (end = fields->end; end > fields->p && pd_ti_is_blank (end[-1]); end--)
    ;
  for (last = end; last > fields->p && !pd_ti_is_blank (last[-1]); last--)
    ;
  const char *name = fields->p;
  fields->p = last;
  if (last == name)
    fields->p = fields->end;
  pd_action_init (&action, PD_ACT_LOCATION);
  if (!pd_ti_take_int (self, fields, "line", &action.line, error))
    return FALSE;
  while (last > name && pd_ti_is_blank (last[-1]))
    last--;
  g_autofree char *file = g_strndup (name, (gsize) (last - name));
  action.name = pd_program_builder_add_string (self->builder, file);
  return pd_ti_add (self, &action, error);
}

static gboolean
read_init (PdTi *self, PdTiFields *fields, GError **error)
{
  (void) error;
  self->own->element_size = pd_ti_has_more (fields) ? sizeof (gdouble) : 1;
  self->own->has_begun = TRUE;
  self->own->has_ended = FALSE;
  fields->p = fields->end;
  return TRUE;
}

static gboolean
read_finalize (PdTi *self, PdTiFields *fields, GError **error)
{
  (void) error;
  self->own->has_ended = TRUE;
  fields->p = fields->end;
  return TRUE;
}

static gboolean
read_nothing (PdTi *self, PdTiFields *fields, GError **error)
{
  (void) error;
  fields->p = fields->end;
  pd_ti_warn (self, PD_SEVERITY_NOTE, "ti-ignored", NULL,
              "%s, which has no effect on a prediction, is ignored", self->action->name);
  return TRUE;
}

static gboolean
read_unknown (PdTi *self, PdTiFields *fields, GError **error)
{
  (void) error;
  fields->p = fields->end;
  pd_ti_warn (self, PD_SEVERITY_WARNING, "ti-untold", self->action->name,
              "ignored: the trace does not record what it does");
  return TRUE;
}

/* ---- the table, in the order of names */

#define COLLECTIVE(name, reader, op)                                                               \
  {                                                                                                \
    name, reader, PD_ACT_COLLECTIVE, op, FALSE                                                     \
  }
#define ICOLLECTIVE(name, reader, op)                                                              \
  {                                                                                                \
    name, reader, PD_ACT_ICOLLECTIVE, op, TRUE                                                     \
  }

static const PdTiAction actions[] = {
  { "accumulate", read_rma, PD_ACT_ACCUMULATE, 0, FALSE },
  COLLECTIVE ("allgather", pd_ti_read_blocks, PD_COLL_ALLGATHER),
  COLLECTIVE ("allgatherv", pd_ti_read_gatherv, PD_COLL_ALLGATHERV),
  COLLECTIVE ("allreduce", pd_ti_read_reduce, PD_COLL_ALLREDUCE),
  COLLECTIVE ("alltoall", pd_ti_read_blocks, PD_COLL_ALLTOALL),
  COLLECTIVE ("alltoallv", pd_ti_read_alltoallv, PD_COLL_ALLTOALLV),
  COLLECTIVE ("barrier", pd_ti_read_barrier, PD_COLL_BARRIER),
  COLLECTIVE ("bcast", pd_ti_read_bcast, PD_COLL_BCAST),
  { "bsend", pd_ti_read_message, PD_ACT_BSEND, 0, FALSE },
  { "comm_dup", read_nothing, 0, 0, FALSE },
  { "comm_size", read_nothing, 0, 0, FALSE },
  { "comm_split", read_nothing, 0, 0, FALSE },
  { "compare_and_swap", read_fetch, PD_ACT_ACCUMULATE, 0, FALSE },
  { "compute", pd_ti_read_compute, PD_ACT_COMPUTE, 0, FALSE },
  COLLECTIVE ("exscan", pd_ti_read_reduce, PD_COLL_EXSCAN),
  { "finalize", read_finalize, 0, 0, FALSE },
  COLLECTIVE ("gather", pd_ti_read_blocks, PD_COLL_GATHER),
  COLLECTIVE ("gatherv", pd_ti_read_gatherv, PD_COLL_GATHERV),
  { "get", read_rma, PD_ACT_GET, 0, FALSE },
  { "get_accumulate", read_fetch, PD_ACT_ACCUMULATE, 0, FALSE },
  ICOLLECTIVE ("iallgather", pd_ti_read_blocks, PD_COLL_ALLGATHER),
  ICOLLECTIVE ("iallgatherv", pd_ti_read_gatherv, PD_COLL_ALLGATHERV),
  ICOLLECTIVE ("iallreduce", pd_ti_read_reduce, PD_COLL_ALLREDUCE),
  ICOLLECTIVE ("ialltoall", pd_ti_read_blocks, PD_COLL_ALLTOALL),
  ICOLLECTIVE ("ialltoallv", pd_ti_read_alltoallv, PD_COLL_ALLTOALLV),
  ICOLLECTIVE ("ibarrier", pd_ti_read_barrier, PD_COLL_BARRIER),
  ICOLLECTIVE ("ibcast", pd_ti_read_bcast, PD_COLL_BCAST),
  { "ibsend", pd_ti_read_message, PD_ACT_IBSEND, 0, FALSE },
  ICOLLECTIVE ("iexscan", pd_ti_read_reduce, PD_COLL_EXSCAN),
  ICOLLECTIVE ("igather", pd_ti_read_blocks, PD_COLL_GATHER),
  ICOLLECTIVE ("igatherv", pd_ti_read_gatherv, PD_COLL_GATHERV),
  { "init", read_init, 0, 0, FALSE },
  { "io", read_unknown, 0, 0, FALSE },
  { "irecv", pd_ti_read_message, PD_ACT_IRECV, 0, FALSE },
  ICOLLECTIVE ("ireduce", pd_ti_read_reduce, PD_COLL_REDUCE),
  ICOLLECTIVE ("ireducescatter", pd_ti_read_reduce_scatter, PD_COLL_REDUCE_SCATTER),
  ICOLLECTIVE ("iscan", pd_ti_read_reduce, PD_COLL_SCAN),
  ICOLLECTIVE ("iscatter", pd_ti_read_blocks, PD_COLL_SCATTER),
  ICOLLECTIVE ("iscatterv", pd_ti_read_scatterv, PD_COLL_SCATTERV),
  { "isend", pd_ti_read_message, PD_ACT_ISEND, 0, FALSE },
  { "isendrecv", read_isendrecv, 0, 0, FALSE },
  { "issend", pd_ti_read_message, PD_ACT_ISSEND, 0, FALSE },
  { "location", read_location, PD_ACT_LOCATION, 0, FALSE },
  { "migrate", read_nothing, 0, 0, FALSE },
  { "put", read_rma, PD_ACT_PUT, 0, FALSE },
  { "raccumulate", read_rma, PD_ACT_ACCUMULATE, 0, FALSE },
  { "recv", pd_ti_read_message, PD_ACT_RECV, 0, FALSE },
  COLLECTIVE ("reduce", pd_ti_read_reduce, PD_COLL_REDUCE),
  COLLECTIVE ("reducescatter", pd_ti_read_reduce_scatter, PD_COLL_REDUCE_SCATTER),
  { "rget", read_rma, PD_ACT_GET, 0, FALSE },
  { "rget_accumulate", read_fetch, PD_ACT_ACCUMULATE, 0, FALSE },
  { "rput", read_rma, PD_ACT_PUT, 0, FALSE },
  COLLECTIVE ("scan", pd_ti_read_reduce, PD_COLL_SCAN),
  COLLECTIVE ("scatter", pd_ti_read_blocks, PD_COLL_SCATTER),
  COLLECTIVE ("scatterv", pd_ti_read_scatterv, PD_COLL_SCATTERV),
  { "send", pd_ti_read_message, PD_ACT_SEND, 0, FALSE },
  { "sendrecv", read_sendrecv, PD_ACT_SENDRECV, 0, FALSE },
  { "sleep", read_sleep, PD_ACT_DELAY, 0, FALSE },
  { "ssend", pd_ti_read_message, PD_ACT_SSEND, 0, FALSE },
  { "start", read_start, 0, 0, FALSE },
  { "startall", read_unknown, 0, 0, FALSE },
  { "test", pd_ti_read_wait, PD_ACT_TEST, 0, FALSE },
  { "testall", pd_ti_read_some, PD_ACT_TESTALL, 0, FALSE },
  { "testany", pd_ti_read_some, PD_ACT_TESTANY, 0, FALSE },
  { "testsome", pd_ti_read_some, PD_ACT_TESTSOME, 0, FALSE },
  { "wait", pd_ti_read_wait, PD_ACT_WAIT, 0, FALSE },
  { "waitall", pd_ti_read_waitall, PD_ACT_WAITALL, 0, FALSE },
  { "waitany", pd_ti_read_some, PD_ACT_WAITANY, 0, FALSE },
  { "win_complete", read_unknown, 0, 0, FALSE },
  { "win_fence", read_epoch, PD_ACT_WIN_FENCE, 0, FALSE },
  { "win_flush", read_nothing, 0, 0, FALSE },
  { "win_flush_all", read_nothing, 0, 0, FALSE },
  { "win_flush_local", read_nothing, 0, 0, FALSE },
  { "win_flush_local_all", read_nothing, 0, 0, FALSE },
  { "win_lock", read_epoch, PD_ACT_WIN_LOCK, 0, FALSE },
  { "win_lock_all", read_epoch, PD_ACT_WIN_LOCK, 0, FALSE },
  { "win_post", read_unknown, 0, 0, FALSE },
  { "win_start", read_unknown, 0, 0, FALSE },
  { "win_unlock", read_epoch, PD_ACT_WIN_UNLOCK, 0, FALSE },
  { "win_unlock_all", read_epoch, PD_ACT_WIN_UNLOCK, 0, FALSE },
  { "win_wait", read_unknown, 0, 0, FALSE },
};

/* ---- look-up: a table by a hash of the name, made once */

#define N_BUCKETS 512

/* Length, first, middle and last letter, in lower case. */
static inline guint
hash_name (const char *name, gsize n)
{
  guint sum = (guint) n * 64;

  sum += (guint8) (name[0] | 0x20) * 7U;
  sum += (guint8) (name[n / 2] | 0x20) * 29U;
  sum += (guint8) (name[n - 1] | 0x20) * 3U;
  return sum % N_BUCKETS;
}

/* 1 + the index of an action, open addressing; 0 = none. */
static const guint8 *
get_index (void)
{
  static gsize made;
  static guint8 index[N_BUCKETS];

  G_STATIC_ASSERT (G_N_ELEMENTS (actions) < G_MAXUINT8);
  if (g_once_init_enter (&made))
    {
      for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
        {
          guint place = hash_name (actions[i].name, strlen (actions[i].name));
          while (index[place] != 0)
            place = (place + 1) % N_BUCKETS;
          index[place] = (guint8) (i + 1);
        }
      g_once_init_leave (&made, 1);
    }
  return index;
}

const PdTiAction *
pd_ti_action_find (const char *name, gsize n)
{
  const guint8 *index = get_index ();

  if (n == 0 || n > PD_TI_MAX_NAME)
    return NULL;
  for (guint place = hash_name (name, n); index[place] != 0; place = (place + 1) % N_BUCKETS)
    {
      const PdTiAction *action = &actions[index[place] - 1];
      if (action->name[n - 1] != '\0' && action->name[n] == '\0'
          && (memcmp (action->name, name, n) == 0
              || g_ascii_strncasecmp (action->name, name, n) == 0))
        return action;
    }
  return NULL;
}

gboolean
pd_ti_action_may_begin (const char *name, gsize n)
{
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_ascii_strncasecmp (actions[i].name, name, n) == 0)
      return TRUE;
  return FALSE;
}
