/* A collective operation prepared and launched.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/pd-error.h"
#include "measure/mpi/pd-operation-private.h"
#include "measure/mpi/mpi-operation-data-private.h"
#include "measure/mpi/mpi-operation-private.h"
#include "measure/mpi/mpi-operation-table.h"
#include "measure/mpi/mpi-operation-types-private.h"
#include "measure/mpi/mpi-operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE       4096
#define MOST       (G_GINT64_CONSTANT (1) << 62)
#define RESERVE_OF 10 /* one part in so many of the free memory is not taken */

/* ---- regions */

static char *
region_at (const PdRegions *regions, gsize region)
{
  return regions->stride == 0 ? regions->first : regions->first + region * regions->stride;
}

/* Makes @region the present one. */
static void
select_region (PdOperationRun *run, gsize region)
{
  run->send = region_at (&run->send_regions, region);
  run->recv = region_at (&run->recv_regions, region);
  run->request = &run->requests[run->operation->form == PD_FORM_PERSISTENT ? region : 0];
}

/* ---- launches */

void
pd_operation_start (PdOperationRun *run, gsize number)
{
  if (run->setup.regions > 1)
    select_region (run, number % run->setup.regions);
  run->begin (run);
}

void
pd_operation_wait (PdOperationRun *run)
{
  if (run->operation->form != PD_FORM_BLOCKING)
    MPI_Wait (run->request, MPI_STATUS_IGNORE);
}

void
pd_operation_launch (PdOperationRun *run, gsize number)
{
  pd_operation_start (run, number);
  pd_operation_wait (run);
}

gboolean
pd_operation_test (PdOperationRun *run)
{
  int done = 1;

  if (run->operation->form != PD_FORM_BLOCKING)
    MPI_Test (run->request, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

static void
begin_persistent (PdOperationRun *run)
{
  MPI_Start (run->request);
}

/* ---- sizes */

/* Neighbours may be the process itself, or the same twice: they are counted as four. */
int
pd_operation_blocks (const PdTimedCollective *collective, PdBlocks blocks, int size)
{
  if (blocks != PD_BLOCKS_ALL)
    return blocks == PD_BLOCKS_ONE;
  return collective->has_neighbours ? PD_NEIGHBOURS : size;
}

static gint64
region_alignment (const PdOperationSetup *setup)
{
  return (gint64) MIN (MAX (setup->alignment, PAGE), (gsize) MOST);
}

/* Bytes of a region of @blocks blocks with the gap to the next one. */
static gint64
region_stride (const PdOperationSetup *setup, gint64 blocks)
{
  gint64 alignment = region_alignment (setup), offset = (gint64) MIN (setup->offset, MOST);
  gint64 bytes = MAX (setup->bytes, 1);

  if (blocks == 0)
    return 0;
  if (bytes > MOST / 8 / blocks || offset > MOST / 8 || alignment > MOST / 8)
    return MOST;
  return (offset + bytes * blocks + alignment - 1) / alignment * alignment;
}

static gint64
region_bytes (const PdTimedCollective *collective, const PdOperationSetup *setup, int size)
{
  gint64 send = region_stride (setup, pd_operation_blocks (collective, collective->send, size));
  gint64 recv = region_stride (setup, pd_operation_blocks (collective, collective->recv, size));

  return send > MOST - recv ? MOST : send + recv;
}

gint64
pd_operation_region_bytes (const PdMpiOperation *operation, const PdOperationSetup *setup)
{
  int size;

  MPI_Comm_size (setup->comm, &size);
  return region_bytes (operation->collective, setup, size);
}

/* ---- what MPI forbids */

#define fail(error, operation, ...)                                                                \
  pd_fail_in (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, (operation)->name, __VA_ARGS__)

static gboolean
check_types (const PdMpiOperation *operation, const PdOperationSetup *setup, GError **error)
{
  const PdType *type = pd_type_of (setup->datatype);
  const PdReduction *reduction = pd_reduction_of (setup->op);

  if (type == NULL)
    return fail (error, operation, "expected one of the datatypes that have names");
  if (setup->bytes < 0 || setup->bytes % (gint64) type->size != 0)
    return fail (error, operation,
                 "expected a size that is a multiple of %" G_GSIZE_FORMAT " bytes, which %s "
                 "takes, found %" G_GINT64_FORMAT " bytes",
                 type->size, type->name, setup->bytes);
  if (!pd_operation_has_op (operation))
    return TRUE;
  if (reduction == NULL)
    return fail (error, operation, "expected one of the reductions that have names");
  if ((reduction->families & type->family) == 0)
    return fail (error, operation, "MPI has no %s of %s", reduction->name, type->name);
  return TRUE;
}

/* MPI counts in int. */
static gboolean
check_counts (const PdMpiOperation *operation, const PdOperationSetup *setup, int size,
              GError **error)
{
  const PdTimedCollective *collective = operation->collective;
  gint64 unit = (gint64) pd_type_of (setup->datatype)->size, count = setup->bytes / unit;
  gint64 blocks = pd_operation_blocks (collective, PD_BLOCKS_ALL, size);
  gint64 last = collective->has_types ? setup->bytes : collective->has_displacements ? count : 0;

  if (count > G_MAXINT)
    return fail (error, operation, "%" G_GINT64_FORMAT " elements are more than an int counts",
                 count);
  if (last > 0 && blocks - 1 > G_MAXINT / last)
    return fail (error, operation,
                 "the last of %" G_GINT64_FORMAT " blocks of %" G_GINT64_FORMAT
                 " bytes begins where no int reaches",
                 blocks, setup->bytes);
  return TRUE;
}

static gboolean
check_setup (const PdMpiOperation *operation, const PdOperationSetup *setup, int size,
             GError **error)
{
  if ((setup->alignment & (setup->alignment - 1)) != 0)
    return fail (error, operation, "expected an alignment that is a power of two, found %zu",
                 setup->alignment);
  if (setup->in_place && !pd_operation_has_in_place (operation))
    return fail (error, operation, "MPI does not do it in place");
  if (pd_operation_has_root (operation) && (setup->root < 0 || setup->root >= size))
    return fail (error, operation, "expected a root of 0 to %d, found %d", size - 1, setup->root);
  if (!pd_operation_has_size (operation))
    return TRUE;
  return check_types (operation, setup, error) && check_counts (operation, setup, size, error);
}

/* ---- what an MPI library does not do although it should: it would end the program */

static const struct
{
  const char *operation;
  int before[2]; /* the MPICH that does it, as far as is known */
  gboolean in_place_only;
} defects[] = {
  /* temporary buffers are made when it is prepared and freed when it is done once */
  { "scatter_init", { 5, 0 }, FALSE },
  /* copies from MPI_IN_PLACE at a root that is not the first */
  { "reduce", { 4, 1 }, TRUE },
};

static gboolean
check_library (const PdMpiOperation *operation, const PdOperationSetup *setup, GError **error)
{
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, major, minor;

  MPI_Get_library_version (library, &length);
  if (sscanf (library, "MPICH Version: %d.%d", &major, &minor) != 2)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (defects); i++)
    {
      const int *before = defects[i].before;
      if (strcmp (defects[i].operation, operation->name) != 0
          || (defects[i].in_place_only && (!setup->in_place || setup->root == 0))
          || major > before[0] || (major == before[0] && minor >= before[1]))
        continue;
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DATA,
                   "%s%s: MPICH %d.%d is known to fail in it", operation->name,
                   setup->in_place ? " in place" : "", major, minor);
      return FALSE;
    }
  return TRUE;
}

/* ---- memory */

/* Of this host, bytes. */
static gint64
free_memory (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (g_file_get_contents ("/proc/meminfo", &text, NULL, NULL)
      && (line = strstr (text, "MemAvailable:")) != NULL)
    return g_ascii_strtoll (line + strlen ("MemAvailable:"), NULL, 10) * 1024;
  return (gint64) sysconf (_SC_PHYS_PAGES) * (gint64) sysconf (_SC_PAGESIZE);
}

/* Whether the regions fit if @here processes of this host need as much. */
static gboolean
fits (const PdOperationRun *run, int here)
{
  gint64 region = region_bytes (run->operation->collective, &run->setup, run->size);
  gint64 most = free_memory () / here;

  most -= most / RESERVE_OF;
  return region == 0 || (gint64) MIN (run->setup.regions, (gsize) MOST) <= most / region;
}

/* Allocations do not fail where memory is promised and not there: the kernel would end
 * some process later. */
static gboolean
check_memory (const PdOperationRun *run, GError **error)
{
  MPI_Comm host;
  int here;

  MPI_Comm_split_type (run->setup.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_size (host, &here);
  MPI_Comm_free (&host);
  if (fits (run, here))
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_MEMORY,
               "%s: %" G_GSIZE_FORMAT " regions of %" G_GINT64_FORMAT
               " bytes at each of %d processes exceed the free memory",
               run->operation->name, run->setup.regions,
               region_bytes (run->operation->collective, &run->setup, run->size), here);
  return FALSE;
}

static char *
align (void *memory, gsize alignment)
{
  return (char *) (((guintptr) memory + alignment - 1) / alignment * alignment);
}

/* Pages of its own: other ones each time, never written, and none that a library's
 * memory, which lies in the heap, could be moved by. */
static gboolean
map_pages (PdRegions *regions, gsize bytes, gsize alignment)
{
  gsize room = bytes + (alignment > PAGE ? alignment : 0);
  void *memory = mmap (NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    return FALSE;
  regions->memory = memory;
  regions->mapped = room;
  return TRUE;
}

static void
unmap_pages (PdRegions *regions)
{
  if (regions->memory != NULL)
    munmap (regions->memory, regions->mapped);
}

static gboolean
allocate (const PdOperationRun *run, PdRegions *regions, gint64 blocks, GError **error)
{
  gsize alignment = (gsize) region_alignment (&run->setup);

  if (blocks == 0)
    return TRUE;
  regions->stride = (gsize) region_stride (&run->setup, blocks);
  regions->bytes = (gsize) (run->setup.bytes * blocks);
  if (!map_pages (regions, regions->stride * run->setup.regions, alignment))
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_MEMORY,
                   "%s: no room for %" G_GSIZE_FORMAT " regions of %" G_GSIZE_FORMAT " bytes",
                   run->operation->name, run->setup.regions, regions->stride);
      return FALSE;
    }
  regions->first = align (regions->memory, alignment) + run->setup.offset;
  return TRUE;
}

/* The buffers that take part here, with the root's rank and in place considered. */
static gboolean
allocate_both (PdOperationRun *run, GError **error)
{
  const PdTimedCollective *collective = run->operation->collective;
  gboolean is_root = run->rank == run->setup.root;
  PdInPlace in_place = run->setup.in_place ? collective->in_place : PD_IN_PLACE_NEVER;
  gint64 send = pd_operation_blocks (collective, collective->send, run->size);
  gint64 recv = pd_operation_blocks (collective, collective->recv, run->size);

  if (in_place == PD_IN_PLACE_SEND || (in_place == PD_IN_PLACE_ROOT_SEND && is_root))
    {
      run->send_regions.first = MPI_IN_PLACE;
      recv = MAX (send, recv);
      send = 0;
    }
  if (in_place == PD_IN_PLACE_ROOT_RECV && is_root)
    {
      run->recv_regions.first = MPI_IN_PLACE;
      recv = 0;
    }
  if (collective->sends_at_root && !is_root)
    send = 0;
  if (collective->receives_at_root && !is_root)
    recv = 0;
  return allocate (run, &run->send_regions, send, error)
         && allocate (run, &run->recv_regions, recv, error);
}

/* ---- preparation */

static void
make_grid (PdOperationRun *run)
{
  int dims[2] = { 0, 0 }, periods[2] = { 1, 1 };

  MPI_Dims_create (run->size, 2, dims);
  MPI_Cart_create (run->setup.comm, 2, dims, periods, 0, &run->comm);
  for (int i = 0; i < 2; i++)
    MPI_Cart_shift (run->comm, i, 1, &run->neighbours[2 * i], &run->neighbours[2 * i + 1]);
}

static void
make_counts (PdOperationRun *run)
{
  gsize n = (gsize) pd_operation_blocks (run->operation->collective, PD_BLOCKS_ALL, run->size);

  run->count = (int) (run->setup.bytes / (gint64) pd_type_of (run->setup.datatype)->size);
  run->counts = g_new (int, n);
  run->displacements = g_new (int, n);
  run->byte_displacements = g_new (int, n);
  run->addresses = g_new (MPI_Aint, n);
  run->types = g_new (MPI_Datatype, n);
  for (gsize i = 0; i < n; i++)
    {
      run->counts[i] = run->count;
      /* where these do not reach, no call takes them */
      run->displacements[i] = (int) ((gint64) i * run->count);
      run->byte_displacements[i] = (int) ((gint64) i * run->setup.bytes);
      run->addresses[i] = (MPI_Aint) ((gint64) i * run->setup.bytes);
      run->types[i] = run->setup.datatype;
    }
}

static void
make_requests (PdOperationRun *run)
{
  gboolean is_persistent = run->operation->form == PD_FORM_PERSISTENT;
  gsize n = is_persistent ? run->setup.regions : 1;

  run->requests = g_new (MPI_Request, n);
  run->n_requests = n;
  for (gsize i = 0; i < n; i++)
    run->requests[i] = MPI_REQUEST_NULL;
  run->begin = is_persistent ? begin_persistent : run->operation->call;
  for (gsize i = 0; is_persistent && i < n; i++)
    {
      select_region (run, i);
      run->operation->call (run);
    }
  select_region (run, 0);
}

/* An error of the same code at all if there is one at any; @is_any becomes true if it
 * is at any. */
static gboolean
agree (const PdOperationRun *run, gboolean *is_any, GError *local, GError **error)
{
  int found[2] = { local != NULL ? local->code : -1, *is_any };

  MPI_Allreduce (MPI_IN_PLACE, found, 2, MPI_INT, MPI_MAX, run->setup.comm);
  *is_any = found[1];
  if (found[0] < 0)
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, local);
  else
    g_set_error (error, PD_MEASURE_ERROR, found[0], "%s: not possible at another process",
                 run->operation->name);
  return FALSE;
}

/* Buffers that fit if all processes are on this host need no further check. */
static gboolean
check (const PdOperationRun *run, GError **error)
{
  GError *local = NULL;
  gboolean is_tight = FALSE, none = FALSE;

  if (check_setup (run->operation, &run->setup, run->size, &local)
      && check_library (run->operation, &run->setup, &local))
    is_tight = !fits (run, run->size);
  if (!agree (run, &is_tight, local, error))
    return FALSE;
  if (!is_tight)
    return TRUE;
  check_memory (run, &local);
  return agree (run, &none, local, error);
}

static PdOperationRun *
run_new (const PdMpiOperation *operation, const PdOperationSetup *setup)
{
  PdOperationRun *run = g_new0 (PdOperationRun, 1);

  run->operation = operation;
  run->setup = *setup;
  run->setup.regions = MAX (setup->regions, 1);
  run->comm = setup->comm;
  MPI_Comm_rank (setup->comm, &run->rank);
  MPI_Comm_size (setup->comm, &run->size);
  if (pd_operation_has_size (operation))
    return run;
  run->setup.bytes = 0;
  run->setup.datatype = MPI_BYTE;
  run->setup.regions = 1;
  return run;
}

PdOperationRun *
pd_operation_prepare (const PdMpiOperation *operation, const PdOperationSetup *setup,
                      GError **error)
{
  g_autoptr (PdOperationRun) run = run_new (operation, setup);
  GError *local = NULL;
  gboolean none = FALSE;

  if (!check (run, error))
    return NULL;
  allocate_both (run, &local);
  if (!agree (run, &none, local, error))
    return NULL;
  if (operation->collective->has_neighbours)
    make_grid (run);
  make_counts (run);
  if (!setup->untouched)
    pd_operation_fill (run);
  make_requests (run);
  return g_steal_pointer (&run);
}

void
pd_operation_run_free (PdOperationRun *run)
{
  if (run == NULL)
    return;
  for (gsize i = 0; i < run->n_requests; i++)
    if (run->requests[i] != MPI_REQUEST_NULL)
      MPI_Request_free (&run->requests[i]);
  if (run->comm != run->setup.comm)
    MPI_Comm_free (&run->comm);
  g_free (run->requests);
  g_free (run->counts);
  g_free (run->displacements);
  g_free (run->byte_displacements);
  g_free (run->addresses);
  g_free (run->types);
  unmap_pages (&run->send_regions);
  unmap_pages (&run->recv_regions);
  g_free (run);
}
