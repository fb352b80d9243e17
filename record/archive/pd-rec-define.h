/* Communicators and windows of this process, numbered in the order of their definition.
 * Only the first member of a group lists its members, so that a run of n ranks does not
 * write n lists of n members.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_DEFINE_H
#define PD_REC_DEFINE_H

#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-format.h"

#include <stddef.h>

/**
 * pd_rec_define_begin: forgets all, and defines the world and this @rank for itself.
 */
void pd_rec_define_begin (int rank);

/**
 * pd_rec_define_catch_up: where a process has several streams, before a call is recorded:
 * the own stream gets what other threads have defined.
 */
void pd_rec_define_catch_up (void);

/**
 * pd_rec_comm:
 * @world_ranks: (array length=n): the members; read only on the first of them
 * @parent: the communicator it was made from, or %PD_REC_COMM_NONE
 * @identity: the same number on all members, and on no other communicator or
 *   window; not 0
 * @name: (nullable)
 *
 * Returns: its number on this rank.
 */
uint32_t pd_rec_comm (const int32_t *world_ranks, int n, uint32_t parent, uint64_t identity,
                      const char *name);

/**
 * pd_rec_inter_comm: likewise; @local: the own group, @remote: the other one;
 * both are needed on the first member of each group.
 */
uint32_t pd_rec_inter_comm (const int32_t *local, int n_local, const int32_t *remote, int n_remote,
                            uint64_t identity, const char *name);

/**
 * pd_rec_comm_name: by MPI_Comm_set_name; the last one counts.
 */
void pd_rec_comm_name (uint32_t comm, const char *name);

/**
 * pd_rec_window: a window over @comm; @identity as above.
 *
 * Returns: its number on this rank.
 */
uint32_t pd_rec_window (uint32_t comm, uint64_t identity, const char *name);

/**
 * pd_rec_file_defined: a file that the members of @comm opened; @identity: the same on all of them.
 *
 * Returns: its number on this rank.
 */
uint32_t pd_rec_file_defined (uint32_t comm, uint64_t identity, const char *name);

/**
 * pd_rec_group: who accesses a window, or whom; ranks of the world.
 *
 * Returns: its number on this rank.
 */
uint32_t pd_rec_group (const int32_t *world_ranks, int n);

#endif
