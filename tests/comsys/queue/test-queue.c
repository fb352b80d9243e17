/* The queue of the main loop, and what it and the networks are built of, each
 * against a slow model.
 * SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-min-set.h"
#include "comsys/queue/pd-queue.h"
#include "comsys/queue/pd-pending-transfers.h"

/* ---- the queue against a sorted array */

static int
compare_items (gconstpointer a, gconstpointer b)
{
  if (pd_queue_item_before (a, b))
    return -1;
  return pd_queue_item_before (b, a) ? 1 : 0;
}

typedef struct
{
  const char *name;
  gint32 n_ranks;
  gint32 spread; /* items lie so many moments ahead at most */
  guint32 n;
} QueueCase;

static const QueueCase queue_cases[] = {
  { "one-moment", 5000, 1, 5000 },
  { "few-moments", 5000, 4, 20000 },
  /* more than the queue remembers: a moment has several lists */
  { "many-moments", 70000, 3000, 60000 },
  { "few-ranks", 3, 10, 5000 },
};

static void
push (PdQueue *queue, GArray *model, const QueueCase *test, gint64 now, GRand *rand)
{
  PdTime when = PD_TIME (now + g_rand_int_range (rand, 0, test->spread));
  gboolean is_turn = g_rand_boolean (rand);
  guint32 rank = (guint32) g_rand_int_range (rand, 0, test->n_ranks);
  PdQueueItem item;

  if (!is_turn && rank == 0)
    rank = PD_QUEUE_NO_RANK;
  item = pd_queue_item (when, is_turn, rank, queue->sequence);
  item.what = model->len;
  pd_queue_push (queue, when, is_turn, rank, item.what);
  g_array_append_val (model, item);
}

/* Half of the items are there at first, the others come while it is emptied. */
static void
test_queue (gconstpointer data)
{
  const QueueCase *test = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (31);
  g_autoptr (GArray) model = g_array_new (FALSE, FALSE, sizeof (PdQueueItem));
  g_autoptr (GArray) popped = g_array_new (FALSE, FALSE, sizeof (PdQueueItem));
  PdQueue queue = { 0 };

  for (guint32 i = 0; i < test->n / 2; i++)
    push (&queue, model, test, 0, rand);
  while (!pd_queue_is_empty (&queue))
    {
      PdQueueItem item = pd_queue_pop (&queue);
      g_array_append_val (popped, item);
      if (model->len < test->n)
        push (&queue, model, test, pd_queue_item_time (&item).ps + 1, rand);
      /* for this very moment, but behind what was taken */
      if (model->len < test->n && item.when_class % 2 == 0)
        {
          PdQueueItem late = pd_queue_item (pd_queue_item_time (&item), TRUE, 0, queue.sequence);
          late.what = model->len;
          pd_queue_push (&queue, pd_queue_item_time (&item), TRUE, 0, late.what);
          g_array_append_val (model, late);
        }
    }
  g_array_sort (model, compare_items);
  g_assert_cmpuint (popped->len, ==, model->len);
  for (guint i = 0; i < model->len; i++)
    {
      const PdQueueItem *got = &g_array_index (popped, PdQueueItem, i);
      const PdQueueItem *expected = &g_array_index (model, PdQueueItem, i);
      g_assert_cmpuint (got->when_class, ==, expected->when_class);
      g_assert_cmpuint (got->rank_sequence, ==, expected->rank_sequence);
      g_assert_cmpuint (got->what, ==, expected->what);
    }
  pd_queue_clear (&queue);
}

/* Where an item would come must be known for moments ahead, for the rest of the
 * run and for what is late. */
static void
test_queue_first (void)
{
  PdQueue queue = { 0 };
  PdQueueItem early = pd_queue_item (PD_TIME (9), TRUE, 7, 0);
  PdQueueItem first = pd_queue_item (PD_TIME (10), TRUE, 3, 0);
  PdQueueItem behind = pd_queue_item (PD_TIME (10), TRUE, 7, 0);

  g_assert_true (pd_queue_is_first (&queue, &behind));
  for (guint32 rank = 4; rank < 7; rank++)
    pd_queue_push (&queue, PD_TIME (10), TRUE, rank, 0);
  g_assert_true (pd_queue_is_first (&queue, &early));
  g_assert_false (pd_queue_is_first (&queue, &behind));
  pd_queue_pop (&queue);
  g_assert_true (pd_queue_is_first (&queue, &first));
  g_assert_false (pd_queue_is_first (&queue, &behind));
  pd_queue_push (&queue, PD_TIME (10), FALSE, 9, 0);
  g_assert_false (pd_queue_is_first (&queue, &first));
  g_assert_true (pd_queue_is_first (&queue, &early));
  pd_queue_clear (&queue);
}

/* ---- the least number */

static void
test_least (gconstpointer data)
{
  guint32 n = GPOINTER_TO_UINT (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed (n);
  g_autofree gboolean *model = g_new0 (gboolean, n);
  guint32 n_in = 0;
  PdMinSet least = { 0 };

  g_assert_true (pd_min_set_is_empty (&least));
  pd_min_set_resize (&least, n);
  for (guint i = 0; i < 20000 || n_in > 0; i++)
    {
      if (i < 20000 && g_rand_boolean (rand))
        {
          guint32 number = (guint32) g_rand_int_range (rand, 0, (gint32) n);
          n_in += model[number] ? 0 : 1;
          model[number] = TRUE;
          pd_min_set_add (&least, number);
        }
      else if (n_in > 0)
        {
          guint32 number = 0;
          while (!model[number])
            number++;
          g_assert_false (pd_min_set_is_empty (&least));
          g_assert_cmpuint (pd_min_set_take (&least), ==, number);
          model[number] = FALSE;
          n_in--;
        }
    }
  g_assert_true (pd_min_set_is_empty (&least));
  pd_min_set_clear (&least);
}

/* ---- pending transfers against a plain array */

#define N_PORTS 12

typedef struct
{
  guint32 id;
  guint32 source;
  guint32 target;
} Model;

typedef struct
{
  PdPendingTransfers transfers;
  PdPendingTransferOrder order;
  GArray *model; /* of Model */
  gboolean is_open[N_PORTS];
} Pending;

static guint32
queue_of (const Pending *self, guint32 port)
{
  return self->order == PD_PENDING_TOGETHER ? 0 : port;
}

/* The first one of a pair of ports, or of those in @queue whose other end is open. */
static const Model *
model_find (const Pending *self, guint32 source, guint32 target)
{
  for (guint i = 0; i < self->model->len; i++)
    {
      const Model *pending = &g_array_index (self->model, Model, i);
      if (pending->source == source && pending->target == target)
        return pending;
    }
  return NULL;
}

static const Model *
model_first_open (const Pending *self, guint32 queue)
{
  for (guint i = 0; i < self->model->len; i++)
    {
      const Model *pending = &g_array_index (self->model, Model, i);
      guint32 source = queue_of (self, pending->source), target = queue_of (self, pending->target);
      if ((source == queue && self->is_open[target]) || (target == queue && self->is_open[source]))
        return pending;
    }
  return NULL;
}

static void
assert_same (const Pending *self, guint32 w, const Model *expected)
{
  g_assert_true ((expected == NULL) == (w == PD_PENDING_TRANSFER_NONE));
  if (expected != NULL)
    g_assert_cmpuint (self->transfers.transfers[w].id, ==, expected->id);
}

static void
add (Pending *self, const Model *made)
{
  PdPendingTransfer pending = { .id = made->id, .source = made->source, .target = made->target };

  pd_pending_transfers_add (&self->transfers, &pending);
  g_array_append_val (self->model, *made);
}

static void
remove_from (Pending *self, guint32 w)
{
  for (guint i = 0; i < self->model->len; i++)
    if (g_array_index (self->model, Model, i).id == self->transfers.transfers[w].id)
      {
        g_array_remove_index (self->model, i);
        break;
      }
  pd_pending_transfers_remove (&self->transfers, w);
}

/* All queues: the first one that can start; then, with fewer ports open, the next one. */
static void
check_queues (Pending *self, GRand *rand)
{
  guint32 firsts[N_PORTS];

  for (guint32 queue = 0; queue < self->transfers.n_queues; queue++)
    {
      firsts[queue] =
          pd_pending_transfers_first_open (&self->transfers, queue, PD_PENDING_TRANSFER_NONE);
      assert_same (self, firsts[queue], model_first_open (self, queue));
    }
  guint32 closed = (guint32) g_rand_int_range (rand, 0, (gint32) self->transfers.n_queues);
  self->is_open[closed] = FALSE;
  pd_pending_transfers_set_open (&self->transfers, closed, FALSE);
  for (guint32 queue = 0; queue < self->transfers.n_queues; queue++)
    if (firsts[queue] != PD_PENDING_TRANSFER_NONE && model_first_open (self, queue) != NULL
        && model_first_open (self, queue)->id != self->transfers.transfers[firsts[queue]].id)
      assert_same (self, pd_pending_transfers_first_open (&self->transfers, queue, firsts[queue]),
                   model_first_open (self, queue));
}

static Model
draw (const Pending *self, GRand *rand, guint32 id, gint32 n_ports)
{
  Model made = { .id = id,
                 .source = (guint32) g_rand_int_range (rand, 0, n_ports),
                 .target = (guint32) g_rand_int_range (rand, 0, n_ports) };

  if (self->order == PD_PENDING_BY_DIRECTION)
    {
      made.source &= ~1u;
      made.target |= 1u;
    }
  return made;
}

/* Grows and shrinks in waves, so that pending transfers are numbered anew while some of
 * the first ones still wait, and queues are of few and of many, with and without what is known of
 * their peers. */
static void
test_pending_transfers (gconstpointer data)
{
  static const gint32 n_ports[] = { N_PORTS, 4 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (GArray) model = g_array_new (FALSE, FALSE, sizeof (Model));
  Pending self = { .order = GPOINTER_TO_UINT (data), .model = model };

  pd_pending_transfers_init (&self.transfers, self.order == PD_PENDING_TOGETHER ? 1 : N_PORTS,
                             self.order);
  for (guint32 i = 0; i < 8000; i++)
    {
      Model made = draw (&self, rand, i, n_ports[i / 1000 % 2]);
      guint32 port = (guint32) g_rand_int_range (rand, 0, (gint32) self.transfers.n_queues);
      gint32 what = g_rand_int_range (rand, 0, 100);

      if (self.order != PD_PENDING_BY_DIRECTION)
        assert_same (&self, pd_pending_transfers_find (&self.transfers, made.source, made.target),
                     model_find (&self, made.source, made.target));
      self.is_open[port] = what % 3 > 0;
      pd_pending_transfers_set_open (&self.transfers, port, self.is_open[port]);
      guint32 w = pd_pending_transfers_first_open (&self.transfers, port, PD_PENDING_TRANSFER_NONE);
      if (what < (i / 500 % 2 == 0 ? 75 : 25))
        add (&self, &made);
      else if (w != PD_PENDING_TRANSFER_NONE && (port > 1 || i % 7 == 0))
        remove_from (&self, w);
      g_assert_cmpuint (self.transfers.n_waiting, ==, model->len);
      check_queues (&self, rand);
    }
  pd_pending_transfers_clear (&self.transfers);
}

int
main (int argc, char **argv)
{
  static const guint32 sizes[] = { 1, 64, 65, 4096, 5000 };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (queue_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/comsys/queue/", queue_cases[i].name, NULL);
      g_test_add_data_func (path, &queue_cases[i], test_queue);
    }
  g_test_add_func ("/comsys/queue/is-first", test_queue_first);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/least/%u", sizes[i]);
      g_test_add_data_func (path, GUINT_TO_POINTER (sizes[i]), test_least);
    }
  g_test_add_data_func ("/comsys/pending/by-direction", GUINT_TO_POINTER (PD_PENDING_BY_DIRECTION),
                        test_pending_transfers);
  g_test_add_data_func ("/comsys/pending/by-port", GUINT_TO_POINTER (PD_PENDING_BY_PORT),
                        test_pending_transfers);
  g_test_add_data_func ("/comsys/pending/together", GUINT_TO_POINTER (PD_PENDING_TOGETHER),
                        test_pending_transfers);
  return g_test_run ();
}
