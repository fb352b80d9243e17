/* SPDX-License-Identifier: MIT */
#include "tests/support/mp/mp-script.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <stdlib.h>
#include <string.h>

/* What stands behind the name of an action, in this order. */
enum
{
  PEER = 1 << 0,
  BYTES = 1 << 1,
  SLOT = 1 << 2,
  TAG = 1 << 3,
  TIME = 1 << 4,
  NAME = 1 << 5,
  SLOTS = 1 << 6, /* and an outcome */
  FROM = 1 << 7,
  LINE = 1 << 8,
  INTERVAL = 1 << 9,
  BACK = 1 << 10,
  GROUP = 1 << 11,
};

static const struct
{
  const char *name;
  PdActionKind kind;
  guint arguments;
  PdCollKind op;
} words[] = {
  { "compute", PD_ACT_COMPUTE, TIME, 0 },
  { "delay", PD_ACT_DELAY, TIME, 0 },
  { "other", PD_ACT_OTHER, NAME | TIME, 0 },
  { "local", PD_ACT_LOCAL, NAME | TIME, 0 },
  { "location", PD_ACT_LOCATION, NAME | LINE, 0 },
  { "alike", PD_ACT_ALIKE_BEGIN, TAG, 0 },
  { "unlike", PD_ACT_ALIKE_END, TAG, 0 },
  { "send", PD_ACT_SEND, PEER | BYTES | TAG, 0 },
  { "ssend", PD_ACT_SSEND, PEER | BYTES | TAG, 0 },
  { "bsend", PD_ACT_BSEND, PEER | BYTES | TAG, 0 },
  { "rsend", PD_ACT_RSEND, PEER | BYTES | TAG, 0 },
  { "isend", PD_ACT_ISEND, PEER | BYTES | SLOT | TAG, 0 },
  { "issend", PD_ACT_ISSEND, PEER | BYTES | SLOT | TAG, 0 },
  { "ibsend", PD_ACT_IBSEND, PEER | BYTES | SLOT | TAG, 0 },
  { "irsend", PD_ACT_IRSEND, PEER | BYTES | SLOT | TAG, 0 },
  { "recv", PD_ACT_RECV, PEER | BYTES | TAG, 0 },
  { "irecv", PD_ACT_IRECV, PEER | BYTES | SLOT | TAG, 0 },
  { "sendrecv", PD_ACT_SENDRECV, PEER | BYTES | FROM, 0 },
  { "sendinit", PD_ACT_SEND_INIT, PEER | BYTES | SLOT, 0 },
  { "recvinit", PD_ACT_RECV_INIT, PEER | BYTES | SLOT, 0 },
  { "start", PD_ACT_START, SLOTS, 0 },
  { "free", PD_ACT_REQUEST_FREE, SLOT, 0 },
  { "cancel", PD_ACT_CANCEL, SLOT, 0 },
  { "wait", PD_ACT_WAIT, SLOT, 0 },
  { "waitall", PD_ACT_WAITALL, SLOTS, 0 },
  { "waitany", PD_ACT_WAITANY, SLOTS, 0 },
  { "waitsome", PD_ACT_WAITSOME, SLOTS, 0 },
  { "test", PD_ACT_TEST, SLOT | SLOTS, 0 },
  { "testall", PD_ACT_TESTALL, SLOTS, 0 },
  { "testany", PD_ACT_TESTANY, SLOTS, 0 },
  { "testsome", PD_ACT_TESTSOME, SLOTS, 0 },
  { "probe", PD_ACT_PROBE, PEER, 0 },
  { "iprobe", PD_ACT_IPROBE, PEER | SLOTS, 0 },
  { "barrier", PD_ACT_COLLECTIVE, 0, PD_COLL_BARRIER },
  { "bcast", PD_ACT_COLLECTIVE, PEER | BYTES, PD_COLL_BCAST },
  { "reduce", PD_ACT_COLLECTIVE, PEER | BYTES, PD_COLL_REDUCE },
  { "allreduce", PD_ACT_COLLECTIVE, BYTES | TIME, PD_COLL_ALLREDUCE },
  { "commdup", PD_ACT_COLLECTIVE, 0, PD_COLL_COMM_DUP },
  { "alltoall", PD_ACT_COLLECTIVE, BYTES, PD_COLL_ALLTOALL },
  { "iallreduce", PD_ACT_ICOLLECTIVE, BYTES | SLOT, PD_COLL_ALLREDUCE },
  { "ibcast", PD_ACT_ICOLLECTIVE, PEER | BYTES | SLOT, PD_COLL_BCAST },
  { "ialltoall", PD_ACT_ICOLLECTIVE, BYTES | SLOT, PD_COLL_ALLTOALL },
  { "put", PD_ACT_PUT, PEER | BYTES, 0 },
  { "get", PD_ACT_GET, PEER | BYTES, 0 },
  { "accumulate", PD_ACT_ACCUMULATE, PEER | BYTES, 0 },
  { "getaccumulate", PD_ACT_GET_ACCUMULATE, PEER | BYTES | BACK, 0 },
  { "rput", PD_ACT_RPUT, PEER | BYTES | SLOT, 0 },
  { "rget", PD_ACT_RGET, PEER | BYTES | SLOT, 0 },
  { "raccumulate", PD_ACT_RACCUMULATE, PEER | BYTES | SLOT, 0 },
  { "fence", PD_ACT_WIN_FENCE, 0, 0 },
  { "lock", PD_ACT_WIN_LOCK, PEER | TAG, 0 },
  { "unlock", PD_ACT_WIN_UNLOCK, PEER, 0 },
  { "flush", PD_ACT_WIN_FLUSH, PEER, 0 },
  { "post", PD_ACT_WIN_POST, GROUP, 0 },
  { "begin", PD_ACT_WIN_START, GROUP, 0 },
  { "complete", PD_ACT_WIN_COMPLETE, 0, 0 },
  { "winwait", PD_ACT_WIN_WAIT, 0, 0 },
  { "enter", PD_ACT_ENTER, INTERVAL, 0 },
  { "leave", PD_ACT_LEAVE, INTERVAL, 0 },
};

typedef struct
{
  PdProgramBuilder *builder;
  PdAmountUnit unit;
  char **fields;
  guint at;
  guint32 slots[16];
  guint32 done[16];
} Parser;

static const char *
take (Parser *self)
{
  const char *field = self->fields[self->at];

  if (field != NULL)
    self->at++;
  return field != NULL ? field : "0";
}

static gint32
read_peer (Parser *self, PdAction *action)
{
  const char *text = take (self);

  if (strcmp (text, "null") == 0)
    return PD_PROGRAM_PROC_NULL;
  if (!g_str_has_prefix (text, "any"))
    return atoi (text);
  if (text[3] != '\0')
    action->matched_peer = atoi (text + 3);
  return PD_PROGRAM_ANY;
}

static void
read_slots (Parser *self, PdAction *action)
{
  const char *text;

  while ((text = self->fields[self->at]) != NULL && strcmp (text, "=") != 0)
    self->slots[action->n_slots++] = (guint32) atoi (take (self));
  action->slots = self->slots;
  if (text == NULL)
    return;
  self->at++;
  action->has_done = TRUE;
  while (self->fields[self->at] != NULL)
    self->done[action->n_done++] = (guint32) atoi (take (self));
  action->done = self->done;
}

static void
read_amount (Parser *self, PdAction *action, gboolean flops)
{
  gdouble value = g_ascii_strtod (take (self), NULL);

  if (flops)
    action->amount.flops = value;
  else
    action->amount.time.ps = (gint64) (value * PD_PS_PER_US + 0.5);
}

static void
read_group (Parser *self, PdAction *action)
{
  gint64 members[16];
  guint32 n = 0;

  while (self->fields[self->at] != NULL)
    members[n++] = atoi (take (self));
  action->sources = action->targets = pd_program_builder_add_counts (self->builder, members, n);
}

static void
read_arguments (Parser *self, guint has, PdAction *action)
{
  if ((has & NAME) != 0)
    action->name = pd_program_builder_add_string (self->builder, take (self));
  if ((has & LINE) != 0)
    action->line = atoi (take (self));
  if ((has & INTERVAL) != 0)
    {
      PdProgramInterval interval = { take (self), "", 0, -1 };
      action->interval = pd_program_builder_add_interval (self->builder, &interval);
    }
  if ((has & PEER) != 0)
    action->peer = read_peer (self, action);
  if ((has & BYTES) != 0)
    action->bytes = atoi (take (self));
  if ((has & BACK) != 0)
    action->recv_bytes = atoi (take (self));
  if ((has & GROUP) != 0)
    read_group (self, action);
  if ((has & SLOT) != 0)
    action->request = (guint32) atoi (take (self));
  if ((has & TAG) != 0)
    action->tag = atoi (take (self));
  if ((has & TIME) != 0)
    read_amount (self, action,
                 self->unit == PD_AMOUNT_FLOPS && action->kind != PD_ACT_DELAY
                     && action->kind != PD_ACT_OTHER);
  if ((has & FROM) != 0)
    {
      action->recv_peer = read_peer (self, action);
      action->recv_bytes = atoi (take (self));
    }
  if ((has & SLOTS) != 0)
    read_slots (self, action);
}

static void
add (PdProgramBuilder *builder, PdAmountUnit unit, const char *line)
{
  Parser parser = { .builder = builder, .unit = unit, .fields = g_strsplit_set (line, " ", -1) };
  guint32 rank = (guint32) atoi (take (&parser));
  const char *word = take (&parser);
  GError *error = NULL;
  PdAction action;
  gsize i = 0;

  while (i < G_N_ELEMENTS (words) && strcmp (words[i].name, word) != 0)
    i++;
  g_assert_cmpuint (i, <, G_N_ELEMENTS (words));
  pd_action_init (&action, words[i].kind);
  action.op = words[i].op;
  read_arguments (&parser, words[i].arguments, &action);
  pd_program_builder_add (builder, rank, &action, &error);
  g_assert_no_error (error);
  g_strfreev (parser.fields);
}

PdProgram *
mp_script_new (guint32 n_ranks, PdAmountUnit unit, const char *text)
{
  PdProgramBuilder *builder = pd_program_builder_new (n_ranks, unit);
  g_auto (GStrv) lines = g_strsplit (text, ";", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strstrip (lines[i]);
      if (line[0] != '\0')
        add (builder, unit, line);
    }
  return pd_program_builder_finish (builder);
}
