/* Datatypes and reductions, with data whose results are known.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_OPERATION_TYPES_PRIVATE_H
#define MPI_OPERATION_TYPES_PRIVATE_H

#include "measure/mpi/pd-operation-private.h"

typedef enum
{
  PD_FAMILY_RAW = 1 << 0,
  PD_FAMILY_INTEGER = 1 << 1,
  PD_FAMILY_REAL = 1 << 2,
  PD_FAMILY_COMPLEX = 1 << 3,
  PD_FAMILY_LOGICAL = 1 << 4,
  PD_FAMILY_TEXT = 1 << 5, /* not reduced by anything */
} PdFamily;

typedef struct
{
  const char *name;
  MPI_Datatype datatype;
  PdFamily family;
  gsize size;
  void (*put) (void *at, gint64 value);
  gboolean (*is) (const void *at, gint64 value);
} PdType;

typedef struct
{
  const char *name;
  MPI_Op op;
  guint families;                          /* that it is for */
  gint64 (*value) (int rank, gsize index); /* of known data; repeats after PD_PERIOD */
  gint64 (*fold) (gint64 a, gint64 b);
  gint64 neutral; /* stays as it is, however often it is reduced with itself */
} PdReduction;

#define PD_PERIOD 16

/* %NULL if it is none of the table. */
const PdType *pd_type_of (MPI_Datatype datatype);
const PdReduction *pd_reduction_of (MPI_Op op);

#endif
