/* Exchanges of ordered loops, for pd-dvm-across.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_ORDERED_H
#define PD_DVM_ORDERED_H

#include "predictor/dvm/step/pd-dvm-pipeline.h"
#include "predictor/dvm/model/pd-dvm-state.h"

typedef enum
{
  PD_EDGES_IN_ORDER, /* those that processors before this one in the loop's order fill */
  PD_EDGES_BEFORE,   /* the others, exchanged before the loop */
} PdOrderedEdges;

/**
 * pd_dvm_ordered_take:
 * @group: a shadow group
 * @loop: the ordered loop
 * @reversed: the loop writes into edges, which go back to their owners
 * @half: which edges to take
 * @splits: edges along dimensions in which the loop does not run belong to the exchange
 *   before it; else, upwards, to the exchange in order
 * @is_all: (out): whether these are all edges of the group
 *
 * Along one grid dimension there are never edges of both directions: the
 * processors would wait for each other.
 *
 * Returns: (transfer full) (nullable): the arrays, PdShadowArray, with only
 *   those edges; %NULL if there are none.
 */
GArray *pd_dvm_ordered_take (const PdShadowGroup *group, const PdLoopObject *loop,
                             gboolean reversed, PdOrderedEdges half, gboolean splits,
                             gboolean *is_all);

/**
 * pd_dvm_ordered_get_costs:
 * @arrays: PdShadowArray: the arrays that are exchanged in order
 * @team: the processors of the loop
 * @layers: iterations of the quantum index
 *
 * The costs of the network between the central processor and one of its
 * neighbours: the bytes it receives (or else sends) per layer times the network's
 * time per byte, and the overheads of a receive and a wait.
 *
 * Returns: all but the time of an iteration.
 */
PdPipelineCosts pd_dvm_ordered_get_costs (PdDvm *self, const GArray *arrays, const PdTeam *team,
                                          gint64 layers);

/**
 * pd_dvm_ordered_measure:
 * @team: the processors of the loop
 *
 * Emits what endpl_ does after the first execution: everybody sends its time to
 * the central processor, which spreads the average.
 */
void pd_dvm_ordered_measure (PdDvm *self, PdTeam *team);

#endif
