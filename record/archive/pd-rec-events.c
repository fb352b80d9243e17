/* The events of a rank, from its raw stream to the archive.
 * SPDX-License-Identifier: MIT */
#include "record/archive/pd-rec-otf2.h"
#include "record/archive/pd-rec-align.h"
#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-events.h"
#include "record/archive/pd-rec-events-private.h"
#include "record/stream/pd-rec-report.h"

#include <stdlib.h>
#include <string.h>

typedef PdRecRank Rank;

typedef void (*Write) (Rank *self, const PdRecRecord *record);

/* ---- calls */

/* Processor times at @time: where a call begins, or where it ends. */
static void
write_processor (Rank *self, uint64_t time, int end)
{
  OTF2_Type type = OTF2_TYPE_UINT64;

  for (OTF2_MetricRef of = 0; of < PD_REC_N_OF; of++)
    {
      OTF2_MetricValue metric = { .unsigned_int = self->processor[of][end] };
      if (metric.unsigned_int == 0)
        continue;
      pd_rec_check (self, OTF2_EvtWriter_Metric (self->out, NULL, pd_rec_at (self, time), of, 1,
                                                 &type, &metric));
      self->info->has_processor[of] = 1;
      self->processor[of][end] = 0;
    }
}

static void
end_call (Rank *self)
{
  if (self->n_calls > self->n_counted)
    self->info->n_calls[self->cost]++;
  self->n_counted = self->n_calls;
  if (self->region == PD_REC_NONE)
    return;
  write_processor (self, self->t1, 1);
  pd_rec_check (self, OTF2_EvtWriter_Leave (self->out, self->attributes, pd_rec_at (self, self->t1),
                                            self->region));
  self->region = PD_REC_NONE;
}

static void
keep_processor (Rank *self, const PdRecRecord *r)
{
  end_call (self);
  self->processor[r->a][0] = r->words[0];
  self->processor[r->a][1] = r->words[1];
}

static void
enter (Rank *self, uint32_t region, uint32_t stack, uint64_t time)
{
  uint32_t context = stack == 0
                         ? PD_REC_NONE
                         : pd_rec_map_find (self->map->stacks, self->map->words[1], stack - 1);

  if (context != PD_REC_NONE)
    OTF2_AttributeList_AddCallingContextRef (self->attributes, PD_REC_ATTRIBUTE_STACK, context);
  pd_rec_check (self,
                OTF2_EvtWriter_Enter (self->out, self->attributes, pd_rec_at (self, time), region));
}

static void
begin_call (Rank *self, const PdRecRecord *r)
{
  end_call (self);
  self->raw_t0 = r->words[0];
  self->raw_t1 = r->words[1];
  self->t0 = pd_rec_aligned (self->head, r->words[0]);
  self->t1 = pd_rec_aligned (self->head, r->words[1]);
  self->function = r->a;
  self->region = pd_rec_map_find (self->map->functions, self->map->words[0], r->a);
  self->n_calls++;
  self->cost = PD_REC_COST_OTHER;
  write_processor (self, self->t0, 0);
  if (self->region != PD_REC_NONE)
    enter (self, self->region, r->b, self->t0);
}

/* ---- messages */

static uint32_t
comm_of (const Rank *self, uint32_t comm)
{
  return pd_rec_map_find (self->map->comms, self->map->words[2], comm);
}

static void
write_send (Rank *self, const PdRecRecord *r)
{
  uint32_t comm = comm_of (self, r->b), peer = PD_REC_LO (r->words[0]);
  uint32_t tag = PD_REC_HI (r->words[0]);
  uint64_t time = pd_rec_at (self, self->t0);

  if (comm == PD_REC_NONE)
    return;
  if (r->a != PD_REC_STANDARD)
    OTF2_AttributeList_AddUint8 (self->attributes, PD_REC_ATTRIBUTE_MODE, (uint8_t) r->a);
  if (r->kind == PD_REC_SENT)
    pd_rec_check (self, OTF2_EvtWriter_MpiSend (self->out, self->attributes, time, peer, comm, tag,
                                                r->words[1]));
  else
    pd_rec_check (self, OTF2_EvtWriter_MpiIsend (self->out, self->attributes, time, peer, comm, tag,
                                                 r->words[1], r->words[2]));
}

static void
write_recv (Rank *self, const PdRecRecord *r)
{
  uint32_t comm = comm_of (self, r->b);

  if (comm == PD_REC_NONE)
    return;
  if (r->a != 0)
    OTF2_AttributeList_AddUint8 (self->attributes, PD_REC_ATTRIBUTE_WILDCARD, (uint8_t) r->a);
  pd_rec_check (self, OTF2_EvtWriter_MpiRecv (self->out, self->attributes,
                                              pd_rec_at (self, self->t1), PD_REC_LO (r->words[0]),
                                              comm, PD_REC_HI (r->words[0]), r->words[1]));
}

static void
write_posted (Rank *self, const PdRecRecord *r)
{
  uint8_t wildcard = 0;

  if (comm_of (self, r->b) == PD_REC_NONE)
    return;
  if ((int32_t) PD_REC_LO (r->words[0]) == PD_REC_ANY)
    wildcard |= PD_REC_ANY_SOURCE;
  if ((int32_t) PD_REC_HI (r->words[0]) == PD_REC_ANY)
    wildcard |= PD_REC_ANY_TAG;
  if (wildcard != 0)
    OTF2_AttributeList_AddUint8 (self->attributes, PD_REC_ATTRIBUTE_WILDCARD, wildcard);
  OTF2_AttributeList_AddUint64 (self->attributes, PD_REC_ATTRIBUTE_ROOM, r->words[1]);
  pd_rec_check (self, OTF2_EvtWriter_MpiIrecvRequest (self->out, self->attributes,
                                                      pd_rec_at (self, self->t0), r->words[2]));
}

static void
write_arrived (Rank *self, const PdRecRecord *r)
{
  uint32_t comm = comm_of (self, r->b);

  if (comm != PD_REC_NONE)
    pd_rec_check (self, OTF2_EvtWriter_MpiIrecv (
                            self->out, NULL, pd_rec_at (self, self->t1), PD_REC_LO (r->words[0]),
                            comm, PD_REC_HI (r->words[0]), r->words[1], r->words[2]));
}

static void
write_send_end (Rank *self, const PdRecRecord *r)
{
  pd_rec_check (
      self, OTF2_EvtWriter_MpiIsendComplete (self->out, NULL, pd_rec_at (self, self->t1), r->b));
}

static void
write_cancelled (Rank *self, const PdRecRecord *r)
{
  pd_rec_check (
      self, OTF2_EvtWriter_MpiRequestCancelled (self->out, NULL, pd_rec_at (self, self->t1), r->b));
}

static void
write_tested (Rank *self, const PdRecRecord *r)
{
  pd_rec_check (self,
                OTF2_EvtWriter_MpiRequestTest (self->out, NULL, pd_rec_at (self, self->t1), r->b));
}

/* ---- collective operations */

static const OTF2_CollectiveOp ops[PD_REC_N_OPS] = {
  [PD_REC_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
  [PD_REC_BCAST] = OTF2_COLLECTIVE_OP_BCAST,
  [PD_REC_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
  [PD_REC_GATHERV] = OTF2_COLLECTIVE_OP_GATHERV,
  [PD_REC_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
  [PD_REC_SCATTERV] = OTF2_COLLECTIVE_OP_SCATTERV,
  [PD_REC_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
  [PD_REC_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
  [PD_REC_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
  [PD_REC_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
  [PD_REC_ALLTOALLW] = OTF2_COLLECTIVE_OP_ALLTOALLW,
  [PD_REC_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
  [PD_REC_REDUCE] = OTF2_COLLECTIVE_OP_REDUCE,
  [PD_REC_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
  [PD_REC_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
  [PD_REC_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
  [PD_REC_REDUCE_SCATTER_BLOCK] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
  [PD_REC_CREATE_HANDLE] = OTF2_COLLECTIVE_OP_CREATE_HANDLE,
  [PD_REC_DESTROY_HANDLE] = OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
};

static uint32_t
root_of (uint32_t word)
{
  switch ((int32_t) word)
    {
    case PD_REC_NO_ROOT:
      return OTF2_COLLECTIVE_ROOT_NONE;
    case PD_REC_ROOT_SELF:
      return OTF2_COLLECTIVE_ROOT_SELF;
    case PD_REC_ROOT_NULL:
      return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    default:
      return word;
    }
}

/* Attributes of the operation that follows. */
static void
keep_neighbours (Rank *self, const PdRecRecord *r)
{
  uint32_t n = self->map->words[5];
  uint32_t sources = pd_rec_map_find (self->map->groups, n, r->b);
  uint32_t targets = pd_rec_map_find (self->map->groups, n, (uint32_t) r->words[0]);

  if (sources == PD_REC_NONE || targets == PD_REC_NONE)
    return;
  OTF2_AttributeList_AddGroupRef (self->attributes, PD_REC_ATTRIBUTE_SOURCES,
                                  PD_REC_N_FIRST_GROUPS + sources);
  OTF2_AttributeList_AddGroupRef (self->attributes, PD_REC_ATTRIBUTE_TARGETS,
                                  PD_REC_N_FIRST_GROUPS + targets);
}

static void
write_collective (Rank *self, const PdRecRecord *r)
{
  uint32_t request = PD_REC_HI (r->words[0]), comm = comm_of (self, r->b);

  if (comm == PD_REC_NONE)
    {
      OTF2_AttributeList_RemoveAllAttributes (self->attributes);
      return;
    }
  if (request != 0)
    {
      pd_rec_check (self, OTF2_EvtWriter_NonBlockingCollectiveRequest (
                              self->out, self->attributes, pd_rec_at (self, self->t0), request));
      return;
    }
  pd_rec_check (self,
                OTF2_EvtWriter_MpiCollectiveBegin (self->out, NULL, pd_rec_at (self, self->t0)));
  pd_rec_check (self, OTF2_EvtWriter_MpiCollectiveEnd (
                          self->out, self->attributes, pd_rec_at (self, self->t1), ops[r->a], comm,
                          root_of (PD_REC_LO (r->words[0])), r->words[1], r->words[2]));
}

/* The library describes an operation completely where it completes. */
static void
write_collective_end (Rank *self, const PdRecRecord *r)
{
  uint32_t comm = comm_of (self, r->b);

  if (comm != PD_REC_NONE)
    pd_rec_check (self, OTF2_EvtWriter_NonBlockingCollectiveComplete (
                            self->out, NULL, pd_rec_at (self, self->t1), ops[r->a], comm,
                            root_of (PD_REC_LO (r->words[0])), r->words[1], r->words[2],
                            PD_REC_HI (r->words[0])));
}

/* ---- files */

/* Operations of one call and operations under way have numbers of their own. */
static uint64_t
matching_of (Rank *self, uint64_t request)
{
  return request != 0 ? 2 * request + 1 : 2 * ++self->n_file_works;
}

static void
write_transfer (Rank *self, uint32_t file, const PdRecRecord *r)
{
  int what = PD_REC_FILE_WHAT (r->a);
  uint64_t id = matching_of (self, r->words[0]);
  OTF2_IoOperationFlag flags =
      (OTF2_IoOperationFlag) (((r->a & PD_REC_FILE_ALL) != 0 ? OTF2_IO_OPERATION_FLAG_COLLECTIVE
                                                             : 0)
                              | (r->words[0] != 0 ? OTF2_IO_OPERATION_FLAG_NON_BLOCKING : 0));
  OTF2_IoOperationMode mode = what == PD_REC_FILE_READ    ? OTF2_IO_OPERATION_MODE_READ
                              : what == PD_REC_FILE_WRITE ? OTF2_IO_OPERATION_MODE_WRITE
                                                          : OTF2_IO_OPERATION_MODE_FLUSH;

  pd_rec_check (self, OTF2_EvtWriter_IoOperationBegin (self->out, NULL, pd_rec_at (self, self->t0),
                                                       file, mode, flags, r->words[1], id));
  if (r->words[0] != 0)
    pd_rec_check (self, OTF2_EvtWriter_IoOperationIssued (self->out, NULL,
                                                          pd_rec_at (self, self->t1), file, id));
  else
    pd_rec_check (self, OTF2_EvtWriter_IoOperationComplete (
                            self->out, NULL, pd_rec_at (self, self->t1), file, r->words[2], id));
}

static void
write_open (Rank *self, uint32_t file, uint64_t how)
{
  OTF2_IoAccessMode mode = (how & PD_REC_FILE_WRITES) == 0  ? OTF2_IO_ACCESS_MODE_READ_ONLY
                           : (how & PD_REC_FILE_READS) == 0 ? OTF2_IO_ACCESS_MODE_WRITE_ONLY
                                                            : OTF2_IO_ACCESS_MODE_READ_WRITE;
  OTF2_IoCreationFlag flags =
      (OTF2_IoCreationFlag) (((how & PD_REC_FILE_CREATES) != 0 ? OTF2_IO_CREATION_FLAG_CREATE : 0)
                             | ((how & PD_REC_FILE_IS_NEW) != 0 ? OTF2_IO_CREATION_FLAG_EXCLUSIVE
                                                                : 0));

  pd_rec_check (self, OTF2_EvtWriter_IoCreateHandle (self->out, NULL, pd_rec_at (self, self->t1),
                                                     file, mode, flags, OTF2_IO_STATUS_FLAG_NONE));
}

static void
write_file_work (Rank *self, const PdRecRecord *r)
{
  static const OTF2_IoSeekOption seeks[] = {
    [PD_REC_FILE_FROM_START] = OTF2_IO_SEEK_FROM_START,
    [PD_REC_FILE_FROM_HERE] = OTF2_IO_SEEK_FROM_CURRENT,
    [PD_REC_FILE_FROM_END] = OTF2_IO_SEEK_FROM_END,
  };
  uint32_t file = pd_rec_map_find (self->map->files, self->map->words[4], r->b);

  if (file == PD_REC_NONE)
    return;
  switch (PD_REC_FILE_WHAT (r->a))
    {
    case PD_REC_FILE_OPEN:
      write_open (self, file, r->words[1]);
      break;
    case PD_REC_FILE_CLOSE:
      pd_rec_check (
          self, OTF2_EvtWriter_IoDestroyHandle (self->out, NULL, pd_rec_at (self, self->t1), file));
      break;
    case PD_REC_FILE_SEEK:
      pd_rec_check (self, OTF2_EvtWriter_IoSeek (self->out, NULL, pd_rec_at (self, self->t1), file,
                                                 (int64_t) r->words[1], seeks[r->words[2] % 3],
                                                 OTF2_UNDEFINED_UINT64));
      break;
    case PD_REC_FILE_ENDED:
      pd_rec_check (self, OTF2_EvtWriter_IoOperationComplete (
                              self->out, NULL, pd_rec_at (self, self->t1), file, r->words[2],
                              matching_of (self, r->words[0])));
      break;
    case PD_REC_FILE_OTHER:
      OTF2_AttributeList_AddIoHandleRef (self->attributes, PD_REC_ATTRIBUTE_FILE, file);
      break;
    default:
      write_transfer (self, file, r);
    }
}

/* ---- control */

static void
write_control (Rank *self, const PdRecRecord *r)
{
  uint64_t time = pd_rec_at (self, self->t0);

  pd_rec_check (self, OTF2_EvtWriter_ParameterInt (self->out, NULL, time, PD_REC_PARAMETER_LEVEL,
                                                   (int32_t) r->b));
  pd_rec_check (self, OTF2_EvtWriter_ParameterInt (self->out, NULL, time, PD_REC_PARAMETER_ID,
                                                   (int64_t) r->words[0]));
}

static void
write_switch (Rank *self, const PdRecRecord *r)
{
  end_call (self);
  pd_rec_check (self,
                OTF2_EvtWriter_MeasurementOnOff (
                    self->out, NULL, pd_rec_at (self, pd_rec_aligned (self->head, r->words[0])),
                    r->a ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF));
}

static const Write writers[PD_REC_N_KINDS] = {
  [PD_REC_CALL] = begin_call,
  [PD_REC_SENT] = write_send,
  [PD_REC_ISENT] = write_send,
  [PD_REC_RECEIVED] = write_recv,
  [PD_REC_POSTED] = write_posted,
  [PD_REC_ARRIVED] = write_arrived,
  [PD_REC_SEND_ENDED] = write_send_end,
  [PD_REC_COLL_ENDED] = write_collective_end,
  [PD_REC_RMA_ENDED] = pd_rec_write_access_end,
  [PD_REC_RMA_TESTED] = pd_rec_write_access_end,
  [PD_REC_WAS_CANCELLED] = write_cancelled,
  [PD_REC_WAS_TESTED] = write_tested,
  [PD_REC_COLLECTIVE] = write_collective,
  [PD_REC_NEIGHBOURS] = keep_neighbours,
  [PD_REC_ONE_SIDED] = pd_rec_write_one_sided,
  [PD_REC_FILE_WORK] = write_file_work,
  [PD_REC_CONTROL] = write_control,
  [PD_REC_SWITCH] = write_switch,
  [PD_REC_PROCESSOR] = keep_processor,
};

/* ---- costs of recording: 1 + the kind, where a detail has it */

static const uint8_t costs[PD_REC_N_KINDS] = {
  [PD_REC_SENT] = 1 + PD_REC_COST_BLOCKING,
  [PD_REC_RECEIVED] = 1 + PD_REC_COST_BLOCKING,
  [PD_REC_ISENT] = 1 + PD_REC_COST_NON_BLOCKING,
  [PD_REC_POSTED] = 1 + PD_REC_COST_NON_BLOCKING,
  [PD_REC_ARRIVED] = 1 + PD_REC_COST_NON_BLOCKING,
  [PD_REC_SEND_ENDED] = 1 + PD_REC_COST_NON_BLOCKING,
  [PD_REC_COLL_ENDED] = 1 + PD_REC_COST_NON_BLOCKING,
  [PD_REC_WAS_TESTED] = 1 + PD_REC_COST_TEST,
  [PD_REC_COLLECTIVE] = 1 + PD_REC_COST_COLLECTIVE,
};

/* Collective operations that have a request do not block. */
static PdRecCost
cost_of (const PdRecRecord *r)
{
  return r->kind == PD_REC_COLLECTIVE && PD_REC_HI (r->words[0]) != 0
             ? PD_REC_COST_NON_BLOCKING
             : (PdRecCost) (costs[r->kind] - 1);
}

/* ---- the whole rank */

/* A rank that died in a call is left there; one that was stopped has events up to here. */
static void
write_end (Rank *self)
{
  const PdRecHead *head = self->head;
  uint32_t function = head->entered - 1;
  int has_returned = head->entered_at < self->raw_t1
                     || (head->entered_at == self->raw_t0 && function == self->function);

  end_call (self);
  if (self->now == 0) /* nothing at all: a location has an event, as readers want it */
    pd_rec_at (self, pd_rec_aligned (head, head->began));
  if (head->reason == PD_REC_RUNNING && head->entered > 0 && !has_returned)
    {
      uint32_t region = pd_rec_map_find (self->map->functions, self->map->words[0], function);
      if (region != PD_REC_NONE)
        enter (self, region, 0, pd_rec_aligned (head, head->entered_at));
    }
  else if ((head->reason != PD_REC_RUNNING && head->reason != PD_REC_ENDED) || self->n_calls == 0)
    pd_rec_check (
        self, OTF2_EvtWriter_MeasurementOnOff (self->out, NULL, self->now, OTF2_MEASUREMENT_OFF));
}

static int
write_all (Rank *self, PdRecReader *reader)
{
  PdRecRecord record;
  PdRecError ignored = { "" };
  int found = 0;

  self->info->first = UINT64_MAX;
  while (!self->failed && (found = pd_rec_reader_next (reader, &record, &ignored)) > 0)
    if (writers[record.kind] != NULL)
      {
        if (costs[record.kind] != 0)
          self->cost = cost_of (&record);
        writers[record.kind](self, &record);
      }
  if (!self->failed)
    write_end (self);
  self->info->last = self->now;
  self->info->is_damaged = found < 0;
  if (self->head->ended != 0)
    self->info->ended = pd_rec_aligned (self->head, self->head->ended);
  else if (found == 0 && self->head->reason == PD_REC_ENDED)
    self->info->ended = self->now;
  pd_rec_check (self, OTF2_EvtWriter_GetNumberOfEvents (self->out, &self->info->n_events));
  return self->failed ? -1 : 0;
}

int
pd_rec_write_events (OTF2_Archive *archive, PdRecReader *reader, const PdRecMap *map,
                     PdRecRankInfo *info, PdRecError *error)
{
  Rank *self = calloc (1, sizeof *self);
  int status = -1;

  *info = (PdRecRankInfo){ .rank = (uint32_t) reader->head->rank,
                           .thread = reader->head->thread,
                           .reason = reader->head->reason,
                           .clock = reader->head->clock,
                           .usage = reader->head->usage };
  memcpy (info->costs, reader->head->costs, sizeof info->costs);
  if (self != NULL)
    {
      self->head = reader->head;
      self->map = map;
      self->info = info;
      self->region = PD_REC_NONE;
      self->attributes = OTF2_AttributeList_New ();
      self->out = OTF2_Archive_GetEvtWriter (archive, pd_rec_location (reader->head));
      if (self->attributes != NULL && self->out != NULL)
        status = write_all (self, reader);
      if (self->attributes != NULL)
        OTF2_AttributeList_Delete (self->attributes);
      if (self->out != NULL && OTF2_Archive_CloseEvtWriter (archive, self->out) != OTF2_SUCCESS)
        status = -1;
    }
  if (self == NULL)
    return pd_rec_fail (error, "%s: out of memory", reader->name);
  free (self);
  return status == 0 ? 0 : pd_rec_otf2_failed (error);
}

int
pd_rec_write_nothing (OTF2_Archive *archive, uint32_t rank, uint64_t time, PdRecRankInfo *info,
                      PdRecError *error)
{
  OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter (archive, rank);

  info->rank = rank;
  info->n_events = 1;
  info->first = info->last = time;
  return out != NULL
                 && OTF2_EvtWriter_MeasurementOnOff (out, NULL, time, OTF2_MEASUREMENT_OFF)
                        == OTF2_SUCCESS
                 && OTF2_Archive_CloseEvtWriter (archive, out) == OTF2_SUCCESS
             ? 0
             : pd_rec_otf2_failed (error);
}
