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
 * @program: the program to convert
 * @options: of the conversion
 * @messages: (nullable): gets a counted message for each thing that a graph cannot express
 * @error: return location for a #PdMachineError (an unknown set), a
 *   %PD_TRACE_ERROR_VALUE (a set without messages), %PD_TRACE_ERROR_LIMIT or
 *   %PD_GRAPH_ERROR_LIMIT
 *
 * Blocking calls become chains; operations after a nonblocking call wait
 * for its start, and operations after its completion for its end. Collective
 * operations become the messages of @options' set. Computation is in
 * nanoseconds, the remainders carried on. Tags of the world are unchanged; those of
 * other communicators and of collective operations get numbers above them.
 *
 * Returns: (transfer full) (nullable): the graph.
 */
PdGraph *pd_graph_from_program (const PdProgram *program, const PdGraphOptions *options,
                                PdMessages *messages, GError **error);

#endif
