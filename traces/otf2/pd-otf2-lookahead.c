/* OTF2 archives: what receives and collective operations that do not block turn
 * out to be. That is recorded where they complete, so a rank's events are looked
 * through for it before they are turned into actions.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-lookahead-private.h"
#include "traces/otf2/pd-otf2-location-private.h"

struct _PdOtf2Ahead
{
  GArray *completions; /* PdOtf2Completion; the first is not used */
  GHashTable *first;   /* request -> the first of its number */
};

void
pd_otf2_ahead_free (PdOtf2Ahead *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->completions);
  g_hash_table_unref (self->first);
  g_free (self);
}

/* Numbers of requests may be used again after they completed. */
static OTF2_CallbackCode
add (PdOtf2Ahead *self, const PdOtf2Completion *completion)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) completion->request);
  guint at = self->completions->len;
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->first, key));

  g_array_append_val (self->completions, *completion);
  if (known == 0)
    g_hash_table_insert (self->first, key, GUINT_TO_POINTER (at));
  PdOtf2Completion *first =
      &g_array_index (self->completions, PdOtf2Completion, known == 0 ? at : known);
  if (known == 0)
    first->coming = at;
  else
    g_array_index (self->completions, PdOtf2Completion, first->last).next = at;
  first->last = at;
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
  PdOtf2Ahead *self = g_new0 (PdOtf2Ahead, 1);

  self->completions = g_array_new (FALSE, TRUE, sizeof (PdOtf2Completion));
  g_array_set_size (self->completions, 1);
  self->first = g_hash_table_new (NULL, NULL);
  return self;
}

static const PdOtf2Handlers handlers = { .irecv = on_irecv, .collective_complete = on_collective };

/* With what only the library decodes. */
static OTF2_EvtReaderCallbacks *
make_callbacks (void)
{
  OTF2_EvtReaderCallbacks *c = pd_otf2_handlers_to_callbacks (&handlers);

  OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback (c, on_one_sided);
  return c;
}

gboolean
pd_otf2_ahead_read (PdOtf2Ahead *self, PdOtf2Archive *archive, OTF2_LocationRef location,
                    GError **error)
{
  return pd_otf2_read_location (archive, location, &handlers, make_callbacks, self, error);
}

const PdOtf2Completion *
pd_otf2_ahead_take (PdOtf2Ahead *self, guint64 request)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) request);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->first, key));
  PdOtf2Completion *first = &g_array_index (self->completions, PdOtf2Completion, known);

  if (known == 0 || first->coming == 0)
    return NULL;
  const PdOtf2Completion *completion =
      &g_array_index (self->completions, PdOtf2Completion, first->coming);
  first->coming = completion->next;
  return completion;
}
