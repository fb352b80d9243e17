/* The functions with which the OTF2 library writes one archive from all ranks, over those
 * that the wrappers provide. The library's root is always rank 0.
 * SPDX-License-Identifier: MIT */
#include "record/archive/pd-rec-otf2-mpi.h"

#include <stdlib.h>

struct OTF2_CollectiveContext
{
  const PdRecMpi *mpi; /* NULL: this process alone */
};

static OTF2_CollectiveContext world, alone;

static OTF2_CallbackCode
result (int status)
{
  return status == 0 ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

static uint64_t
size_of (OTF2_Type type)
{
  switch (type)
    {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8:
      return 1;
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16:
      return 2;
    case OTF2_TYPE_UINT32:
    case OTF2_TYPE_INT32:
    case OTF2_TYPE_FLOAT:
      return 4;
    default:
      return 8;
    }
}

static OTF2_CallbackCode
get_size (void *data, OTF2_CollectiveContext *context, uint32_t *size)
{
  (void) data;
  *size = context->mpi != NULL ? (uint32_t) context->mpi->size : 1;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
get_rank (void *data, OTF2_CollectiveContext *context, uint32_t *rank)
{
  (void) data;
  *rank = context->mpi != NULL ? (uint32_t) context->mpi->rank : 0;
  return OTF2_CALLBACK_SUCCESS;
}

/* Each rank has a file of its own. */
static OTF2_CallbackCode
create_local_comm (void *data, OTF2_CollectiveContext **local, OTF2_CollectiveContext *global,
                   uint32_t global_rank, uint32_t global_size, uint32_t local_rank,
                   uint32_t local_size, uint32_t file, uint32_t n_files)
{
  (void) data, (void) global, (void) global_rank, (void) global_size, (void) local_rank;
  (void) file, (void) n_files;
  *local = &alone;
  return result (local_size == 1 ? 0 : -1);
}

static OTF2_CallbackCode
free_local_comm (void *data, OTF2_CollectiveContext *local)
{
  (void) data, (void) local;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
barrier (void *data, OTF2_CollectiveContext *context)
{
  (void) data;
  return result (context->mpi != NULL ? context->mpi->barrier (context->mpi->data) : 0);
}

static OTF2_CallbackCode
bcast (void *data, OTF2_CollectiveContext *context, void *bytes, uint32_t n, OTF2_Type type,
       uint32_t root)
{
  const PdRecMpi *mpi = context->mpi;

  (void) data;
  if (root != 0)
    return OTF2_CALLBACK_ERROR;
  return result (mpi != NULL ? mpi->broadcast (mpi->data, bytes, n * size_of (type)) : 0);
}

/* With one process, in is out; the library's own serial functions do the same. */
static OTF2_CallbackCode
copy (const void *in, void *out, uint64_t n)
{
  const char *from = in;
  char *to = out;

  for (uint64_t i = 0; i < n; i++)
    to[i] = from[i];
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
gather (void *data, OTF2_CollectiveContext *context, const void *in, void *out, uint32_t n,
        OTF2_Type type, uint32_t root)
{
  const PdRecMpi *mpi = context->mpi;

  (void) data;
  if (root != 0)
    return OTF2_CALLBACK_ERROR;
  return mpi != NULL ? result (mpi->gather (mpi->data, in, n * size_of (type), out))
                     : copy (in, out, n * size_of (type));
}

/* Sizes in bytes; only rank 0 has them. NULL: out of memory. */
static uint64_t *
bytes_of (const PdRecMpi *mpi, const uint32_t *elements, OTF2_Type type)
{
  uint64_t *bytes = calloc ((size_t) mpi->size, sizeof *bytes);

  for (int i = 0; bytes != NULL && mpi->rank == 0 && i < mpi->size; i++)
    bytes[i] = elements[i] * size_of (type);
  return bytes;
}

static OTF2_CallbackCode
gatherv (void *data, OTF2_CollectiveContext *context, const void *in, uint32_t n, void *out,
         const uint32_t *elements, OTF2_Type type, uint32_t root)
{
  const PdRecMpi *mpi = context->mpi;

  (void) data;
  if (mpi == NULL)
    return copy (in, out, n * size_of (type));
  uint64_t *sizes = bytes_of (mpi, elements, type);
  int status = sizes == NULL || root != 0
                   ? -1
                   : mpi->gatherv (mpi->data, in, n * size_of (type), out, sizes);
  free (sizes);
  return result (status);
}

static OTF2_CallbackCode
scatterv (void *data, OTF2_CollectiveContext *context, const void *in, const uint32_t *elements,
          void *out, uint32_t n, OTF2_Type type, uint32_t root)
{
  const PdRecMpi *mpi = context->mpi;

  (void) data;
  if (mpi == NULL)
    return copy (in, out, n * size_of (type));
  uint64_t *sizes = bytes_of (mpi, elements, type);
  int status = sizes == NULL || root != 0
                   ? -1
                   : mpi->scatterv (mpi->data, in, sizes, out, n * size_of (type));
  free (sizes);
  return result (status);
}

static OTF2_CallbackCode
scatter (void *data, OTF2_CollectiveContext *context, const void *in, void *out, uint32_t n,
         OTF2_Type type, uint32_t root)
{
  const PdRecMpi *mpi = context->mpi;

  (void) data;
  if (mpi == NULL)
    return copy (in, out, n * size_of (type));
  uint64_t *sizes = calloc ((size_t) mpi->size, sizeof *sizes);
  for (int i = 0; sizes != NULL && i < mpi->size; i++)
    sizes[i] = n * size_of (type);
  int status = sizes == NULL || root != 0
                   ? -1
                   : mpi->scatterv (mpi->data, in, sizes, out, n * size_of (type));
  free (sizes);
  return result (status);
}

int
pd_rec_set_collectives (OTF2_Archive *archive, const PdRecMpi *mpi)
{
  static const OTF2_CollectiveCallbacks callbacks = {
    .otf2_get_size = get_size,
    .otf2_get_rank = get_rank,
    .otf2_create_local_comm = create_local_comm,
    .otf2_free_local_comm = free_local_comm,
    .otf2_barrier = barrier,
    .otf2_bcast = bcast,
    .otf2_gather = gather,
    .otf2_gatherv = gatherv,
    .otf2_scatter = scatter,
    .otf2_scatterv = scatterv,
  };

  world.mpi = mpi;
  return OTF2_Archive_SetCollectiveCallbacks (archive, &callbacks, NULL, &world, NULL)
                 == OTF2_SUCCESS
             ? 0
             : -1;
}
