/* OTF2 archives: the events of a rank, as the library tells them.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-events-private.h"
#include "traces/otf2/pd-otf2-rank-private.h"
#include "traces/otf2/pd-otf2-calls-private.h"
#include "traces/otf2/pd-otf2-counts-private.h"
#include "traces/otf2/pd-otf2-defs-private.h"
#include "traces/otf2/pd-otf2-dense-private.h"
#include "traces/otf2/pd-otf2-lookahead-private.h"
#include "traces/otf2/pd-otf2-location-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

/* ---- regions */

static PdOtf2Region *
find_region (PdOtf2Rank *self, OTF2_RegionRef ref)
{
  PdOtf2Archive *archive = self->archive;
  PdOtf2Region *region = pd_otf2_get_region (archive, ref);

  if (region == NULL && archive->error == NULL)
    g_set_error (&archive->error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                 "%s: rank %u is in region %u, which is not defined", archive->path, self->rank,
                 ref);
  return region;
}

static OTF2_CallbackCode
result (const PdOtf2Rank *self)
{
  return self->archive->error == NULL ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* The library reports an attribute that is absent as an error, which costs more than to look first.
 */
static gboolean
get_attribute (const PdOtf2Rank *self, OTF2_AttributeList *attributes, PdOtf2Attribute which,
               OTF2_AttributeValue *value)
{
  const PdOtf2Archive *archive = self->archive;
  OTF2_Type type;

  if (archive->present != NULL)
    {
      *value = archive->present->values[which];
      return (archive->present->has >> which & 1) != 0;
    }
  return archive->has_attribute[which] && attributes != NULL
         && OTF2_AttributeList_TestAttributeByID (attributes, archive->attributes[which])
         && OTF2_AttributeList_GetAttributeByID (attributes, archive->attributes[which], &type,
                                                 value)
                == OTF2_SUCCESS
         && type == pd_otf2_attributes[which].type;
}

static guint32
site_of (const PdOtf2Rank *self, OTF2_AttributeList *attributes)
{
  OTF2_AttributeValue value;

  if (!self->archive->recorded || !get_attribute (self, attributes, PD_OTF2_CALL_STACK, &value))
    return PD_PROGRAM_NONE;
  return pd_otf2_find_site (self->archive, value.callingContextRef);
}

/* The place of an interval is needed in predictions, too, which know no call sites. */
static const PdOtf2Place *
place_of (const PdOtf2Rank *self, OTF2_AttributeList *attributes)
{
  OTF2_AttributeValue value;

  return get_attribute (self, attributes, PD_OTF2_CALL_STACK, &value)
             ? pd_otf2_find_place (self->archive, value.callingContextRef)
             : NULL;
}

static OTF2_CallbackCode
on_enter (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time,
          uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes,
          OTF2_RegionRef ref)
{
  PdOtf2Rank *self = data;
  PdOtf2Region *region = find_region (self, ref);
  gint64 now = pd_otf2_rank_to_ps (self, time);

  if (region == NULL)
    return OTF2_CALLBACK_INTERRUPT;
  if (!pd_otf2_rank_goes_on (self, now))
    return result (self);
  if (self->mpi != NULL)
    self->inside++;
  else if (region->call != NULL)
    {
      pd_otf2_rank_enter (self, region, now);
      self->site = site_of (self, attributes);
      self->at = region->call->what == PD_OTF2_CONTROL ? place_of (self, attributes) : NULL;
    }
  else if (region->is_user)
    pd_otf2_rank_mark (self, region, PD_ACT_ENTER, now);
  else if (region->is_lost)
    pd_otf2_rank_compute (self, now);
  else
    pd_messages_add (self->archive->messages, PD_SEVERITY_NOTE, "region-as-computation",
                     region->name, &(PdPlace){ self->archive->path, 0, NULL, -1, self->rank, TRUE },
                     "regions of this kind are taken as computation");
  return result (self);
}

static OTF2_CallbackCode
on_leave (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time,
          uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes,
          OTF2_RegionRef ref)
{
  PdOtf2Rank *self = data;
  PdOtf2Region *region = find_region (self, ref);
  gint64 now = pd_otf2_rank_to_ps (self, time);
  OTF2_AttributeValue handle;

  if (region == NULL)
    return OTF2_CALLBACK_INTERRUPT;
  if (!pd_otf2_rank_goes_on (self, now))
    return result (self);
  if (get_attribute (self, attributes, PD_OTF2_FILE, &handle))
    pd_otf2_files_note (self, handle.ioHandleRef, PD_FILE_OTHER);
  if (self->mpi != NULL && --self->inside == 0)
    pd_otf2_rank_leave (self, now);
  else if (self->mpi == NULL && region->is_user)
    pd_otf2_rank_mark (self, region, PD_ACT_LEAVE, now);
  else if (self->mpi == NULL && region->is_lost)
    pd_otf2_rank_lose (self, now);
  return result (self);
}

/* ---- messages */

/* Fills the properties that both sides of a message have. */
static gboolean
fill_envelope (PdOtf2Rank *self, PdAction *action, OTF2_CommRef comm, guint32 peer, guint32 tag)
{
  if (!pd_otf2_find_comm (self->archive, comm, self->rank, &action->comm))
    return FALSE;
  action->peer = peer == OTF2_UNDEFINED_UINT32
                     ? PD_PROGRAM_ANY
                     : pd_otf2_find_peer (self->archive, comm, self->rank, peer);
  action->tag = (gint32) (tag & G_MAXINT32);
  return TRUE;
}

/* Of a receive with wildcards: source and tag of the message become the matched ones, and those
 * of the receive become wildcards. */
static void
set_wildcards (const PdOtf2Rank *self, OTF2_AttributeList *attributes, PdAction *action,
               gint32 *peer, gint32 *tag)
{
  OTF2_AttributeValue value;

  if (!get_attribute (self, attributes, PD_OTF2_WILDCARD, &value))
    return;
  if ((value.uint8 & (PD_OTF2_ANY_SOURCE | PD_OTF2_ANY_TAG)) == 0)
    return;
  action->matched_peer = *peer;
  action->matched_tag = *tag;
  if ((value.uint8 & PD_OTF2_ANY_SOURCE) != 0)
    *peer = PD_PROGRAM_ANY;
  if ((value.uint8 & PD_OTF2_ANY_TAG) != 0)
    *tag = PD_PROGRAM_ANY;
}

static PdActionKind
send_kind (const PdOtf2Rank *self, PdActionKind fallback)
{
  return self->mpi != NULL && self->mpi->call->what == PD_OTF2_P2P
                 && self->mpi->call->kind != PD_ACT_RECV && self->mpi->call->kind != PD_ACT_IRECV
             ? self->mpi->call->kind
             : fallback;
}

static OTF2_CallbackCode
on_send (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
         uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
         uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
  PdOtf2Rank *self = data;

  pd_otf2_rank_begin (self, send_kind (self, PD_ACT_SEND));
  if (fill_envelope (self, &self->action, comm, receiver, tag))
    self->action.bytes = (gint64) MIN (bytes, G_MAXINT64);
  return result (self);
}

static OTF2_CallbackCode
on_isend (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
          uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes,
          uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
  static const PdActionKind modes[] = { PD_ACT_ISEND, PD_ACT_IBSEND, PD_ACT_ISSEND, PD_ACT_IRSEND };
  PdOtf2Rank *self = data;
  PdActionKind kind = send_kind (self, PD_ACT_ISEND);
  OTF2_AttributeValue mode;

  /* the name of MPI_Start does not tell */
  if (get_attribute (self, attributes, PD_OTF2_SEND_MODE, &mode)
      && mode.uint8 < G_N_ELEMENTS (modes))
    kind = modes[mode.uint8];
  pd_otf2_rank_begin (self, kind);
  if (fill_envelope (self, &self->action, comm, receiver, tag))
    self->action.bytes = (gint64) MIN (bytes, G_MAXINT64);
  self->action.request = pd_otf2_rank_new_slot (self, request);
  return result (self);
}

/* The receive half of MPI_Sendrecv belongs to its send. With MPI_PROC_NULL one of the two is
 * missing. */
static OTF2_CallbackCode
on_recv (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
         uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes,
         uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
  PdOtf2Rank *self = data;
  PdAction *action = &self->action;
  gint64 size = (gint64) MIN (bytes, G_MAXINT64);

  if (!self->has_action && send_kind (self, PD_ACT_SEND) == PD_ACT_SENDRECV)
    {
      pd_otf2_rank_begin (self, PD_ACT_SENDRECV);
      action->peer = PD_PROGRAM_PROC_NULL;
      pd_otf2_find_comm (self->archive, comm, self->rank, &action->comm);
    }
  guint32 sent_over = action->comm;
  if (self->has_action && action->kind == PD_ACT_SENDRECV
      && pd_otf2_find_comm (self->archive, comm, self->rank, &sent_over)
      && sent_over == action->comm)
    {
      action->recv_peer = pd_otf2_find_peer (self->archive, comm, self->rank, sender);
      action->recv_tag = (gint32) (tag & G_MAXINT32);
      action->recv_bytes = size;
      set_wildcards (self, attributes, action, &action->recv_peer, &action->recv_tag);
      return result (self);
    }
  pd_otf2_rank_begin (self, PD_ACT_RECV);
  if (fill_envelope (self, action, comm, sender, tag))
    action->bytes = size;
  set_wildcards (self, attributes, action, &action->peer, &action->tag);
  return result (self);
}

/* It was cancelled, or the events end before; that recording stopped early is said once. */
static void
leave_out (const PdOtf2Rank *self, const char *what)
{
  PdPlace place = pd_otf2_rank_place (self);

  if (!self->archive->is_cut)
    pd_messages_add (self->archive->messages, PD_SEVERITY_WARNING, "request-never-completes", NULL,
                     &place, "%s", what);
}

static OTF2_CallbackCode
on_irecv_request (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
                  uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes,
                  uint64_t request)
{
  PdOtf2Rank *self = data;
  const PdOtf2Completion *coming = pd_otf2_ahead_take (self->ahead, request);

  if (coming == NULL || !coming->is_recv)
    {
      leave_out (self, "a receive that never completes is left out");
      return OTF2_CALLBACK_SUCCESS;
    }
  pd_otf2_rank_begin (self, PD_ACT_IRECV);
  if (fill_envelope (self, &self->action, coming->comm, coming->sender, coming->tag))
    self->action.bytes = (gint64) MIN (coming->bytes, G_MAXINT64);
  set_wildcards (self, attributes, &self->action, &self->action.peer, &self->action.tag);
  self->action.request = pd_otf2_rank_new_slot (self, request);
  return result (self);
}

static OTF2_CallbackCode
on_completion (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
               uint64_t position G_GNUC_UNUSED, void *data,
               OTF2_AttributeList *attributes G_GNUC_UNUSED, uint64_t request)
{
  pd_otf2_rank_note (data, request, ((PdOtf2Rank *) data)->completed, TRUE);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_irecv (OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data,
          OTF2_AttributeList *attributes, uint32_t sender G_GNUC_UNUSED,
          OTF2_CommRef comm G_GNUC_UNUSED, uint32_t tag G_GNUC_UNUSED, uint64_t bytes G_GNUC_UNUSED,
          uint64_t request)
{
  return on_completion (location, time, position, data, attributes, request);
}

static OTF2_CallbackCode
on_test (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
         uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
         uint64_t request)
{
  pd_otf2_rank_note (data, request, ((PdOtf2Rank *) data)->tested, FALSE);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_cancelled (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
              uint64_t position G_GNUC_UNUSED, void *data,
              OTF2_AttributeList *attributes G_GNUC_UNUSED, uint64_t request)
{
  PdOtf2Rank *self = data;
  g_autoptr (GArray) slots = g_array_new (FALSE, FALSE, sizeof (guint32));
  PdAction action;

  pd_otf2_rank_note (self, request, slots, TRUE);
  if (slots->len == 0)
    return OTF2_CALLBACK_SUCCESS;
  pd_action_init (&action, PD_ACT_CANCEL);
  action.request = g_array_index (slots, guint32, 0);
  pd_otf2_rank_add (self, &action);
  return result (self);
}

/* ---- collective operations */

static gint64
next_number (PdOtf2Rank *self, const PdOtf2Collective *collective)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) collective->comm);
  gsize number;

  if (!pd_otf2_has_counts (collective->op))
    return -1;
  number = GPOINTER_TO_SIZE (g_hash_table_lookup (self->numbers, key));
  g_hash_table_insert (self->numbers, key, GSIZE_TO_POINTER (number + 1));
  return (gint64) number;
}

/* The neighbourhood operation that the archive stores as @op. */
static PdCollKind
find_neighbour_coll (OTF2_CollectiveOp op)
{
  static const struct
  {
    OTF2_CollectiveOp op;
    PdCollKind kind;
  } rows[] = {
    { OTF2_COLLECTIVE_OP_ALLGATHER, PD_COLL_NEIGHBOR_ALLGATHER },
    { OTF2_COLLECTIVE_OP_ALLGATHERV, PD_COLL_NEIGHBOR_ALLGATHERV },
    { OTF2_COLLECTIVE_OP_ALLTOALL, PD_COLL_NEIGHBOR_ALLTOALL },
    { OTF2_COLLECTIVE_OP_ALLTOALLV, PD_COLL_NEIGHBOR_ALLTOALLV },
    { OTF2_COLLECTIVE_OP_ALLTOALLW, PD_COLL_NEIGHBOR_ALLTOALLW },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].op == op)
      return rows[i].kind;
  return PD_N_COLLS;
}

static gboolean
is_of_neighbours (const PdOtf2Rank *self)
{
  return self->mpi != NULL && self->mpi->call->what == PD_OTF2_COLL
         && self->mpi->call->op >= PD_COLL_NEIGHBOR_ALLGATHER
         && self->mpi->call->op <= PD_COLL_NEIGHBOR_ALLTOALLW;
}

/* Begins an operation among neighbours, if the event names them. Returns: whether it does. */
static gboolean
begin_neighbours (PdOtf2Rank *self, PdActionKind kind, const PdOtf2Collective *collective,
                  OTF2_AttributeList *attributes)
{
  PdCollKind op = find_neighbour_coll (collective->op);
  OTF2_AttributeValue sources, targets;

  if (op == PD_N_COLLS || !get_attribute (self, attributes, PD_OTF2_SOURCES, &sources)
      || !get_attribute (self, attributes, PD_OTF2_TARGETS, &targets))
    return FALSE;
  pd_otf2_rank_begin (self, kind);
  self->action.op = op;
  if (pd_otf2_find_comm (self->archive, collective->comm, self->rank, &self->action.comm))
    pd_otf2_fill_neighbours (self->archive, collective, sources.groupRef, targets.groupRef,
                             &self->action);
  return TRUE;
}

static OTF2_CallbackCode
begin_collective (PdOtf2Rank *self, PdActionKind kind, const PdOtf2Collective *collective,
                  gint64 number)
{
  pd_otf2_rank_begin (self, kind);
  self->action.op = pd_otf2_rank_coll (self, collective->op);
  if (pd_otf2_find_comm (self->archive, collective->comm, self->rank, &self->action.comm))
    pd_otf2_fill_collective (self->archive, self->rank, collective, number, &self->action);
  return result (self);
}

static OTF2_CallbackCode
on_collective_end (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
                   uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes,
                   OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
                   uint64_t received)
{
  PdOtf2Collective collective = { op, comm, root, sent, received };
  PdOtf2Rank *self = data;

  if (self->mpi == NULL || self->mpi->call->what != PD_OTF2_COLL)
    return OTF2_CALLBACK_SUCCESS; /* such as the end of MPI_Comm_free */
  gint64 number = next_number (self, &collective);
  if (begin_neighbours (self, PD_ACT_COLLECTIVE, &collective, attributes))
    return result (self);
  if (is_of_neighbours (self)) /* whom the archive does not name */
    return OTF2_CALLBACK_SUCCESS;
  return begin_collective (self, PD_ACT_COLLECTIVE, &collective, number);
}

static OTF2_CallbackCode
on_collective_request (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
                       uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes,
                       uint64_t request)
{
  PdOtf2Rank *self = data;
  const PdOtf2Completion *coming = pd_otf2_ahead_take (self->ahead, request);

  if (coming == NULL || coming->is_recv)
    {
      leave_out (self, "an operation that never completes is left out");
      return OTF2_CALLBACK_SUCCESS;
    }
  if (!begin_neighbours (self, PD_ACT_ICOLLECTIVE, &coming->collective, attributes))
    {
      if (is_of_neighbours (self))
        return OTF2_CALLBACK_SUCCESS;
      begin_collective (self, PD_ACT_ICOLLECTIVE, &coming->collective, -1);
    }
  self->action.request = pd_otf2_rank_new_slot (self, request);
  return result (self);
}

static OTF2_CallbackCode
on_collective_complete (OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                        void *data, OTF2_AttributeList *attributes,
                        OTF2_CollectiveOp op G_GNUC_UNUSED, OTF2_CommRef comm G_GNUC_UNUSED,
                        uint32_t root G_GNUC_UNUSED, uint64_t sent G_GNUC_UNUSED,
                        uint64_t received G_GNUC_UNUSED, uint64_t request)
{
  return on_completion (location, time, position, data, attributes, request);
}

/* ---- parameters of MPI_Pcontrol */

static OTF2_CallbackCode
on_parameter (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
              uint64_t position G_GNUC_UNUSED, void *data,
              OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_ParameterRef parameter,
              int64_t value)
{
  PdOtf2Rank *self = data;
  const char *name =
      g_hash_table_lookup (self->archive->parameters, GSIZE_TO_POINTER ((gsize) parameter));

  if (self->mpi == NULL || self->mpi->call->what != PD_OTF2_CONTROL || name == NULL)
    return OTF2_CALLBACK_SUCCESS;
  if (g_str_equal (name, PD_OTF2_PCONTROL_LEVEL))
    self->level = value;
  else if (g_str_equal (name, PD_OTF2_PCONTROL_ID))
    self->id = value;
  return OTF2_CALLBACK_SUCCESS;
}

/* ---- processor time */

static OTF2_CallbackCode
on_metric (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time,
           uint64_t position G_GNUC_UNUSED, void *data,
           OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_MetricRef metric, uint8_t n,
           const OTF2_Type *types, const OTF2_MetricValue *values)
{
  static void (*const readers[PD_OTF2_N_OF]) (PdOtf2Rank *, guint64, gint64) = {
    [PD_OTF2_OF_PROCESS] = pd_otf2_rank_read_processor,
    [PD_OTF2_OF_THREAD] = pd_otf2_rank_read_own,
  };
  PdOtf2Rank *self = data;
  gint64 now = pd_otf2_rank_to_ps (self, time);

  for (guint of = 0; of < PD_OTF2_N_OF; of++)
    {
      guint place = GPOINTER_TO_UINT (
          g_hash_table_lookup (self->archive->metrics[of], GSIZE_TO_POINTER ((gsize) metric)));
      if (place > 0 && place <= n && types[place - 1] == OTF2_TYPE_UINT64)
        readers[of](self, values[place - 1].unsigned_int, now);
    }
  return result (self);
}

/* ---- pauses of the recording */

static OTF2_CallbackCode
on_switch (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time,
           uint64_t position G_GNUC_UNUSED, void *data,
           OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_MeasurementMode mode)
{
  PdOtf2Rank *self = data;
  gint64 now = pd_otf2_rank_to_ps (self, time);

  if (pd_otf2_rank_goes_on (self, now))
    pd_otf2_rank_switch (self, mode == OTF2_MEASUREMENT_ON, now);
  return result (self);
}

/* ---- all of them */

gboolean
pd_otf2_read_rank_events (PdOtf2Rank *self, OTF2_LocationRef location, GError **error)
{
  PdOtf2Handlers handlers = {
    .on_off = on_switch,
    .enter = on_enter,
    .leave = on_leave,
    .send = on_send,
    .isend = on_isend,
    .isend_complete = on_completion,
    .irecv_request = on_irecv_request,
    .recv = on_recv,
    .irecv = on_irecv,
    .test = on_test,
    .cancelled = on_cancelled,
    .collective_end = on_collective_end,
    .metric = on_metric,
    .parameter = on_parameter,
    .collective_request = on_collective_request,
    .collective_complete = on_collective_complete,
    .with_attributes = TRUE,
  };

  pd_otf2_set_window_handlers (&handlers);
  pd_otf2_set_file_handlers (&handlers);
  return pd_otf2_read_location (self->archive, location, &handlers, self, error);
}
