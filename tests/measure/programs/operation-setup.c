/* What may be asked of a collective operation under one MPI: errors, what verification
 * finds, where buffers are.
 * SPDX-License-Identifier: MIT */
#include "tests/measure/programs/operations.h"
#include "measure/mpi/mpi-operation-data.h"
#include "measure/mpi/mpi-operation.h"
#include "measure/mpi/mpi-operation-table.h"

#include <math.h>
#include <unistd.h>

/* ---- what MPI is asked for, and what comes of it, is spoilt where a test wants it */

typedef enum
{
  HARM_NONE,
  HARM_NOTHING_DONE,
  HARM_LAST_BYTE /* at the last rank */
} Harm;

static Harm harm;
static char *seen; /* the buffer of the last call */

static int
spoil (void *buffer, gsize bytes)
{
  seen = buffer;
  if (harm == HARM_LAST_BYTE && rank == size - 1)
    seen[bytes - 1] ^= 1;
  return MPI_SUCCESS;
}

#define SPOILT(call, buffer, bytes)                                                                \
  {                                                                                                \
    if (harm != HARM_NOTHING_DONE)                                                                 \
      P##call;                                                                                     \
    return spoil (buffer, bytes);                                                                  \
  }

int
MPI_Bcast (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
    SPOILT (MPI_Bcast (buffer, count, datatype, root, comm), buffer, (gsize) count * 4)

        int MPI_Scan (const void *from, void *to, int count, MPI_Datatype datatype, MPI_Op op,
                      MPI_Comm comm) SPOILT (MPI_Scan (from, to, count, datatype, op, comm), to,
                                             (gsize) count * 4)

            int MPI_Alltoall (const void *from, int sent, MPI_Datatype sent_type, void *to,
                              int received, MPI_Datatype datatype, MPI_Comm comm)
                SPOILT (MPI_Alltoall (from, sent, sent_type, to, received, datatype, comm), to,
                        (gsize) received *(gsize) size * 4)

                    static PdOperationRun *prepare (const char *name, const PdOperationSetup *setup)
{
  g_autoptr (GError) error = NULL;
  PdOperationRun *run = pd_operation_prepare (pd_mpi_operation_find (name, NULL), setup, &error);

  if (run == NULL)
    printf ("%s\n", error->message);
  return run;
}

/* ---- errors */

static gboolean
fails (const char *name, const PdOperationSetup *setup, int code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdOperationRun) run =
      pd_operation_prepare (pd_mpi_operation_find (name, NULL), setup, &error);

  return run == NULL && g_error_matches (error, PD_MEASURE_ERROR, code);
}

#define SETUP(...)                                                                                 \
  &(PdOperationSetup)                                                                              \
  {                                                                                                \
    .comm = MPI_COMM_WORLD, __VA_ARGS__                                                            \
  }
#define INTS  .datatype = MPI_INT, .op = MPI_SUM
#define BYTES .datatype = MPI_BYTE, .op = MPI_BAND

static void
test_errors (void)
{
  const struct
  {
    const char *name;
    const char *operation;
    const PdOperationSetup *setup;
    int code;
  } cases[] = {
    { "root-beyond", "bcast", SETUP (INTS, .root = size), PD_MEASURE_ERROR_USAGE },
    { "root-negative", "ireduce", SETUP (INTS, .root = -1), PD_MEASURE_ERROR_USAGE },
    { "in-place-bcast", "bcast", SETUP (INTS, .in_place = TRUE), PD_MEASURE_ERROR_USAGE },
    { "in-place-barrier", "barrier", SETUP (INTS, .in_place = TRUE), PD_MEASURE_ERROR_USAGE },
    { "in-place-neighbours", "neighbor_alltoallw", SETUP (INTS, .in_place = TRUE),
      PD_MEASURE_ERROR_USAGE },
    { "op-not-for-type", "allreduce", SETUP (.datatype = MPI_DOUBLE, .op = MPI_BAND),
      PD_MEASURE_ERROR_USAGE },
    { "op-without-name", "scan", SETUP (.datatype = MPI_INT, .op = MPI_MAXLOC),
      PD_MEASURE_ERROR_USAGE },
    { "no-op", "scan", SETUP (.datatype = MPI_INT, .op = MPI_OP_NULL), PD_MEASURE_ERROR_USAGE },
    { "no-type", "gather", SETUP (.datatype = MPI_DATATYPE_NULL), PD_MEASURE_ERROR_USAGE },
    { "part-of-type", "gather", SETUP (INTS, .bytes = 6), PD_MEASURE_ERROR_USAGE },
    { "negative", "gather", SETUP (INTS, .bytes = -4), PD_MEASURE_ERROR_USAGE },
    { "count", "bcast", SETUP (BYTES, .bytes = G_GINT64_CONSTANT (1) << 31),
      PD_MEASURE_ERROR_USAGE },
    { "displacement", "alltoallv", SETUP (BYTES, .bytes = (gint64) G_MAXINT / (size - 1) + 1),
      PD_MEASURE_ERROR_USAGE },
    { "byte-displacement", "ialltoallw", SETUP (INTS, .bytes = G_GINT64_CONSTANT (1) << 32),
      PD_MEASURE_ERROR_USAGE },
    { "alignment", "bcast", SETUP (INTS, .bytes = 4, .alignment = 24), PD_MEASURE_ERROR_USAGE },
    { "alignment-beyond", "bcast", SETUP (INTS, .bytes = 4, .alignment = (gsize) 1 << 63),
      PD_MEASURE_ERROR_MEMORY },
    { "offset-beyond", "bcast", SETUP (INTS, .bytes = 4, .offset = G_MAXSIZE),
      PD_MEASURE_ERROR_MEMORY },
    { "regions-beyond", "bcast", SETUP (INTS, .bytes = 4, .regions = G_MAXSIZE),
      PD_MEASURE_ERROR_MEMORY },
    { "regions", "alltoall", SETUP (INTS, .bytes = 1 << 20, .regions = 1 << 24),
      PD_MEASURE_ERROR_MEMORY },
    { "blocks", "alltoall",
      SETUP (.datatype = MPI_C_DOUBLE_COMPLEX, .bytes = 16 * G_GINT64_CONSTANT (2000000000),
             .regions = 1 << 20),
      PD_MEASURE_ERROR_MEMORY },
    /* wrong at one process only: an error at all */
    { "last-process", "bcast", SETUP (INTS, .bytes = 4, .root = rank == size - 1 ? size : 0),
      PD_MEASURE_ERROR_USAGE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("error-", cases[i].name, NULL);
      result (fails (cases[i].operation, cases[i].setup, cases[i].code), name, NULL);
    }
}

/* ---- verification: what is wrong at one process is told to all */

static void
test_verification (void)
{
  static const char *const operations[] = { "bcast", "scan", "alltoall" };

  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    for (int in_place = 0; in_place <= (i > 0); in_place++)
      for (Harm kind = HARM_NONE; kind <= HARM_LAST_BYTE; kind++)
        {
          g_autofree char *name =
              g_strdup_printf ("verify-%s-%d-%d", operations[i], in_place, kind);
          PdOperationSetup setup = setup_of (1024);
          g_autoptr (PdOperationRun) run = NULL;
          gboolean is_good;
          setup.in_place = in_place;
          run = prepare (operations[i], &setup);
          harm = kind;
          is_good = pd_operation_verify (run) == (kind == HARM_NONE);
          harm = HARM_NONE;
          result (is_good && pd_operation_verify (run), name, NULL);
        }
}

/* ---- buffers */

static void
test_places (void)
{
  PdOperationSetup setup = setup_of (1000);
  char *places[4];
  g_autoptr (PdOperationRun) run = NULL;

  setup.alignment = 1 << 14;
  setup.offset = 24;
  setup.regions = 3;
  run = prepare ("bcast", &setup);
  for (gsize i = 0; i < 4; i++)
    {
      pd_operation_launch (run, i);
      places[i] = seen;
    }
  result (places[3] == places[0] && places[1] - places[0] >= 1000 && places[2] - places[1] >= 1000,
          "regions-rotate", NULL);
  result ((GPOINTER_TO_SIZE (places[0]) & ((1 << 14) - 1)) == 24
              && (GPOINTER_TO_SIZE (places[1]) & ((1 << 14) - 1)) == 24,
          "alignment", NULL);
}

/* Pages that are in memory. */
static gint64
resident (void)
{
  g_autofree char *text = NULL;
  char *rest;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return 0;
  g_ascii_strtoll (text, &rest, 10);
  return g_ascii_strtoll (rest, NULL, 10) * (gint64) sysconf (_SC_PAGESIZE);
}

static void
test_pages (void)
{
  gint64 before = resident ();
  PdOperationSetup setup = setup_of (1 << 22);
  g_autoptr (PdOperationRun) run = NULL;
  gint64 bytes = pd_operation_region_bytes (pd_mpi_operation_find ("scan", NULL), &setup);

  setup.regions = 4;
  run = prepare ("scan", &setup);
  result (bytes == 2 << 22, "region-bytes", NULL);
  result (resident () - before >= 4 * bytes - (1 << 20), "pages-touched", NULL);
}

/* However often it is done in place. */
static void
test_finite (void)
{
  PdOperationSetup setup = setup_of (64);
  g_autoptr (PdOperationRun) run = NULL;
  double value;

  setup.datatype = MPI_DOUBLE;
  setup.in_place = TRUE;
  run = prepare ("scan", &setup);
  for (gsize i = 0; i < 3000; i++)
    pd_operation_launch (run, i);
  memcpy (&value, seen, sizeof value);
  result (isfinite (value) && (value == 0 || isnormal (value)), "finite-in-place", NULL);
}

/* On some of the processes, with their own numbers. */
static void
test_part (void)
{
  PdOperationSetup setup = setup_of (4096);
  gboolean is_good;

  MPI_Comm_split (MPI_COMM_WORLD, rank == 0, -rank, &setup.comm);
  is_good = is_right (pd_mpi_operation_find ("allgatherv", NULL), &setup, NULL)
            && is_right (pd_mpi_operation_find ("ineighbor_alltoall", NULL), &setup, NULL)
            && is_right (pd_mpi_operation_find ("exscan", NULL), &setup, NULL);
  MPI_Comm_free (&setup.comm);
  result (is_good, "part-of-processes", NULL);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  test_errors ();
  test_verification ();
  test_places ();
  test_pages ();
  test_finite ();
  test_part ();
  return end ();
}
