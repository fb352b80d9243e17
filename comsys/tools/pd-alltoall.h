/* How long an All-to-all takes on a part of a machine: so many nodes with so many
 * processors each. By steps, as in E. Peryshkova and M. Kurnosov, 2019, DOI
 * 10.17223/19988605/47/11: each step of the block algorithm takes as long as its
 * slowest message, all of which go on at once. By messages: ComSys plays the
 * algorithm, in which ranks run ahead.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLTOALL_H
#define PD_ALLTOALL_H

#include "base/pd-messages.h"
#include "base/pd-time.h"
#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/* memory, interconnect, network */
#define PD_ALLTOALL_LEVELS 3

/* The message of a rank to itself. */
typedef enum
{
  PD_ALLTOALL_SELF_COPY,    /* takes the copy-per-byte of the machine's software, once */
  PD_ALLTOALL_SELF_NONE,    /* takes no time */
  PD_ALLTOALL_SELF_MESSAGE, /* is one within the memory of a socket; by steps only */
} PdAlltoallSelf;

typedef struct
{
  guint32 n_ranks;
  const guint32 *placement; /* the processor of each rank, distinct */
  gint64 bytes;             /* from each rank to each; >= 1 */
  guint32 block;            /* messages of a rank in a step; >= 1 */
  PdAlltoallSelf self;
} PdAlltoall;

/* By level. */
typedef struct
{
  gdouble time[PD_ALLTOALL_LEVELS]; /* ps, of the slowest message; 0 = there is none */
  guint32 cf[PD_ALLTOALL_LEVELS];   /* the largest */
} PdAlltoallStep;

typedef struct
{
  GArray *steps;                          /* PdAlltoallStep */
  guint64 n_messages[PD_ALLTOALL_LEVELS]; /* without those to oneself that are none */
  PdTime startup;                         /* of each step with messages */
  PdTime copy;                            /* of the messages to oneself */
} PdAlltoallSteps;

/**
 * pd_alltoall_place:
 * @n_nodes: of the machine's, the first that are large enough
 * @per_node: ranks on each
 * @spread: on the sockets of a node in turn, if the machine says what these are; else
 *   socket by socket
 *
 * Ranks are numbered node by node.
 *
 * Returns: (transfer full) (nullable) (array): the processor of each rank; %NULL if
 *   the machine has not so many nodes of that size.
 */
guint32 *pd_alltoall_place (const PdMachine *machine, guint32 n_nodes, guint32 per_node,
                            gboolean spread);

/**
 * pd_alltoall_get_room:
 * Returns: the processors of the machine's largest node.
 */
guint32 pd_alltoall_get_room (const PdMachine *machine);

/**
 * pd_alltoall_has_steps:
 * Returns: whether pd_alltoall_get_steps() can be asked: the machine is one network
 *   of type "contention".
 */
gboolean pd_alltoall_has_steps (const PdMachine *machine);

/**
 * pd_alltoall_level_name:
 * @level: less than %PD_ALLTOALL_LEVELS
 *
 * Returns: "memory", "interconnect" or "network".
 */
const char *pd_alltoall_level_name (guint level);

/**
 * pd_alltoall_get_steps:
 * @machine: one that pd_alltoall_has_steps()
 * @what: the operation
 * @messages: (nullable): gets the warnings of the network
 *
 * Takes n_ranks² steps of work.
 *
 * Returns: (transfer full): the steps; their software costs but copies are left out.
 */
PdAlltoallSteps *pd_alltoall_get_steps (const PdMachine *machine, const PdAlltoall *what,
                                        PdMessages *messages);

/**
 * pd_alltoall_steps_get_time:
 * @scale: (nullable) (array length=PD_ALLTOALL_LEVELS): how many times as long messages
 *   of a level take
 *
 * Returns: the sum of the slowest messages of all steps.
 */
PdTime pd_alltoall_steps_get_time (const PdAlltoallSteps *self, const gdouble *scale);

/**
 * pd_alltoall_steps_free:
 * @self: (nullable): the steps
 */
void pd_alltoall_steps_free (PdAlltoallSteps *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAlltoallSteps, pd_alltoall_steps_free)

G_END_DECLS

#endif
