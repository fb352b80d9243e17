/* Functions under the names that compilers of Fortran give them. They call the
 * PMPI function of Fortran, so that what is special there (MPI_IN_PLACE,
 * MPI_BOTTOM, MPI_STATUS_IGNORE, lengths of texts) is left to the library.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WRAP_FORTRAN_H
#define PD_WRAP_FORTRAN_H

#include "record/pd-wrap.h"

#define PD_EXPORT __attribute__ ((visibility ("default")))

/* PMPI functions are known when the program is linked with MPI for Fortran; when
 * a module of a program in another language is, they must be looked for. */
void *pd_fortran_find (const char *name);

#define PD_PMPI(Type, name)                                                                        \
  (pmpi_##name != NULL ? pmpi_##name : (Type *) (uintptr_t) pd_fortran_find ("pmpi_" #name))

/* Defines mpi_send_, mpi_send, mpi_send__ and MPI_SEND. */
#define PD_FORTRAN(Type, lower, UPPER, parameters, arguments)                                      \
  extern Type pmpi_##lower##_ __attribute__ ((weak));                                              \
  PD_EXPORT Type mpi_##lower##_;                                                                   \
  void mpi_##lower##_ parameters                                                                   \
  {                                                                                                \
    call_##lower arguments;                                                                        \
  }                                                                                                \
  PD_EXPORT Type mpi_##lower __attribute__ ((alias ("mpi_" #lower "_")));                          \
  PD_EXPORT Type mpi_##lower##__ __attribute__ ((alias ("mpi_" #lower "_")));                      \
  PD_EXPORT Type MPI_##UPPER __attribute__ ((alias ("mpi_" #lower "_")));

/* Open MPI has the functions of the module mpi_f08 under a name of their own, and
 * calls C in a way that cannot be seen; with MPICH the calls of C are. */
#ifdef OPEN_MPI
#define PD_FORTRAN_08(Type, lower, parameters, arguments)                                          \
  extern Type pmpi_##lower##_f08_ __attribute__ ((weak));                                          \
  PD_EXPORT Type mpi_##lower##_f08_;                                                               \
  void mpi_##lower##_f08_ parameters                                                               \
  {                                                                                                \
    call_##lower arguments;                                                                        \
  }
#else
#define PD_FORTRAN_08(Type, lower, parameters, arguments)
#endif

#endif
