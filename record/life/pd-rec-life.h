/* The life of a recording: MPI_Init to MPI_Finalize.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_LIFE_H
#define PD_REC_LIFE_H

#include "record/stream/pd-rec.h"

/**
 * pd_rec_begin:
 * @mpi: kept until pd_rec_end()
 * @functions: (array length=n_functions): the names of all functions, by the
 *   number by which they will be called; kept
 * @t0: when MPI_Init was entered; replaced under a clock of a test
 *
 * Collective, after PMPI_Init. Reads the environment, makes the folder, opens
 * the stream, and compares clocks. All ranks record, or none does, and rank 0
 * says once on stderr why not. The wrapper of MPI_Init then reads the clock
 * and records its call as any other.
 *
 * Returns: whether recording is on.
 */
int pd_rec_begin (const PdRecMpi *mpi, const char *const *functions, unsigned n_functions,
                  uint64_t *t0);

/**
 * pd_rec_thread_begin:
 *
 * For a thread that has no stream, while recording is open, before it records its first
 * call: gives it one, or ends the recording. pd_rec_stream_leave() is due when it ends.
 */
void pd_rec_thread_begin (void);

/**
 * pd_rec_end:
 *
 * Collective over all ranks for which pd_rec_begin() returned true, whatever
 * their state is: writes the archive. Called before PMPI_Finalize, after the
 * call of MPI_Finalize has been recorded (with a t1 read before PMPI). Nothing
 * is recorded from then on.
 */
void pd_rec_end (void);

/**
 * pd_rec_clock_choose: collective, when the recording has begun. The limits of the process on its
 * host, and its usage, are kept from now on; those of all ranks decide the clock of
 * computation.
 */
void pd_rec_clock_choose (void);

/**
 * pd_rec_usage_start:
 * @now: MPI_Init ends
 *
 * Returns: its processor time, ns; 0 = not read.
 */
uint64_t pd_rec_usage_start (uint64_t now);

/**
 * pd_rec_exit: the program ends by itself, without MPI_Finalize: of a recording that was
 * cut it is known then how much of the run it has.
 */
void pd_rec_exit (void);

/**
 * pd_rec_was_begun: whether pd_rec_end() is still due.
 */
int pd_rec_was_begun (void);

/**
 * pd_rec_world_synchronised: collective; to be called, in any state while
 * pd_rec_was_begun(), after each blocking operation on MPI_COMM_WORLD itself that no
 * rank leaves before all have entered it (barrier, allreduce, allgather,
 * alltoall and their relatives). Here all ranks stop together when one is about
 * to reach the limit of its size; they agree by communication in one of 64 calls.
 */
void pd_rec_world_synchronised (void);

/**
 * pd_rec_set_cost: what recording a call of @kind, a PdRecCost, costs, in picoseconds, as the
 * wrappers have measured it; for the estimate of the overhead.
 */
void pd_rec_set_cost (int kind, uint64_t picoseconds);

#endif
