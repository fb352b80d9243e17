/* Creation of communicators. Each member gives its colour and key; when the last one has,
 * the new ones are created. The cost is that of an operation of its own.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMM_CREATE_H
#define PD_COMM_CREATE_H

#include "comsys/comm/pd-comm.h"

G_BEGIN_DECLS

/**
 * pd_comsys_comm_dup:
 * @call: the call
 * @comm: a communicator the caller belongs to
 * @result: (out): the new one (each rank gets its own reference), written when
 *   the last member has called; not before the call returns may it be used
 *
 * MPI_Comm_dup; costs an Allreduce of 4 bytes.
 */
void pd_comsys_comm_dup (PdComsys *self, const PdCall *call, PdComm *comm, PdComm **result);

/**
 * pd_comsys_comm_create:
 * @group: members, a subset of @comm's; the same in every rank's call
 * @result: (out): as for pd_comsys_comm_dup(); %NULL for ranks outside @group
 *
 * MPI_Comm_create; costs a Barrier and an Allgather of 4 bytes.
 */
void pd_comsys_comm_create (PdComsys *self, const PdCall *call, PdComm *comm, const PdGroup *group,
                            PdComm **result);

/**
 * pd_comsys_comm_split:
 * @split: color and key
 * @result: (out): as for pd_comsys_comm_dup(); %NULL for an undefined color
 *
 * MPI_Comm_split; costs an Allgather of 8 bytes and an Allreduce of 4.
 */
void pd_comsys_comm_split (PdComsys *self, const PdCall *call, PdComm *comm, PdSplit split,
                           PdComm **result);

/**
 * pd_comsys_comm_split_type:
 * @split: color < 0: MPI_UNDEFINED; else MPI_COMM_TYPE_SHARED; and the key
 * @result: (out): as for pd_comsys_comm_dup(): the members of the caller's node
 *
 * MPI_Comm_split_type; costs what pd_comsys_comm_split() does.
 */
void pd_comsys_comm_split_type (PdComsys *self, const PdCall *call, PdComm *comm, PdSplit split,
                                PdComm **result);

/**
 * pd_comsys_comm_create_group:
 * @comm: a communicator the caller belongs to
 * @group: the members, the caller among them; only they call
 * @tag: distinguishes several calls with one group
 * @result: (out): not before the call returns may it be used
 *
 * MPI_Comm_create_group; costs an Allreduce of 4 bytes among the members.
 */
void pd_comsys_comm_create_group (PdComsys *self, const PdCall *call, PdComm *comm,
                                  const PdGroup *group, gint32 tag, PdComm **result);

/**
 * pd_comsys_cart_create:
 * @cart: the grid, of at most as many ranks as @comm has; the same in every call
 * @result: (out): as for pd_comsys_comm_dup(); %NULL for ranks beyond the grid
 *
 * MPI_Cart_create; ranks keep their order. Costs an Allreduce of 4 bytes.
 */
void pd_comsys_cart_create (PdComsys *self, const PdCall *call, PdComm *comm, const PdCart *cart,
                            PdComm **result);

/**
 * pd_comsys_cart_sub:
 * @comm: one with a grid
 * @remain: (array): of each dimension, whether it stays; the same in every call
 * @result: (out): as for pd_comsys_comm_dup()
 *
 * MPI_Cart_sub; costs what pd_comsys_comm_split() does.
 */
void pd_comsys_cart_sub (PdComsys *self, const PdCall *call, PdComm *comm, const gboolean *remain,
                         PdComm **result);

/**
 * pd_comsys_graph_create:
 * @n: number of ranks in the graph, at most as many as @comm has
 * @ends: (array length=n): where the neighbours of each rank end in @edges
 * @edges: (array): neighbours, ranks less than @n
 * @result: (out): as for pd_comsys_comm_dup(); %NULL for ranks from @n on
 *
 * MPI_Graph_create; the same arguments in every call; ranks keep their order.
 * Costs an Allreduce of 4 bytes.
 */
void pd_comsys_graph_create (PdComsys *self, const PdCall *call, PdComm *comm, guint32 n,
                             const guint32 *ends, const guint32 *edges, PdComm **result);

/**
 * pd_comsys_dist_graph_create_adjacent:
 * @neighbors: of the caller, ranks less than the size of @comm; copied
 * @result: (out): as for pd_comsys_comm_dup()
 *
 * MPI_Dist_graph_create_adjacent; ranks keep their order. Costs an Allreduce of 4
 * bytes.
 */
void pd_comsys_dist_graph_create_adjacent (PdComsys *self, const PdCall *call, PdComm *comm,
                                           const PdNeighbors *neighbors, PdComm **result);

G_END_DECLS

#endif
