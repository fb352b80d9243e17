/* OTF2 archives: ranks of which several threads call MPI.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-threads-private.h"
#include "traces/otf2/pd-otf2-location-private.h"
#include "traces/program/pd-action.h"

/* Requests of calls that block; archives number theirs from the other end. */
#define OWN_REQUESTS (G_GUINT64_CONSTANT (1) << 63)

/* Numbers of @requests, for slots. */
typedef struct
{
  guint first;
  guint n;
} Slots;

typedef struct
{
  PdAction action; /* without pointers */
  Slots slots;     /* of those that have several */
} Item;

typedef struct
{
  gint64 begin; /* ps of the rank */
  gint64 end;
  guint first; /* item */
  guint n;
  gboolean takes_time;
} Call;

/* An action at its moment. */
typedef struct
{
  gint64 at;
  guint order; /* at the same moment */
  PdAction action;
  Slots slots;
} Event;

/* Events in the order of time, of which the first are done. */
typedef struct
{
  GArray *events; /* Event */
  guint next;
} Queue;

struct _PdOtf2Threads
{
  GArray *items;    /* Item */
  GArray *requests; /* guint64: as the archive numbers them */
  GArray *calls;    /* Call: of further threads */
  GArray *own;      /* Call: of the first thread, without items */
  gboolean overlap;
  guint next;   /* call, if they do not overlap; if they do: */
  Queue begins; /* what others may wait for */
  Queue ends;   /* what may wait */
  guint64 last_own;
};

void
pd_otf2_threads_free (PdOtf2Threads *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_array_unref (self->requests);
  g_array_unref (self->calls);
  g_array_unref (self->own);
  g_array_unref (self->begins.events);
  g_array_unref (self->ends.events);
  g_free (self);
}

/* ---- when the first thread was in calls */

typedef struct
{
  PdOtf2Rank *rank;
  guint inside; /* regions, an MPI function's included */
  gint64 begin;
} Scan;

static const PdOtf2Region *
find_region (const Scan *self, OTF2_RegionRef ref)
{
  return g_hash_table_lookup (self->rank->archive->regions, GSIZE_TO_POINTER ((gsize) ref));
}

static OTF2_CallbackCode
on_enter (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time,
          uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
          OTF2_RegionRef ref)
{
  Scan *self = data;
  const PdOtf2Region *region = find_region (self, ref);
  gint64 now = pd_otf2_rank_to_ps (self->rank, time);

  if (self->inside == 0 && region != NULL && region->call != NULL)
    self->begin = now;
  if (self->inside > 0 || (region != NULL && region->call != NULL))
    self->inside++;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_leave (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time,
          uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
          OTF2_RegionRef ref G_GNUC_UNUSED)
{
  Scan *self = data;
  Call call = { self->begin, pd_otf2_rank_to_ps (self->rank, time), 0, 0, FALSE };

  if (self->inside > 0 && --self->inside == 0)
    g_array_append_val (self->rank->threads->own, call);
  return OTF2_CALLBACK_SUCCESS;
}

gboolean
pd_otf2_threads_begin (PdOtf2Rank *self, OTF2_LocationRef location, GError **error)
{
  static const PdOtf2Handlers handlers = { .enter = on_enter, .leave = on_leave };
  PdOtf2Threads *threads = self->threads = g_new0 (PdOtf2Threads, 1);
  Scan scan = { .rank = self };

  threads->items = g_array_new (FALSE, FALSE, sizeof (Item));
  threads->requests = g_array_new (FALSE, FALSE, sizeof (guint64));
  threads->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  threads->own = g_array_new (FALSE, FALSE, sizeof (Call));
  threads->begins.events = g_array_new (FALSE, FALSE, sizeof (Event));
  threads->ends.events = g_array_new (FALSE, FALSE, sizeof (Event));
  return pd_otf2_read_location (self->archive, location, &handlers, &scan, error);
}

/* ---- calls of further threads */

guint32
pd_otf2_threads_add_request (PdOtf2Threads *self, guint64 request)
{
  g_array_append_val (self->requests, request);
  return self->requests->len - 1;
}

static gboolean
has_slots (PdActionKind kind)
{
  return kind == PD_ACT_WAITALL || kind == PD_ACT_WAITANY || kind == PD_ACT_WAITSOME
         || kind == PD_ACT_TESTALL || kind == PD_ACT_TESTANY || kind == PD_ACT_TESTSOME;
}

void
pd_otf2_threads_add (PdOtf2Threads *self, const PdAction *action)
{
  Item item = { .action = *action };

  if (has_slots (action->kind))
    {
      item.slots = (Slots){ self->requests->len, action->n_slots };
      for (guint32 i = 0; i < action->n_slots; i++)
        {
          guint64 request = g_array_index (self->requests, guint64, action->slots[i]);
          g_array_append_val (self->requests, request);
        }
      item.action.slots = NULL;
    }
  item.action.done = NULL;
  g_array_append_val (self->items, item);
}

void
pd_otf2_threads_add_call (PdOtf2Threads *self, gint64 begin, gint64 end, gboolean takes_time)
{
  guint before = 0;

  if (self->calls->len > 0)
    {
      const Call *last = &g_array_index (self->calls, Call, self->calls->len - 1);
      before = last->first + last->n;
    }
  Call call = { begin, MAX (begin, end), before, self->items->len - before, takes_time };
  g_array_append_val (self->calls, call);
}

/* ---- actions that block, as two */

static const struct
{
  PdActionKind kind;
  PdActionKind begins;
} halves[] = {
  { PD_ACT_SEND, PD_ACT_ISEND },
  { PD_ACT_BSEND, PD_ACT_IBSEND },
  { PD_ACT_SSEND, PD_ACT_ISSEND },
  { PD_ACT_RSEND, PD_ACT_IRSEND },
  { PD_ACT_RECV, PD_ACT_IRECV },
  { PD_ACT_SENDRECV, PD_ACT_ISEND },
  { PD_ACT_ISEND, PD_ACT_ISEND },
  { PD_ACT_IBSEND, PD_ACT_IBSEND },
  { PD_ACT_ISSEND, PD_ACT_ISSEND },
  { PD_ACT_IRSEND, PD_ACT_IRSEND },
  { PD_ACT_IRECV, PD_ACT_IRECV },
  { PD_ACT_ICOLLECTIVE, PD_ACT_ICOLLECTIVE },
  { PD_ACT_COLLECTIVE, PD_ACT_ICOLLECTIVE },
};

/* The kind that begins what @action does; windows come and go as a whole. */
static gboolean
begins_as (const PdAction *action, PdActionKind *kind)
{
  if (action->kind == PD_ACT_COLLECTIVE
      && (action->op == PD_COLL_WIN_CREATE || action->op == PD_COLL_WIN_FREE))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    if (halves[i].kind == action->kind)
      {
        *kind = halves[i].begins;
        return TRUE;
      }
  return FALSE;
}

static void
add_event (PdOtf2Threads *self, Queue *queue, gint64 at, const Item *item)
{
  Event event = { at, queue->events->len, item->action, item->slots };

  if (event.action.recorded > 0)
    event.action.recorded = 0;
  if (event.action.kind == PD_ACT_OTHER || event.action.kind == PD_ACT_LOCAL)
    {
      event.action.kind = PD_ACT_LOCAL;
      event.action.amount.time.ps = 0;
    }
  (void) self;
  g_array_append_val (queue->events, event);
}

/* One that begins, with a request of its own if it had none. */
static void
add_begin (PdOtf2Threads *self, const Call *call, Item item, gboolean blocks)
{
  if (blocks)
    item.action.request = pd_otf2_threads_add_request (self, OWN_REQUESTS + self->last_own++);
  add_event (self, &self->begins, call->begin, &item);
}

/* The receive half of MPI_Sendrecv. */
static Item
half_that_receives (const Item *item)
{
  Item half = { 0 };

  pd_action_init (&half.action, PD_ACT_IRECV);
  half.action.comm = item->action.comm;
  half.action.peer = item->action.recv_peer;
  half.action.tag = item->action.recv_tag;
  half.action.bytes = item->action.recv_bytes;
  half.action.matched_peer = item->action.matched_peer;
  half.action.matched_tag = item->action.matched_tag;
  half.action.site = item->action.site;
  half.action.recorded = item->action.recorded;
  return half;
}

static void
split_item (PdOtf2Threads *self, const Call *call, Item item)
{
  PdActionKind kind;
  gboolean is_pair = item.action.kind == PD_ACT_SENDRECV;
  guint first = self->requests->len;

  if (!begins_as (&item.action, &kind))
    {
      add_event (self, &self->ends, call->end, &item);
      return;
    }
  gboolean blocks = kind != item.action.kind;
  item.action.kind = kind;
  if (!is_pair || item.action.peer != PD_PROGRAM_PROC_NULL)
    add_begin (self, call, item, blocks);
  if (is_pair && item.action.recv_peer != PD_PROGRAM_PROC_NULL)
    add_begin (self, call, half_that_receives (&item), TRUE);
  if (!blocks || self->requests->len == first)
    return;
  Item wait = { .slots = { first, self->requests->len - first } };
  pd_action_init (&wait.action, wait.slots.n == 1 ? PD_ACT_WAIT : PD_ACT_WAITALL);
  wait.action.request = first;
  wait.action.site = item.action.site;
  wait.action.recorded = item.action.recorded;
  add_event (self, &self->ends, call->end, &wait);
}

static gint
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *x = a, *y = b;

  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static void
split_calls (PdOtf2Threads *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      const Call call = g_array_index (self->calls, Call, i);
      for (guint j = 0; j < call.n; j++)
        split_item (self, &call, g_array_index (self->items, Item, call.first + j));
    }
  g_array_sort (self->begins.events, compare_events);
  g_array_sort (self->ends.events, compare_events);
}

/* ---- whether calls overlap */

static gint
compare_calls (gconstpointer a, gconstpointer b)
{
  const Call *x = a, *y = b;

  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static gboolean
do_overlap (const PdOtf2Threads *self)
{
  g_autoptr (GArray) all = g_array_copy (self->own);
  gint64 end = G_MININT64;

  g_array_append_vals (all, self->calls->data, self->calls->len);
  g_array_sort (all, compare_calls);
  for (guint i = 0; i < all->len; i++)
    {
      const Call *call = &g_array_index (all, Call, i);
      if (call->begin < end)
        return TRUE;
      end = call->end;
    }
  return FALSE;
}

void
pd_otf2_threads_settle (PdOtf2Rank *self)
{
  PdOtf2Threads *threads = self->threads;

  threads->overlap = threads->calls->len > 0 && do_overlap (threads);
  if (!threads->overlap)
    {
      g_array_sort (threads->calls, compare_calls);
      return;
    }
  split_calls (threads);
  pd_messages_add (
      self->archive->messages, PD_SEVERITY_WARNING, "threads-concurrent", NULL,
      &(PdPlace){ self->archive->path, 0, NULL, -1, self->rank, TRUE },
      "several threads call MPI at once: times are the first thread's, and the %u calls "
      "of others take none",
      threads->calls->len);
}

/* ---- their places in the program */

/* The slots of requests that are pending. */
static void
find_slots (PdOtf2Rank *self, Slots from, GArray *slots)
{
  for (guint i = 0; i < from.n; i++)
    {
      guint64 request = g_array_index (self->threads->requests, guint64, from.first + i);
      guint32 slot;
      if (pd_pending_find (&self->pending, request, &slot))
        g_array_append_val (slots, slot);
    }
}

/* Adds an action that completes requests, or tries to. FALSE: it knows none of them. */
static gboolean
add_completion (PdOtf2Rank *self, PdAction action, Slots from)
{
  g_autoptr (GArray) slots = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean ends = !action.has_done || action.n_done > 0;

  find_slots (self, from, slots);
  if (slots->len == 0)
    return FALSE;
  for (guint32 i = 0; i < slots->len; i++)
    g_array_append_val (places, i);
  action.request = g_array_index (slots, guint32, 0);
  if (has_slots (action.kind))
    {
      action.slots = (const guint32 *) (const void *) slots->data;
      action.n_slots = slots->len;
    }
  action.n_done = action.n_done > 0 ? slots->len : 0;
  action.done = action.n_done > 0 ? (const guint32 *) (const void *) places->data : NULL;
  for (guint i = 0; ends && i < slots->len; i++)
    pd_pending_remove (&self->pending, g_array_index (slots, guint32, i));
  pd_otf2_rank_add (self, &action);
  return TRUE;
}

/* FALSE: nothing is known of it. */
static gboolean
add_action (PdOtf2Rank *self, PdAction action, Slots slots)
{
  PdActionKind ignored;

  if (has_slots (action.kind))
    return add_completion (self, action, slots);
  if (action.kind == PD_ACT_WAIT || action.kind == PD_ACT_TEST || action.kind == PD_ACT_CANCEL)
    return add_completion (self, action, (Slots){ action.request, 1 });
  if (begins_as (&action, &ignored) && ignored == action.kind)
    action.request = pd_pending_add (
        &self->pending, g_array_index (self->threads->requests, guint64, action.request));
  pd_otf2_rank_add (self, &action);
  return TRUE;
}

static void
add_calls (PdOtf2Rank *self, gint64 now)
{
  PdOtf2Threads *threads = self->threads;

  for (; threads->next < threads->calls->len; threads->next++)
    {
      const Call *call = &g_array_index (threads->calls, Call, threads->next);
      gboolean takes_time = call->takes_time;
      if (call->begin > now)
        return;
      pd_otf2_rank_compute (self, call->begin);
      for (guint i = 0; i < call->n; i++)
        {
          const Item *item = &g_array_index (threads->items, Item, call->first + i);
          takes_time |= add_action (self, item->action, item->slots);
        }
      if (takes_time)
        self->last = MAX (self->last, call->end);
    }
}

static const Event *
peek (const Queue *queue)
{
  return queue->next < queue->events->len ? &g_array_index (queue->events, Event, queue->next)
                                          : NULL;
}

void
pd_otf2_threads_add_until (PdOtf2Rank *self, gint64 now)
{
  PdOtf2Threads *threads = self->threads;

  if (!threads->overlap)
    add_calls (self, now);
  for (;;)
    {
      const Event *begin = peek (&threads->begins), *end = peek (&threads->ends);
      gboolean is_begin = begin != NULL && (end == NULL || begin->at <= end->at);
      const Event *event = is_begin ? begin : end;
      if (event == NULL || event->at > now)
        return;
      pd_otf2_rank_compute (self, event->at);
      add_action (self, event->action, event->slots);
      (is_begin ? &threads->begins : &threads->ends)->next++;
    }
}

void
pd_otf2_threads_add_begun (PdOtf2Rank *self, gint64 now)
{
  const Event *event;

  while ((event = peek (&self->threads->begins)) != NULL && event->at <= now)
    {
      add_action (self, event->action, event->slots);
      self->threads->begins.next++;
    }
}
