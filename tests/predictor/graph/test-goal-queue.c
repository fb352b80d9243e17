/* The event queue of graph simulation, against a sorted list.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-queue-private.h"

typedef struct
{
  const char *name;
  guint32 n;       /* events */
  gint64 spread;   /* pushed so far ahead at most, ps */
  gint64 step;     /* times are multiples of this */
  guint keep;      /* events in the queue, about */
  gboolean before; /* some come before what was popped */
  guint burst;     /* so many of a thousand come at once, and very soon */
} Case;

static const Case cases[] = {
  { "one-time", 20000, 1, 1, 5000, FALSE, 0 },
  { "few-times", 50000, 4000, 1000, 5000, FALSE, 0 },
  { "near", 50000, 100000, 1, 10, FALSE, 0 },
  { "bursts", 100000, 3000, 1, 4000, FALSE, 300 },
  { "wide-bursts", 100000, 300000, 1, 4000, FALSE, 300 },
  { "nanoseconds", 100000, 5000000, 1000, 3000, FALSE, 0 },
  { "picoseconds", 100000, 5000000, 1, 3000, FALSE, 0 },
  { "days", 50000, G_GINT64_CONSTANT (1) << 40, 1, 1000, FALSE, 0 },
  { "few-days", 20000, G_GINT64_CONSTANT (1) << 44, 1, 20, FALSE, 0 },
  { "backwards", 20000, 4000, 10, 100, TRUE, 0 },
};

static int
compare (gconstpointer a, gconstpointer b, gpointer data G_GNUC_UNUSED)
{
  return pd_goal_event_time_before (a, b) ? -1 : pd_goal_event_time_before (b, a);
}

static PdGoalEventTime
make_event (const Case *test, GRand *rand, gint64 now, guint32 number)
{
  gint64 ahead = (gint64) (g_rand_double (rand) * (gdouble) test->spread) / test->step * test->step;
  PdGoalEventTime event = { now + ahead, number, number };

  if (number % 1000 < test->burst)
    event.time = now + ahead % 32;
  /* Some go back with the number they had, as if they had waited. */
  if (g_rand_int (rand) % 4 == 0)
    event.number = number / 2;
  if (test->before && now > test->spread && g_rand_int (rand) % 8 == 0)
    event.time = now - ahead;
  return event;
}

static void
test_queue (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (GSequence) model = g_sequence_new (g_free);
  PdGoalQueue queue;
  PdGoalEventTime event = { 0 };
  guint32 n = 0;

  pd_goal_queue_init (&queue, test->before);
  while (n < test->n || !g_sequence_is_empty (model))
    {
      gboolean full =
          (guint) g_sequence_get_length (model) > g_rand_int (rand) % (2 * test->keep + 1);
      if (n < test->n && (!full || n % 1000 < test->burst))
        {
          PdGoalEventTime pushed = make_event (test, rand, event.time, n++);
          PdGoalEventTime *copy = g_new (PdGoalEventTime, 1);
          *copy = pushed;
          pd_goal_queue_push (&queue, pushed);
          g_sequence_insert_sorted (model, copy, compare, NULL);
          continue;
        }
      if (g_sequence_is_empty (model))
        continue;
      g_assert_true (pd_goal_queue_pop (&queue, &event));
      g_assert_cmpint (compare (&event, g_sequence_get (g_sequence_get_begin_iter (model)), NULL),
                       ==, 0);
      g_sequence_remove (g_sequence_get_begin_iter (model));
    }
  g_assert_false (pd_goal_queue_pop (&queue, &event));
  pd_goal_queue_clear (&queue);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/goal-queue/%s", cases[i].name);
      g_test_add_data_func (path, &cases[i], test_queue);
    }
  return g_test_run ();
}
