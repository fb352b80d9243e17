/* The contents of the buffers of a collective operation, and the check of its result.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/pd-operation-private.h"
#include "measure/mpi/mpi-operation-data-private.h"
#include "measure/mpi/mpi-operation-data.h"
#include "measure/mpi/mpi-operation-private.h"
#include "measure/mpi/mpi-operation-types-private.h"
#include "measure/mpi/mpi-operation.h"

#include <string.h>

#define POISON 0xa5

/* ---- known data */

/* A byte of a block: no two ranks, blocks or places look alike to a block that went
 * astray. */
static guchar
byte_at (int rank, int block, gsize i)
{
  return (guchar) ((gsize) rank * 131 + (gsize) block * 31 + i * 7 + (i >> 8) * 13 + 1);
}

/* Repeats PD_PERIOD elements at the beginning of @n. */
static void
repeat (char *at, gsize n, gsize size)
{
  gsize done = MIN (n, PD_PERIOD) * size;

  for (gsize all = n * size; done < all;)
    {
      gsize more = MIN (done, all - done);
      memcpy (at + done, at, more);
      done += more;
    }
}

static void
write_values (const PdOperationRun *run, char *at, gsize n, gboolean is_neutral)
{
  const PdType *type = pd_type_of (run->setup.datatype);
  const PdReduction *reduction = pd_reduction_of (run->setup.op);

  for (gsize i = 0; i < MIN (n, PD_PERIOD); i++)
    type->put (at + i * type->size,
               is_neutral ? reduction->neutral : reduction->value (run->rank, i));
  repeat (at, n, type->size);
}

static void
write_bytes (const PdOperationRun *run, char *at, int blocks)
{
  gsize bytes = (gsize) run->setup.bytes;

  for (int block = 0; block < blocks; block++)
    for (gsize i = 0; i < bytes; i++)
      at[(gsize) block * bytes + i] = (char) byte_at (run->rank, block, i);
}

static gboolean
is_reduction (const PdOperationRun *run)
{
  return run->operation->collective->reduces != PD_REDUCES_NOTHING;
}

/* ---- the parts of a region */

static char *
at_region (const PdRegions *regions, gsize region)
{
  return regions->stride == 0 ? NULL : regions->first + region * regions->stride;
}

/* Where @blocks blocks come from that this process gives; NULL if it gives none. */
static char *
source_of (const PdOperationRun *run, gsize region, int *blocks)
{
  const PdTimedCollective *collective = run->operation->collective;
  char *send = at_region (&run->send_regions, region);
  char *recv = at_region (&run->recv_regions, region);

  *blocks = pd_operation_blocks (collective, collective->send, run->size);
  if (send != NULL)
    return send;
  if (collective->send == PD_BLOCKS_NONE)
    {
      *blocks = 1;
      return run->rank == run->setup.root ? recv : NULL;
    }
  if (run->send_regions.first != MPI_IN_PLACE)
    return NULL;
  /* its own place among all */
  if (collective->send == PD_BLOCKS_ONE && collective->recv == PD_BLOCKS_ALL)
    return recv + (gsize) run->rank * (gsize) run->setup.bytes;
  return recv;
}

static void
write_source (const PdOperationRun *run, gsize region, gboolean is_neutral)
{
  int blocks;
  char *source = source_of (run, region, &blocks);

  if (source == NULL)
    return;
  if (is_reduction (run))
    write_values (run, source, (gsize) blocks * (gsize) run->count, is_neutral);
  else
    write_bytes (run, source, blocks);
}

static void
wipe (const PdRegions *regions, gsize region)
{
  char *at = at_region (regions, region);

  if (at != NULL)
    memset (at, POISON, regions->bytes);
}

static void
fill_region (const PdOperationRun *run, gsize region, gboolean is_neutral)
{
  wipe (&run->send_regions, region);
  wipe (&run->recv_regions, region);
  write_source (run, region, is_neutral);
}

void
pd_operation_fill (PdOperationRun *run)
{
  for (gsize region = 0; region < run->setup.regions; region++)
    fill_region (run, region, run->setup.in_place);
}

/* ---- comparison */

static gboolean
compare_bytes (const PdOperationRun *run, const char *target)
{
  const PdTimedCollective *collective = run->operation->collective;
  int blocks = pd_operation_blocks (collective, collective->recv, run->size);
  gsize bytes = (gsize) run->setup.bytes;

  for (int k = 0; k < blocks; k++)
    {
      PdOrigin origin = collective->origin (run, k);
      for (gsize i = 0; i < bytes; i++)
        if ((guchar) target[(gsize) k * bytes + i] != byte_at (origin.rank, origin.block, i))
          return FALSE;
    }
  return TRUE;
}

/* Of the ranks from 0 to @last. */
static gint64
reduce (const PdReduction *reduction, int last, gsize index)
{
  gint64 result = reduction->value (0, index);

  for (int rank = 1; rank <= last; rank++)
    result = reduction->fold (result, reduction->value (rank, index));
  return result;
}

static gboolean
compare_values (const PdOperationRun *run, const char *target)
{
  const PdTimedCollective *collective = run->operation->collective;
  const PdType *type = pd_type_of (run->setup.datatype);
  const PdReduction *reduction = pd_reduction_of (run->setup.op);
  int last = collective->reduces == PD_REDUCES_ALL         ? run->size - 1
             : collective->reduces == PD_REDUCES_UP_TO_OWN ? run->rank
                                                           : run->rank - 1;
  gsize n = (gsize) run->count,
        first = collective->send == PD_BLOCKS_ALL ? n * (gsize) run->rank : 0;
  gint64 expected[PD_PERIOD];

  /* what the first one finds before itself is undefined */
  if (last < 0)
    return TRUE;
  for (gsize i = 0; i < MIN (n, PD_PERIOD); i++)
    expected[i] = reduce (reduction, last, first + i);
  for (gsize i = 0; i < n; i++)
    if (!type->is (target + i * type->size, expected[i % PD_PERIOD]))
      return FALSE;
  return TRUE;
}

static gboolean
is_right (PdOperationRun *run, gsize region)
{
  /* the other side of the same dimension; as sent; in reverse */
  static const int opposites[] = { 1, 0, PD_NEIGHBOURS - 1 };
  const char *target = at_region (&run->recv_regions, region);

  if (target == NULL)
    return TRUE;
  if (is_reduction (run))
    return compare_values (run, target);
  for (gsize i = 0; i < G_N_ELEMENTS (opposites); i++)
    {
      run->opposite = opposites[i];
      if (compare_bytes (run, target))
        return TRUE;
    }
  return FALSE;
}

gboolean
pd_operation_verify (PdOperationRun *run)
{
  gsize regions[2] = { 0, run->setup.regions - 1 };
  int right = 1;

  for (gsize i = 0; i < (run->setup.regions > 1 ? 2 : 1); i++)
    {
      fill_region (run, regions[i], FALSE);
      pd_operation_launch (run, regions[i]);
      right &= is_right (run, regions[i]);
      fill_region (run, regions[i], run->setup.in_place);
    }
  MPI_Allreduce (MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, run->setup.comm);
  return right != 0;
}
