/* From the sequence of calls of a message-passing program to a graph of
 * dependencies, as GOAL needs it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_FROM_PROGRAM_H
#define PD_GRAPH_FROM_PROGRAM_H

#include "base/pd-messages.h"
#include "comsys/machine/pd-machine.h"
#include "traces/graph/pd-graph.h"
#include "traces/program/pd-program.h"

typedef struct
{
  const char *collectives; /* the set whose algorithms become messages: "mpich1", … */
  gdouble flops;           /* of computation given in operations, per second, > 0 */
} PdGraphOptions;

/**
 * pd_graph_from_program:
 * @program: what is converted
 * @options: how
 * @messages: (nullable): what a graph cannot express is said here, and counted
 * @error: return location for a #PdMachineError (an unknown set), a
 *   %PD_TRACE_ERROR_VALUE (a set without messages), %PD_TRACE_ERROR_LIMIT or
 *   %PD_GRAPH_ERROR_LIMIT
 *
 * Blocking calls become chains; what follows a call that starts something waits
 * for its start, and what follows its completion for its end. Collective
 * operations become the messages of @options' set. Computation is in
 * nanoseconds, the rests carried on. Tags of the world stay as they are; those of
 * other communicators and of collective operations get numbers above them.
 *
 * Returns: (transfer full) (nullable): the graph.
 */
PdGraph *pd_graph_from_program (const PdProgram *program, const PdGraphOptions *options,
                                PdMessages *messages, GError **error);

#endif
