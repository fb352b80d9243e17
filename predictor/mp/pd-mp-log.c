/* SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-watchers-private.h"
#include "traces/program/pd-action.h"

/* Requests of one action that are named. */
#define MAX_SHOWN 4

/* How far the protocol of a rank is. */
typedef struct
{
  const PdProgramCell *cell; /* the first that was not looked at */
  const PdProgramCell *end;
  PdLoops loops;
  guint64 number; /* of its action */
  guint32 file;   /* of the last location; PD_PROGRAM_NONE */
  gint64 line;
  guint64 *started; /* (array): by slot: 1 + the action that started its request */
} Rank;

typedef struct
{
  PdLog *log;
  const PdProgram *program;
  Rank *ranks;
  GString *text;
} PdMpLog;

static void
log_free (gpointer data)
{
  PdMpLog *self = data;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (self->program); rank++)
    g_free (self->ranks[rank].started);
  g_free (self->ranks);
  g_string_free (self->text, TRUE);
  g_free (self);
}

/* ---- words */

static void
say_peer (PdMpLog *self, const char *word, gint32 peer)
{
  if (peer == PD_PROGRAM_PROC_NULL)
    g_string_append_printf (self->text, " %s MPI_PROC_NULL", word);
  else if (peer == PD_PROGRAM_ANY)
    g_string_append_printf (self->text, " %s any source", word);
  else
    g_string_append_printf (self->text, " %s %d", word, peer);
}

static void
say_message (PdMpLog *self, const char *word, const PdAction *a)
{
  say_peer (self, word, a->peer);
  if (a->peer == PD_PROGRAM_ANY && a->matched_peer >= 0)
    g_string_append_printf (self->text, " (recorded: %d)", a->matched_peer);
  if (a->tag >= 0)
    g_string_append_printf (self->text, ", tag %d", a->tag);
  g_string_append_printf (self->text, ", %" G_GINT64_FORMAT " bytes", a->bytes);
}

static void
say_send (PdMpLog *self, const Rank *r G_GNUC_UNUSED, const PdAction *a)
{
  say_message (self, "to", a);
}

static void
say_receive (PdMpLog *self, const Rank *r G_GNUC_UNUSED, const PdAction *a)
{
  say_message (self, "from", a);
}

static void
say_sendrecv (PdMpLog *self, const Rank *r G_GNUC_UNUSED, const PdAction *a)
{
  PdAction half = *a;

  say_message (self, "to", a);
  half.peer = a->recv_peer;
  half.tag = a->recv_tag;
  half.bytes = a->recv_bytes;
  g_string_append_c (self->text, ';');
  say_message (self, "from", &half);
}

static void
say_probe (PdMpLog *self, const Rank *r G_GNUC_UNUSED, const PdAction *a)
{
  say_peer (self, "from", a->peer);
}

static void
say_request (PdMpLog *self, const Rank *r, const PdAction *a)
{
  if (r->started[a->request] > 0)
    g_string_append_printf (self->text, " of action %" G_GUINT64_FORMAT,
                            r->started[a->request] - 1);
}

static void
say_requests (PdMpLog *self, const Rank *r, const PdAction *a)
{
  if (a->n_slots == 0)
    g_string_append (self->text, " of all requests");
  for (guint32 i = 0; i < MIN (a->n_slots, MAX_SHOWN); i++)
    if (r->started[a->slots[i]] > 0)
      g_string_append_printf (self->text, "%s %" G_GUINT64_FORMAT, i == 0 ? " of actions" : ",",
                              r->started[a->slots[i]] - 1);
  if (a->n_slots > MAX_SHOWN)
    g_string_append_printf (self->text, " and %u more", a->n_slots - MAX_SHOWN);
}

static void
say_collective (PdMpLog *self, const Rank *r G_GNUC_UNUSED, const PdAction *a)
{
  guint32 n;

  if (a->op == PD_COLL_BCAST || a->op == PD_COLL_REDUCE || a->op == PD_COLL_GATHER
      || a->op == PD_COLL_GATHERV || a->op == PD_COLL_SCATTER || a->op == PD_COLL_SCATTERV)
    g_string_append_printf (self->text, ", root %d", a->peer);
  if (a->bytes > 0)
    g_string_append_printf (self->text, ", %" G_GINT64_FORMAT " bytes", a->bytes);
  pd_program_get_comm (self->program, a->comm, &n);
  g_string_append_printf (self->text, ", %u ranks", n);
}

static void
say_interval (PdMpLog *self, const Rank *r G_GNUC_UNUSED, const PdAction *a)
{
  const PdProgramInterval *interval = pd_program_get_interval (self->program, a->interval);

  g_string_append_printf (self->text, " %s",
                          interval->name[0] != '\0' ? interval->name : interval->file);
}

static void
say_group (PdMpLog *self, const Rank *r G_GNUC_UNUSED, const PdAction *a)
{
  gboolean posts = a->kind == PD_ACT_WIN_POST;
  guint32 n;
  const gint64 *members =
      pd_program_get_counts (self->program, posts ? a->sources : a->targets, &n);

  for (guint32 i = 0; i < MIN (n, MAX_SHOWN); i++)
    g_string_append_printf (self->text, "%s%" G_GINT64_FORMAT,
                            i > 0   ? ", "
                            : posts ? " for "
                                    : " at ",
                            members[i]);
  if (n > MAX_SHOWN)
    g_string_append_printf (self->text, " and %u more", n - MAX_SHOWN);
}

static void
say_target (PdMpLog *self, const Rank *r G_GNUC_UNUSED, const PdAction *a)
{
  say_peer (self, "at", a->peer);
  g_string_append_printf (self->text, ", %" G_GINT64_FORMAT " bytes", a->bytes);
}

/* The text behind an action's name; a hole: none. */
static void (*const says[PD_N_ACTS]) (PdMpLog *self, const Rank *r, const PdAction *a) = {
  [PD_ACT_SEND] = say_send,
  [PD_ACT_BSEND] = say_send,
  [PD_ACT_SSEND] = say_send,
  [PD_ACT_RSEND] = say_send,
  [PD_ACT_ISEND] = say_send,
  [PD_ACT_IBSEND] = say_send,
  [PD_ACT_ISSEND] = say_send,
  [PD_ACT_IRSEND] = say_send,
  [PD_ACT_RECV] = say_receive,
  [PD_ACT_IRECV] = say_receive,
  [PD_ACT_SENDRECV] = say_sendrecv,
  [PD_ACT_SEND_INIT] = say_send,
  [PD_ACT_BSEND_INIT] = say_send,
  [PD_ACT_SSEND_INIT] = say_send,
  [PD_ACT_RSEND_INIT] = say_send,
  [PD_ACT_RECV_INIT] = say_receive,
  [PD_ACT_START] = say_requests,
  [PD_ACT_REQUEST_FREE] = say_request,
  [PD_ACT_CANCEL] = say_request,
  [PD_ACT_WAIT] = say_request,
  [PD_ACT_WAITALL] = say_requests,
  [PD_ACT_WAITANY] = say_requests,
  [PD_ACT_WAITSOME] = say_requests,
  [PD_ACT_TEST] = say_request,
  [PD_ACT_TESTALL] = say_requests,
  [PD_ACT_TESTANY] = say_requests,
  [PD_ACT_TESTSOME] = say_requests,
  [PD_ACT_PROBE] = say_probe,
  [PD_ACT_IPROBE] = say_probe,
  [PD_ACT_COLLECTIVE] = say_collective,
  [PD_ACT_ICOLLECTIVE] = say_collective,
  [PD_ACT_PUT] = say_target,
  [PD_ACT_GET] = say_target,
  [PD_ACT_ACCUMULATE] = say_target,
  [PD_ACT_GET_ACCUMULATE] = say_target,
  [PD_ACT_RPUT] = say_target,
  [PD_ACT_RGET] = say_target,
  [PD_ACT_RACCUMULATE] = say_target,
  [PD_ACT_RGET_ACCUMULATE] = say_target,
  [PD_ACT_WIN_POST] = say_group,
  [PD_ACT_WIN_START] = say_group,
  [PD_ACT_ENTER] = say_interval,
  [PD_ACT_LEAVE] = say_interval,
};

/* ---- actions */

static void
write_action (PdMpLog *self, guint32 rank, const PdAction *action, const PdTime *times)
{
  const Rank *r = &self->ranks[rank];

  g_string_assign (self->text, pd_action_name (action));
  if (action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL)
    g_string_assign (self->text, pd_program_get_string (self->program, action->name));
  if (says[action->kind] != NULL)
    says[action->kind](self, r, action);
  if (r->file != PD_PROGRAM_NONE)
    g_string_append_printf (self->text, "; at %s:%" G_GINT64_FORMAT,
                            pd_program_get_string (self->program, r->file), r->line);
  pd_log_rank_action (self->log, rank, r->number, times, self->text->str);
}

/* @deed: not before the one that was noted last */
static void
note (gpointer data, const PdDeed *deed)
{
  PdMpLog *self = data;
  Rank *r = &self->ranks[deed->rank];
  const PdTime times[2] = { deed->begin, deed->end };
  gboolean here = FALSE;
  PdAction action;

  while (!here)
    {
      here = r->cell == deed->what;
      r->cell = pd_loops_read (&r->loops, r->cell, r->end, &action);
      if (pd_action_makes_request (action.kind))
        r->started[action.request] = r->number + 1;
      if (action.kind == PD_ACT_LOCATION)
        {
          r->file = action.name;
          r->line = action.line;
        }
      else if (here && pd_log_wants_action (self->log, deed->rank, r->number))
        write_action (self, deed->rank, &action, times);
      r->number++;
    }
}

static gboolean
finish (gpointer data, const PdTime *ends G_GNUC_UNUSED, GError **error)
{
  return pd_log_end (((PdMpLog *) data)->log, error);
}

static const PdWatcherClass class = {
  .done = note, .blocked = note, .finish = finish, .free = log_free
};

void
pd_mp_log_watch (PdWatcher **watchers, PdLog *log, const PdProgram *program, const char *trace)
{
  if (log == NULL)
    return;
  PdMpLog *self = g_new0 (PdMpLog, 1);
  guint32 n = pd_program_get_n_ranks (program);

  self->log = log;
  self->program = program;
  self->ranks = g_new0 (Rank, n);
  self->text = g_string_new (NULL);
  for (guint32 rank = 0; rank < n; rank++)
    {
      Rank *r = &self->ranks[rank];
      r->cell = pd_program_get_cells (program, rank, &r->end);
      r->loops.sample = pd_program_get_samples (program, rank);
      r->file = PD_PROGRAM_NONE;
      r->started = g_new0 (guint64, MAX (pd_program_get_n_slots (program, rank), 1));
    }
  pd_log_begin_ranks (log, trace, n);
  pd_watch (watchers, &class, self);
}
