/* Functions under the names that compilers of Fortran give them. They call the
 * PMPI function of Fortran, so that its special values (MPI_IN_PLACE,
 * MPI_BOTTOM, MPI_STATUS_IGNORE, lengths of texts) are left to the library.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WRAP_FORTRAN_PRIVATE_H
#define PD_WRAP_FORTRAN_PRIVATE_H

#include "record/wrap/pd-wrap-private.h"

#define PD_EXPORT __attribute__ ((visibility ("default")))

/* PMPI functions are known when the program is linked with MPI for Fortran; when
 * a module of a program in another language is, they must be looked for. */
uintptr_t pd_fortran_find (const char *name);

/* @symbol calls call_@lower with @pmpi and what follows. */
#define PD_DEFINE(Type, symbol, pmpi, lower, layer, parameters, ...)                               \
  extern Type pmpi __attribute__ ((weak));                                                         \
  PD_EXPORT Type symbol;                                                                           \
  void symbol parameters                                                                           \
  {                                                                                                \
    call_##lower (pmpi != NULL ? pmpi : (Type *) pd_fortran_find (#pmpi), layer,                   \
                  PD_RETURN_ADDRESS, PD_FRAME, __VA_ARGS__);                                       \
  }

/* Defines mpi_send_, mpi_send, mpi_send__ and MPI_SEND; and what the module
 * mpi_f08 calls, since that does not come along the functions of C. */
#define PD_FORTRAN(Type, lower, UPPER, parameters, ...)                                            \
  PD_DEFINE (Type, mpi_##lower##_, pmpi_##lower##_, lower, PD_FORTRAN_77, parameters, __VA_ARGS__) \
  PD_EXPORT Type mpi_##lower __attribute__ ((alias ("mpi_" #lower "_")));                          \
  PD_EXPORT Type mpi_##lower##__ __attribute__ ((alias ("mpi_" #lower "_")));                      \
  PD_EXPORT Type MPI_##UPPER __attribute__ ((alias ("mpi_" #lower "_")));                          \
  PD_FORTRAN_08 (Type, lower, parameters, __VA_ARGS__)

/* The same function, where the module mpi has another name for it. */
#define PD_FORTRAN_POINTER(Type, lower, parameters, ...)                                           \
  PD_DEFINE (Type, mpi_##lower##_cptr_, pmpi_##lower##_cptr_, lower, PD_FORTRAN_77, parameters,    \
             __VA_ARGS__)

#ifdef OPEN_MPI
#define PD_FORTRAN_08(Type, lower, parameters, ...)                                                \
  PD_DEFINE (Type, mpi_##lower##_f08_, pmpi_##lower##_f08_, lower, PD_FORTRAN_MODULE, parameters,  \
             __VA_ARGS__)
#define PD_FORTRAN_08_BUFFERS(Type, lower, parameters, ...)
#else
#define PD_FORTRAN_08(Type, lower, parameters, ...)                                                \
  PD_DEFINE (Type, mpi_##lower##_f08_, pmpir_##lower##_f08_, lower, PD_FORTRAN_2008, parameters,   \
             __VA_ARGS__)
/* Buffers are descriptors. */
#define PD_FORTRAN_08_BUFFERS(Type, lower, parameters, ...)                                        \
  PD_DEFINE (Type, mpi_##lower##_f08ts_, pmpir_##lower##_f08ts_, lower, PD_FORTRAN_2008,           \
             parameters, __VA_ARGS__)
#endif

#endif
