/* Definitions of an archive of a timeline.
 * SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-nodes-private.h"
#include "timeline/pd-timeline-otf2-defs-private.h"
#include "traces/otf2/pd-otf2-archive.h"

#include <string.h>

/* The roles of functions, by the state of ranks in them. */
static const OTF2_RegionRole roles[PD_TL_N_STATES] = {
  [PD_TL_COMPUTE] = OTF2_REGION_ROLE_CODE,
  [PD_TL_REPEATED] = OTF2_REGION_ROLE_CODE,
  [PD_TL_IO] = OTF2_REGION_ROLE_FILE_IO,
  [PD_TL_SEND] = OTF2_REGION_ROLE_POINT2POINT,
  [PD_TL_RECEIVE] = OTF2_REGION_ROLE_POINT2POINT,
  [PD_TL_WAIT] = OTF2_REGION_ROLE_POINT2POINT,
  [PD_TL_COLLECTIVE] = OTF2_REGION_ROLE_COLL_OTHER,
  [PD_TL_ONE_SIDED] = OTF2_REGION_ROLE_RMA,
  [PD_TL_OTHER] = OTF2_REGION_ROLE_FUNCTION,
};

typedef struct
{
  const PdTimeline *timeline;
  OTF2_GlobalDefWriter *out;
  guint32 n_strings;
  gboolean ok;
} Definitions;

static void
check (Definitions *self, OTF2_ErrorCode status)
{
  self->ok = self->ok && status == OTF2_SUCCESS;
}

static OTF2_StringRef
string_ref (Definitions *self, const char *text)
{
  check (self, OTF2_GlobalDefWriter_WriteString (self->out, self->n_strings, text));
  return self->n_strings++;
}

/* The machine is the root, its nodes are 1 + their numbers. */
static void
write_nodes (Definitions *self, const PdTimelineNodes *nodes)
{
  const char *machine = self->timeline->machine;
  OTF2_StringRef kind = string_ref (self, "machine");
  OTF2_StringRef name = machine != NULL ? string_ref (self, machine) : kind;

  check (self, OTF2_GlobalDefWriter_WriteSystemTreeNode (self->out, 0, name, kind,
                                                         OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  kind = string_ref (self, "node");
  for (guint32 i = 0; i < nodes->n; i++)
    {
      g_autofree char *text = g_strdup_printf ("node %u", nodes->numbers[i]);
      check (self, OTF2_GlobalDefWriter_WriteSystemTreeNode (self->out, 1 + i,
                                                             string_ref (self, text), kind, 0));
    }
}

static void
write_locations (Definitions *self, const PdTimelineNodes *nodes, const guint64 *n_events)
{
  const PdTimeline *t = self->timeline;
  g_autofree OTF2_StringRef *cpus = g_new (OTF2_StringRef, MAX (1, t->n_cpus));

  for (guint32 cpu = 0; cpu < t->n_cpus; cpu++)
    {
      g_autofree char *text = cpu == 0 ? g_strdup ("main thread") : g_strdup_printf ("CPU %u", cpu);
      cpus[cpu] = string_ref (self, text);
    }
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    {
      g_autofree char *text = g_strdup_printf ("MPI Rank %u", rank);
      check (self, OTF2_GlobalDefWriter_WriteLocationGroup (
                       self->out, rank, string_ref (self, text), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                       1 + nodes->of_rank[rank], OTF2_UNDEFINED_LOCATION_GROUP));
      for (guint32 cpu = 0; cpu < t->n_cpus; cpu++)
        {
          guint64 location = (guint64) rank * t->n_cpus + cpu;
          check (self, OTF2_GlobalDefWriter_WriteLocation (self->out, location, cpus[cpu],
                                                           OTF2_LOCATION_TYPE_CPU_THREAD,
                                                           n_events[location], rank));
        }
    }
}

/* A region is what its first slice says; one without slices, an interval. */
static void
write_regions (Definitions *self)
{
  const PdTimeline *t = self->timeline;
  g_autofree guint8 *states = g_malloc (MAX (1, (gsize) t->n_regions));
  OTF2_StringRef none = string_ref (self, "");

  memset (states, PD_TL_N_STATES, t->n_regions);
  for (gsize i = 0; i < t->n_slices; i++)
    if (t->slices[i].region != PD_TL_NONE && states[t->slices[i].region] == PD_TL_N_STATES)
      states[t->slices[i].region] = t->slices[i].state;
  for (guint32 i = 0; i < t->n_regions; i++)
    {
      OTF2_StringRef ref = string_ref (self, t->regions[i]);
      gboolean is_mpi = g_str_has_prefix (t->regions[i], "MPI_");
      gboolean is_user = states[i] == PD_TL_N_STATES && !is_mpi;
      OTF2_Paradigm other = is_user ? OTF2_PARADIGM_USER : OTF2_PARADIGM_NONE;
      OTF2_RegionRole role = states[i] == PD_TL_N_STATES ? OTF2_REGION_ROLE_CODE : roles[states[i]];
      check (self, OTF2_GlobalDefWriter_WriteRegion (self->out, i, ref, ref, none, role,
                                                     is_mpi ? OTF2_PARADIGM_MPI : other,
                                                     OTF2_REGION_FLAG_NONE, none, 0, 0));
    }
}

/* All messages are over one communicator, of the first CPUs of all ranks. */
static void
write_comm (Definitions *self)
{
  const PdTimeline *t = self->timeline;
  g_autofree guint64 *members = g_new (guint64, MAX (1, (gsize) t->n_ranks));
  OTF2_StringRef none = string_ref (self, ""), world = string_ref (self, "MPI_COMM_WORLD");

  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    members[rank] = (guint64) rank * t->n_cpus;
  check (self, OTF2_GlobalDefWriter_WriteGroup (self->out, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                                OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, t->n_ranks,
                                                members));
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    members[rank] = rank;
  check (self, OTF2_GlobalDefWriter_WriteGroup (self->out, 1, none, OTF2_GROUP_TYPE_COMM_GROUP,
                                                OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, t->n_ranks,
                                                members));
  check (self, OTF2_GlobalDefWriter_WriteComm (self->out, 0, world, 1, OTF2_UNDEFINED_COMM,
                                               OTF2_COMM_FLAG_NONE));
}

gboolean
pd_tl_otf2_write_definitions (const PdTimeline *timeline, const guint64 *n_events,
                              OTF2_GlobalDefWriter *out)
{
  Definitions self = { timeline, out, 0, out != NULL };
  g_autoptr (PdTimelineNodes) nodes = pd_timeline_nodes_new (timeline);

  if (out == NULL)
    return FALSE;
  check (&self, OTF2_GlobalDefWriter_WriteClockProperties (
                    out, (guint64) PD_PS_PER_S, PD_OTF2_ORIGIN, (guint64) timeline->window[1].ps,
                    OTF2_UNDEFINED_TIMESTAMP));
  write_nodes (&self, nodes);
  write_locations (&self, nodes, n_events);
  write_regions (&self);
  write_comm (&self);
  return self.ok;
}
