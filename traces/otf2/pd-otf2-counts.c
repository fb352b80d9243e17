/* OTF2 archives: the sizes of collective operations. A record has what its rank
 * sent and received in all. Score-P counts a broadcast of b bytes to n ranks as
 * n b sent by the root, a reduction of all to all as n b sent by each rank, and
 * so on; in place, what stays is not counted. Where blocks differ from rank to
 * rank, what one rank sent is only in its own records: those of all ranks are
 * read first.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-counts-private.h"
#include "traces/otf2/pd-otf2-defs-private.h"
#include "traces/otf2/pd-otf2-dense-private.h"
#include "traces/otf2/pd-otf2-location-private.h"
#include "traces/program/pd-program-builder.h"

/* The size of a block or of a vector, from the sums. */
typedef enum
{
  NOTHING,
  RECEIVED,      /* of any rank */
  SENT,          /* of any rank; in place the root has sent nothing */
  RECEIVED_ROOT, /* of those that received; the root in place nothing */
  SENT_NTH,      /* an n-th of it */
  SENT_SCAN,     /* n - rank times */
  SENT_EXSCAN,   /* n - rank - 1 times */
} Share;

/* Which vectors an operation has. */
typedef enum
{
  NONE,
  AT_ROOT_RECEIVED, /* the bytes that each sent, at the root */
  AT_ROOT_SENT,     /* the bytes that each received, at the root */
  RECEIVED_BY_ALL,  /* an n-th of the bytes that each sent */
  RESULTS,          /* an n-th of the bytes that each received */
  BOTH,             /* blocks of the same size, an n-th of the bytes that each sent */
} Vectors;

static const struct
{
  Share share;
  Vectors vectors;
} ops[] = {
  [OTF2_COLLECTIVE_OP_BARRIER] = { NOTHING, NONE },
  [OTF2_COLLECTIVE_OP_BCAST] = { RECEIVED, NONE },
  [OTF2_COLLECTIVE_OP_GATHER] = { SENT, NONE },
  [OTF2_COLLECTIVE_OP_GATHERV] = { SENT, AT_ROOT_RECEIVED },
  [OTF2_COLLECTIVE_OP_SCATTER] = { RECEIVED_ROOT, NONE },
  [OTF2_COLLECTIVE_OP_SCATTERV] = { RECEIVED_ROOT, AT_ROOT_SENT },
  [OTF2_COLLECTIVE_OP_ALLGATHER] = { SENT_NTH, NONE },
  [OTF2_COLLECTIVE_OP_ALLGATHERV] = { SENT_NTH, RECEIVED_BY_ALL },
  [OTF2_COLLECTIVE_OP_ALLTOALL] = { SENT_NTH, NONE },
  [OTF2_COLLECTIVE_OP_ALLTOALLV] = { SENT_NTH, BOTH },
  [OTF2_COLLECTIVE_OP_ALLTOALLW] = { SENT_NTH, BOTH },
  [OTF2_COLLECTIVE_OP_ALLREDUCE] = { SENT_NTH, NONE },
  [OTF2_COLLECTIVE_OP_REDUCE] = { SENT, NONE },
  [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = { NOTHING, RESULTS },
  [OTF2_COLLECTIVE_OP_SCAN] = { SENT_SCAN, NONE },
  [OTF2_COLLECTIVE_OP_EXSCAN] = { SENT_EXSCAN, NONE },
  [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = { SENT_NTH, NONE },
};

gboolean
pd_otf2_has_counts (OTF2_CollectiveOp op)
{
  return op < G_N_ELEMENTS (ops) && ops[op].vectors != NONE;
}

/* @sum is that of @n blocks, or in place of @n - 1; where blocks differ, n need not divide it. */
static gint64
block_of (OTF2_CollectiveOp op, guint64 sum, guint32 n)
{
  if (ops[op].vectors != BOTH && sum % n != 0 && n > 1 && sum % (n - 1) == 0)
    n--;
  return (gint64) (sum / n);
}

static gint64
get_bytes (const PdOtf2Collective *collective, guint32 n, guint32 me)
{
  guint64 sent = collective->sent, received = collective->received;

  switch (ops[collective->op].share)
    {
    case RECEIVED:
      return (gint64) received;
    case SENT:
      return sent > 0 || me != collective->root || n == 1 ? (gint64) sent
                                                          : (gint64) (received / (n - 1));
    case RECEIVED_ROOT:
      return received > 0 || me != collective->root || n == 1 ? (gint64) received
                                                              : (gint64) (sent / (n - 1));
    case SENT_NTH:
      return block_of (collective->op, sent, n);
    case SENT_SCAN:
      return (gint64) (me < n ? sent / (n - me) : sent);
    case SENT_EXSCAN:
      return (gint64) (me + 1 < n ? sent / (n - me - 1) : me > 0 ? received / me : 0);
    default:
      return 0;
    }
}

/* The entry of a rank in the vector of all ranks. */
static gint64
get_share (const PdOtf2Collective *collective, guint32 n)
{
  switch (ops[collective->op].vectors)
    {
    case AT_ROOT_RECEIVED:
      return (gint64) collective->sent;
    case AT_ROOT_SENT:
      return (gint64) collective->received;
    case RESULTS:
      return block_of (collective->op, collective->received, n);
    default:
      return block_of (collective->op, collective->sent, n);
    }
}

/* ---- first reading: what each rank gives */

typedef struct
{
  PdOtf2Archive *archive;
  guint32 rank;
  GHashTable *numbers; /* communicator -> operations with counts so far */
} Gatherer;

/* The rank's number in the communicator; its size. */
static gboolean
find_member (PdOtf2Archive *archive, OTF2_CommRef ref, guint32 rank, guint32 *me, guint32 *n)
{
  const PdOtf2Comm *comm = pd_otf2_get_comm (archive, ref);
  PdOtf2Group *group =
      comm != NULL && !comm->is_inter
          ? g_hash_table_lookup (archive->groups, GSIZE_TO_POINTER ((gsize) comm->group))
          : NULL;

  *me = 0;
  *n = 1;
  if (group == NULL)
    return FALSE;
  if (group->type == OTF2_GROUP_TYPE_COMM_SELF)
    return TRUE;
  *n = group->n;
  return pd_otf2_find_member (group, rank, me);
}

static void
free_vector (gpointer vector)
{
  g_array_unref (*(GArray **) vector);
}

/* The vector of the communicator's operation @number. */
static GArray *
get_vector (PdOtf2Comm *comm, gint64 number, guint32 n)
{
  if (comm->gathered == NULL)
    {
      comm->gathered = g_array_new (FALSE, TRUE, sizeof (GArray *));
      g_array_set_clear_func (comm->gathered, free_vector);
    }
  while (comm->gathered->len <= number)
    {
      GArray *vector = g_array_sized_new (FALSE, TRUE, sizeof (gint64), n);
      g_array_set_size (vector, n);
      g_array_append_val (comm->gathered, vector);
    }
  return g_array_index (comm->gathered, GArray *, number);
}

static OTF2_CallbackCode
on_collective_end (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
                   uint64_t position G_GNUC_UNUSED, void *data,
                   OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_CollectiveOp op,
                   OTF2_CommRef ref, uint32_t root, uint64_t sent, uint64_t received)
{
  Gatherer *self = data;
  PdOtf2Collective collective = { op, ref, root, sent, received };
  guint32 me, n;

  if (!pd_otf2_has_counts (op) || !find_member (self->archive, ref, self->rank, &me, &n))
    return OTF2_CALLBACK_SUCCESS;
  gpointer key = GSIZE_TO_POINTER ((gsize) ref);
  gsize number = GPOINTER_TO_SIZE (g_hash_table_lookup (self->numbers, key));
  g_hash_table_insert (self->numbers, key, GSIZE_TO_POINTER (number + 1));
  GArray *vector = get_vector (g_hash_table_lookup (self->archive->comms, key), (gint64) number, n);
  g_array_index (vector, gint64, me) = get_share (&collective, n);
  return OTF2_CALLBACK_SUCCESS;
}

/* Whether a region of such an operation exists: else there is nothing to read. */
static gboolean
may_have_counts (const PdOtf2Archive *archive)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, archive->regions);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const PdOtf2Call *call = ((const PdOtf2Region *) value)->call;
      if (call == NULL || call->what != PD_OTF2_COLL)
        continue;
      if (call->op == PD_COLL_GATHERV || call->op == PD_COLL_SCATTERV
          || call->op == PD_COLL_ALLGATHERV || call->op == PD_COLL_ALLTOALLV
          || call->op == PD_COLL_ALLTOALLW || call->op == PD_COLL_REDUCE_SCATTER)
        return TRUE;
    }
  return FALSE;
}

gboolean
pd_otf2_gather_counts (PdOtf2Archive *archive, GError **error)
{
  static const PdOtf2Handlers handlers = { .collective_end = on_collective_end };

  if (!may_have_counts (archive))
    return TRUE;
  for (guint32 rank = 0; rank < archive->world->n; rank++)
    {
      g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
      Gatherer gatherer = { archive, rank, numbers };

      if (!pd_otf2_read_location (archive, archive->world->members[rank], &handlers, &gatherer,
                                  error))
        return FALSE;
    }
  return TRUE;
}

/* ---- second reading */

/* The vector of all ranks' entries. Unknown entries are taken to be equal to this rank's. */
static guint32
add_gathered (PdOtf2Archive *archive, const PdOtf2Collective *collective, gint64 number, guint32 n)
{
  const PdOtf2Comm *comm =
      g_hash_table_lookup (archive->comms, GSIZE_TO_POINTER ((gsize) collective->comm));
  g_autofree gint64 *same = NULL;

  if (number >= 0 && comm->gathered != NULL && number < comm->gathered->len)
    {
      GArray *vector = g_array_index (comm->gathered, GArray *, number);
      return pd_program_builder_add_counts (archive->builder, (gint64 *) (void *) vector->data, n);
    }
  pd_messages_add (archive->messages, PD_SEVERITY_WARNING, "counts-guessed", NULL,
                   &(PdPlace){ archive->path, 0, NULL, -1, -1, TRUE },
                   "a non-blocking operation whose blocks differ: those of others are taken to "
                   "be like the rank's own");
  same = g_new (gint64, n);
  for (guint32 i = 0; i < n; i++)
    same[i] = get_share (collective, n);
  return pd_program_builder_add_counts (archive->builder, same, n);
}

static guint32
add_equal (PdOtf2Archive *archive, gint64 bytes, guint32 n)
{
  g_autofree gint64 *values = g_new (gint64, n);

  for (guint32 i = 0; i < n; i++)
    values[i] = bytes;
  return pd_program_builder_add_counts (archive->builder, values, n);
}

static void
note_averaged (PdOtf2Archive *archive)
{
  pd_messages_add (archive->messages, PD_SEVERITY_NOTE, "counts-averaged", NULL,
                   &(PdPlace){ archive->path, 0, NULL, -1, -1, TRUE },
                   "the archive has only sums of MPI_Alltoallv: each rank's blocks are taken "
                   "to be equal");
}

void
pd_otf2_fill_collective (PdOtf2Archive *archive, guint32 rank, const PdOtf2Collective *collective,
                         gint64 number, PdAction *action)
{
  guint32 me, n;

  if (collective->op >= G_N_ELEMENTS (ops)
      || !find_member (archive, collective->comm, rank, &me, &n))
    return;
  if (collective->root < n)
    action->peer = (gint32) collective->root;
  action->bytes = MAX (get_bytes (collective, n, me), 0);
  switch (ops[collective->op].vectors)
    {
    case NONE:
      break;
    case AT_ROOT_RECEIVED:
      if (me == collective->root)
        action->recv_counts = add_gathered (archive, collective, number, n);
      break;
    case AT_ROOT_SENT:
      if (me == collective->root)
        action->send_counts = add_gathered (archive, collective, number, n);
      break;
    case BOTH:
      action->send_counts = add_equal (archive, action->bytes, n);
      action->recv_counts = add_gathered (archive, collective, number, n);
      note_averaged (archive);
      break;
    default:
      action->recv_counts = add_gathered (archive, collective, number, n);
    }
}

void
pd_otf2_fill_neighbours (PdOtf2Archive *archive, const PdOtf2Collective *collective,
                         OTF2_GroupRef sources, OTF2_GroupRef targets, PdAction *action)
{
  g_autoptr (GArray) from = pd_otf2_find_places (archive, collective->comm, sources);
  g_autoptr (GArray) to = pd_otf2_find_places (archive, collective->comm, targets);
  gboolean is_vector =
      action->op != PD_COLL_NEIGHBOR_ALLGATHER && action->op != PD_COLL_NEIGHBOR_ALLTOALL;

  action->sources = pd_program_builder_add_counts (
      archive->builder, (const gint64 *) (gconstpointer) from->data, from->len);
  action->targets = pd_program_builder_add_counts (
      archive->builder, (const gint64 *) (gconstpointer) to->data, to->len);
  action->bytes = (gint64) (collective->sent / MAX (to->len, 1));
  if (!is_vector)
    return;
  action->recv_counts =
      add_equal (archive, (gint64) (collective->received / MAX (from->len, 1)), from->len);
  if (action->op == PD_COLL_NEIGHBOR_ALLGATHERV)
    return;
  action->send_counts = add_equal (archive, action->bytes, to->len);
  note_averaged (archive);
}
