/* OTF2 archives: what receives and collective operations that do not block turn
 * out to be. That is recorded where they complete, so a rank's events are looked
 * through for it before they are turned into actions.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-lookahead-private.h"
#include "traces/otf2/pd-otf2-decode-private.h"
#include "traces/otf2/pd-otf2-location-private.h"

#include "base/pd-hash-map.h"
#include "base/memory/pd-vector.h"

/* Completions that were not asked for yet are in queues, one for each number of a request: a number
 * may be used again after its request completed. */
struct _PdOtf2Ahead
{
  PdVector completions;     /* PdOtf2Completion: of the queues, and those that are free */
  guint32 unused;           /* 1 + the first of those; 0 = none */
  PdHashMap queues;         /* request -> its first completion << 32 | its last one */
  PdOtf2Decoding *decoding; /* (nullable): of events, which it reads only as far as needed */
};

void
pd_otf2_ahead_free (PdOtf2Ahead *self)
{
  if (self == NULL)
    return;
  pd_vector_clear (&self->completions);
  pd_hash_map_clear (&self->queues);
  pd_otf2_decoding_free (self->decoding);
  g_free (self);
}

static guint32
new_completion (PdOtf2Ahead *self, const PdOtf2Completion *completion)
{
  guint32 at = self->unused - 1;

  if (self->unused == 0)
    {
      at = (guint32) self->completions.n;
      pd_vector_append (&self->completions, PdOtf2Completion) = *completion;
      return at;
    }
  PdOtf2Completion *own = &pd_vector_at (&self->completions, PdOtf2Completion, at);
  self->unused = own->next;
  *own = *completion;
  return at;
}

static OTF2_CallbackCode
add (PdOtf2Ahead *self, const PdOtf2Completion *completion)
{
  guint32 at = new_completion (self, completion);
  uint64_t *queue = pd_hash_map_get (&self->queues, completion->request, 1, G_MAXUINT64);

  if (*queue == G_MAXUINT64)
    *queue = (guint64) at << 32 | at;
  else
    {
      pd_vector_at (&self->completions, PdOtf2Completion, (guint32) *queue).next = at;
      *queue = (*queue & ~(guint64) G_MAXUINT32) | at;
    }
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_irecv (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
          uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
          uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
  return add (data, &(PdOtf2Completion){ .request = request,
                                         .is_recv = TRUE,
                                         .sender = sender,
                                         .comm = comm,
                                         .tag = tag,
                                         .bytes = bytes });
}

static OTF2_CallbackCode
on_collective (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
               uint64_t position G_GNUC_UNUSED, void *data,
               OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_CollectiveOp op,
               OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received, uint64_t request)
{
  return add (data, &(PdOtf2Completion){ .request = request,
                                         .collective = { op, comm, root, sent, received } });
}

static OTF2_CallbackCode
on_one_sided (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
              uint64_t position G_GNUC_UNUSED, void *data,
              OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_RmaWinRef win G_GNUC_UNUSED,
              uint64_t id)
{
  return add (data, &(PdOtf2Completion){ .request = PD_OTF2_RMA_REQUEST | id });
}

PdOtf2Ahead *
pd_otf2_ahead_new (void)
{
  return g_new0 (PdOtf2Ahead, 1);
}

static const PdOtf2Handlers handlers = { .irecv = on_irecv,
                                         .collective_complete = on_collective,
                                         .rma_complete = on_one_sided };

gboolean
pd_otf2_ahead_read (PdOtf2Ahead *self, PdOtf2Archive *archive, OTF2_LocationRef location,
                    GError **error)
{
  return pd_otf2_read_location (archive, location, &handlers, self, error);
}

void
pd_otf2_ahead_follow (PdOtf2Ahead *self, PdOtf2Archive *archive, OTF2_LocationRef location)
{
  self->decoding = pd_otf2_decoding_new (archive, location, &handlers, self);
}

const PdOtf2Completion *
pd_otf2_ahead_take (PdOtf2Ahead *self, guint64 request)
{
  uint64_t *queue;

  while ((queue = pd_hash_map_find (&self->queues, request, 1)) == NULL)
    if (self->decoding == NULL)
      return NULL;
    else if (!pd_otf2_decoding_next (self->decoding))
      g_clear_pointer (&self->decoding, pd_otf2_decoding_free);
  guint32 first = (guint32) (*queue >> 32);
  PdOtf2Completion *completion = &pd_vector_at (&self->completions, PdOtf2Completion, first);
  if (first == (guint32) *queue)
    pd_hash_map_remove (&self->queues, queue);
  else
    *queue = (guint64) completion->next << 32 | (guint32) *queue;
  completion->next = self->unused;
  self->unused = first + 1;
  return completion; /* what comes next does not take its place before the next question */
}
