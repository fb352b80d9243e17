/* OTF2 archives: the actions of a rank become events.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-archive.h"
#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-write-private.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"

#include <math.h>

/* A request from its start to its completion. */
typedef struct
{
  PdAction action;
  guint64 id;       /* 0: not started */
  gboolean is_open; /* between a start and a completion */
  gboolean is_coll;
  PdOtf2Sums sums;
} Slot;

typedef struct
{
  PdOtf2Writer *writer;
  guint32 rank;
  OTF2_EvtWriter *out;
  OTF2_AttributeList *attributes; /* empty */
  Slot *slots;
  guint64 last_id;
  guint64 now;         /* ps, from %PD_OTF2_ORIGIN on */
  gboolean is_inside;  /* a call goes on, */
  OTF2_RegionRef call; /* of this region */
} Rank;

static void
lose (Rank *self, const char *id, const char *what)
{
  pd_messages_add (self->writer->messages, PD_SEVERITY_WARNING, id, NULL,
                   &(PdPlace){ self->writer->path, 0, NULL, -1, self->rank, TRUE },
                   "OTF2 cannot represent %s", what);
}

static void
advance (Rank *self, gint64 ps)
{
  guint64 left = G_MAXINT64 - self->now;

  if ((guint64) ps > left)
    lose (self, "time-lost", "times beyond 106 days");
  self->now += MIN ((guint64) ps, left);
}

static OTF2_RegionRef
region_of (Rank *self, const char *name)
{
  PdOtf2Writer *writer = self->writer;
  guint32 n_intervals = pd_program_get_n_intervals (writer->program);
  gpointer number;

  if (g_hash_table_lookup_extended (writer->calls, name, NULL, &number))
    return n_intervals + GPOINTER_TO_UINT (number);
  g_ptr_array_add (writer->call_names, (char *) name);
  g_hash_table_insert (writer->calls, (char *) name,
                       GUINT_TO_POINTER (writer->call_names->len - 1));
  return n_intervals + writer->call_names->len - 1;
}

/* ---- who, where */

/* The rank's number in the communicator; its size. */
static guint32
find_member (const Rank *self, guint32 comm, guint32 *n)
{
  const guint32 *ranks = pd_program_get_comm (self->writer->program, comm, n);

  if (ranks == NULL)
    return self->rank;
  for (guint32 i = 0; i < *n; i++)
    if (ranks[i] == self->rank)
      return i;
  return 0;
}

/* The sender of the message of a receive: the recorded one, or unknown. */
static guint32
sender_of (Rank *self, gint32 peer, gint32 matched)
{
  if (peer >= 0)
    return (guint32) peer;
  if (matched < 0)
    lose (self, "wildcard-lost", "the unknown sender of the message of a wildcard receive");
  return matched >= 0 ? (guint32) matched : OTF2_UNDEFINED_UINT32;
}

static guint32
tag_of (gint32 tag, gint32 matched)
{
  return (guint32) (tag >= 0 ? tag : MAX (matched, 0));
}

/* That the next event's receive asked for any source, or any tag. */
static void
set_wildcard (Rank *self, gint32 peer, gint32 tag)
{
  guint8 bits = (guint8) ((peer == PD_PROGRAM_ANY ? PD_OTF2_ANY_SOURCE : 0)
                          | (tag == PD_PROGRAM_ANY ? PD_OTF2_ANY_TAG : 0));

  if (bits != 0)
    OTF2_AttributeList_AddUint8 (self->attributes, PD_OTF2_WILDCARD, bits);
}

/* The mode of the next event's send, which the name of MPI_Start does not tell. */
static void
set_mode (Rank *self, PdActionKind kind)
{
  static const guint8 modes[PD_N_ACTS] = {
    [PD_ACT_IBSEND] = 1,     [PD_ACT_ISSEND] = 2,     [PD_ACT_IRSEND] = 3,
    [PD_ACT_BSEND_INIT] = 1, [PD_ACT_SSEND_INIT] = 2, [PD_ACT_RSEND_INIT] = 3,
  };

  if (modes[kind] != 0)
    OTF2_AttributeList_AddUint8 (self->attributes, PD_OTF2_SEND_MODE, modes[kind]);
}

/* ---- requests */

static gboolean
is_access_with_request (PdActionKind kind)
{
  return kind >= PD_ACT_RPUT && kind <= PD_ACT_RGET_ACCUMULATE;
}

static void
start (Rank *self, Slot *slot)
{
  const PdAction *a = &slot->action;
  gboolean is_recv = a->kind == PD_ACT_IRECV || a->kind == PD_ACT_RECV_INIT;

  if (a->peer == PD_PROGRAM_PROC_NULL)
    return;
  slot->id = ++self->last_id;
  slot->is_open = TRUE;
  if (a->kind == PD_ACT_ICOLLECTIVE)
    OTF2_EvtWriter_NonBlockingCollectiveRequest (self->out, NULL, self->now, slot->id);
  else if (is_recv)
    {
      set_wildcard (self, a->peer, a->tag);
      OTF2_EvtWriter_MpiIrecvRequest (self->out, self->attributes, self->now, slot->id);
    }
  else
    {
      set_mode (self, a->kind);
      OTF2_EvtWriter_MpiIsend (self->out, self->attributes, self->now, (guint32) a->peer, a->comm,
                               (guint32) a->tag, (guint64) a->bytes, slot->id);
    }
}

static void
complete (Rank *self, guint32 index)
{
  Slot *slot = &self->slots[index];
  const PdAction *a = &slot->action;

  if (!slot->is_open)
    return;
  slot->is_open = FALSE;
  if (a->kind == PD_ACT_ICOLLECTIVE)
    OTF2_EvtWriter_NonBlockingCollectiveComplete (self->out, NULL, self->now, slot->sums.op,
                                                  a->comm, slot->sums.root, slot->sums.sent,
                                                  slot->sums.received, slot->id);
  else if (is_access_with_request (a->kind))
    OTF2_EvtWriter_RmaOpCompleteNonBlocking (self->out, NULL, self->now, a->comm, slot->id);
  else if (a->kind == PD_ACT_IRECV || a->kind == PD_ACT_RECV_INIT)
    OTF2_EvtWriter_MpiIrecv (self->out, NULL, self->now, sender_of (self, a->peer, a->matched_peer),
                             a->comm, tag_of (a->tag, a->matched_tag), (guint64) a->bytes,
                             slot->id);
  else
    OTF2_EvtWriter_MpiIsendComplete (self->out, NULL, self->now, slot->id);
}

static void
test (Rank *self, guint32 index)
{
  const Slot *slot = &self->slots[index];

  if (slot->is_open && is_access_with_request (slot->action.kind))
    OTF2_EvtWriter_RmaOpTest (self->out, NULL, self->now, slot->action.comm, slot->id);
  else if (slot->is_open)
    OTF2_EvtWriter_MpiRequestTest (self->out, NULL, self->now, self->slots[index].id);
}

/* Writes the outcome of a wait or a test of @slots. If it was not recorded, a wait completes the
 * first request, or all, and a test none. */
static void
write_wait (Rank *self, const PdAction *a, const guint32 *slots, guint32 n)
{
  gboolean is_test = a->kind >= PD_ACT_TEST && a->kind <= PD_ACT_TESTSOME;
  gboolean is_all = a->kind == PD_ACT_WAIT || a->kind == PD_ACT_WAITALL;

  if (is_all)
    for (guint32 i = 0; i < n; i++)
      complete (self, slots[i]);
  else if (a->has_done && a->n_done > 0)
    for (guint32 i = 0; i < a->n_done; i++)
      complete (self, slots[a->done[i]]);
  else if (is_test)
    {
      if (!a->has_done && n > 0)
        lose (self, "outcome-lost", "the unknown result of a test");
      for (guint32 i = 0; i < n; i++)
        test (self, slots[i]);
    }
  else if (n > 0)
    {
      lose (self, "outcome-lost", "which of several requests completed, if that is unknown");
      complete (self, slots[0]);
    }
}

static void
write_waitall_pending (Rank *self)
{
  guint32 n = pd_program_get_n_slots (self->writer->program, self->rank);

  for (guint32 i = 0; i < n; i++)
    complete (self, i);
}

/* ---- calls */

static void
write_p2p (Rank *self, const PdAction *a)
{
  gboolean is_recv = a->kind == PD_ACT_RECV;

  if (is_recv)
    set_wildcard (self, a->peer, a->tag);
  if (is_recv && a->peer != PD_PROGRAM_PROC_NULL)
    OTF2_EvtWriter_MpiRecv (self->out, self->attributes, self->now,
                            sender_of (self, a->peer, a->matched_peer), a->comm,
                            tag_of (a->tag, a->matched_tag), (guint64) a->bytes);
  else if (!is_recv && a->peer >= 0)
    OTF2_EvtWriter_MpiSend (self->out, NULL, self->now, (guint32) a->peer, a->comm,
                            (guint32) a->tag, (guint64) a->bytes);
  if (a->kind != PD_ACT_SENDRECV || a->recv_peer == PD_PROGRAM_PROC_NULL)
    return;
  set_wildcard (self, a->recv_peer, a->recv_tag);
  OTF2_EvtWriter_MpiRecv (self->out, self->attributes, self->now,
                          sender_of (self, a->recv_peer, a->matched_peer), a->comm,
                          tag_of (a->recv_tag, a->matched_tag), (guint64) a->recv_bytes);
}

static gboolean
is_uneven (const Rank *self, guint32 counts)
{
  guint32 n;
  const gint64 *values;

  if (counts == PD_PROGRAM_NONE)
    return FALSE;
  values = pd_program_get_counts (self->writer->program, counts, &n);
  for (guint32 i = 1; i < n; i++)
    if (values[i] != values[0])
      return TRUE;
  return FALSE;
}

static void
write_collective (Rank *self, const PdAction *a)
{
  guint32 n, me = find_member (self, a->comm, &n);
  PdOtf2Sums sums;
  gboolean known = pd_otf2_sum_up (self->writer->program, a, me, n, &sums);

  if (!known)
    lose (self, "neighbours-lost", "operations of neighbours");
  if ((a->op == PD_COLL_ALLTOALLV || a->op == PD_COLL_ALLTOALLW)
      && (is_uneven (self, a->send_counts) || is_uneven (self, a->recv_counts)))
    lose (self, "counts-lost", "the blocks of each pair in MPI_Alltoallv, except for their sum");
  if (!known)
    return;
  if (a->sent_bytes != 0 || a->recv_bytes != 0)
    lose (self, "sums-lost",
          "the total bytes that an operation sent and received, except for its blocks");
  if (a->kind == PD_ACT_COLLECTIVE)
    OTF2_EvtWriter_MpiCollectiveEnd (self->out, NULL, self->now, sums.op, a->comm, sums.root,
                                     sums.sent, sums.received);
  else
    {
      Slot *slot = &self->slots[a->request];
      *slot = (Slot){ .action = *a, .sums = sums };
      start (self, slot);
    }
}

static void
write_one_sided (Rank *self, const PdAction *a)
{
  guint64 id = 0;

  if (is_access_with_request (a->kind))
    {
      id = ++self->last_id;
      self->slots[a->request] = (Slot){ .action = *a, .id = id, .is_open = TRUE };
    }
  pd_otf2_write_window (self->writer, self->out, self->now, a, id);
}

/* The records inside the call's region. */
static void
write_records (Rank *self, const PdAction *a)
{
  PdActionKind kind = a->kind;

  if (kind <= PD_ACT_RSEND || kind == PD_ACT_RECV || kind == PD_ACT_SENDRECV)
    write_p2p (self, a);
  else if (kind <= PD_ACT_IRECV)
    {
      self->slots[a->request] = (Slot){ .action = *a };
      start (self, &self->slots[a->request]);
    }
  else if (kind <= PD_ACT_RECV_INIT)
    self->slots[a->request] = (Slot){ .action = *a };
  else if (kind == PD_ACT_START)
    for (guint32 i = 0; i < a->n_slots; i++)
      start (self, &self->slots[a->slots[i]]);
  else if (kind == PD_ACT_CANCEL && self->slots[a->request].is_open)
    OTF2_EvtWriter_MpiRequestCancelled (self->out, NULL, self->now, self->slots[a->request].id);
  else if (kind == PD_ACT_WAIT || kind == PD_ACT_TEST)
    write_wait (self, a, &a->request, 1);
  else if (kind == PD_ACT_WAITALL && a->n_slots == 0)
    write_waitall_pending (self);
  else if (kind >= PD_ACT_WAITALL && kind <= PD_ACT_TESTSOME)
    write_wait (self, a, a->slots, a->n_slots);
  else if (kind == PD_ACT_COLLECTIVE || kind == PD_ACT_ICOLLECTIVE)
    write_collective (self, a);
  else if (kind >= PD_ACT_PUT && kind <= PD_ACT_WIN_WAIT)
    write_one_sided (self, a);
  else if (kind == PD_ACT_PROBE || kind == PD_ACT_IPROBE)
    lose (self, "probe-lost", "the message of a probe");
}

/* That a flush is local, only its name says. */
static const char *
name_of_call (const Rank *self, const PdAction *a)
{
  if (a->kind == PD_ACT_WIN_FLUSH && a->tag != 0 && a->called == PD_PROGRAM_NONE)
    return "MPI_Win_flush_local";
  return pd_action_get_called (a, self->writer->program);
}

static void
enter_call (Rank *self, guint32 site, OTF2_RegionRef region)
{
  if (site != PD_PROGRAM_NONE)
    OTF2_AttributeList_AddCallingContextRef (self->attributes, PD_OTF2_CALL_STACK, site);
  OTF2_EvtWriter_Enter (self->out, self->attributes, self->now, region);
  self->is_inside = TRUE;
  self->call = region;
}

static void
leave_call (Rank *self)
{
  if (self->is_inside)
    OTF2_EvtWriter_Leave (self->out, self->attributes, self->now, self->call);
  self->is_inside = FALSE;
}

static void
write_call (Rank *self, const PdAction *a)
{
  gboolean is_named = a->kind == PD_ACT_OTHER || a->kind == PD_ACT_LOCAL;
  const char *name = name_of_call (self, a);
  gint64 took = is_named && a->recorded < 0 ? a->amount.time.ps : MAX (a->recorded, 0);
  OTF2_RegionRef region = region_of (self, name);
  gboolean is_start = a->kind == PD_ACT_START
                      || (a->kind >= PD_ACT_ISEND && a->kind <= PD_ACT_IRSEND)
                      || a->kind == PD_ACT_IRECV;

  if (!g_str_has_prefix (name, "MPI_") && !g_str_equal (name, PD_PROGRAM_LOST))
    lose (self, "call-lost", "a call that is not of MPI from computation");
  if (self->is_inside && region != self->call)
    leave_call (self);
  if (!self->is_inside)
    enter_call (self, a->site, region);
  if (is_start)
    write_records (self, a);
  advance (self, took);
  if (!is_start)
    write_records (self, a);
  if (a->file != PD_PROGRAM_NONE && a->file_op == PD_FILE_OTHER)
    OTF2_AttributeList_AddIoHandleRef (self->attributes, PD_OTF2_FILE,
                                       pd_otf2_write_handle (self->writer, a->file));
  else if (a->file != PD_PROGRAM_NONE)
    pd_otf2_write_file (self->writer, self->out, self->now, a);
  if (!pd_action_is_part (a))
    leave_call (self);
}

static void
write_control (Rank *self, gint64 level, gint64 id)
{
  OTF2_RegionRef region = region_of (self, "MPI_Pcontrol");

  OTF2_EvtWriter_Enter (self->out, NULL, self->now, region);
  OTF2_EvtWriter_ParameterInt (self->out, NULL, self->now, PD_OTF2_PARAMETER_LEVEL, level);
  OTF2_EvtWriter_ParameterInt (self->out, NULL, self->now, PD_OTF2_PARAMETER_ID, id);
  OTF2_EvtWriter_Leave (self->out, NULL, self->now, region);
}

static void
write_interval (Rank *self, const PdAction *a)
{
  const PdProgramInterval *interval = pd_program_get_interval (self->writer->program, a->interval);
  gboolean opens = a->kind == PD_ACT_ENTER;

  if (interval->index >= 0)
    write_control (self, opens ? 100 : 101, interval->index);
  else if (opens)
    OTF2_EvtWriter_Enter (self->out, NULL, self->now, a->interval);
  else
    OTF2_EvtWriter_Leave (self->out, NULL, self->now, a->interval);
}

static void
compute (Rank *self, PdAmount amount)
{
  if (pd_program_get_unit (self->writer->program) == PD_AMOUNT_TIME)
    advance (self, amount.time.ps);
  else
    advance (self, llround (MIN (amount.flops / self->writer->flops * 1e12, 9.2e18)));
}

static void
pause_for (Rank *self, gint64 length)
{
  OTF2_EvtWriter_MeasurementOnOff (self->out, NULL, self->now, OTF2_MEASUREMENT_OFF);
  advance (self, length);
  OTF2_EvtWriter_MeasurementOnOff (self->out, NULL, self->now, OTF2_MEASUREMENT_ON);
}

static void
write_action (Rank *self, const PdAction *a)
{
  if (a->kind < PD_ACT_SEND || a->kind > PD_ACT_LOCAL)
    leave_call (self);
  switch (a->kind)
    {
    case PD_ACT_COMPUTE:
      compute (self, a->amount);
      break;
    case PD_ACT_DELAY:
      if (pd_action_is_pause (a))
        {
          pause_for (self, a->recorded);
          break;
        }
      lose (self, "delay-lost", "a delay apart from computation");
      advance (self, a->amount.time.ps);
      break;
    case PD_ACT_LOCATION:
      lose (self, "location-lost", "the source line of a call");
      break;
    case PD_ACT_ENTER:
    case PD_ACT_LEAVE:
      write_interval (self, a);
      break;
    case PD_ACT_ALIKE_BEGIN:
      write_control (self, 200, a->tag);
      break;
    case PD_ACT_ALIKE_END:
      write_control (self, 201, a->tag);
      break;
    default:
      write_call (self, a);
      if (a->kind == PD_ACT_COLLECTIVE || a->kind == PD_ACT_ICOLLECTIVE)
        compute (self, a->amount);
    }
}

static gint64
find_longest_init (const PdProgram *program)
{
  gint64 longest = 0;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    longest = MAX (longest, pd_program_get_recorded_init (program, rank).ps);
  return longest;
}

gboolean
pd_otf2_write_rank (PdOtf2Writer *writer, guint32 rank)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;
  guint32 n_slots = pd_program_get_n_slots (writer->program, rank);
  g_autofree Slot *slots = g_new0 (Slot, MAX (n_slots, 1));
  Rank self = { .writer = writer, .rank = rank, .slots = slots };
  OTF2_RegionRef region;

  self.out = OTF2_Archive_GetEvtWriter (writer->archive, rank);
  if (self.out == NULL)
    return FALSE;
  region = region_of (&self, "MPI_Init");
  /* the first beginning is behind the longest MPI_Init */
  self.now = PD_OTF2_ORIGIN + (guint64) find_longest_init (writer->program)
             - (guint64) pd_program_get_recorded_init (writer->program, rank).ps
             + (guint64) pd_program_get_recorded_begin (writer->program, rank).ps;
  self.attributes = OTF2_AttributeList_New ();
  OTF2_EvtWriter_Enter (self.out, NULL, self.now, region);
  advance (&self, pd_program_get_recorded_init (writer->program, rank).ps);
  OTF2_EvtWriter_Leave (self.out, NULL, self.now, region);
  pd_action_reader_init (&reader, writer->program);
  pd_action_reader_begin (&reader, rank);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    write_action (&self, action);
  leave_call (&self);
  region = region_of (&self, "MPI_Finalize");
  OTF2_EvtWriter_Enter (self.out, NULL, self.now, region);
  advance (&self, pd_program_get_recorded_finalize (writer->program, rank).ps);
  OTF2_EvtWriter_Leave (self.out, NULL, self.now, region);
  OTF2_AttributeList_Delete (self.attributes);
  writer->end = MAX (writer->end, (gint64) (self.now - PD_OTF2_ORIGIN));
  uint64_t n = 0;
  OTF2_EvtWriter_GetNumberOfEvents (self.out, &n);
  writer->n_events[rank] = n;
  return OTF2_Archive_CloseEvtWriter (writer->archive, self.out) == OTF2_SUCCESS;
}
