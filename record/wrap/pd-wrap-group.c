/* What MPI does for the recorder itself, over a communicator of its own.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"

#define TAG   0x5044
#define PIECE ((uint64_t) 1 << 30)

static MPI_Comm own = MPI_COMM_NULL;

static int
barrier (void *data)
{
  (void) data;
  return PMPI_Barrier (own) != MPI_SUCCESS;
}

static int
broadcast (void *data, void *bytes, uint64_t n)
{
  (void) data;
  for (uint64_t i = 0; i < n; i += PIECE)
    if (PMPI_Bcast ((char *) bytes + i, (int) (n - i < PIECE ? n - i : PIECE), MPI_BYTE, 0, own)
        != MPI_SUCCESS)
      return 1;
  return 0;
}

static int
send (void *data, const void *bytes, uint64_t n, int to)
{
  (void) data;
  for (uint64_t i = 0; i < n; i += PIECE)
    if (PMPI_Send ((const char *) bytes + i, (int) (n - i < PIECE ? n - i : PIECE), MPI_BYTE, to,
                   TAG, own)
        != MPI_SUCCESS)
      return 1;
  return 0;
}

static int
receive (void *data, void *bytes, uint64_t n, int from)
{
  (void) data;
  for (uint64_t i = 0; i < n; i += PIECE)
    if (PMPI_Recv ((char *) bytes + i, (int) (n - i < PIECE ? n - i : PIECE), MPI_BYTE, from, TAG,
                   own, MPI_STATUS_IGNORE)
        != MPI_SUCCESS)
      return 1;
  return 0;
}

static int
maximum (void *data, uint64_t *value)
{
  (void) data;
  return PMPI_Allreduce (MPI_IN_PLACE, value, 1, MPI_UINT64_T, MPI_MAX, own) != MPI_SUCCESS;
}

static PdRecMpi mpi;

static void
copy (void *to, const void *from, uint64_t n)
{
  if (n > 0)
    __builtin_memcpy (to, from, n);
}

static int
gatherv (void *data, const void *in, uint64_t n, void *out, const uint64_t *sizes)
{
  char *to = out;

  if (mpi.rank != 0)
    return send (data, in, n, 0);
  copy (to, in, n);
  for (int i = 1; i < mpi.size; i++)
    {
      to += sizes[i - 1];
      if (receive (data, to, sizes[i], i) != 0)
        return 1;
    }
  return 0;
}

static int
gather (void *data, const void *in, uint64_t n, void *out)
{
  if (n <= PIECE)
    return PMPI_Gather (in, (int) n, MPI_BYTE, out, (int) n, MPI_BYTE, 0, own) != MPI_SUCCESS;
  if (mpi.rank != 0)
    return send (data, in, n, 0);
  copy (out, in, n);
  for (int i = 1; i < mpi.size; i++)
    if (receive (data, (char *) out + (uint64_t) i * n, n, i) != 0)
      return 1;
  return 0;
}

static int
scatterv (void *data, const void *in, const uint64_t *sizes, void *out, uint64_t n)
{
  const char *from = in;

  if (mpi.rank != 0)
    return receive (data, out, n, 0);
  copy (out, from, n);
  for (int i = 1; i < mpi.size; i++)
    {
      from += sizes[i - 1];
      if (send (data, from, sizes[i], i) != 0)
        return 1;
    }
  return 0;
}

const PdRecMpi *
pd_wrap_group_begin (void)
{
  if (PMPI_Comm_dup (MPI_COMM_WORLD, &own) != MPI_SUCCESS)
    return NULL;
  PMPI_Comm_set_errhandler (own, MPI_ERRORS_RETURN);
  mpi = (PdRecMpi){
    .barrier = barrier,
    .broadcast = broadcast,
    .gather = gather,
    .gatherv = gatherv,
    .scatterv = scatterv,
    .maximum = maximum,
    .send = send,
    .receive = receive,
  };
  PMPI_Comm_rank (own, &mpi.rank);
  PMPI_Comm_size (own, &mpi.size);
  return &mpi;
}

void
pd_wrap_group_end (void)
{
  if (own != MPI_COMM_NULL)
    PMPI_Comm_free (&own);
}
