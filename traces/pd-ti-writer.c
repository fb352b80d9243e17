/* Programs as time-independent traces: one file of all ranks, in the order of
 * ranks, sizes in bytes. What that form has no words for is left out or
 * replaced by the nearest, and said once per kind with a count.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-output.h"
#include "traces/pd-ti-private.h"
#include "traces/pd-trace-formats-private.h"

#include <string.h>

/* The number of the type whose elements have one byte. */
#define BYTE_TYPE 6

/* What a request is waited for with, by slot. */
typedef struct
{
  gint32 source;
  gint32 target;
  gint32 tag;
} Request;

typedef struct
{
  const PdProgram *program;
  PdOutput *out;
  PdMessages *messages;
  const char *path;
  gdouble flops; /* per second */
  guint32 rank;
  GArray *requests; /* Request */
} Writer;

static void G_GNUC_PRINTF (4, 5)
    lose (const Writer *self, const char *id, const char *subject, const char *format, ...)
{
  PdPlace place = { self->path, 0, NULL, -1, self->rank, TRUE };
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  pd_messages_add (self->messages, PD_SEVERITY_WARNING, id, subject, &place, "%s", text);
}

/* ---- fields */

static void
begin (Writer *self, const char *word)
{
  pd_output_int (self->out, self->rank);
  pd_output_char (self->out, ' ');
  pd_output_text (self->out, word);
}

static void
add_int (Writer *self, gint64 value)
{
  pd_output_char (self->out, ' ');
  pd_output_int (self->out, value);
}

static void
add_double (Writer *self, gdouble value)
{
  pd_output_char (self->out, ' ');
  pd_output_double (self->out, value);
}

static void
end (Writer *self)
{
  pd_output_char (self->out, '\n');
}

static gdouble
get_flops (const Writer *self, PdAmount amount)
{
  if (pd_program_get_unit (self->program) == PD_AMOUNT_FLOPS)
    return amount.flops;
  return pd_time_to_seconds (amount.time) * self->flops;
}

/* Messages of communicators have ranks of the world here. */
static gint32
to_world (const Writer *self, const PdAction *action, gint32 peer)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (self->program, action->comm, &n);

  if (peer < 0)
    return peer == PD_PROGRAM_ANY ? PD_TI_ANY_SOURCE : PD_TI_PROC_NULL;
  return ranks != NULL ? (gint32) ranks[peer] : peer;
}

static gint32
to_tag (gint32 tag)
{
  return tag == PD_PROGRAM_ANY ? PD_TI_ANY_TAG : tag;
}

static void
set_request (Writer *self, const PdAction *action, gint32 source, gint32 target)
{
  Request request = { source, target, to_tag (action->tag) };

  if (action->request >= self->requests->len)
    g_array_set_size (self->requests, action->request + 1);
  g_array_index (self->requests, Request, action->request) = request;
}

/* ---- actions */

static void
write_compute (Writer *self, const PdAction *action, const char *word)
{
  begin (self, word);
  add_double (self, get_flops (self, action->amount));
  end (self);
}

static void
write_delay (Writer *self, const PdAction *action, const char *word)
{
  char seconds[64];

  begin (self, word);
  pd_output_char (self->out, ' ');
  pd_output_text (self->out, pd_time_format (action->amount.time, seconds));
  end (self);
}

static void
check_message (const Writer *self, const PdAction *action)
{
  if (action->comm != 0)
    lose (self, "ti-lost-communicator", NULL,
          "a message of a communicator becomes one of the world, which may match another");
}

static void
write_message (Writer *self, const PdAction *action, const char *word)
{
  gint32 peer = to_world (self, action, action->peer);
  gboolean receives = action->kind == PD_ACT_RECV || action->kind == PD_ACT_IRECV;

  check_message (self, action);
  begin (self, word);
  add_int (self, peer);
  add_int (self, to_tag (action->tag));
  add_int (self, action->bytes);
  add_int (self, BYTE_TYPE);
  end (self);
  if (receives ? action->kind == PD_ACT_IRECV : action->kind >= PD_ACT_ISEND)
    set_request (self, action, receives ? peer : (gint32) self->rank,
                 receives ? (gint32) self->rank : peer);
}

static void
write_sendrecv (Writer *self, const PdAction *action, const char *word)
{
  check_message (self, action);
  if (action->tag != 0 || action->recv_tag != 0)
    lose (self, "ti-lost-tag", NULL, "a sendRecv has no tags");
  begin (self, word);
  add_int (self, action->bytes);
  add_int (self, to_world (self, action, action->peer));
  add_int (self, action->recv_bytes);
  add_int (self, to_world (self, action, action->recv_peer));
  add_int (self, BYTE_TYPE);
  add_int (self, BYTE_TYPE);
  end (self);
}

static void
write_wait (Writer *self, const PdAction *action, const char *word)
{
  static const Request none = { PD_TI_PROC_NULL, PD_TI_PROC_NULL, 0 };
  const Request *request = action->request < self->requests->len
                               ? &g_array_index (self->requests, Request, action->request)
                               : &none;

  begin (self, word);
  add_int (self, request->source);
  add_int (self, request->target);
  add_int (self, request->tag);
  end (self);
}

static void
write_waitall (Writer *self, const PdAction *action, const char *word)
{
  PdAction one;

  if (action->n_slots == 0)
    {
      begin (self, word);
      end (self);
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
write_some (Writer *self, const PdAction *action, const char *word)
{
  lose (self, "ti-lost-requests", pd_action_name (action), "cannot name the requests it is of");
  begin (self, word);
  if (action->kind == PD_ACT_WAITANY)
    add_int (self, action->n_slots);
  end (self);
}

static void
write_location (Writer *self, const PdAction *action, const char *word)
{
  begin (self, word);
  pd_output_char (self->out, ' ');
  pd_output_text (self->out, pd_program_get_string (self->program, action->name));
  add_int (self, action->line);
  end (self);
}

static void
write_rma (Writer *self, const PdAction *action, const char *word)
{
  lose (self, "ti-lost-window", NULL, "an action on a window cannot name it");
  begin (self, word);
  if (action->kind <= PD_ACT_ACCUMULATE)
    {
      add_int (self, to_world (self, action, action->peer));
      add_int (self, 0);
      add_int (self, action->bytes);
      add_int (self, BYTE_TYPE);
    }
  end (self);
}

/* ---- collective operations */

/* What stands behind the name; "T" once or twice the type. */
typedef enum
{
  NOTHING,
  BYTES_ROOT,    /* n ROOT T */
  BYTES_OP,      /* n COMP T */
  BYTES_OP_ROOT, /* n COMP ROOT T */
  BLOCKS,        /* n n T T */
  BLOCKS_ROOT,   /* n n ROOT T T */
  BYTES_RECV,    /* n r… T T */
  BYTES_RECV_ROOT,
  SEND_BYTES_ROOT, /* s… n ROOT T T */
  SEND_RECV,       /* sum s… sum r… T T */
  RECV_OP,         /* r… COMP T */
} Shape;

static const struct
{
  const char *word; /* NULL: there is none */
  Shape shape;
} shapes[PD_N_COLLS] = {
  [PD_COLL_BARRIER] = { "barrier", NOTHING },
  [PD_COLL_BCAST] = { "bcast", BYTES_ROOT },
  [PD_COLL_REDUCE] = { "reduce", BYTES_OP_ROOT },
  [PD_COLL_ALLREDUCE] = { "allreduce", BYTES_OP },
  [PD_COLL_SCAN] = { "scan", BYTES_OP },
  [PD_COLL_EXSCAN] = { "exscan", BYTES_OP },
  [PD_COLL_GATHER] = { "gather", BLOCKS_ROOT },
  [PD_COLL_SCATTER] = { "scatter", BLOCKS_ROOT },
  [PD_COLL_ALLGATHER] = { "allgather", BLOCKS },
  [PD_COLL_ALLTOALL] = { "alltoall", BLOCKS },
  [PD_COLL_GATHERV] = { "gatherv", BYTES_RECV_ROOT },
  [PD_COLL_ALLGATHERV] = { "allgatherv", BYTES_RECV },
  [PD_COLL_SCATTERV] = { "scatterv", SEND_BYTES_ROOT },
  [PD_COLL_ALLTOALLV] = { "alltoallv", SEND_RECV },
  [PD_COLL_ALLTOALLW] = { "alltoallv", SEND_RECV },
  [PD_COLL_REDUCE_SCATTER] = { "reducescatter", RECV_OP },
  [PD_COLL_REDUCE_SCATTER_BLOCK] = { "reducescatter", RECV_OP },
};

/* A count for each rank; those that are not there are @otherwise. */
static gint64
add_vector (Writer *self, guint32 vector, gint64 otherwise, gboolean write)
{
  guint32 n_ranks = pd_program_get_n_ranks (self->program);
  const gint64 *values =
      vector != PD_PROGRAM_NONE ? pd_program_get_counts (self->program, vector, NULL) : NULL;
  gint64 sum = 0;

  for (guint32 i = 0; i < n_ranks; i++)
    {
      gint64 value = values != NULL ? values[i] : otherwise;
      if (write)
        add_int (self, value);
      if (__builtin_add_overflow (sum, value, &sum))
        sum = G_MAXINT64;
    }
  return sum;
}

static void
add_both_vectors (Writer *self, const PdAction *action)
{
  add_int (self, add_vector (self, action->send_counts, 0, FALSE));
  add_vector (self, action->send_counts, 0, TRUE);
  add_int (self, add_vector (self, action->recv_counts, 0, FALSE));
  add_vector (self, action->recv_counts, 0, TRUE);
}

static void
add_arguments (Writer *self, const PdAction *action, Shape shape)
{
  if (shape == SEND_BYTES_ROOT)
    add_vector (self, action->send_counts, 0, TRUE);
  if (shape == SEND_RECV)
    add_both_vectors (self, action);
  else if (shape != RECV_OP)
    add_int (self, action->bytes);
  if (shape == BLOCKS || shape == BLOCKS_ROOT)
    add_int (self, action->bytes);
  if (shape == BYTES_RECV || shape == BYTES_RECV_ROOT || shape == RECV_OP)
    add_vector (self, action->recv_counts, shape == RECV_OP ? action->bytes : 0, TRUE);
  if (shape == BYTES_OP || shape == BYTES_OP_ROOT || shape == RECV_OP)
    add_double (self, get_flops (self, action->amount));
  if (shape == BYTES_ROOT || shape == BYTES_OP_ROOT || shape == BLOCKS_ROOT
      || shape == BYTES_RECV_ROOT || shape == SEND_BYTES_ROOT)
    add_int (self, action->peer);
  add_int (self, BYTE_TYPE);
  if (shape >= BLOCKS && shape != RECV_OP)
    add_int (self, BYTE_TYPE);
}

static void
write_collective (Writer *self, const PdAction *action, const char *word)
{
  const char *name = shapes[action->op].word;
  g_autofree char *iname = NULL;
  gboolean has_request = action->kind == PD_ACT_ICOLLECTIVE;

  (void) word;
  if (name == NULL || action->comm != 0)
    {
      lose (self, name == NULL ? "ti-lost-operation" : "ti-lost-collective",
            pd_action_name (action),
            name == NULL ? "left out: there is no word for it"
                         : "left out: it is not one of the world");
      return;
    }
  if (has_request)
    {
      name = iname = g_strconcat ("i", name, NULL);
      set_request (self, action, (gint32) self->rank, (gint32) self->rank);
      g_array_index (self->requests, Request, action->request).tag = -2;
    }
  begin (self, name);
  if (shapes[action->op].shape != NOTHING)
    add_arguments (self, action, shapes[action->op].shape);
  end (self);
}

/* ---- the table; a hole is left out with a warning */

static const struct
{
  const char *word;
  void (*write) (Writer *self, const PdAction *action, const char *word);
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
  [PD_ACT_COLLECTIVE] = { "", write_collective },
  [PD_ACT_ICOLLECTIVE] = { "", write_collective },
  [PD_ACT_PUT] = { "Put", write_rma },
  [PD_ACT_GET] = { "Get", write_rma },
  [PD_ACT_ACCUMULATE] = { "Accumulate", write_rma },
  [PD_ACT_WIN_FENCE] = { "Win_fence", write_rma },
  [PD_ACT_WIN_LOCK] = { "Win_lock", write_rma },
  [PD_ACT_WIN_UNLOCK] = { "Win_unlock", write_rma },
  [PD_ACT_LOCATION] = { "location", write_location },
};

/* What has another kind here: a ready send is one that need not wait, and a
 * call outside the model a time. */
static PdActionKind
get_nearest (const Writer *self, PdAction *action)
{
  if (action->kind == PD_ACT_RSEND || action->kind == PD_ACT_IRSEND)
    {
      lose (self, "ti-lost-mode", NULL, "a ready send becomes an ordinary one");
      action->kind = action->kind == PD_ACT_RSEND ? PD_ACT_SEND : PD_ACT_ISEND;
    }
  if (action->kind == PD_ACT_LOCAL)
    action->kind = PD_ACT_DELAY;
  if (action->kind == PD_ACT_OTHER)
    {
      lose (self, "ti-lost-call", NULL, "a call outside the model becomes a sleep");
      action->kind = PD_ACT_DELAY;
    }
  return action->kind;
}

static void
write_rank (Writer *self)
{
  const PdCell *last, *cell = pd_program_get_cells (self->program, self->rank, &last);

  g_array_set_size (self->requests, 0);
  begin (self, "init");
  end (self);
  while (cell < last)
    {
      PdAction action;
      cell = pd_action_read (cell, &action);
      PdActionKind kind = get_nearest (self, &action);
      if (rows[kind].write != NULL)
        rows[kind].write (self, &action, rows[kind].word);
      else
        lose (self, "ti-lost-action", pd_action_name (&action),
              "left out: there is no word for it");
    }
  begin (self, "finalize");
  end (self);
}

gboolean
pd_trace_ti_write (const PdMpTrace *trace, const char *path, const PdTraceWriteOptions *options,
                   PdMessages *messages, GError **error)
{
  g_autoptr (PdOutput) out = NULL;
  g_autoptr (GArray) requests = g_array_new (FALSE, TRUE, sizeof (Request));

  if (trace->program == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                   "time-independent traces have no dependency graphs; write them as GOAL");
      return FALSE;
    }
  out = pd_output_new (path, error);
  if (out == NULL)
    return FALSE;
  Writer writer = { trace->program, out, messages, path, options->flops, 0, requests };
  for (; writer.rank < pd_program_get_n_ranks (trace->program); writer.rank++)
    write_rank (&writer);
  return pd_output_close (out, error);
}
