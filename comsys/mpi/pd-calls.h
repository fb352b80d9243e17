/* Calls of programs and, with @collective, of schedules.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CALLS_H
#define PD_CALLS_H

#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_send:
 * MPI_Send: an eager message returns at when + send-overhead, a rendezvous one
 * when its data are delivered.
 */
void pd_comsys_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_ssend:
 * MPI_Ssend: rendezvous whatever the size; to oneself, it waits for the receive.
 */
void pd_comsys_ssend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_rsend:
 * MPI_Rsend: as pd_comsys_send(); that the receive has been posted is not checked.
 */
void pd_comsys_rsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_bsend:
 * MPI_Bsend: returns after send-overhead and a copy; the transfer is eager.
 */
void pd_comsys_bsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_recv:
 * MPI_Recv: returns at max (when + recv-overhead, delivery).
 */
void pd_comsys_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_sendrecv:
 * MPI_Sendrecv: Isend, Irecv and Waitall; costs nothing between two MPI_PROC_NULL.
 * MPI_Sendrecv_replace is the same: where the data lie does not matter.
 */
void pd_comsys_sendrecv (PdComsys *self, const PdCall *call, PdComm *comm,
                         const PdExchange *exchange);

/**
 * pd_comsys_isend:
 * Returns: MPI_Isend: the request; the call itself returns after send-overhead.
 */
PdRequest pd_comsys_isend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_issend:
 * Returns: MPI_Issend: as pd_comsys_isend(), rendezvous whatever the size.
 */
PdRequest pd_comsys_issend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_ibsend:
 * Returns: MPI_Ibsend: as pd_comsys_isend(), eager whatever the size.
 */
PdRequest pd_comsys_ibsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_irsend:
 * Returns: MPI_Irsend: as pd_comsys_isend().
 */
PdRequest pd_comsys_irsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_irecv:
 * Returns: MPI_Irecv: the request; the call itself returns after recv-overhead.
 */
PdRequest pd_comsys_irecv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_status_get_count:
 * @type_size: bytes per element, >= 1
 *
 * Returns: MPI_Get_count: whole elements received, or -1 if @status holds no
 *   whole number of them.
 */
gint64 pd_status_get_count (const PdStatus *status, gint64 type_size);

G_END_DECLS

#endif
