/* The functions with which the OTF2 library writes one archive from all ranks, over those
 * that the wrappers provide. The library's root is always rank 0.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_OTF2_MPI_H
#define PD_REC_OTF2_MPI_H

#include "record/archive/pd-rec-otf2.h"

/**
 * pd_rec_set_collectives:
 * The library's collective operations over those of @mpi, which it keeps.
 */
int pd_rec_set_collectives (OTF2_Archive *archive, const PdRecMpi *mpi);

#endif
