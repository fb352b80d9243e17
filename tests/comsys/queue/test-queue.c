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

#define N_ENDPOINTS 6

typedef struct
{
  guint32 id;
  guint32 source;
  guint32 target;
  gboolean is_in[N_ENDPOINTS]; /* that queue */
} Model;

static Model *
model_find (const GArray *model, guint32 source, guint32 target)
{
  for (guint i = 0; i < model->len; i++)
    {
      Model *pending = &g_array_index (model, Model, i);
      if (pending->source == source && pending->target == target)
        return pending;
    }
  return NULL;
}

static Model *
model_first (const GArray *model, guint32 queue)
{
  for (guint i = 0; i < model->len; i++)
    if (g_array_index (model, Model, i).is_in[queue])
      return &g_array_index (model, Model, i);
  return NULL;
}

static void
check_queue (PdPendingTransfers *transfers, const GArray *model, guint32 queue)
{
  const Model *expected = model_first (model, queue);
  guint32 w = pd_pending_transfers_first (transfers, queue);

  g_assert_true ((expected == NULL) == (w == PD_PENDING_TRANSFER_NONE));
  if (expected != NULL)
    g_assert_cmpuint (transfers->transfers[w].id, ==, expected->id);
}

static void
add (PdPendingTransfers *transfers, GArray *model, const Model *made, guint32 queue)
{
  PdPendingTransfer pending = { .id = made->id, .source = made->source, .target = made->target };
  Model entry = *made;

  pd_pending_transfers_add (transfers, &pending, queue);
  entry.is_in[queue] = TRUE;
  g_array_append_val (model, entry);
}

/* The first one of a queue goes over to that of its other endpoint. */
static void
move_first (PdPendingTransfers *transfers, GArray *model, guint32 from)
{
  Model *first = model_first (model, from);
  guint32 to = first == NULL || first->source == from ? 0 : first->source;

  if (first == NULL || first->source == first->target)
    return;
  if (first->source == from)
    to = first->target;
  pd_pending_transfers_move_first (transfers, from, to);
  first->is_in[from] = FALSE;
  first->is_in[to] = TRUE;
}

/* Grows and shrinks in waves, so that pending transfers are numbered anew while some of
 * the first ones still wait. */
static void
test_pending_transfers (gconstpointer data)
{
  gboolean is_shared = GPOINTER_TO_UINT (data) != 0;
  guint32 n_queues = is_shared ? 1 : N_ENDPOINTS;
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (GArray) model = g_array_new (FALSE, FALSE, sizeof (Model));
  PdPendingTransfers transfers;

  pd_pending_transfers_init (&transfers, n_queues);
  for (guint32 i = 0; i < 8000; i++)
    {
      Model made = { .id = i,
                     .source = (guint32) g_rand_int_range (rand, 0, N_ENDPOINTS),
                     .target = (guint32) g_rand_int_range (rand, 0, N_ENDPOINTS) };
      Model *found = model_find (model, made.source, made.target);
      guint32 w = pd_pending_transfers_find (&transfers, made.source, made.target);
      gint32 what = g_rand_int_range (rand, 0, 100);

      g_assert_true ((found == NULL) == (w == PD_PENDING_TRANSFER_NONE));
      if (found != NULL)
        g_assert_cmpuint (transfers.transfers[w].id, ==, found->id);
      if (what < (i / 500 % 2 == 0 ? 50 : 25))
        add (&transfers, model, &made, is_shared ? 0 : what % 2 == 0 ? made.source : made.target);
      else if (!is_shared && what >= 90)
        move_first (&transfers, model, made.source);
      else if (!is_shared && what >= 80 && found != NULL)
        {
          pd_pending_transfers_enqueue (&transfers, w, made.target);
          found->is_in[made.target] = TRUE;
        }
      else if (found != NULL && (made.source + made.target > 0 || i % 7 == 0))
        {
          pd_pending_transfers_remove (&transfers, w);
          g_array_remove_index (model, (guint) (found - &g_array_index (model, Model, 0)));
        }
      g_assert_cmpuint (transfers.n_waiting, ==, model->len);
      for (guint32 queue = 0; queue < n_queues; queue++)
        check_queue (&transfers, model, queue);
    }
  pd_pending_transfers_clear (&transfers);
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
  g_test_add_data_func ("/comsys/waiters/by-endpoint", GUINT_TO_POINTER (0),
                        test_pending_transfers);
  g_test_add_data_func ("/comsys/waiters/shared", GUINT_TO_POINTER (1), test_pending_transfers);
  return g_test_run ();
}
