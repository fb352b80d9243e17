/* The check of programs: intervals, and who is asked for the rest.
 * SPDX-License-Identifier: MIT */
#include "traces/audit/pd-program-audit-private.h"

#include "base/pd-progress.h"
#include "traces/program/pd-action-reader.h"
#include "traces/audit/pd-program-audit-collectives-private.h"
#include "traces/audit/pd-program-audit-counts-private.h"
#include "traces/audit/pd-program-audit-messages-private.h"
#include "traces/audit/pd-program-audit-requests-private.h"
#include "traces/audit/pd-program-audit-windows-private.h"

/* The check at the end of a repetition of a loop. */
typedef struct
{
  guint64 number;
  guint64 n_decoded;
  gint64 shift;
  PdTimeSum computed;
} Pass;

typedef struct
{
  PdAudit audit;
  PdAuditMessages *messages; /* (nullable): not looked at */
  PdAuditCollectives *collectives;
  PdAuditCounts *counts;
  PdAuditWindows *windows;
  PdAuditRequests requests;
  guint64 n_decoded;           /* actions that were not passed, and samples */
  Pass passes[PD_LOOPS_DEPTH]; /* the first one of each loop that the check is in */
  GArray *open;                /* guint32: intervals */
  gboolean is_timed;           /* computation is given in time */
  PdTimeSum computed;          /* by the rank so far, if so */
  gint64 alike;         /* number of the stretch of equal computation that is open; -1: none */
  GHashTable **members; /* (array): by communicator, (nullable): world rank -> rank */
} Check;

/* ---- members */

static GHashTable *
index_members (const guint32 *ranks, guint32 n)
{
  GHashTable *index = g_hash_table_new (NULL, NULL);

  for (guint32 i = 0; i < n; i++)
    g_hash_table_insert (index, GUINT_TO_POINTER (ranks[i] + 1), GUINT_TO_POINTER (i));
  return index;
}

/* The rank's number in @comm; FALSE, and a finding, if it is no member. */
static gboolean
find_member (Check *self, guint32 comm, guint32 *me)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (self->audit.program, comm, &n);
  gpointer found;

  *me = self->audit.rank;
  if (ranks == NULL)
    return TRUE;
  if (self->members[comm] == NULL)
    self->members[comm] = index_members (ranks, n);
  if (g_hash_table_lookup_extended (self->members[comm], GUINT_TO_POINTER (self->audit.rank + 1),
                                    NULL, &found))
    {
      *me = GPOINTER_TO_UINT (found);
      return TRUE;
    }
  pd_audit_find_here (&self->audit, "not-a-member", "the rank is not in communicator %u", comm);
  return FALSE;
}

/* ---- messages and requests */

static gboolean
is_receive (PdActionKind kind)
{
  return kind == PD_ACT_RECV || kind == PD_ACT_IRECV || kind == PD_ACT_RECV_INIT;
}

static void
add_message (Check *self, const PdAction *action)
{
  guint32 me;

  if (!find_member (self, action->comm, &me) || self->messages == NULL)
    return;
  pd_audit_messages_add (self->messages, action, me, !is_receive (action->kind));
  if (action->kind != PD_ACT_SENDRECV)
    return;
  PdAction half = *action;
  half.peer = action->recv_peer;
  half.tag = action->recv_tag;
  half.bytes = action->recv_bytes;
  pd_audit_messages_add (self->messages, &half, me, FALSE);
}

static void
start_request (Check *self, guint32 request)
{
  const PdAction *init = pd_audit_requests_start (&self->requests, &self->audit, request);

  if (init != NULL)
    add_message (self, init);
}

/* ---- intervals */

static void
check_interval (Check *self)
{
  const PdAction *action = self->audit.action;

  if (action->kind == PD_ACT_ENTER)
    {
      g_array_append_val (self->open, action->interval);
      return;
    }
  guint n = self->open->len;
  if (n == 0 || g_array_index (self->open, guint32, n - 1) != action->interval)
    pd_audit_find_here (&self->audit, "interval-mismatch",
                        "an interval ends that is not the innermost one");
  if (n > 0)
    g_array_set_size (self->open, n - 1);
}

/* Stretches of computation that ranks do alike do not nest. */
static void
check_alike (Check *self)
{
  const PdAction *action = self->audit.action;

  if (action->kind == PD_ACT_ALIKE_BEGIN && self->alike >= 0)
    pd_audit_find_here (&self->audit, "alike-mismatch",
                        "stretch %d of equal computation begins inside stretch %d", action->tag,
                        (gint32) self->alike);
  if (action->kind == PD_ACT_ALIKE_END && self->alike != action->tag)
    pd_audit_find_here (&self->audit, "alike-mismatch",
                        "stretch %d of equal computation ends that has not begun", action->tag);
  self->alike = action->kind == PD_ACT_ALIKE_BEGIN ? action->tag : -1;
}

/* ---- a rank */

static void
check_action (Check *self)
{
  const PdAction *action = self->audit.action;
  PdActionKind kind = action->kind;
  guint32 me;

  if (kind <= PD_ACT_DELAY && self->is_timed)
    pd_time_sum_add (&self->computed, action->amount.time);
  if (kind >= PD_ACT_SEND && kind <= PD_ACT_SENDRECV)
    add_message (self, action);
  if (pd_action_makes_request (kind))
    pd_audit_requests_make (&self->requests, &self->audit);
  if (kind == PD_ACT_COLLECTIVE || kind == PD_ACT_ICOLLECTIVE || kind == PD_ACT_WIN_FENCE)
    {
      if (find_member (self, action->comm, &me))
        {
          pd_audit_collectives_add (self->collectives, action);
          pd_audit_counts_add (self->counts, action, me);
        }
    }
  else if (kind >= PD_ACT_PUT && kind <= PD_ACT_WIN_WAIT)
    {
      if (find_member (self, action->comm, &me))
        pd_audit_windows_add (self->windows, action, me);
    }
  else if (kind == PD_ACT_START)
    for (guint32 i = 0; i < action->n_slots; i++)
      start_request (self, action->slots[i]);
  else if (kind == PD_ACT_REQUEST_FREE)
    pd_audit_requests_forget (&self->requests, action->request);
  else if (kind >= PD_ACT_WAIT && kind <= PD_ACT_TESTSOME)
    pd_audit_requests_end (&self->requests, &self->audit);
  else if (kind == PD_ACT_ENTER || kind == PD_ACT_LEAVE)
    check_interval (self);
  else if (kind == PD_ACT_ALIKE_BEGIN || kind == PD_ACT_ALIKE_END)
    check_alike (self);
}

/* Most actions are one cell, and fine: those are not decoded. */
static inline gboolean
is_passed (Check *self, const PdProgramCell *cell)
{
  switch (cell->kind)
    {
    case PD_ACT_DELAY:
      if (self->is_timed)
        pd_time_sum_add (&self->computed, cell->amount.time);
      return TRUE;
    case PD_ACT_SEND:
    case PD_ACT_RECV:
      return self->messages == NULL && cell->comm == 0;
    case PD_ACT_ISEND:
    case PD_ACT_IRECV:
      return self->messages == NULL && cell->comm == 0
             && pd_audit_requests_pass (&self->requests, cell);
    case PD_ACT_WAIT:
    case PD_ACT_WAITALL:
      return pd_audit_requests_pass (&self->requests, cell);
    default:
      return FALSE;
    }
}

/* Checks that the rank computes no longer than its recorded run took. */
static void
check_recorded_end (Check *self)
{
  PdAudit *audit = &self->audit;
  PdTime end = pd_program_get_recorded_end (audit->program, audit->rank);
  gdouble computed = pd_time_sum_to_seconds (self->computed);
  gdouble ended = (gdouble) end.ps / (gdouble) PD_PS_PER_S;

  if (!pd_time_is_pending (end) && computed > ended * (1 + 1e-9) + 1e-9)
    pd_audit_find (audit, "after-end", audit->rank, audit->number, NULL,
                   "the rank computes for %.9g s, but ended after %.9g s", computed, ended);
}

/* Reports requests, stretches and intervals that are open when the rank ends. */
static void
check_end (Check *self)
{
  PdAudit *audit = &self->audit;

  if (self->is_timed)
    check_recorded_end (self);

  if (pd_program_get_recorded_share (audit->program) < 1)
    return; /* the rest was not recorded */
  pd_audit_requests_report (&self->requests, audit);
  if (self->alike >= 0)
    pd_audit_find (audit, "alike-mismatch", audit->rank, audit->number, NULL,
                   "stretch %d of equal computation does not end", (gint32) self->alike);
  if (self->open->len > 0)
    pd_audit_find (audit, "interval-open", audit->rank, audit->number, NULL,
                   "%u intervals do not end", self->open->len);
}

static void
check_next (Check *self, const PdAction *action)
{
  self->audit.action = action;
  self->audit.has_pauses |= pd_action_is_pause (action);
  check_action (self);
}

static void
check_packed (Check *self)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;
  gint64 processor;
  PdTime amount;

  pd_action_reader_init (&reader, self->audit.program);
  pd_action_reader_begin (&reader, self->audit.rank);
  for (;; self->audit.number++)
    if (self->is_timed && pd_action_reader_next_compute (&reader, &amount, &processor))
      pd_time_sum_add (&self->computed, amount);
    else if ((action = pd_action_reader_next (&reader)) != NULL)
      check_next (self, action);
    else
      return;
}

/* Behind an action that was passed. How a repetition of a loop leaves requests does not depend on
 * how it found them: where the second one was passed as a whole, the others would be, too. */
static const PdProgramCell *
pass_loops (Check *self, PdLoops *loops, const PdProgramCell *cell, const PdProgramCell *end)
{
  while (cell != end && cell->kind == PD_CELL_LOOP)
    {
      const Pass now = { self->audit.number, self->n_decoded, loops->shift, self->computed };
      Pass *first = &self->passes[cell->comm];
      guint32 n_before = loops->counts[cell->comm];
      if (n_before == 1 && now.n_decoded == first->n_decoded)
        {
          self->audit.number += (now.number - first->number) * (cell->bytes - 2);
          self->computed.ps += (now.computed.ps - first->computed.ps) * (cell->bytes - 2);
          cell = pd_loops_leave (loops, cell, now.shift - first->shift);
          continue;
        }
      if (n_before == 0)
        *first = now;
      cell = pd_loops_pass (loops, cell);
    }
  return cell;
}

/* Whether the rank does anything. */
static gboolean
check_actions (Check *self)
{
  const PdProgram *program = self->audit.program;
  PdAction own;

  if (pd_program_is_packed (program))
    {
      check_packed (self);
      return self->audit.number > 0;
    }
  const PdProgramCell *end, *cell = pd_program_get_cells (program, self->audit.rank, &end);
  PdLoops loops = { .sample = pd_program_get_samples (program, self->audit.rank) };
  PdAmount amount;
  for (; cell < end; self->audit.number++)
    if (pd_loops_read_compute (&loops, cell, &amount))
      {
        if (self->is_timed)
          pd_time_sum_add (&self->computed, amount.time);
        self->n_decoded += cell->kind == PD_CELL_SAMPLE;
        cell = pass_loops (self, &loops, cell + 1, end);
      }
    else if (is_passed (self, cell))
      cell = pass_loops (self, &loops, cell + 1, end);
    else
      {
        cell = pd_loops_read (&loops, cell, end, &own);
        self->n_decoded++;
        check_next (self, &own);
      }
  return self->audit.number > 0;
}

static void
check_rank (Check *self, guint32 rank)
{
  self->audit.rank = rank;
  self->audit.number = 0;
  pd_audit_requests_init (&self->requests, pd_program_get_n_slots (self->audit.program, rank));
  self->alike = -1;
  self->computed = (PdTimeSum){ 0 };
  g_array_set_size (self->open, 0);
  if (!check_actions (self))
    pd_audit_find (&self->audit, "rank-idle", rank, 0, NULL, "the rank does nothing");
  check_end (self);
  pd_audit_requests_clear (&self->requests);
  pd_audit_collectives_next (self->collectives);
  pd_audit_counts_next (self->counts);
  pd_audit_windows_next (self->windows);
}

gboolean
pd_program_audit (const PdProgram *program, const char *file, gboolean simulated,
                  PdMessages *messages)
{
  guint32 n_comms = pd_program_get_n_comms (program);
  g_autofree GHashTable **members = g_new0 (GHashTable *, n_comms);
  Check check = { .audit = { .program = program, .file = file, .messages = messages },
                  .members = members };
  g_autoptr (PdAuditMessages) sent = simulated ? NULL : pd_audit_messages_new (&check.audit);
  g_autoptr (PdAuditCollectives) collectives = pd_audit_collectives_new (&check.audit);
  g_autoptr (PdAuditCounts) counts = pd_audit_counts_new (&check.audit);
  g_autoptr (PdAuditWindows) windows = pd_audit_windows_new (&check.audit);

  check.messages = sent;
  check.collectives = collectives;
  check.counts = counts;
  check.windows = windows;
  check.is_timed = pd_program_get_unit (program) == PD_AMOUNT_TIME;
  check.open = g_array_new (FALSE, FALSE, sizeof (guint32));
  pd_progress_begin (pd_messages_get_progress (messages), "checking", 0);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    check_rank (&check, rank);
  if (sent != NULL)
    pd_audit_messages_end (sent);
  pd_audit_collectives_end (collectives);
  pd_audit_counts_end (counts);
  pd_audit_windows_end (windows);
  g_array_unref (check.open);
  for (guint32 i = 0; i < n_comms; i++)
    g_clear_pointer (&members[i], g_hash_table_unref);
  return check.audit.n_findings == 0;
}
