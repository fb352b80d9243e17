/* Neighbours of a rank in the topology of a communicator, which stay what they are.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"

#include "record/archive/pd-rec-define.h"

#include <stdlib.h>

static MPI_Group world = MPI_GROUP_NULL;

static PdWrapNeighbours *
new_lists (int n_sources, int n_targets)
{
  PdWrapNeighbours *self = calloc (1, sizeof *self);
  int *ranks = malloc (sizeof *ranks * (size_t) (n_sources + n_targets + 1));

  if (self == NULL || ranks == NULL)
    {
      free (self);
      free (ranks);
      return NULL;
    }
  self->sources = (PdWrapSide){ 0, n_sources, ranks, 0 };
  self->targets = (PdWrapSide){ 0, n_targets, ranks + n_sources, 0 };
  return self;
}

static PdWrapNeighbours *
of_grid (MPI_Comm comm)
{
  int n_dimensions = 0;
  PdWrapNeighbours *self;

  PMPI_Cartdim_get (comm, &n_dimensions);
  self = new_lists (2 * n_dimensions, 2 * n_dimensions);
  for (int i = 0; self != NULL && i < n_dimensions; i++)
    {
      int *from = &self->sources.ranks[2 * i];
      PMPI_Cart_shift (comm, i, 1, from, from + 1);
      self->targets.ranks[2 * i] = from[0];
      self->targets.ranks[2 * i + 1] = from[1];
    }
  return self;
}

static PdWrapNeighbours *
of_graph (MPI_Comm comm, int rank)
{
  int n = 0;
  PdWrapNeighbours *self;

  PMPI_Graph_neighbors_count (comm, rank, &n);
  self = new_lists (n, n);
  if (self != NULL && PMPI_Graph_neighbors (comm, rank, n, self->sources.ranks) == MPI_SUCCESS)
    for (int i = 0; i < n; i++)
      self->targets.ranks[i] = self->sources.ranks[i];
  return self;
}

static PdWrapNeighbours *
of_dist_graph (MPI_Comm comm)
{
  int n_sources = 0, n_targets = 0, is_weighted = 0;
  PdWrapNeighbours *self;
  int *weights;

  PMPI_Dist_graph_neighbors_count (comm, &n_sources, &n_targets, &is_weighted);
  self = new_lists (n_sources, n_targets);
  weights = malloc (sizeof *weights * (size_t) (n_sources + n_targets + 1));
  if (self != NULL && weights != NULL)
    PMPI_Dist_graph_neighbors (comm, n_sources, self->sources.ranks, weights, n_targets,
                               self->targets.ranks, weights + n_sources);
  else if (self != NULL)
    self->sources.n_blocks = self->targets.n_blocks = 0;
  free (weights);
  return self;
}

/* As a group of the stream: without those that are nobody. */
static void
define_side (PdWrapSide *side, MPI_Group group)
{
  int *known = malloc (2 * sizeof *known * (size_t) (side->n_blocks + 1));
  int *places = known + side->n_blocks;

  if (known == NULL)
    return;
  for (int i = 0; i < side->n_blocks; i++)
    if (side->ranks[i] >= 0)
      known[side->n++] = side->ranks[i];
  PMPI_Group_translate_ranks (group, side->n, known, world, places);
  for (int i = 0; i < side->n; i++)
    if (places[i] == MPI_UNDEFINED)
      places[0] = MPI_UNDEFINED; /* of another world: not recorded */
  if (side->n <= PD_REC_MAX_NEIGHBOURS && (side->n == 0 || places[0] != MPI_UNDEFINED))
    side->group = 1 + pd_rec_group (places, side->n);
  free (known);
}

const PdWrapNeighbours *
pd_comm_get_neighbours (PdWrapComm *self, MPI_Comm comm)
{
  int topology = MPI_UNDEFINED;
  MPI_Group group;

  if (self->neighbours != NULL)
    return self->neighbours;
  PMPI_Topo_test (comm, &topology);
  self->neighbours = topology == MPI_CART         ? of_grid (comm)
                     : topology == MPI_GRAPH      ? of_graph (comm, self->rank)
                     : topology == MPI_DIST_GRAPH ? of_dist_graph (comm)
                                                  : new_lists (0, 0);
  if (self->neighbours == NULL)
    return NULL;
  if (world == MPI_GROUP_NULL)
    PMPI_Comm_group (MPI_COMM_WORLD, &world);
  PMPI_Comm_group (comm, &group);
  define_side (&self->neighbours->sources, group);
  define_side (&self->neighbours->targets, group);
  PMPI_Group_free (&group);
  return self->neighbours;
}

void
pd_neighbours_free (PdWrapNeighbours *self)
{
  if (self == NULL)
    return;
  free (self->sources.ranks); /* those of the targets behind them */
  free (self);
}
