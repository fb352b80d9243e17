/* Actions: their names, and their form as cells.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-program-private.h"
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action.h"

#include <string.h>

/* Properties of a kind. */
enum
{
  ENVELOPE = 1 << 0, /* comm, peer, tag, bytes */
  REQUEST = 1 << 1,
  FROM = 1 << 2,   /* recv_peer, recv_tag, recv_bytes */
  ANY = 1 << 3,    /* peer and tag may be any */
  SLOTS = 1 << 4,  /* a list */
  COLL = 1 << 5,   /* op, and what belongs to it */
  AMOUNT = 1 << 6, /* in the first cell */
  NAME = 1 << 7,   /* in the place of peer */
  LINE = 1 << 8,   /* in the first cell */
  INTERVAL = 1 << 9,
  BACK = 1 << 10,  /* recv_bytes alone */
  GROUP = 1 << 11, /* sources, targets */
};

static const struct
{
  const char *name;
  guint has;
} kinds[PD_N_ACTS] = {
  [PD_ACT_COMPUTE] = { "compute", AMOUNT },
  [PD_ACT_DELAY] = { "delay", AMOUNT },
  [PD_ACT_SEND] = { "MPI_Send", ENVELOPE },
  [PD_ACT_BSEND] = { "MPI_Bsend", ENVELOPE },
  [PD_ACT_SSEND] = { "MPI_Ssend", ENVELOPE },
  [PD_ACT_RSEND] = { "MPI_Rsend", ENVELOPE },
  [PD_ACT_ISEND] = { "MPI_Isend", ENVELOPE | REQUEST },
  [PD_ACT_IBSEND] = { "MPI_Ibsend", ENVELOPE | REQUEST },
  [PD_ACT_ISSEND] = { "MPI_Issend", ENVELOPE | REQUEST },
  [PD_ACT_IRSEND] = { "MPI_Irsend", ENVELOPE | REQUEST },
  [PD_ACT_RECV] = { "MPI_Recv", ENVELOPE | ANY },
  [PD_ACT_IRECV] = { "MPI_Irecv", ENVELOPE | ANY | REQUEST },
  [PD_ACT_SENDRECV] = { "MPI_Sendrecv", ENVELOPE | FROM },
  [PD_ACT_SEND_INIT] = { "MPI_Send_init", ENVELOPE | REQUEST },
  [PD_ACT_BSEND_INIT] = { "MPI_Bsend_init", ENVELOPE | REQUEST },
  [PD_ACT_SSEND_INIT] = { "MPI_Ssend_init", ENVELOPE | REQUEST },
  [PD_ACT_RSEND_INIT] = { "MPI_Rsend_init", ENVELOPE | REQUEST },
  [PD_ACT_RECV_INIT] = { "MPI_Recv_init", ENVELOPE | ANY | REQUEST },
  [PD_ACT_START] = { "MPI_Start", SLOTS },
  [PD_ACT_REQUEST_FREE] = { "MPI_Request_free", REQUEST },
  [PD_ACT_CANCEL] = { "MPI_Cancel", REQUEST },
  [PD_ACT_WAIT] = { "MPI_Wait", REQUEST },
  [PD_ACT_WAITALL] = { "MPI_Waitall", SLOTS },
  [PD_ACT_WAITANY] = { "MPI_Waitany", SLOTS },
  [PD_ACT_WAITSOME] = { "MPI_Waitsome", SLOTS },
  [PD_ACT_TEST] = { "MPI_Test", REQUEST },
  [PD_ACT_TESTALL] = { "MPI_Testall", SLOTS },
  [PD_ACT_TESTANY] = { "MPI_Testany", SLOTS },
  [PD_ACT_TESTSOME] = { "MPI_Testsome", SLOTS },
  [PD_ACT_PROBE] = { "MPI_Probe", ENVELOPE | ANY },
  [PD_ACT_IPROBE] = { "MPI_Iprobe", ENVELOPE | ANY },
  [PD_ACT_COLLECTIVE] = { "MPI_", COLL },
  [PD_ACT_ICOLLECTIVE] = { "MPI_I", COLL | REQUEST },
  [PD_ACT_COMM_FREE] = { "MPI_Comm_free", ENVELOPE },
  [PD_ACT_PUT] = { "MPI_Put", ENVELOPE },
  [PD_ACT_GET] = { "MPI_Get", ENVELOPE },
  [PD_ACT_ACCUMULATE] = { "MPI_Accumulate", ENVELOPE },
  [PD_ACT_GET_ACCUMULATE] = { "MPI_Get_accumulate", ENVELOPE | BACK },
  [PD_ACT_RPUT] = { "MPI_Rput", ENVELOPE | REQUEST },
  [PD_ACT_RGET] = { "MPI_Rget", ENVELOPE | REQUEST },
  [PD_ACT_RACCUMULATE] = { "MPI_Raccumulate", ENVELOPE | REQUEST },
  [PD_ACT_RGET_ACCUMULATE] = { "MPI_Rget_accumulate", ENVELOPE | BACK | REQUEST },
  [PD_ACT_WIN_FENCE] = { "MPI_Win_fence", ENVELOPE },
  [PD_ACT_WIN_LOCK] = { "MPI_Win_lock", ENVELOPE | ANY },
  [PD_ACT_WIN_UNLOCK] = { "MPI_Win_unlock", ENVELOPE | ANY },
  [PD_ACT_WIN_FLUSH] = { "MPI_Win_flush", ENVELOPE | ANY },
  [PD_ACT_WIN_POST] = { "MPI_Win_post", ENVELOPE | GROUP },
  [PD_ACT_WIN_START] = { "MPI_Win_start", ENVELOPE | GROUP },
  [PD_ACT_WIN_COMPLETE] = { "MPI_Win_complete", ENVELOPE },
  [PD_ACT_WIN_WAIT] = { "MPI_Win_wait", ENVELOPE },
  [PD_ACT_OTHER] = { "call", AMOUNT | NAME },
  [PD_ACT_LOCAL] = { "call", AMOUNT | NAME },
  [PD_ACT_ENTER] = { "enter", INTERVAL },
  [PD_ACT_LEAVE] = { "leave", INTERVAL },
  [PD_ACT_LOCATION] = { "location", NAME | LINE },
  [PD_ACT_ALIKE_BEGIN] = { "alike_begin", 0 },
  [PD_ACT_ALIKE_END] = { "alike_end", 0 },
};

static const struct
{
  const char *name;
  const char *call;  /* "MPI_Bcast" */
  const char *icall; /* "MPI_Ibcast" */
} colls[PD_N_COLLS] = {
  [PD_COLL_BARRIER] = { "barrier", "MPI_Barrier", "MPI_Ibarrier" },
  [PD_COLL_BCAST] = { "bcast", "MPI_Bcast", "MPI_Ibcast" },
  [PD_COLL_REDUCE] = { "reduce", "MPI_Reduce", "MPI_Ireduce" },
  [PD_COLL_ALLREDUCE] = { "allreduce", "MPI_Allreduce", "MPI_Iallreduce" },
  [PD_COLL_GATHER] = { "gather", "MPI_Gather", "MPI_Igather" },
  [PD_COLL_GATHERV] = { "gatherv", "MPI_Gatherv", "MPI_Igatherv" },
  [PD_COLL_SCATTER] = { "scatter", "MPI_Scatter", "MPI_Iscatter" },
  [PD_COLL_SCATTERV] = { "scatterv", "MPI_Scatterv", "MPI_Iscatterv" },
  [PD_COLL_ALLGATHER] = { "allgather", "MPI_Allgather", "MPI_Iallgather" },
  [PD_COLL_ALLGATHERV] = { "allgatherv", "MPI_Allgatherv", "MPI_Iallgatherv" },
  [PD_COLL_ALLTOALL] = { "alltoall", "MPI_Alltoall", "MPI_Ialltoall" },
  [PD_COLL_ALLTOALLV] = { "alltoallv", "MPI_Alltoallv", "MPI_Ialltoallv" },
  [PD_COLL_ALLTOALLW] = { "alltoallw", "MPI_Alltoallw", "MPI_Ialltoallw" },
  [PD_COLL_SCAN] = { "scan", "MPI_Scan", "MPI_Iscan" },
  [PD_COLL_EXSCAN] = { "exscan", "MPI_Exscan", "MPI_Iexscan" },
  [PD_COLL_REDUCE_SCATTER] = { "reduce_scatter", "MPI_Reduce_scatter", "MPI_Ireduce_scatter" },
  [PD_COLL_REDUCE_SCATTER_BLOCK] = { "reduce_scatter_block", "MPI_Reduce_scatter_block",
                                     "MPI_Ireduce_scatter_block" },
  [PD_COLL_NEIGHBOR_ALLGATHER] = { "neighbor_allgather", "MPI_Neighbor_allgather",
                                   "MPI_Ineighbor_allgather" },
  [PD_COLL_NEIGHBOR_ALLGATHERV] = { "neighbor_allgatherv", "MPI_Neighbor_allgatherv",
                                    "MPI_Ineighbor_allgatherv" },
  [PD_COLL_NEIGHBOR_ALLTOALL] = { "neighbor_alltoall", "MPI_Neighbor_alltoall",
                                  "MPI_Ineighbor_alltoall" },
  [PD_COLL_NEIGHBOR_ALLTOALLV] = { "neighbor_alltoallv", "MPI_Neighbor_alltoallv",
                                   "MPI_Ineighbor_alltoallv" },
  [PD_COLL_NEIGHBOR_ALLTOALLW] = { "neighbor_alltoallw", "MPI_Neighbor_alltoallw",
                                   "MPI_Ineighbor_alltoallw" },
  [PD_COLL_COMM_DUP] = { "comm_dup", "MPI_Comm_dup", "MPI_Comm_idup" },
  [PD_COLL_COMM_CREATE] = { "comm_create", "MPI_Comm_create", "MPI_Comm_create" },
  [PD_COLL_COMM_SPLIT] = { "comm_split", "MPI_Comm_split", "MPI_Comm_split" },
  [PD_COLL_COMM_SPLIT_TYPE] = { "comm_split_type", "MPI_Comm_split_type", "MPI_Comm_split_type" },
  [PD_COLL_CART_CREATE] = { "cart_create", "MPI_Cart_create", "MPI_Cart_create" },
  [PD_COLL_CART_SUB] = { "cart_sub", "MPI_Cart_sub", "MPI_Cart_sub" },
  [PD_COLL_GRAPH_CREATE] = { "graph_create", "MPI_Graph_create", "MPI_Graph_create" },
  [PD_COLL_DIST_GRAPH_CREATE] = { "dist_graph_create", "MPI_Dist_graph_create",
                                  "MPI_Dist_graph_create" },
  [PD_COLL_INTERCOMM_CREATE] = { "intercomm_create", "MPI_Intercomm_create",
                                 "MPI_Intercomm_create" },
  [PD_COLL_INTERCOMM_MERGE] = { "intercomm_merge", "MPI_Intercomm_merge", "MPI_Intercomm_merge" },
  [PD_COLL_WIN_CREATE] = { "win_create", "MPI_Win_create", "MPI_Win_create" },
  [PD_COLL_WIN_FREE] = { "win_free", "MPI_Win_free", "MPI_Win_free" },
};

const char *
pd_coll_name (PdCollKind op)
{
  return colls[op].name;
}

const char *
pd_action_name (const PdAction *action)
{
  if (action->kind == PD_ACT_COLLECTIVE)
    return colls[action->op].call;
  if (action->kind == PD_ACT_ICOLLECTIVE)
    return colls[action->op].icall;
  return kinds[action->kind].name;
}

const char *
pd_action_get_called (const PdAction *action, const PdProgram *program)
{
  if (action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL)
    return pd_program_get_string (program, action->name);
  return action->called != PD_PROGRAM_NONE ? pd_program_get_string (program, action->called)
                                           : pd_action_name (action);
}

gboolean
pd_action_has_envelope (PdActionKind kind)
{
  return (kinds[kind].has & ENVELOPE) != 0;
}

gboolean
pd_action_may_have_any (PdActionKind kind)
{
  return (kinds[kind].has & ANY) != 0;
}

gboolean
pd_action_has_request (PdActionKind kind)
{
  return (kinds[kind].has & REQUEST) != 0;
}

gboolean
pd_action_makes_request (PdActionKind kind)
{
  return pd_action_has_request (kind) && (kind < PD_ACT_REQUEST_FREE || kind > PD_ACT_TEST);
}

guint64
pd_action_get_slots_end (const PdAction *action)
{
  guint64 end = pd_action_has_request (action->kind) ? (guint64) action->request + 1 : 0;

  for (guint32 i = 0; i < action->n_slots; i++)
    end = MAX (end, (guint64) action->slots[i] + 1);
  return end;
}

void
pd_action_init (PdAction *action, PdActionKind kind)
{
  *action = pd_action_empty;
  action->kind = kind;
}

/* ---- writing */

/* The cells of one action under construction. */
typedef struct
{
  PdProgramCell *cells;
  gsize n;
  gsize last; /* the first cell, or the last extension */
} Writer;

static void
extend (Writer *self, PdExtension extension)
{
  /* the kind is the first byte of both forms of a cell */
  self->cells[self->last].kind |= PD_CELL_MORE;
  self->last = self->n;
  memcpy (&self->cells[self->n++], &extension, sizeof extension);
}

static void
extend_by_list (Writer *self, PdExtensionKind kind, const guint32 *list, guint32 n)
{
  extend (self, (PdExtension){ .kind = (guint8) kind, .a = n });
  if (n == 0)
    return;
  memset (&self->cells[self->n], 0, PD_LIST_CELLS (n) * sizeof (PdProgramCell));
  memcpy (&self->cells[self->n], list, n * sizeof *list);
  self->n += PD_LIST_CELLS (n);
}

static PdProgramCell
first_cell (const PdAction *action)
{
  guint has = kinds[action->kind].has;
  PdProgramCell cell = { .kind = (guint8) action->kind,
                         .comm = (guint8) MIN (action->comm, PD_CELL_WIDE_COMM),
                         .request = (guint16) MIN (action->request, PD_CELL_WIDE_REQUEST),
                         .peer = action->peer };

  if ((has & NAME) != 0)
    cell.peer = (gint32) action->name;
  if ((has & INTERVAL) != 0)
    cell.peer = (gint32) action->interval;
  if ((has & AMOUNT) != 0)
    cell.amount = action->amount;
  else if ((has & LINE) != 0)
    cell.line = action->line;
  else
    {
      cell.bytes = (guint32) action->bytes;
      cell.tag = (has & COLL) != 0 ? (gint32) action->op : action->tag;
    }
  return cell;
}

static void
extend_neighbours (Writer *self, const PdAction *action)
{
  if (action->sources != PD_PROGRAM_NONE || action->targets != PD_PROGRAM_NONE)
    extend (self,
            (PdExtension){ .kind = PD_EXT_NEIGHBOURS, .a = action->sources, .b = action->targets });
}

static void
extend_collective (Writer *self, const PdAction *action)
{
  if (action->sent_bytes != 0)
    extend (self, (PdExtension){ .kind = PD_EXT_SENT, .wide = action->sent_bytes });
  if (action->send_counts != PD_PROGRAM_NONE || action->recv_counts != PD_PROGRAM_NONE)
    extend (self, (PdExtension){
                      .kind = PD_EXT_COUNTS, .a = action->send_counts, .b = action->recv_counts });
  extend_neighbours (self, action);
  if (action->amount.time.ps != 0)
    extend (self, (PdExtension){ .kind = PD_EXT_AMOUNT, .amount = action->amount });
}

/* Properties of most actions of recorded runs. Only lists have cells behind these. */
static void
extend_recorded (Writer *self, const PdAction *action)
{
  if (action->recorded >= 0 || action->site != PD_PROGRAM_NONE)
    extend (self,
            (PdExtension){ .kind = PD_EXT_RECORDED, .a = action->site, .wide = action->recorded });
  if (action->called != PD_PROGRAM_NONE)
    extend (self, (PdExtension){ .kind = PD_EXT_CALLED, .a = action->called });
  if (action->file != PD_PROGRAM_NONE)
    extend (self, (PdExtension){ .kind = PD_EXT_FILE,
                                 .op = (guint8) action->file_op,
                                 .all = action->file_collective != FALSE,
                                 .a = action->file,
                                 .wide = action->file_bytes });
  if (action->processor >= 0)
    extend (self, (PdExtension){ .kind = PD_EXT_PROCESSOR, .wide = action->processor });
}

gsize
pd_action_write (const PdAction *action, PdProgramCell *cells)
{
  guint has = kinds[action->kind].has;
  Writer writer = { cells, 1, 0 };

  cells[0] = first_cell (action);
  if (action->comm >= PD_CELL_WIDE_COMM || action->request >= PD_CELL_WIDE_REQUEST
      || action->bytes > G_MAXUINT32)
    extend (&writer, (PdExtension){ .kind = PD_EXT_WIDE,
                                    .a = action->comm,
                                    .b = action->request,
                                    .c = (guint32) (action->bytes >> 32) });
  if ((has & FROM) != 0)
    {
      extend (&writer, (PdExtension){ .kind = PD_EXT_FROM,
                                      .a = (guint32) action->recv_peer,
                                      .b = (guint32) action->recv_tag });
      extend (&writer, (PdExtension){ .kind = PD_EXT_RECEIVED, .wide = action->recv_bytes });
    }
  if ((has & (COLL | BACK)) != 0 && action->recv_bytes != 0)
    extend (&writer, (PdExtension){ .kind = PD_EXT_RECEIVED, .wide = action->recv_bytes });
  if ((has & COLL) != 0)
    extend_collective (&writer, action);
  if ((has & GROUP) != 0)
    extend_neighbours (&writer, action);
  if (action->matched_peer != PD_PROGRAM_ANY || action->matched_tag != PD_PROGRAM_ANY)
    extend (&writer, (PdExtension){ .kind = PD_EXT_MATCHED,
                                    .a = (guint32) action->matched_peer,
                                    .b = (guint32) action->matched_tag });
  extend_recorded (&writer, action);
  if (action->n_slots > 0)
    extend_by_list (&writer, PD_EXT_SLOTS, action->slots, action->n_slots);
  if (action->has_done)
    extend_by_list (&writer, PD_EXT_DONE, action->done, action->n_done);
  return writer.n;
}

/* ---- reading */

static void
read_file (const PdExtension *extension, PdAction *action)
{
  action->file = extension->a;
  action->file_op = (PdFileOp) extension->op;
  action->file_collective = extension->all != 0;
  action->file_bytes = extension->wide;
}

/* Lists are arrays of indexes in the cells behind their extension. */
static const PdProgramCell *
read_list (const PdProgramCell *cell, const PdExtension *extension, const guint32 **list,
           guint32 *n)
{
  *list = (const guint32 *) (const void *) (cell + 1);
  *n = extension->a;
  return cell + 1 + PD_LIST_CELLS (*n);
}

/* One that is not of the two most frequent kinds. */
static const PdProgramCell *
read_extension (const PdProgramCell *cell, const PdExtension *extension, PdAction *action)
{
  switch ((PdExtensionKind) (extension->kind & ~PD_CELL_MORE))
    {
    case PD_EXT_WIDE:
      action->comm = extension->a;
      action->request = extension->b;
      action->bytes |= (gint64) ((guint64) extension->c << 32);
      break;
    case PD_EXT_FROM:
      action->recv_peer = (gint32) extension->a;
      action->recv_tag = (gint32) extension->b;
      break;
    case PD_EXT_RECEIVED:
      action->recv_bytes = extension->wide;
      break;
    case PD_EXT_SENT:
      action->sent_bytes = extension->wide;
      break;
    case PD_EXT_COUNTS:
      action->send_counts = extension->a;
      action->recv_counts = extension->b;
      break;
    case PD_EXT_NEIGHBOURS:
      action->sources = extension->a;
      action->targets = extension->b;
      break;
    case PD_EXT_MATCHED:
      action->matched_peer = (gint32) extension->a;
      action->matched_tag = (gint32) extension->b;
      break;
    case PD_EXT_AMOUNT:
      action->amount = extension->amount;
      break;
    case PD_EXT_CALLED:
      action->called = extension->a;
      break;
    case PD_EXT_FILE:
      read_file (extension, action);
      break;
    case PD_EXT_SLOTS:
      return read_list (cell, extension, &action->slots, &action->n_slots);
    case PD_EXT_DONE:
      action->has_done = TRUE;
      return read_list (cell, extension, &action->done, &action->n_done);
    default:
      g_assert_not_reached ();
    }
  return cell + 1;
}

/* Nearly all calls have the first of these, computations the second. */
static inline const PdProgramCell *
read_extensions (const PdProgramCell *cell, PdAction *action)
{
  gboolean more = TRUE;

  while (more)
    {
      PdExtension extension;
      memcpy (&extension, cell, sizeof extension);
      more = (extension.kind & PD_CELL_MORE) != 0;
      guint kind = extension.kind & ~(guint) PD_CELL_MORE;
      if (kind == PD_EXT_RECORDED)
        {
          action->recorded = extension.wide;
          action->site = extension.a;
          cell++;
        }
      else if (kind == PD_EXT_PROCESSOR)
        {
          action->processor = extension.wide;
          cell++;
        }
      else
        cell = read_extension (cell, &extension, action);
    }
  return cell;
}

const PdProgramCell *
pd_action_skip (const PdProgramCell *cell)
{
  guint kind = cell++->kind;

  while ((kind & PD_CELL_MORE) != 0)
    {
      PdExtension extension;
      memcpy (&extension, cell++, sizeof extension);
      kind = extension.kind;
      if ((kind & ~(guint) PD_CELL_MORE) >= PD_EXT_SLOTS)
        cell += PD_LIST_CELLS (extension.a);
    }
  return cell;
}

const PdProgramCell *
pd_action_read (const PdProgramCell *cell, PdAction *action)
{
  guint kind = cell->kind & ~(guint) PD_CELL_MORE;
  gboolean more = (cell->kind & PD_CELL_MORE) != 0, is_sampled = kind == PD_CELL_SAMPLE;

  kind = is_sampled ? cell->request : kind;
  guint has = kinds[kind].has;
  pd_action_init (action, (PdActionKind) kind);
  action->comm = cell->comm;
  action->request = is_sampled ? 0 : cell->request;
  if ((has & NAME) != 0)
    action->name = (guint32) cell->peer;
  else if ((has & INTERVAL) != 0)
    action->interval = (guint32) cell->peer;
  else
    action->peer = cell->peer;
  if ((has & AMOUNT) != 0)
    action->amount = cell->amount;
  else if ((has & LINE) != 0)
    action->line = cell->line;
  else
    {
      action->bytes = cell->bytes;
      if ((has & COLL) != 0)
        action->op = (PdCollKind) cell->tag;
      else
        action->tag = cell->tag;
    }
  return more ? read_extensions (cell + 1, action) : cell + 1;
}
