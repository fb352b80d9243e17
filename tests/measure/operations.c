/* Every collective operation under one MPI, at any number of processes. Lines for
 * tests/test-measure-operations.sh: good, bad or skip, a name, words.
 * SPDX-License-Identifier: MIT */
#include "measure/pd-operation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, size, n_bad;

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
                      MPI_Comm comm)
            SPOILT (MPI_Scan (from, to, count, datatype, op, comm), to, (gsize) count * 4)

                int MPI_Alltoall (const void *from, int sent, MPI_Datatype sent_type, void *to,
                                  int received, MPI_Datatype datatype, MPI_Comm comm)
                    SPOILT (MPI_Alltoall (from, sent, sent_type, to, received, datatype, comm), to,
                            (gsize) received *(gsize) size * 4)

    /* ---- results */

    /* Good at all processes. */
    static void result (gboolean is_good, const char *name, const char *detail)
{
  int good = is_good;

  MPI_Allreduce (MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  n_bad += !good;
  if (rank == 0)
    printf ("%s %s%s%s\n", good ? "good" : "bad", name, detail != NULL ? " " : "",
            detail != NULL ? detail : "");
  fflush (stdout);
}

static PdOperationSetup
setup_of (gint64 bytes)
{
  return (PdOperationSetup){
    .comm = MPI_COMM_WORLD, .bytes = bytes, .datatype = MPI_INT, .op = MPI_SUM, .regions = 1
  };
}

static PdOperationRun *
prepare (const char *name, const PdOperationSetup *setup)
{
  g_autoptr (GError) error = NULL;
  PdOperationRun *run = pd_operation_prepare (pd_operation_find (name, NULL), setup, &error);

  if (run == NULL)
    printf ("%s\n", error->message);
  return run;
}

/* ---- every operation */

static const struct
{
  const char *name;
  gint64 bytes;
  gboolean is_last_root;
  gboolean in_place;
  gsize alignment;
  gsize offset;
  gsize regions;
} rows[] = {
  { "empty", 0, FALSE, FALSE, 0, 0, 1 },
  { "one", 4, FALSE, FALSE, 0, 0, 1 },
  { "small", 64, FALSE, FALSE, 0, 0, 0 },
  { "odd", 10004, FALSE, FALSE, 0, 0, 1 },
  { "large", 1 << 19, FALSE, FALSE, 0, 0, 1 },
  { "root", 64, TRUE, FALSE, 0, 0, 1 },
  { "large-root", 1 << 16, TRUE, FALSE, 0, 0, 1 },
  { "cold", 4096, FALSE, FALSE, 0, 0, 3 },
  { "aligned", 4096, FALSE, FALSE, 64, 4, 1 },
  { "far", 64, FALSE, FALSE, 1 << 16, 4096, 2 },
  { "in-place", 64, FALSE, TRUE, 0, 0, 1 },
  { "large-in-place", 1 << 16, FALSE, TRUE, 0, 0, 1 },
  { "cold-in-place", 4096, FALSE, TRUE, 64, 0, 3 },
  { "root-in-place", 4096, TRUE, TRUE, 0, 0, 2 },
};

static void
launch_all_ways (PdOperationRun *run)
{
  for (gsize i = 0; i < 2; i++)
    pd_operation_launch (run, i);
  for (gsize i = 0; i < 2; i++)
    {
      pd_operation_start (run, i);
      while (!pd_operation_test (run))
        ;
      pd_operation_wait (run);
    }
}

/* Right at first, and right still when it has been launched. */
static gboolean
is_right (const PdOperation *operation, const PdOperationSetup *setup, GError **error)
{
  g_autoptr (PdOperationRun) run = pd_operation_prepare (operation, setup, error);

  if (run == NULL || !pd_operation_verify (run))
    return FALSE;
  launch_all_ways (run);
  return pd_operation_verify (run);
}

/* What is wrong in MPICH 4.0, verification finds. */
static gboolean
is_known_to_be_wrong (const char *name)
{
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;

  MPI_Get_library_version (library, &length);
  return g_str_has_prefix (library, "MPICH")
         && (strcmp (name, "gather_init") == 0 || strcmp (name, "allgather_init") == 0);
}

static void
test_operation (const PdOperation *operation)
{
  const char *name = pd_operation_name (operation);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      PdOperationSetup setup = setup_of (rows[i].bytes);
      setup.root = rows[i].is_last_root ? size - 1 : 0;
      setup.in_place = rows[i].in_place;
      setup.alignment = rows[i].alignment;
      setup.offset = rows[i].offset;
      setup.regions = rows[i].regions;
      if ((setup.in_place && !pd_operation_has_in_place (operation))
          || is_right (operation, &setup, &error))
        continue;
      if (error == NULL && !is_known_to_be_wrong (name))
        {
          result (FALSE, name, rows[i].name);
          return;
        }
      if (error != NULL && !g_error_matches (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DATA))
        {
          result (FALSE, name, error->message);
          return;
        }
      if (rank == 0)
        printf ("skip %s %s\n", name, error != NULL ? error->message : "wrong in MPICH 4.0");
      return;
    }
  result (TRUE, name, NULL);
}

static void
test_operations (void)
{
  for (guint i = 0; i < pd_operations_n (); i++)
    test_operation (pd_operation_at (i));
}

/* ---- names */

static const char *const collectives[] = {
  "barrier",
  "bcast",
  "gather",
  "gatherv",
  "scatter",
  "scatterv",
  "allgather",
  "allgatherv",
  "alltoall",
  "alltoallv",
  "alltoallw",
  "reduce",
  "allreduce",
  "reduce_scatter",
  "scan",
  "reduce_scatter_block",
  "exscan",
  "neighbor_allgather",
  "neighbor_allgatherv",
  "neighbor_alltoall",
  "neighbor_alltoallv",
  "neighbor_alltoallw",
};

static void
test_names (void)
{
  guint forms[PD_N_FORMS] = { 0 };
  gboolean is_good = TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (collectives); i++)
    {
      g_autofree char *other = g_strconcat ("i", collectives[i], NULL);
      is_good &= pd_operation_find (collectives[i], NULL) != NULL
                 && pd_operation_find (other, NULL) != NULL;
    }
  for (guint i = 0; i < pd_operations_n (); i++)
    {
      const PdOperation *operation = pd_operation_at (i);
      const PdOperation *blocking = pd_operation_find (pd_operation_collective (operation), NULL);
      forms[pd_operation_form (operation)]++;
      is_good &= pd_operation_find (pd_operation_name (operation), NULL) == operation;
      is_good &= blocking != NULL && pd_operation_form (blocking) == PD_FORM_BLOCKING;
      is_good &= pd_operation_has_size (operation)
                 != (strcmp (pd_operation_collective (operation), "barrier") == 0);
    }
  is_good &= forms[PD_FORM_BLOCKING] == G_N_ELEMENTS (collectives)
             && forms[PD_FORM_NONBLOCKING] == G_N_ELEMENTS (collectives)
             && forms[PD_FORM_PERSISTENT] % G_N_ELEMENTS (collectives) == 0;
  result (is_good, "names", NULL);
}

/* ---- datatypes and reductions */

static const struct
{
  const char *name;
  const char *families; /* integer, real, complex, logical, bits */
} reductions[] = {
  { "sum", "irc" }, { "prod", "irc" }, { "max", "ir" },  { "min", "ir" }, { "land", "il" },
  { "lor", "il" },  { "lxor", "il" },  { "band", "ib" }, { "bor", "ib" }, { "bxor", "ib" },
};

static const struct
{
  const char *name;
  char family;
} types[] = {
  { "byte", 'b' },
  { "char", 't' },
  { "signed_char", 'i' },
  { "unsigned_char", 'i' },
  { "short", 'i' },
  { "unsigned_short", 'i' },
  { "int", 'i' },
  { "unsigned", 'i' },
  { "long", 'i' },
  { "unsigned_long", 'i' },
  { "long_long", 'i' },
  { "unsigned_long_long", 'i' },
  { "int8_t", 'i' },
  { "uint8_t", 'i' },
  { "int16_t", 'i' },
  { "uint16_t", 'i' },
  { "int32_t", 'i' },
  { "uint32_t", 'i' },
  { "int64_t", 'i' },
  { "uint64_t", 'i' },
  { "float", 'r' },
  { "double", 'r' },
  { "long_double", 'r' },
  { "c_bool", 'l' },
  { "c_float_complex", 'c' },
  { "c_double_complex", 'c' },
};

/* Right if MPI has it, and refused if not. */
static gboolean
is_reduced (const char *operation, gsize type, gsize reduction)
{
  g_autoptr (GError) error = NULL;
  PdOperationSetup setup = setup_of (16 * 100);

  if (!pd_operation_datatype (types[type].name, &setup.datatype, NULL)
      || !pd_operation_op (reductions[reduction].name, &setup.op, NULL)
      || strcmp (pd_operation_datatype_name (setup.datatype), types[type].name) != 0
      || strcmp (pd_operation_op_name (setup.op), reductions[reduction].name) != 0)
    return FALSE;
  if (strchr (reductions[reduction].families, types[type].family) != NULL)
    return is_right (pd_operation_find (operation, NULL), &setup, NULL);
  return !is_right (pd_operation_find (operation, NULL), &setup, &error)
         && g_error_matches (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE);
}

static void
test_reductions (void)
{
  static const char *const operations[] = { "allreduce", "exscan", "ireduce_scatter_block" };

  for (gsize i = 0; i < G_N_ELEMENTS (reductions); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (types); k++)
      for (gsize o = 0; o < G_N_ELEMENTS (operations); o++)
        if (!is_reduced (operations[o], k, i))
          {
            g_autofree char *name =
                g_strdup_printf ("reduction-%s-%s", reductions[i].name, types[k].name);
            result (FALSE, name, operations[o]);
          }
        else if (o == 0 && k == 0)
          result (TRUE, reductions[i].name, NULL);
}

/* What is not computed with may be of any type. */
static void
test_types (void)
{
  gboolean is_good = TRUE;

  for (gsize k = 0; k < G_N_ELEMENTS (types); k++)
    {
      PdOperationSetup setup = setup_of (16 * 100);
      is_good &= pd_operation_datatype (types[k].name, &setup.datatype, NULL)
                 && is_right (pd_operation_find ("alltoallw", NULL), &setup, NULL)
                 && is_right (pd_operation_find ("ibcast", NULL), &setup, NULL);
    }
  result (is_good, "types", NULL);
}

/* ---- errors */

static gboolean
fails (const char *name, const PdOperationSetup *setup, int code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdOperationRun) run =
      pd_operation_prepare (pd_operation_find (name, NULL), setup, &error);

  return run == NULL && g_error_matches (error, PD_MEASURE_ERROR, code);
}

#define SETUP(...)                                                                                 \
  &(PdOperationSetup)                                                                              \
  {                                                                                                \
    .comm = MPI_COMM_WORLD, .regions = 1, __VA_ARGS__                                              \
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
    { "displacement", "alltoallv", SETUP (BYTES, .bytes = G_MAXINT / (size - 1) + 1),
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

static void
test_unknown (void)
{
  g_autoptr (GError) operation = NULL;
  g_autoptr (GError) type = NULL;
  g_autoptr (GError) op = NULL;
  MPI_Datatype datatype;
  MPI_Op reduction;

  result (pd_operation_find ("bsend", &operation) == NULL
              && g_error_matches (operation, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE)
              && strstr (operation->message, "neighbor_alltoallw") != NULL,
          "unknown-operation", NULL);
  result (!pd_operation_datatype ("quad", &datatype, &type)
              && g_error_matches (type, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE)
              && !pd_operation_op ("average", &reduction, &op)
              && g_error_matches (op, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE)
              && pd_operation_datatype_name (MPI_PACKED) == NULL
              && pd_operation_op_name (MPI_MINLOC) == NULL,
          "unknown-type", NULL);
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
  gint64 bytes = pd_operation_region_bytes (pd_operation_find ("scan", NULL), &setup);

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
  is_good = is_right (pd_operation_find ("allgatherv", NULL), &setup, NULL)
            && is_right (pd_operation_find ("ineighbor_alltoall", NULL), &setup, NULL)
            && is_right (pd_operation_find ("exscan", NULL), &setup, NULL);
  MPI_Comm_free (&setup.comm);
  result (is_good, "part-of-processes", NULL);
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  test_names ();
  test_unknown ();
  test_errors ();
  test_verification ();
  test_places ();
  test_pages ();
  test_finite ();
  test_part ();
  test_types ();
  test_reductions ();
  test_operations ();
  MPI_Finalize ();
  return n_bad > 0;
}
