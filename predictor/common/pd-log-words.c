/* The effect of a step on a processor, in words.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-log-private.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-collective.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/step/pd-step-part.h"
#include "predictor/common/pd-log-words-private.h"

/* Messages that one line lists; the others are only counted. */
#define MAX_MESSAGES_SHOWN 16

typedef struct
{
  const PdDeed *deed;
  const PdStepDvm *step;
  gint64 linear; /* of the processor in the operation's grid; -1: takes no part */
} Note;

static void
say_place (GString *line, const PdStepDvm *step)
{
  g_string_append_printf (line, "%s at %s:%" G_GINT64_FORMAT ": ", step->name, step->file,
                          step->line);
}

/* The functions say what a step did for the processor; FALSE: nothing. */

static gboolean
say_compute (PdLogWords *self, const Note *note)
{
  const PdTeam *team = note->step->family->team;
  gboolean is_one = note->step->first_record == note->step->last_record;

  if (pd_grid_find (team->grid, note->deed->rank) < 0)
    return FALSE;
  say_place (self->line, note->step);
  g_string_append (self->line,
                   is_one ? "ordinary time" : "ordinary time, also of the records after it");
  return TRUE;
}

static gboolean
say_loop (PdLogWords *self, const Note *note)
{
  const PdLoopWork *work = note->step->work;
  gint64 n = pd_loop_work_get_local (work, note->deed->rank);

  if (n < 0)
    return FALSE;
  say_place (self->line, note->step);
  g_string_append_printf (self->line, "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " %s", n,
                          work->loop != NULL ? pd_loop_get_total (work->loop)
                                             : pd_section_get_count (&work->section),
                          work->loop != NULL ? "iterations" : "elements copied");
  if (work->replication > 1)
    g_string_append_printf (self->line, ", as on %u processors", work->replication);
  if (work->shares->len > 1)
    g_string_append_printf (self->line, ", in %u intervals", work->shares->len);
  return TRUE;
}

static gboolean
say_cut_loop (PdLogWords *self, const Note *note)
{
  if (!say_loop (self, note))
    return FALSE;
  if (note->step->op != PD_LOOP_WHOLE)
    g_string_append (self->line,
                     note->step->op == PD_LOOP_EDGES ? ", their edges" : ", without their edges");
  return TRUE;
}

static gboolean
say_pipeline (PdLogWords *self, const Note *note)
{
  if (!say_loop (self, note))
    return FALSE;
  g_string_append_printf (self->line, ", a pipeline of %" G_GINT64_FORMAT " portions",
                          pd_portions_get_count (&note->step->work->portions));
  return TRUE;
}

static guint
list_messages (PdLogWords *self, const Note *note)
{
  const PdPlan *plan = note->step->operation->plan;
  guint most = pd_plan_get_max (plan, note->deed->rank);

  if (most > self->room)
    {
      self->room = most;
      self->messages = g_renew (PdPlanMessage, self->messages, most);
    }
  guint n = pd_plan_get_messages (plan, note->deed->rank, self->messages), kept = 0;
  /* of an exchange whose directions are started apart only the one */
  for (guint i = 0; i < n; i++)
    if ((note->step->flags & (self->messages[i].send ? PD_STEP_RECVS : PD_STEP_SENDS)) == 0)
      self->messages[kept++] = self->messages[i];
  return kept;
}

/* Of an exchange that is simulated as a whole there is no list. */
static gboolean
say_traffic (PdLogWords *self, const Note *note)
{
  PdTraffic own;

  pd_plan_get_traffic (note->step->operation->plan, note->deed->rank, &own);
  say_place (self->line, note->step);
  g_string_append_printf (self->line,
                          "%s an exchange as a whole, sends %" G_GINT64_FORMAT
                          " messages of %" G_GINT64_FORMAT " B in all, receives %" G_GINT64_FORMAT
                          " of %" G_GINT64_FORMAT " B",
                          note->step->kind == PD_STEP_KIND_EXCHANGE_START ? "starts" : "waits for",
                          own.n_sent, own.bytes_sent, own.n_received, own.bytes_received);
  return TRUE;
}

static gboolean
say_exchange_start (PdLogWords *self, const Note *note)
{
  gint64 bytes = 0;

  if (note->step->operation->aggregate != NULL)
    return say_traffic (self, note);
  guint n = list_messages (self, note);
  say_place (self->line, note->step);
  g_string_append (self->line, "starts");
  for (guint i = 0; i < n; i++)
    {
      const PdPlanMessage *message = &self->messages[i];
      bytes += i < MAX_MESSAGES_SHOWN ? 0 : message->bytes;
      if (i < MAX_MESSAGES_SHOWN)
        g_string_append_printf (self->line, "%s %s %" G_GINT64_FORMAT " B %s %u", i > 0 ? "," : "",
                                message->send ? "send" : "receive", message->bytes,
                                message->send ? "to" : "from", message->peer);
    }
  if (n > MAX_MESSAGES_SHOWN)
    g_string_append_printf (self->line, ", and %u more of %" G_GINT64_FORMAT " B in all",
                            n - MAX_MESSAGES_SHOWN, bytes);
  if (n == 0)
    g_string_append (self->line, " nothing");
  return TRUE;
}

static gboolean
say_exchange_wait (PdLogWords *self, const Note *note)
{
  if (note->step->operation->aggregate != NULL)
    return say_traffic (self, note);
  guint n = list_messages (self, note);
  say_place (self->line, note->step);
  g_string_append_printf (self->line, "waits for %u message%s", n, n == 1 ? "" : "s");
  for (guint i = 0; i < MIN (n, MAX_MESSAGES_SHOWN); i++)
    g_string_append_printf (self->line, "%s %s %u", i > 0 ? "," : ":",
                            self->messages[i].send ? "to" : "from", self->messages[i].peer);
  if (n > MAX_MESSAGES_SHOWN)
    g_string_append (self->line, ", …");
  return TRUE;
}

static PdComm *
comm_of (const Note *note)
{
  return pd_comm_family_get (note->step->family, (guint32) note->linear);
}

static gboolean
say_collective (PdLogWords *self, const Note *note)
{
  say_place (self->line, note->step);
  g_string_append_printf (self->line, "%s%s of %" G_GINT64_FORMAT " B among %u",
                          note->step->kind == PD_STEP_KIND_COLLECTIVE_START ? "starts " : "",
                          pd_op_get_name ((PdOp) note->step->op), note->step->bytes,
                          pd_comm_get_size (comm_of (note)));
  return TRUE;
}

static gboolean
say_collective_wait (PdLogWords *self, const Note *note)
{
  say_place (self->line, note->step);
  g_string_append_printf (self->line, "waits for the collective operations that it started");
  return TRUE;
}

static gboolean
say_star (PdLogWords *self, const Note *note)
{
  const PdStepOperation *operation = note->step->operation;
  PdComm *comm = comm_of (note);
  gboolean is_central = pd_comm_get_rank (comm, note->deed->rank) == (gint64) operation->central;

  say_place (self->line, note->step);
  g_string_append_printf (self->line, "%s a reduction of %" G_GINT64_FORMAT " B among %u%s",
                          note->step->kind == PD_STEP_KIND_STAR_START ? "starts" : "waits for",
                          operation->bytes, pd_comm_get_size (comm),
                          is_central ? ", of which it is the centre" : "");
  return TRUE;
}

static gboolean
say_array (PdLogWords *self, const Note *note)
{
  const PdStepOperation *operation = note->step->operation;
  gboolean is_out = note->step->kind == PD_STEP_KIND_COLLECT;

  say_place (self->line, note->step);
  if (note->deed->rank == operation->team->io)
    g_string_append_printf (self->line, "%s the parts of an array, %" G_GINT64_FORMAT " elements",
                            is_out ? "collects" : "deals out", operation->prefix);
  else
    g_string_append_printf (self->line, "%s %" G_GINT64_FORMAT " B of an array %s %u",
                            is_out ? "sends" : "receives",
                            pd_operation_get_part (operation, (guint32) note->linear),
                            is_out ? "to" : "from", operation->team->io);
  return TRUE;
}

static gboolean
say_file_io (PdLogWords *self, const Note *note)
{
  if (note->deed->rank != note->step->family->team->io)
    return FALSE;
  say_place (self->line, note->step);
  g_string_append (self->line, "input or output of its own");
  return TRUE;
}

static gboolean
say_task (PdLogWords *self, const Note *note)
{
  const PdTeam *team = note->step->task->team;
  gboolean is_in = pd_grid_find (team->grid, note->deed->rank) >= 0;

  say_place (self->line, note->step);
  g_string_append_printf (self->line, "%s a task of %u processors", is_in ? "begins" : "is not in",
                          team->n);
  return TRUE;
}

/* The step at the end of the trace, or of a task. */
static gboolean
say_nothing (PdLogWords *self, const Note *note)
{
  (void) self, (void) note;
  return FALSE;
}

/* A kind without a row below is logged all the same. */
static gboolean
say_place_only (PdLogWords *self, const Note *note)
{
  say_place (self->line, note->step);
  g_string_append (self->line, "done");
  return TRUE;
}

static gboolean (*const says[PD_N_STEP_KINDS]) (PdLogWords *self, const Note *note) = {
  [PD_STEP_KIND_NONE] = say_nothing,
  [PD_STEP_KIND_LOOP] = say_cut_loop,
  [PD_STEP_KIND_PIPELINE] = say_pipeline,
  [PD_STEP_KIND_EXCHANGE_START] = say_exchange_start,
  [PD_STEP_KIND_EXCHANGE_WAIT] = say_exchange_wait,
  [PD_STEP_KIND_COLLECTIVE] = say_collective,
  [PD_STEP_KIND_COLLECTIVE_START] = say_collective,
  [PD_STEP_KIND_COLLECTIVE_WAIT] = say_collective_wait,
  [PD_STEP_KIND_STAR_START] = say_star,
  [PD_STEP_KIND_STAR_WAIT] = say_star,
  [PD_STEP_KIND_COLLECT] = say_array,
  [PD_STEP_KIND_DEAL] = say_array,
  [PD_STEP_KIND_FILE_IO] = say_file_io,
  [PD_STEP_KIND_COMPUTE] = say_compute,
  [PD_STEP_KIND_TASK] = say_task,
};

gboolean
pd_log_words_say (PdLogWords *self, const PdDeed *deed)
{
  const PdStepDvm *step = deed->what;
  Note note = { deed, step, -1 };

  if (step->operation != NULL)
    note.linear = pd_grid_find (step->operation->team->grid, deed->rank);
  return says[step->kind] != NULL ? says[step->kind](self, &note) : say_place_only (self, &note);
}

void
pd_log_words_clear (PdLogWords *self)
{
  g_free (self->messages);
  if (self->line != NULL)
    g_string_free (self->line, TRUE);
}
