/* Every collective operation under one MPI, with datatypes and reductions. Its argument
 * may be brief.
 * SPDX-License-Identifier: MIT */
#include "tests/measure/programs/operations.h"
#include "measure/mpi/mpi-operation-table.h"
#include "measure/mpi/mpi-operation-types.h"

static gboolean is_brief; /* since processes have to wait for a processor */

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
  gboolean is_brief;
} rows[] = {
  { "empty", 0, FALSE, FALSE, 0, 0, 1, FALSE },
  { "one", 4, FALSE, FALSE, 0, 0, 1, FALSE },
  { "small", 64, FALSE, FALSE, 0, 0, 0, FALSE },
  { "odd", 10004, FALSE, FALSE, 0, 0, 1, TRUE },
  { "large", 1 << 19, FALSE, FALSE, 0, 0, 1, FALSE },
  { "root", 64, TRUE, FALSE, 0, 0, 1, TRUE },
  { "large-root", 1 << 16, TRUE, FALSE, 0, 0, 1, FALSE },
  { "cold", 4096, FALSE, FALSE, 0, 0, 3, TRUE },
  { "aligned", 4096, FALSE, FALSE, 64, 4, 1, FALSE },
  { "far", 64, FALSE, FALSE, 1 << 16, 4096, 2, FALSE },
  { "in-place", 64, FALSE, TRUE, 0, 0, 1, TRUE },
  { "large-in-place", 1 << 16, FALSE, TRUE, 0, 0, 1, FALSE },
  { "cold-in-place", 4096, FALSE, TRUE, 64, 0, 3, FALSE },
  { "root-in-place", 4096, TRUE, TRUE, 0, 0, 2, FALSE },
};

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
test_operation (const PdMpiOperation *operation)
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
      if ((is_brief && !rows[i].is_brief)
          || (setup.in_place && !pd_operation_has_in_place (operation))
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
      is_good &= pd_mpi_operation_find (collectives[i], NULL) != NULL
                 && pd_mpi_operation_find (other, NULL) != NULL;
    }
  for (guint i = 0; i < pd_operations_n (); i++)
    {
      const PdMpiOperation *operation = pd_operation_at (i);
      const PdMpiOperation *blocking =
          pd_mpi_operation_find (pd_operation_collective (operation), NULL);
      forms[pd_operation_form (operation)]++;
      is_good &= pd_mpi_operation_find (pd_operation_name (operation), NULL) == operation;
      is_good &= blocking != NULL && pd_operation_form (blocking) == PD_FORM_BLOCKING;
      is_good &= pd_operation_has_size (operation)
                 != (strcmp (pd_operation_collective (operation), "barrier") == 0);
    }
  is_good &= forms[PD_FORM_BLOCKING] == G_N_ELEMENTS (collectives)
             && forms[PD_FORM_NONBLOCKING] == G_N_ELEMENTS (collectives)
             && forms[PD_FORM_PERSISTENT] % G_N_ELEMENTS (collectives) == 0;
  result (is_good, "names", NULL);
}

static void
test_unknown (void)
{
  g_autoptr (GError) operation = NULL;
  g_autoptr (GError) type = NULL;
  g_autoptr (GError) op = NULL;
  MPI_Datatype datatype;
  MPI_Op reduction;

  result (pd_mpi_operation_find ("bsend", &operation) == NULL
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
    return is_right (pd_mpi_operation_find (operation, NULL), &setup, NULL);
  return !is_right (pd_mpi_operation_find (operation, NULL), &setup, &error)
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
                 && is_right (pd_mpi_operation_find ("alltoallw", NULL), &setup, NULL)
                 && is_right (pd_mpi_operation_find ("ibcast", NULL), &setup, NULL);
    }
  result (is_good, "types", NULL);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  is_brief = argc > 1 && strcmp (argv[1], "brief") == 0;
  test_names ();
  test_unknown ();
  if (!is_brief)
    {
      test_types ();
      test_reductions ();
    }
  test_operations ();
  return end ();
}
