/* By which libraries programs of an MPI are known.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MPI_LIBRARIES_H
#define PD_MPI_LIBRARIES_H

/* PD_LIBRARY (beginning of a file's name, MPICH or OPENMPI): the first that fits holds. */
#define PD_MPI_LIBRARIES                                                                           \
  PD_LIBRARY ("libmpich.so", MPICH)                                                                \
  PD_LIBRARY ("libmpichfort.so", MPICH)                                                            \
  PD_LIBRARY ("libmpichcxx.so", MPICH)                                                             \
  PD_LIBRARY ("libmpi.so.12", MPICH)                                                               \
  PD_LIBRARY ("libmpi.so.", OPENMPI)                                                               \
  PD_LIBRARY ("libmpi_mpifh.so.", OPENMPI)                                                         \
  PD_LIBRARY ("libmpi_usempi", OPENMPI)                                                            \
  PD_LIBRARY ("libmpi_cxx.so.", OPENMPI)

#endif
