/* Collective operations: each member plays the steps of its schedule, which an
 * iterator yields one at a time (pd-coll-mpich1.c), as point-to-point
 * operations. The set "simple" plays nothing: every operation costs a given
 * time after the last arrival.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-collective-private.h"

#define PLAY_LINES(n) (((gsize) (n) * sizeof (PdPlay) + 63) / 64)

static const struct
{
  const char *name;
  const char *function;
  gboolean rooted;
  gboolean send_counts;
  gboolean recv_counts;
} ops[PD_N_OPS] = {
  [PD_OP_BARRIER] = { .name = "barrier", .function = "MPI_Barrier" },
  [PD_OP_BCAST] = { .name = "bcast", .function = "MPI_Bcast", .rooted = TRUE },
  [PD_OP_REDUCE] = { .name = "reduce", .function = "MPI_Reduce", .rooted = TRUE },
  [PD_OP_ALLREDUCE] = { .name = "allreduce", .function = "MPI_Allreduce" },
  [PD_OP_GATHER] = { .name = "gather", .function = "MPI_Gather", .rooted = TRUE },
  [PD_OP_SCATTER] = { .name = "scatter", .function = "MPI_Scatter", .rooted = TRUE },
  [PD_OP_ALLGATHER] = { .name = "allgather", .function = "MPI_Allgather" },
  [PD_OP_ALLGATHERV] = { .name = "allgatherv", .function = "MPI_Allgatherv", .recv_counts = TRUE },
  [PD_OP_ALLTOALL] = { .name = "alltoall", .function = "MPI_Alltoall" },
  [PD_OP_ALLTOALLV] = { .name = "alltoallv",
                        .function = "MPI_Alltoallv",
                        .send_counts = TRUE,
                        .recv_counts = TRUE },
  [PD_OP_SCAN] = { .name = "scan", .function = "MPI_Scan" },
  [PD_OP_REDUCE_SCATTER] = { .name = "reduce-scatter", .function = "MPI_Reduce_scatter" },
  [PD_OP_COMM_DUP] = { .name = "comm_dup", .function = "MPI_Comm_dup" },
  [PD_OP_COMM_CREATE] = { .name = "comm_create", .function = "MPI_Comm_create" },
  [PD_OP_COMM_SPLIT] = { .name = "comm_split", .function = "MPI_Comm_split" },
};

/* Sets, by name. One without schedules is the constant form of "simple". */
static const PdCollectiveSet *const sets[] = { &pd_collectives_mpich1, &pd_collectives_simple };

const PdCollectiveSet pd_collectives_simple = { .name = "simple" };

const char *
pd_op_get_name (PdOp op)
{
  return ops[op].name;
}

/* "use operation=x algorithm=y": only what the set has can be chosen. */
static gboolean
check_uses (const PdMachine *machine, const PdCollectiveSet *set, GError **error)
{
  for (guint i = 0; i < machine->uses->len; i++)
    {
      const PdCollectiveUse *use = &g_array_index (machine->uses, PdCollectiveUse, i);
      guint op = 0;

      while (op < PD_N_OPS && !g_str_equal (use->operation, ops[op].name))
        op++;
      if (op == PD_N_OPS || set->schedules[op].algorithm == NULL
          || !g_str_equal (use->algorithm, set->schedules[op].algorithm))
        {
          g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                       "%s: collective set '%s' has no algorithm '%s' for operation '%s'%s%s",
                       machine->origin, set->name, use->algorithm, use->operation,
                       op < PD_N_OPS && set->schedules[op].algorithm != NULL ? "; it has " : "",
                       op < PD_N_OPS && set->schedules[op].algorithm != NULL
                           ? set->schedules[op].algorithm
                           : "");
          return FALSE;
        }
    }
  return TRUE;
}

const PdCollectiveSet *
pd_collective_set_find (const PdMachine *machine, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sets); i++)
    if (g_str_equal (machine->collectives, sets[i]->name))
      return check_uses (machine, sets[i], error) ? sets[i] : NULL;
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
               "%s: unknown collective set '%s', expected mpich1 or simple", machine->origin,
               machine->collectives);
  return NULL;
}

/* ---- playing */

PdPlay *
pd_plays_new (guint32 n)
{
  return pd_lines_resize (NULL, 0, PLAY_LINES (n));
}

void
pd_plays_free (PdPlay *plays, guint32 n)
{
  pd_lines_free (plays, PLAY_LINES (n));
}

/* What a schedule receives or sends: tag 0 in the communicator's second context;
 * members play its operations in the same order. */
static PdEnvelope
envelope_of (guint32 peer, gint64 bytes)
{
  return (PdEnvelope){ .peer = (gint32) peer, .tag = 0, .bytes = bytes };
}

/* Performs @step for the rank at @when; play->slot says when it is over. */
static void
perform (PdComsys *self, PdPlay *play, guint32 rank, PdTime when, const PdStep *step)
{
  const PdSoftware *software = &self->machine->software;
  const PdCallKind kind = { .collective = TRUE, .function = ops[play->args.op].function };
  PdEnvelope to = envelope_of (step->to, step->send_bytes);
  PdEnvelope from = envelope_of (step->from, step->recv_bytes);
  PdCall call = { rank, when, &play->slot, NULL };

  pd_comsys_reach (self, rank, when);
  play->slot = when;
  switch (step->kind)
    {
    case PD_STEP_SEND:
      pd_call_send (self, &call, play->comm, to, &kind);
      break;
    case PD_STEP_RECV:
      pd_call_recv (self, &call, play->comm, from, &kind);
      break;
    case PD_STEP_SENDRECV:
      pd_call_sendrecv (self, &call, play->comm, &(PdExchange){ to, from }, &kind);
      break;
    case PD_STEP_ISEND:
      pd_bundle_add (self, &play->bundle, pd_call_isend (self, &call, play->comm, to, &kind));
      break;
    case PD_STEP_IRECV:
      pd_bundle_add (self, &play->bundle, pd_call_irecv (self, &call, play->comm, from, &kind));
      break;
    case PD_STEP_WAITALL:
      call.when = pd_time_add (when, pd_costs_before_wait (self, play->bundle.first));
      pd_wait_bundle (self, &call, play->bundle.first, software->wait_overhead, kind.function);
      play->bundle.first = 0;
      break;
    case PD_STEP_REDUCE:
      play->slot =
          pd_time_add (when, pd_time_for_bytes (step->send_bytes, software->reduction_per_byte));
      break;
    case PD_STEP_COPY:
      play->slot =
          pd_time_add (when, pd_time_for_bytes (step->send_bytes, software->copy_per_byte));
      break;
    case PD_STEP_DONE:
      g_assert_not_reached ();
    }
}

/* The next step: of this part of the schedule, or of the one that follows. */
static gboolean
next_step (PdComsys *self, PdPlay *play, PdStep *step)
{
  const PdSchedule *schedule = &self->set->schedules[play->args.op];

  for (; play->part < PD_MAX_PARTS && schedule->parts[play->part] != NULL; play->part++)
    {
      if (schedule->own_bytes)
        play->args.bytes = schedule->bytes[play->part];
      schedule->parts[play->part](play, step);
      if (step->kind != PD_STEP_DONE)
        return TRUE;
      play->stage = 0;
      play->i = 0;
    }
  return FALSE;
}

gboolean
pd_play_go_on (PdComsys *self, guint32 rank, PdTime *when)
{
  PdPlay *play = self->ranks[rank].play;
  PdStep step;

  while (next_step (self, play, &step))
    {
      perform (self, play, rank, *when, &step);
      if (pd_time_is_pending (play->slot))
        return FALSE;
      if (!pd_comsys_may_go_on (self, rank, play->slot))
        {
          pd_comsys_resume (self, rank, PD_EVENT_PLAY, play->slot);
          return FALSE;
        }
      *when = play->slot;
    }
  self->ranks[rank].play = NULL;
  *play->ret = *when;
  return TRUE;
}

/* ---- the public calls */

/* The arguments that the operation names; the others may hold anything. */
static PdCollective
used_arguments (const PdCollective *collective)
{
  PdOp op = collective->op;

  return (PdCollective){ .op = op,
                         .root = ops[op].rooted ? collective->root : 0,
                         .bytes = collective->bytes,
                         .send_counts = ops[op].send_counts ? collective->send_counts : NULL,
                         .recv_counts = ops[op].recv_counts ? collective->recv_counts : NULL };
}

void
pd_comsys_collective (PdComsys *self, const PdCall *call, PdComm *comm,
                      const PdCollective *collective)
{
  gint64 me = pd_comm_get_rank (comm, call->rank);

  g_return_if_fail (collective->op < PD_N_OPS && me >= 0);
  g_return_if_fail (!ops[collective->op].rooted || collective->root < comm->n);

  pd_comsys_reach (self, call->rank, call->when);
  self->counts.n_collectives++;
  if (self->observer.collective != NULL)
    self->observer.collective (self->observer.data, call->rank, ops[collective->op].name,
                               collective->bytes, call->when);
  if (self->set->schedules[collective->op].parts[0] == NULL)
    {
      /* alone there is nothing to agree upon */
      *call->ret = call->when;
      if (comm->n > 1)
        pd_meet (self, call, comm, ops[collective->op].function, self->machine->collective_time);
      return;
    }

  PdPlay *play = &self->plays[call->rank];
  PdTime when = call->when;
  *play = (PdPlay){ .comm = comm,
                    .args = used_arguments (collective),
                    .n = comm->n,
                    .rank = (guint32) me,
                    .ret = call->ret };
  self->ranks[call->rank].play = play;
  self->ranks[call->rank].function = ops[collective->op].function;
  *call->ret = PD_TIME_PENDING;
  pd_play_go_on (self, call->rank, &when);
}

void
pd_comsys_barrier (PdComsys *self, const PdCall *call, PdComm *comm)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_BARRIER });
}

void
pd_comsys_bcast (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root, gint64 bytes)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_BCAST, .root = root, .bytes = bytes });
}

void
pd_comsys_gather (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root, gint64 bytes)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_GATHER, .root = root, .bytes = bytes });
}

void
pd_comsys_allgather (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_ALLGATHER, .bytes = bytes });
}

void
pd_comsys_allgatherv (PdComsys *self, const PdCall *call, PdComm *comm, const gint64 *counts)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_ALLGATHERV, .recv_counts = counts });
}

void
pd_comsys_allreduce (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_ALLREDUCE, .bytes = bytes });
}

void
pd_comsys_alltoallv (PdComsys *self, const PdCall *call, PdComm *comm, const gint64 *send_counts,
                     const gint64 *recv_counts)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_ALLTOALLV,
                                         .send_counts = send_counts,
                                         .recv_counts = recv_counts });
}
