/* The definitions of an archive.
 * SPDX-License-Identifier: MIT */
#include "record/archive/pd-rec-otf2.h"
#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-definitions.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE OTF2_UNDEFINED_STRING

typedef struct
{
  PdRecMerged *merged;
  const PdRecRankInfo *infos; /* (array length=n_infos) */
  uint32_t n_infos;
  OTF2_GlobalDefWriter *out;
  uint32_t n_strings; /* written so far; likewise: */
  uint32_t n_groups;
  int failed;
  int no_memory;
} Definitions;

static void
check (Definitions *self, OTF2_ErrorCode status)
{
  self->failed |= status != OTF2_SUCCESS;
}

/* Strings have the numbers of the pool, and are written when they are new. */
static OTF2_StringRef
string_ref (Definitions *self, const char *text)
{
  PdRecPool *strings = &self->merged->strings;
  uint32_t number = pd_rec_pool_add_text (strings, text);

  self->no_memory |= number == PD_REC_NONE;
  for (; self->n_strings < strings->n; self->n_strings++)
    check (self, OTF2_GlobalDefWriter_WriteString (self->out, self->n_strings,
                                                   pd_rec_pool_get (strings, self->n_strings)));
  return number;
}

static void
write_clock (Definitions *self, uint64_t realtime)
{
  uint64_t first = UINT64_MAX, last = 0;

  for (uint32_t i = 0; i < self->n_infos; i++)
    {
      const PdRecRankInfo *info = &self->infos[i];
      if (info->n_events == 0)
        continue;
      first = info->first < first ? info->first : first;
      last = info->last > last ? info->last : last;
    }
  if (first > last)
    first = last = 0;
  check (self, OTF2_GlobalDefWriter_WriteClockProperties (self->out, 1000000000, first,
                                                          last - first + 1, realtime));
}

/* The node of each string that names a host: below the machine, which is node 0.
 * NULL: out of memory. */
static uint32_t *
write_hosts (Definitions *self)
{
  OTF2_StringRef machine = string_ref (self, "machine"), class = string_ref (self, "node");
  uint32_t *nodes = calloc (self->merged->strings.n, sizeof *nodes);
  uint32_t n_nodes = 1;

  self->no_memory |= nodes == NULL;
  check (self, OTF2_GlobalDefWriter_WriteSystemTreeNode (self->out, 0, machine, machine,
                                                         OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  for (uint32_t i = 0; nodes != NULL && i < self->n_infos; i++)
    {
      uint32_t host = self->infos[i].host;
      if (nodes[host] != 0)
        continue;
      nodes[host] = n_nodes++;
      check (self,
             OTF2_GlobalDefWriter_WriteSystemTreeNode (self->out, nodes[host], host, class, 0));
    }
  return nodes;
}

static void
write_locations (Definitions *self)
{
  uint32_t *nodes = write_hosts (self);
  char name[40];

  for (uint32_t i = 0; nodes != NULL && i < self->n_infos; i++)
    {
      const PdRecRankInfo *info = &self->infos[i];
      snprintf (name, sizeof name, "MPI Rank %" PRIu32, info->rank);
      if (info->thread == 0)
        check (self,
               OTF2_GlobalDefWriter_WriteLocationGroup (
                   self->out, info->rank, string_ref (self, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                   nodes[info->host], OTF2_UNDEFINED_LOCATION_GROUP));
      snprintf (name, sizeof name, info->thread == 0 ? "main thread" : "thread %" PRIu32,
                info->thread);
      check (self, OTF2_GlobalDefWriter_WriteLocation (
                       self->out, info->rank + (OTF2_LocationRef) info->thread * self->merged->size,
                       string_ref (self, name), OTF2_LOCATION_TYPE_CPU_THREAD, info->n_events,
                       info->rank));
    }
  free (nodes);
}

/* ---- what ranks had, and used, of their hosts */

static void
write_property (Definitions *self, uint32_t rank, const char *name, OTF2_Type type,
                OTF2_AttributeValue value)
{
  check (self, OTF2_GlobalDefWriter_WriteLocationGroupProperty (
                   self->out, rank, string_ref (self, name), type, value));
}

static void
write_count (Definitions *self, uint32_t rank, const char *name, uint64_t count)
{
  write_property (self, rank, name, OTF2_TYPE_UINT64, (OTF2_AttributeValue){ .uint64 = count });
}

static void
write_regions (Definitions *self, uint32_t rank, const PdRecRegions *regions)
{
  write_count (self, rank, "PREDICTOR::REGIONS", regions->n - 1);
  write_count (self, rank, "PREDICTOR::REGION_THREADS", regions->n_threads);
  write_count (self, rank, "PREDICTOR::REGION_TIME", regions->time);
  write_count (self, rank, "PREDICTOR::REGION_BUSY", regions->busy);
  write_count (self, rank, "PREDICTOR::REGION_LONGEST", regions->longest);
  write_count (self, rank, "PREDICTOR::REGION_CAPACITY", regions->capacity);
}

/* The known data of a rank. */
static void
write_usage (Definitions *self, uint32_t rank, const PdRecUsage *usage)
{
  char processors[PD_REC_PROCESSORS_TEXT];

  pd_rec_processors_format (usage, processors, sizeof processors);
  if (processors[0] != '\0')
    write_property (self, rank, "PREDICTOR::PROCESSORS", OTF2_TYPE_STRING,
                    (OTF2_AttributeValue){ .stringRef = string_ref (self, processors) });
  if (usage->quota > 0)
    write_count (self, rank, "PREDICTOR::PROCESSOR_QUOTA", usage->quota);
  if (usage->n_threads > 0)
    write_count (self, rank, "PREDICTOR::THREADS", usage->n_threads);
  if (usage->n_switches > 0)
    write_count (self, rank, "PREDICTOR::INVOLUNTARY_SWITCHES", usage->n_switches - 1);
  if (usage->memory > 0)
    write_count (self, rank, "PREDICTOR::PEAK_MEMORY", usage->memory);
  if (usage->waited > 0)
    write_count (self, rank, "PREDICTOR::PROCESSOR_WAIT", usage->waited - 1);
  if (usage->reading_cost > 0)
    write_count (self, rank, "PREDICTOR::READING_COST", usage->reading_cost);
  if (usage->regions.n > 0)
    write_regions (self, rank, &usage->regions);
}

/* Processor times are metrics of those locations where they were read. */
static void
write_metrics (Definitions *self)
{
  static const char *const texts[PD_REC_N_OF][2] = {
    [PD_REC_OF_PROCESS] = { "processor time", "of all threads of the process" },
    [PD_REC_OF_THREAD] = { "processor time of the thread", "without other processes' turns" },
  };
  uint32_t n = 0; /* numbers have no gaps */

  for (uint32_t of = 0; of < PD_REC_N_OF; of++)
    for (uint32_t i = 0; i < self->n_infos; i++)
      if (self->infos[i].has_processor[of])
        n = of + 1;
  for (uint32_t metric = 0; metric < n; metric++)
    {
      check (self, OTF2_GlobalDefWriter_WriteMetricMember (
                       self->out, metric, string_ref (self, texts[metric][0]),
                       string_ref (self, texts[metric][1]), OTF2_METRIC_TYPE_OTHER,
                       OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
                       string_ref (self, "ns")));
      check (self, OTF2_GlobalDefWriter_WriteMetricClass (
                       self->out, metric, 1, (OTF2_MetricMemberRef[]){ metric },
                       OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
    }
}

static void
write_usages (Definitions *self)
{
  for (uint32_t i = 0; i < self->n_infos; i++)
    if (self->infos[i].thread == 0)
      write_usage (self, self->infos[i].rank, &self->infos[i].usage);
  write_metrics (self);
}

/* ---- regions: functions of MPI first, then where they were called from */

static void
write_region (Definitions *self, OTF2_RegionRef region, OTF2_StringRef name, OTF2_StringRef file,
              OTF2_Paradigm paradigm)
{
  OTF2_StringRef none = string_ref (self, "");

  check (self, OTF2_GlobalDefWriter_WriteRegion (self->out, region, name, name, none,
                                                 OTF2_REGION_ROLE_FUNCTION, paradigm,
                                                 OTF2_REGION_FLAG_NONE, file, 0, 0));
}

static void
write_functions (Definitions *self)
{
  OTF2_StringRef file = string_ref (self, "MPI");

  for (uint32_t i = 0; i < self->merged->functions.n; i++)
    write_region (self, i, string_ref (self, pd_rec_pool_get (&self->merged->functions, i)), file,
                  OTF2_PARADIGM_MPI);
}

/* A place that is called from several others is one region. */
static uint32_t
place_of (Definitions *self, PdRecPool *places, const PdRecContext *context)
{
  PdRecContext place = { context->offset, 0, context->module };
  uint32_t n_before = places->n, number = pd_rec_pool_add (places, &place, sizeof place);
  char name[5000];

  self->no_memory |= number == PD_REC_NONE;
  if (number != n_before)
    return number;
  snprintf (name, sizeof name, "%s+0x%" PRIx64,
            (const char *) pd_rec_pool_get (&self->merged->strings, context->module),
            context->offset);
  write_region (self, self->merged->functions.n + number, string_ref (self, name), context->module,
                OTF2_PARADIGM_COMPILER);
  check (self,
         OTF2_GlobalDefWriter_WriteSourceCodeLocation (self->out, number, context->module, 0));
  return number;
}

static void
write_contexts (Definitions *self)
{
  const PdRecMerged *merged = self->merged;
  PdRecPool places = { 0 };

  for (uint32_t i = 0; i < merged->contexts.n && !self->no_memory; i++)
    {
      PdRecContext context = *(const PdRecContext *) pd_rec_pool_get (&merged->contexts, i);
      uint32_t place = place_of (self, &places, &context);
      check (self,
             OTF2_GlobalDefWriter_WriteCallingContext (
                 self->out, i, merged->functions.n + place, place,
                 context.caller == PD_REC_NONE ? OTF2_UNDEFINED_CALLING_CONTEXT : context.caller));
    }
  pd_rec_pool_clear (&places);
}

/* ---- communicators */

static void
write_group (Definitions *self, OTF2_GroupRef group, OTF2_GroupType type, const int32_t *ranks,
             uint32_t n)
{
  uint64_t *members = calloc (n > 0 ? n : 1, sizeof *members);
  OTF2_StringRef none = string_ref (self, "");

  self->no_memory |= members == NULL;
  if (members == NULL)
    return;
  for (uint32_t i = 0; i < n; i++)
    members[i] = ranks != NULL ? (uint64_t) ranks[i] : i;
  check (self, OTF2_GlobalDefWriter_WriteGroup (self->out, group, none, type, OTF2_PARADIGM_MPI,
                                                OTF2_GROUP_FLAG_NONE, n, members));
  free (members);
}

static void
write_world (Definitions *self)
{
  uint32_t n = self->merged->size;

  write_group (self, PD_REC_GROUP_LOCATIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS, NULL, n);
  write_group (self, PD_REC_GROUP_SELF, OTF2_GROUP_TYPE_COMM_SELF, NULL, 0);
  write_group (self, PD_REC_GROUP_WORLD, OTF2_GROUP_TYPE_COMM_GROUP, NULL, n);
  check (self, OTF2_GlobalDefWriter_WriteComm (
                   self->out, PD_REC_COMM_WORLD, string_ref (self, "MPI_COMM_WORLD"),
                   PD_REC_GROUP_WORLD, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
  check (self, OTF2_GlobalDefWriter_WriteComm (
                   self->out, PD_REC_COMM_SELF, string_ref (self, "MPI_COMM_SELF"),
                   PD_REC_GROUP_SELF, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

static void
write_comm (Definitions *self, uint32_t number, const PdRecComm *comm)
{
  OTF2_GroupRef group = self->n_groups++;
  OTF2_StringRef name = comm->name == PD_REC_NONE ? string_ref (self, "") : comm->name;
  int has_parent =
      comm->parent != PD_REC_NONE
      && (comm->parent <= PD_REC_COMM_SELF || self->merged->comms[comm->parent].members != NULL);

  write_group (self, group, OTF2_GROUP_TYPE_COMM_GROUP, comm->members, comm->n[0]);
  if (comm->is_inter)
    {
      self->n_groups++;
      write_group (self, group + 1, OTF2_GROUP_TYPE_COMM_GROUP, comm->members + comm->n[0],
                   comm->n[1]);
      check (self, OTF2_GlobalDefWriter_WriteInterComm (self->out, number, name, group, group + 1,
                                                        OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
  else
    check (self, OTF2_GlobalDefWriter_WriteComm (self->out, number, name, group,
                                                 has_parent ? comm->parent : OTF2_UNDEFINED_COMM,
                                                 OTF2_COMM_FLAG_NONE));
}

static void
write_comms (Definitions *self)
{
  const PdRecMerged *merged = self->merged;

  write_world (self);
  for (uint32_t i = 0; i < merged->groups.n; i++)
    {
      const int32_t *group = pd_rec_pool_get (&merged->groups, i);
      write_group (self, self->n_groups++, OTF2_GROUP_TYPE_COMM_GROUP, group + 1,
                   (uint32_t) group[0]);
    }
  for (uint32_t i = PD_REC_COMM_SELF + 1; i < merged->comm_identities.n; i++)
    if (merged->comms[i].members != NULL)
      write_comm (self, i, &merged->comms[i]);
  for (uint32_t i = 0; i < merged->window_identities.n; i++)
    {
      const PdRecOfComm *window = &merged->windows[i];
      OTF2_StringRef name = window->name == PD_REC_NONE ? string_ref (self, "") : window->name;
      if (window->comm <= PD_REC_COMM_SELF || merged->comms[window->comm].members != NULL)
        check (self, OTF2_GlobalDefWriter_WriteRmaWin (self->out, i, name, window->comm,
                                                       OTF2_RMA_WIN_FLAG_NONE));
    }
}

/* ---- files: each that is opened on a communicator has one handle */

static void
write_files (Definitions *self)
{
  const PdRecMerged *merged = self->merged;
  OTF2_StringRef mpi_io = string_ref (self, "MPI-IO");

  if (merged->file_identities.n > 0)
    check (self, OTF2_GlobalDefWriter_WriteIoParadigm (
                     self->out, 0, mpi_io, mpi_io, OTF2_IO_PARADIGM_CLASS_PARALLEL,
                     OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL));
  for (uint32_t i = 0; i < merged->file_identities.n; i++)
    {
      const PdRecOfComm *file = &merged->files[i];
      OTF2_StringRef name = file->name == PD_REC_NONE ? string_ref (self, "") : file->name;
      int has_comm = file->comm <= PD_REC_COMM_SELF
                     || (file->comm != PD_REC_NONE && merged->comms[file->comm].members != NULL);
      check (self, OTF2_GlobalDefWriter_WriteIoRegularFile (self->out, i, name,
                                                            OTF2_UNDEFINED_SYSTEM_TREE_NODE));
      check (self, OTF2_GlobalDefWriter_WriteIoHandle (
                       self->out, i, name, i, 0, OTF2_IO_HANDLE_FLAG_NONE,
                       has_comm ? file->comm : OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE));
    }
}

/* ---- what else events refer to */

static void
write_attributes (Definitions *self)
{
  static const struct
  {
    OTF2_AttributeRef number;
    const char *name;
    const char *description;
    OTF2_Type type;
  } attributes[] = {
    { PD_REC_ATTRIBUTE_STACK, "call stack", "where the call is", OTF2_TYPE_CALLING_CONTEXT },
    { PD_REC_ATTRIBUTE_WILDCARD, "wildcard", "1: any source, 2: any tag was asked for",
      OTF2_TYPE_UINT8 },
    { PD_REC_ATTRIBUTE_ROOM, "posted bytes", "room for the message", OTF2_TYPE_UINT64 },
    { PD_REC_ATTRIBUTE_MODE, "send mode", "1: buffered, 2: synchronous, 3: ready",
      OTF2_TYPE_UINT8 },
    { PD_REC_ATTRIBUTE_FILE, "file handle", "that the call worked on", OTF2_TYPE_IO_HANDLE },
    { PD_REC_ATTRIBUTE_SOURCES, "neighbour sources", "whom the rank receives from",
      OTF2_TYPE_GROUP },
    { PD_REC_ATTRIBUTE_TARGETS, "neighbour targets", "whom the rank sends to", OTF2_TYPE_GROUP },
  };

  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    check (self, OTF2_GlobalDefWriter_WriteAttribute (
                     self->out, attributes[i].number, string_ref (self, attributes[i].name),
                     string_ref (self, attributes[i].description), attributes[i].type));
  check (self, OTF2_GlobalDefWriter_WriteParameter (self->out, PD_REC_PARAMETER_LEVEL,
                                                    string_ref (self, "MPI_Pcontrol level"),
                                                    OTF2_PARAMETER_TYPE_INT64));
  check (self, OTF2_GlobalDefWriter_WriteParameter (self->out, PD_REC_PARAMETER_ID,
                                                    string_ref (self, "MPI_Pcontrol id"),
                                                    OTF2_PARAMETER_TYPE_INT64));
}

int
pd_rec_write_definitions (OTF2_Archive *archive, PdRecMerged *merged, const PdRecRankInfo *infos,
                          uint32_t n, uint64_t realtime, PdRecError *error)
{
  Definitions self = {
    .merged = merged, .infos = infos, .n_infos = n, .n_groups = PD_REC_N_FIRST_GROUPS
  };

  self.out = OTF2_Archive_GetGlobalDefWriter (archive);
  if (self.out == NULL)
    return pd_rec_otf2_failed (error);
  write_clock (&self, realtime);
  write_locations (&self);
  write_usages (&self);
  write_functions (&self);
  write_contexts (&self);
  write_comms (&self);
  write_files (&self);
  write_attributes (&self);
  if (self.no_memory)
    return pd_rec_fail (error, "out of memory");
  return self.failed ? pd_rec_otf2_failed (error) : 0;
}
