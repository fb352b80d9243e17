/* Definitions shared by the parts of the table of collective operations.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPERATION_PRIVATE_H
#define PD_OPERATION_PRIVATE_H

#include "measure/plan/pd-operation.h"

/* How many blocks a buffer has. */
typedef enum
{
  PD_BLOCKS_NONE,
  PD_BLOCKS_ONE,
  PD_BLOCKS_ALL /* one for each process, or each neighbour */
} PdBlocks;

typedef enum
{
  PD_IN_PLACE_NEVER,
  PD_IN_PLACE_SEND,      /* there is no buffer to send from: data are in the other one … */
  PD_IN_PLACE_ROOT_SEND, /* … at the root */
  PD_IN_PLACE_ROOT_RECV  /* the root has no buffer to receive in */
} PdInPlace;

/* Whose data a reduction's result consists of. */
typedef enum
{
  PD_REDUCES_NOTHING,
  PD_REDUCES_ALL,
  PD_REDUCES_UP_TO_OWN,
  PD_REDUCES_BEFORE_OWN
} PdReduces;

/* The block of a process' send buffer. */
typedef struct
{
  int rank;
  int block;
} PdOrigin;

/* The origin of received block @k; of operations without reduction. */
typedef PdOrigin PdOriginFunc (const PdOperationRun *run, int k);

/* The kind of an operation, for all its forms. */
typedef struct
{
  const char *name;
  PdBlocks send;
  PdBlocks recv;
  gboolean sends_at_root; /* only */
  gboolean receives_at_root;
  gboolean has_root;
  gboolean has_neighbours;
  gboolean has_displacements; /* counted as int, in elements … */
  gboolean has_types;         /* … or in bytes, with a type for each */
  PdInPlace in_place;
  PdReduces reduces;
  PdOriginFunc *origin; /* nullable */
} PdTimedCollective;

/* Calls MPI for the run's present region. */
typedef void PdOperationCall (PdOperationRun *run);

struct _PdOperation
{
  const char *name;
  const PdTimedCollective *collective;
  PdForm form;
  PdOperationCall *call; /* of the persistent form: makes the request */
};

/* Regions of a buffer follow each other at equal distances. An unused buffer has none:
 * @first is %NULL or MPI_IN_PLACE and @stride 0. */
typedef struct
{
  void *memory; /* owned: so many bytes of mmap() */
  gsize mapped;
  char *first;
  gsize stride;
  gsize bytes; /* of a region, without what lies between */
} PdRegions;

#define PD_NEIGHBOURS 4

struct _PdOperationRun
{
  const PdMpiOperation *operation;
  PdOperationSetup setup;
  MPI_Comm comm; /* the setup's, or, of neighbours, an own grid */
  int rank;
  int size;
  int neighbours[PD_NEIGHBOURS];
  int opposite; /* how data of a neighbour on several sides are expected */

  /* what the calls are given; counts and so on are of each block, in both buffers */
  void *send;
  void *recv;
  int count; /* of one block */
  int *counts;
  int *displacements;      /* elements */
  int *byte_displacements; /* of alltoallw */
  MPI_Aint *addresses;     /* of neighbor_alltoallw */
  MPI_Datatype *types;
  MPI_Request *request; /* the present one of @requests */

  MPI_Request *requests; /* one; of the persistent form one for each region */
  gsize n_requests;
  PdOperationCall *begin;
  PdRegions send_regions;
  PdRegions recv_regions;
};

#endif
