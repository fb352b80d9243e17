/* Datatypes and reductions, with data whose results are known.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-operation-types-private.h"
#include "measure/mpi/mpi-operation-types.h"

#include <complex.h>
#include <stdbool.h>
#include <string.h>

/* ---- datatypes: anything may lie at any address */

#define VALUES(name, c_type)                                                                       \
  static void put_##name (void *at, gint64 value)                                                  \
  {                                                                                                \
    c_type number = (c_type) value;                                                                \
    memcpy (at, &number, sizeof number);                                                           \
  }                                                                                                \
  static gboolean is_##name (const void *at, gint64 value)                                         \
  {                                                                                                \
    c_type number;                                                                                 \
    memcpy (&number, at, sizeof number);                                                           \
    return number == (c_type) value;                                                               \
  }

#define TYPES(X)                                                                                   \
  X (byte, guint8, MPI_BYTE, RAW)                                                                  \
  X (char, char, MPI_CHAR, TEXT)                                                                   \
  X (signed_char, signed char, MPI_SIGNED_CHAR, INTEGER)                                           \
  X (unsigned_char, unsigned char, MPI_UNSIGNED_CHAR, INTEGER)                                     \
  X (short, short, MPI_SHORT, INTEGER)                                                             \
  X (unsigned_short, unsigned short, MPI_UNSIGNED_SHORT, INTEGER)                                  \
  X (int, int, MPI_INT, INTEGER)                                                                   \
  X (unsigned, unsigned, MPI_UNSIGNED, INTEGER)                                                    \
  X (long, long, MPI_LONG, INTEGER)                                                                \
  X (unsigned_long, unsigned long, MPI_UNSIGNED_LONG, INTEGER)                                     \
  X (long_long, long long, MPI_LONG_LONG, INTEGER)                                                 \
  X (unsigned_long_long, unsigned long long, MPI_UNSIGNED_LONG_LONG, INTEGER)                      \
  X (int8_t, gint8, MPI_INT8_T, INTEGER)                                                           \
  X (int16_t, gint16, MPI_INT16_T, INTEGER)                                                        \
  X (int32_t, gint32, MPI_INT32_T, INTEGER)                                                        \
  X (int64_t, gint64, MPI_INT64_T, INTEGER)                                                        \
  X (uint8_t, guint8, MPI_UINT8_T, INTEGER)                                                        \
  X (uint16_t, guint16, MPI_UINT16_T, INTEGER)                                                     \
  X (uint32_t, guint32, MPI_UINT32_T, INTEGER)                                                     \
  X (uint64_t, guint64, MPI_UINT64_T, INTEGER)                                                     \
  X (float, float, MPI_FLOAT, REAL)                                                                \
  X (double, double, MPI_DOUBLE, REAL)                                                             \
  X (long_double, long double, MPI_LONG_DOUBLE, REAL)                                              \
  X (c_bool, bool, MPI_C_BOOL, LOGICAL)                                                            \
  X (c_float_complex, float complex, MPI_C_FLOAT_COMPLEX, COMPLEX)                                 \
  X (c_double_complex, double complex, MPI_C_DOUBLE_COMPLEX, COMPLEX)

#define TYPE_VALUES(name, c_type, mpi, family) VALUES (name, c_type)
TYPES (TYPE_VALUES)

#define TYPE_ROW(name, c_type, mpi, family)                                                        \
  { #name, mpi, PD_FAMILY_##family, sizeof (c_type), put_##name, is_##name },

static const PdType types[] = { TYPES (TYPE_ROW) };

/* ---- reductions: small numbers, so that results are exact in every type, but for the
 * width of integers, beyond which they wrap in both */

static gint64
value_mixed (int rank, gsize index)
{
  return (gint64) (((gsize) rank * 5 + index) % PD_PERIOD);
}

static gint64
value_factor (int rank, gsize index)
{
  return rank < 4 * PD_PERIOD && value_mixed (rank, index) == 0 ? 2 : 1;
}

static gint64
value_truth (int rank, gsize index)
{
  return value_mixed (rank, index) > 2;
}

#define FOLD(name, result)                                                                         \
  static gint64 fold_##name (gint64 a, gint64 b)                                                   \
  {                                                                                                \
    return result;                                                                                 \
  }
FOLD (sum, a + b)
FOLD (prod, a *b)
FOLD (max, MAX (a, b))
FOLD (min, MIN (a, b))
FOLD (land, a &&b)
FOLD (lor, a || b)
FOLD (lxor, !a != !b)
FOLD (band, a &b)
FOLD (bor, a | b)
FOLD (bxor, a ^ b)

#define NUMBERS  (PD_FAMILY_INTEGER | PD_FAMILY_REAL | PD_FAMILY_COMPLEX)
#define ORDERED  (PD_FAMILY_INTEGER | PD_FAMILY_REAL)
#define LOGICALS (PD_FAMILY_INTEGER | PD_FAMILY_LOGICAL)
#define BITS     (PD_FAMILY_INTEGER | PD_FAMILY_RAW)

static const PdReduction reductions[] = {
  { "sum", MPI_SUM, NUMBERS, value_mixed, fold_sum, 0 },
  { "prod", MPI_PROD, NUMBERS, value_factor, fold_prod, 1 },
  { "max", MPI_MAX, ORDERED, value_mixed, fold_max, 1 },
  { "min", MPI_MIN, ORDERED, value_mixed, fold_min, 1 },
  { "land", MPI_LAND, LOGICALS, value_truth, fold_land, 1 },
  { "lor", MPI_LOR, LOGICALS, value_truth, fold_lor, 1 },
  { "lxor", MPI_LXOR, LOGICALS, value_truth, fold_lxor, 0 },
  { "band", MPI_BAND, BITS, value_mixed, fold_band, 1 },
  { "bor", MPI_BOR, BITS, value_mixed, fold_bor, 1 },
  { "bxor", MPI_BXOR, BITS, value_mixed, fold_bxor, 0 },
};

const PdType *
pd_type_of (MPI_Datatype datatype)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].datatype == datatype)
      return &types[i];
  return NULL;
}

const PdReduction *
pd_reduction_of (MPI_Op op)
{
  for (gsize i = 0; i < G_N_ELEMENTS (reductions); i++)
    if (reductions[i].op == op)
      return &reductions[i];
  return NULL;
}

gboolean
pd_operation_datatype (const char *name, MPI_Datatype *datatype, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      if (strcmp (types[i].name, name) == 0)
        {
          *datatype = types[i].datatype;
          return TRUE;
        }
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", types[i].name);
    }
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
               "unknown datatype '%s': expected one of %s", name, known->str);
  return FALSE;
}

const char *
pd_operation_datatype_name (MPI_Datatype datatype)
{
  const PdType *type = pd_type_of (datatype);

  return type != NULL ? type->name : NULL;
}

gboolean
pd_operation_op (const char *name, MPI_Op *op, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (reductions); i++)
    {
      if (strcmp (reductions[i].name, name) == 0)
        {
          *op = reductions[i].op;
          return TRUE;
        }
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", reductions[i].name);
    }
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
               "unknown reduction '%s': expected one of %s", name, known->str);
  return FALSE;
}

const char *
pd_operation_op_name (MPI_Op op)
{
  const PdReduction *reduction = pd_reduction_of (op);

  return reduction != NULL ? reduction->name : NULL;
}
