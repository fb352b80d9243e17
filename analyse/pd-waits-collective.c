/* Whom a member of a collective operation waits for.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-waits-private.h"

typedef enum
{
  NEEDS_ALL,    /* what makes something, too */
  NEEDS_ROOT,   /* all but the root do */
  NEEDS_OTHERS, /* the root does */
  NEEDS_BEFORE, /* those of lower rank */
  NEEDS_UP_TO,  /* likewise, and what the member itself brings */
  NEEDS_NEIGHBOURS,
} Needs;

static const struct
{
  PdWaitState state;
  Needs needs;
} patterns[PD_N_COLLS] = {
  [PD_COLL_BARRIER] = { PD_WAIT_AT_BARRIER, NEEDS_ALL },
  [PD_COLL_BCAST] = { PD_WAIT_LATE_BROADCAST, NEEDS_ROOT },
  [PD_COLL_SCATTER] = { PD_WAIT_LATE_BROADCAST, NEEDS_ROOT },
  [PD_COLL_SCATTERV] = { PD_WAIT_LATE_BROADCAST, NEEDS_ROOT },
  [PD_COLL_REDUCE] = { PD_WAIT_EARLY_REDUCE, NEEDS_OTHERS },
  [PD_COLL_GATHER] = { PD_WAIT_EARLY_REDUCE, NEEDS_OTHERS },
  [PD_COLL_GATHERV] = { PD_WAIT_EARLY_REDUCE, NEEDS_OTHERS },
  [PD_COLL_ALLREDUCE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_ALLGATHER] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_ALLGATHERV] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_ALLTOALL] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_ALLTOALLV] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_ALLTOALLW] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_REDUCE_SCATTER] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_REDUCE_SCATTER_BLOCK] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_SCAN] = { PD_WAIT_EARLY_SCAN, NEEDS_UP_TO },
  [PD_COLL_EXSCAN] = { PD_WAIT_EARLY_SCAN, NEEDS_BEFORE },
  [PD_COLL_NEIGHBOR_ALLGATHER] = { PD_WAIT_LATE_NEIGHBOUR, NEEDS_NEIGHBOURS },
  [PD_COLL_NEIGHBOR_ALLGATHERV] = { PD_WAIT_LATE_NEIGHBOUR, NEEDS_NEIGHBOURS },
  [PD_COLL_NEIGHBOR_ALLTOALL] = { PD_WAIT_LATE_NEIGHBOUR, NEEDS_NEIGHBOURS },
  [PD_COLL_NEIGHBOR_ALLTOALLV] = { PD_WAIT_LATE_NEIGHBOUR, NEEDS_NEIGHBOURS },
  [PD_COLL_NEIGHBOR_ALLTOALLW] = { PD_WAIT_LATE_NEIGHBOUR, NEEDS_NEIGHBOURS },
  [PD_COLL_COMM_DUP] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_COMM_CREATE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_COMM_SPLIT] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_COMM_SPLIT_TYPE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_CART_CREATE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_CART_SUB] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_GRAPH_CREATE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_DIST_GRAPH_CREATE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_INTERCOMM_CREATE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_INTERCOMM_MERGE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_WIN_CREATE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
  [PD_COLL_WIN_FREE] = { PD_WAIT_AT_NXN, NEEDS_ALL },
};

static const PdArrival nobody = { -1, PD_ANALYSIS_NONE, PD_PROGRAM_NONE };

/* The last of the members of a scan before one, or of those up to it. */
static PdArrival
find_before (PdMatching *matching, const PdMet *met, guint32 member, gboolean inclusive)
{
  if (member == PD_ANALYSIS_NONE || (member == 0 && !inclusive))
    return nobody;
  return g_array_index (matching->arrivals, PdArrival,
                        met->arrivals + (inclusive ? member : member - 1));
}

/* The last to arrive of the neighbours that send to the rank. */
static PdArrival
find_neighbour (const PdMatching *matching, const PdProgram *program, const PdMet *met,
                guint32 sources)
{
  PdArrival last = nobody;
  guint32 n = 0;
  const gint64 *members =
      sources != PD_PROGRAM_NONE ? pd_program_get_counts (program, sources, &n) : NULL;

  for (guint32 i = 0; i < n; i++)
    if (members[i] >= 0)
      {
        const PdArrival *one =
            &g_array_index (matching->arrivals, PdArrival, met->arrivals + (guint) members[i]);
        if (one->when > last.when)
          last = *one;
      }
  return last;
}

static PdArrival
find_last (PdMatching *matching, const PdReplay *replay, PdMeeting meeting, const PdMet *met)
{
  Needs needs = patterns[met->op].needs;
  gboolean is_root = replay->rank == met->root;
  guint32 member;

  switch (needs)
    {
    case NEEDS_ROOT:
      return is_root ? nobody : met->rooted;
    case NEEDS_OTHERS:
      return is_root ? met->last : nobody;
    case NEEDS_BEFORE:
    case NEEDS_UP_TO:
      member = pd_matching_get_member (matching, replay->program, meeting.comm, replay->rank);
      return find_before (matching, met, member, needs == NEEDS_UP_TO);
    case NEEDS_NEIGHBOURS:
      return find_neighbour (matching, replay->program, met, meeting.sources);
    default:
      return met->last;
    }
}

PdNeed
pd_waits_need_of_meeting (PdMatching *matching, const PdReplay *replay, PdMeeting meeting)
{
  const PdMet *met = pd_matching_get_met (matching, meeting);
  PdArrival last = find_last (matching, replay, meeting, met);

  if (last.rank == replay->rank)
    last = nobody;
  return (PdNeed){ patterns[met->op].state, last.when, last.rank, last.site };
}
