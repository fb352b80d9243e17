/* Collective operations as time-independent traces have them.
 * SPDX-License-Identifier: MIT */
#include "traces/ti/pd-ti-write-private.h"
#include "traces/program/pd-action.h"
#include "traces/ti/pd-ti-requests-private.h"
#include "traces/ti/pd-ti-write-collective-private.h"
#include "traces/ti/pd-ti-writer-private.h"

/* Any negative one stands for a collective operation. */
#define COLLECTIVE_TAG (-2)

/* The fields behind the name; "T" is the type, "T T" two types. */
typedef enum
{
  NOTHING,
  BYTES_ROOT,    /* n ROOT T */
  BYTES_OP,      /* n COMP T */
  BYTES_OP_ROOT, /* n COMP ROOT T */
  BLOCKS,        /* n n T T */
  BLOCKS_ROOT,   /* n n ROOT T T */
  BYTES_RECV,    /* n r… T T */
  BYTES_RECV_ROOT,
  SEND_BYTES_ROOT, /* s… n ROOT T T */
  SEND_RECV,       /* sum s… sum r… T T */
  RECV_OP,         /* r… COMP T */
} Shape;

static const struct
{
  const char *word; /* NULL: there is none */
  Shape shape;
} shapes[PD_N_COLLS] = {
  [PD_COLL_BARRIER] = { "barrier", NOTHING },
  [PD_COLL_BCAST] = { "bcast", BYTES_ROOT },
  [PD_COLL_REDUCE] = { "reduce", BYTES_OP_ROOT },
  [PD_COLL_ALLREDUCE] = { "allreduce", BYTES_OP },
  [PD_COLL_SCAN] = { "scan", BYTES_OP },
  [PD_COLL_EXSCAN] = { "exscan", BYTES_OP },
  [PD_COLL_GATHER] = { "gather", BLOCKS_ROOT },
  [PD_COLL_SCATTER] = { "scatter", BLOCKS_ROOT },
  [PD_COLL_ALLGATHER] = { "allgather", BLOCKS },
  [PD_COLL_ALLTOALL] = { "alltoall", BLOCKS },
  [PD_COLL_GATHERV] = { "gatherv", BYTES_RECV_ROOT },
  [PD_COLL_ALLGATHERV] = { "allgatherv", BYTES_RECV },
  [PD_COLL_SCATTERV] = { "scatterv", SEND_BYTES_ROOT },
  [PD_COLL_ALLTOALLV] = { "alltoallv", SEND_RECV },
  [PD_COLL_ALLTOALLW] = { "alltoallv", SEND_RECV },
  [PD_COLL_REDUCE_SCATTER] = { "reducescatter", RECV_OP },
  [PD_COLL_REDUCE_SCATTER_BLOCK] = { "reducescatter", RECV_OP },
};

/* A count for each rank; without a vector all have blocks of one size. */
static gint64
get_count (const PdTiWriter *self, const PdAction *action, guint32 vector, guint32 rank)
{
  return vector != PD_PROGRAM_NONE ? pd_program_get_counts (self->program, vector, NULL)[rank]
                                   : action->bytes;
}

static void
add_vector (PdTiWriter *self, const PdAction *action, guint32 vector)
{
  for (guint32 i = 0; i < pd_program_get_n_ranks (self->program); i++)
    pd_ti_write_int (self, get_count (self, action, vector, i));
}

/* The size of the whole buffer stands before its vector. */
static void
add_buffer (PdTiWriter *self, const PdAction *action, guint32 vector)
{
  gint64 sum = 0;

  for (guint32 i = 0; i < pd_program_get_n_ranks (self->program); i++)
    if (__builtin_add_overflow (sum, get_count (self, action, vector, i), &sum))
      sum = G_MAXINT64;
  pd_ti_write_int (self, sum);
  add_vector (self, action, vector);
}

static void
add_arguments (PdTiWriter *self, const PdAction *action, Shape shape)
{
  if (shape == SEND_BYTES_ROOT)
    add_vector (self, action, action->send_counts);
  if (shape == SEND_RECV)
    {
      add_buffer (self, action, action->send_counts);
      add_buffer (self, action, action->recv_counts);
    }
  else if (shape != RECV_OP)
    pd_ti_write_int (self, action->bytes);
  if (shape == BLOCKS || shape == BLOCKS_ROOT)
    pd_ti_write_int (self, action->bytes);
  if (shape == BYTES_RECV || shape == BYTES_RECV_ROOT || shape == RECV_OP)
    add_vector (self, action, action->recv_counts);
  if (shape == BYTES_OP || shape == BYTES_OP_ROOT || shape == RECV_OP)
    pd_ti_write_double (self, pd_ti_write_get_flops (self, action->amount));
  if (shape == BYTES_ROOT || shape == BYTES_OP_ROOT || shape == BLOCKS_ROOT
      || shape == BYTES_RECV_ROOT || shape == SEND_BYTES_ROOT)
    pd_ti_write_int (self, action->peer);
  pd_ti_write_int (self, PD_TI_BYTE_TYPE);
  if (shape >= BLOCKS && shape != RECV_OP)
    pd_ti_write_int (self, PD_TI_BYTE_TYPE);
}

/* Notes properties that the fields cannot express, or only nearly. */
static void
check_collective (const PdTiWriter *self, const PdAction *action)
{
  const char *name = pd_action_name (action);

  if (action->op == PD_COLL_ALLTOALLW)
    pd_ti_write_lose (self, "ti-lost-operation", name, "becomes an alltoallv");
  if (action->op == PD_COLL_REDUCE_SCATTER_BLOCK)
    pd_ti_write_lose (self, "ti-lost-operation", name, "becomes a reducescatter");
  if (action->sent_bytes != 0 || action->recv_bytes != 0)
    pd_ti_write_lose (self, "ti-lost-sums", name,
                      "its total sizes are not stored, only its blocks");
  if (action->amount.time.ps != 0 && shapes[action->op].shape != BYTES_OP
      && shapes[action->op].shape != BYTES_OP_ROOT && shapes[action->op].shape != RECV_OP)
    pd_ti_write_lose (self, "ti-lost-computation", name, "cannot have computation after it");
}

void
pd_ti_write_collective (PdTiWriter *self, const PdAction *action, const char *word G_GNUC_UNUSED)
{
  const char *name = shapes[action->op].word;
  g_autofree char *iname = NULL;

  if (name == NULL || action->comm != 0)
    {
      pd_ti_write_lose (self, name == NULL ? "ti-lost-operation" : "ti-lost-collective",
                        pd_action_name (action),
                        name == NULL ? "left out: there is no word for it"
                                     : "left out: it is not one of the world");
      return;
    }
  check_collective (self, action);
  if (action->kind == PD_ACT_ICOLLECTIVE)
    {
      gint32 own = (gint32) self->rank;
      name = iname = g_strconcat ("i", name, NULL);
      pd_ti_write_open (self, action->request,
                        (PdTiRequest){ .source = own,
                                       .target = own,
                                       .tag = COLLECTIVE_TAG,
                                       .key = pd_ti_collective_key () });
    }
  pd_ti_write_begin (self, name);
  if (shapes[action->op].shape != NOTHING)
    add_arguments (self, action, shapes[action->op].shape);
  pd_ti_write_end (self);
}
