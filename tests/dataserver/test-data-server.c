/* The data server, with an interpreter that counts.
 * SPDX-License-Identifier: MIT */
#include "dataserver/pd-data-server.h"

typedef struct
{
  guint64 number;
  guint64 value;
} Step;

/* Makes numbered steps, @batch per call; fails, or ends, where it is told to. */
typedef struct
{
  guint64 n_calls;
  guint64 n_steps;
  guint64 end;
  guint64 failure; /* step at which an error is met; 0 = never */
  guint batch;
} Counter;

static gint64 n_alive;

static gboolean
interpret (gpointer interpreter, PdDataServer *server, GError **error)
{
  Counter *self = interpreter;

  self->n_calls++;
  if (self->failure != 0 && self->n_steps >= self->failure)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_IO, "met");
      return FALSE;
    }
  if (self->n_steps == self->end)
    return FALSE;
  for (guint i = 0; i < self->batch && self->n_steps < self->end; i++)
    {
      g_assert_cmpuint (pd_data_server_get_n_steps (server), ==, self->n_steps);
      Step *step = pd_data_server_append (server);
      g_assert_cmpuint (step->value, ==, 0);
      *step = (Step){ self->n_steps, self->n_steps * 7 + 1 };
      self->n_steps++;
      n_alive++;
    }
  return TRUE;
}

static void
clear_step (gpointer data)
{
  Step *step = data;

  g_assert_cmpuint (step->value, ==, step->number * 7 + 1);
  step->value = 0;
  n_alive--;
}

static const PdInterpreterClass class = { sizeof (Step), interpret, clear_step };

static guint64
get (PdDataServer *server, PdStepBlock **block, guint64 number)
{
  g_autoptr (GError) error = NULL;
  const Step *step = pd_data_server_get (server, block, number, &error);

  g_assert_no_error (error);
  g_assert_nonnull (step);
  g_assert_cmpuint (step->number, ==, number);
  return step->value;
}

/* Every reader sees every step; each is made once. */
static void
test_readers (gconstpointer data)
{
  Counter counter = { .end = 1000, .batch = GPOINTER_TO_UINT (data) };
  const guint n = 7;
  PdStepBlock *blocks[7];
  guint64 places[7] = { 0 };
  g_autoptr (GRand) random = g_rand_new_with_seed (counter.batch);
  g_autoptr (GError) error = NULL;

  n_alive = 0;
  {
    g_autoptr (PdDataServer) server = pd_data_server_new (&class, &counter, NULL, n);
    g_assert_cmpuint (counter.n_calls, ==, 0);
    for (guint i = 0; i < n; i++)
      blocks[i] = pd_data_server_enter (server);
    for (guint done = 0; done < n;)
      {
        guint i = g_rand_int (random) % n;
        for (guint k = g_rand_int (random) % 100; k > 0 && places[i] < counter.end; k--)
          {
            g_assert_cmpuint (get (server, &blocks[i], places[i]), ==, places[i] * 7 + 1);
            /* once more: it stays */
            g_assert_cmpuint (get (server, &blocks[i], places[i]), ==, places[i] * 7 + 1);
            if (++places[i] == counter.end)
              done++;
          }
      }
    g_assert_cmpuint (counter.n_steps, ==, counter.end);
    g_assert_cmpuint (counter.n_calls, ==, (counter.end + counter.batch - 1) / counter.batch);
    for (guint i = 0; i < n; i++)
      g_assert_null (pd_data_server_get (server, &blocks[i], counter.end, &error));
    g_assert_no_error (error);
    g_assert_cmpuint (counter.n_calls, ==, (counter.end + counter.batch - 1) / counter.batch + 1);
  }
  g_assert_cmpint (n_alive, ==, 0);
}

/* Two readers, @distance apart, through a million steps. */
static void
test_window (gconstpointer data)
{
  guint64 distance = GPOINTER_TO_UINT (data);
  Counter counter = { .end = 1000000, .batch = 1 };
  gint64 most = 0;

  n_alive = 0;
  g_autoptr (PdDataServer) server = pd_data_server_new (&class, &counter, NULL, 2);
  PdStepBlock *fast = pd_data_server_enter (server), *slow = pd_data_server_enter (server);
  for (guint64 i = 0; i < counter.end; i++)
    {
      get (server, &fast, i);
      if (i >= distance)
        get (server, &slow, i - distance);
      most = MAX (most, n_alive);
    }
  g_assert_cmpint (most, <=, (gint64) distance + 2 * PD_BLOCK_STEPS);
  g_assert_cmpint (most, >=, (gint64) distance);
  g_assert_cmpuint (pd_data_server_get_peak (server), <=, distance + 3 * PD_BLOCK_STEPS);
  g_assert_cmpuint (pd_data_server_get_peak (server), >=, distance);
}

/* A reader that stands still holds everything behind it. */
static void
test_lag (void)
{
  Counter counter = { .end = 100000, .batch = 3 };

  n_alive = 0;
  g_autoptr (PdDataServer) server = pd_data_server_new (&class, &counter, NULL, 3);
  PdStepBlock *blocks[3];
  for (guint i = 0; i < 3; i++)
    blocks[i] = pd_data_server_enter (server);
  for (guint64 i = 0; i < 50000; i++)
    {
      get (server, &blocks[0], i);
      get (server, &blocks[1], i);
    }
  g_assert_cmpint (n_alive, >=, 50000);
  g_assert_cmpuint (pd_data_server_get_peak (server), >=, 50000);
  get (server, &blocks[2], 49999); /* by that it has passed all earlier ones */
  g_assert_cmpint (n_alive, <=, 2 * PD_BLOCK_STEPS);
}

/* Who has left a block in the middle does not free it before the oldest. */
static void
test_middle (void)
{
  Counter counter = { .end = 1000, .batch = 1 };

  n_alive = 0;
  g_autoptr (PdDataServer) server = pd_data_server_new (&class, &counter, NULL, 2);
  PdStepBlock *a = pd_data_server_enter (server), *b = a;
  get (server, &a, 500);
  get (server, &a, 999);
  g_assert_cmpint (n_alive, ==, 1000);
  for (guint64 i = 0; i < 1000; i += 333)
    get (server, &b, i);
  g_assert_cmpint (n_alive, <=, PD_BLOCK_STEPS);
}

/* Who jumps has passed what is in between: it is forgotten as if it had been
 * walked through, and what comes next is read as ever. */
static void
test_jump (gconstpointer data)
{
  guint64 target = GPOINTER_TO_UINT (data);
  Counter counter = { .end = 2000, .batch = 1 };

  n_alive = 0;
  g_autoptr (PdDataServer) server = pd_data_server_new (&class, &counter, NULL, 3);
  PdStepBlock *a = pd_data_server_enter (server), *b = a, *c = a;
  for (guint64 i = 0; i < target; i++)
    get (server, &a, i);
  PdStepBlock *last = pd_data_server_get_newest (server);
  g_assert_cmpuint (last->first + last->n, ==, target);
  pd_data_server_jump (server, &b, last);
  get (server, &b, target);
  g_assert_cmpint (n_alive, ==, (gint64) target + 1); /* c needs it all */
  pd_data_server_jump (server, &c, last);
  g_assert_cmpint (n_alive, <=, 2 * PD_BLOCK_STEPS);
  get (server, &c, target);
  get (server, &a, 1999);
  get (server, &b, 1999);
  get (server, &c, 1999);
  g_assert_cmpint (n_alive, <=, PD_BLOCK_STEPS);
}

/* The error is told once; after it nothing comes any more. */
static void
test_error (void)
{
  Counter counter = { .end = 1000, .batch = 10, .failure = 100 };
  g_autoptr (GError) error = NULL;

  n_alive = 0;
  {
    g_autoptr (PdDataServer) server = pd_data_server_new (&class, &counter, NULL, 2);
    PdStepBlock *a = pd_data_server_enter (server), *b = a;
    for (guint64 i = 0; i < 100; i++)
      get (server, &a, i);
    g_assert_null (pd_data_server_get (server, &a, 100, &error));
    g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_IO);
    guint64 calls = counter.n_calls;
    get (server, &b, 99);
    g_assert_null (pd_data_server_get (server, &b, 100, NULL));
    g_assert_cmpuint (counter.n_calls, ==, calls);
  }
  g_assert_cmpint (n_alive, ==, 0);
}

static void
test_empty (void)
{
  Counter counter = { .end = 0, .batch = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdDataServer) server = pd_data_server_new (&class, &counter, NULL, 1);
  PdStepBlock *block = pd_data_server_enter (server);

  g_assert_null (pd_data_server_get (server, &block, 0, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (pd_data_server_get_n_steps (server), ==, 0);
}

/* Versions are reclaimed when their last reader has gone on. */
static void
test_objects (void)
{
  static const GDestroyNotify unref[] = { g_free };
  Counter counter = { .end = 1000, .batch = 1 };
  g_autoptr (PdObjects) objects = pd_objects_new (unref, 1);
  g_autoptr (PdDataServer) server = pd_data_server_new (&class, &counter, objects, 2);
  PdStepBlock *a = pd_data_server_enter (server), *b = a;

  for (guint64 i = 0; i < 1000; i++)
    {
      pd_objects_put (objects, 0, 5, i, g_new0 (guint, 1));
      get (server, &a, i);
    }
  g_assert_cmpuint (pd_objects_get_n_versions (objects), ==, 1000);
  g_assert_nonnull (pd_objects_get (objects, 0, 5, 0));
  get (server, &b, 999);
  g_assert_cmpuint (pd_objects_get_n_versions (objects), <=, PD_BLOCK_STEPS);
  g_assert_nonnull (pd_objects_get (objects, 0, 5, 999));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/dataserver/data-server/readers/1", GUINT_TO_POINTER (1), test_readers);
  g_test_add_data_func ("/dataserver/data-server/readers/3", GUINT_TO_POINTER (3), test_readers);
  g_test_add_data_func ("/dataserver/data-server/readers/200", GUINT_TO_POINTER (200),
                        test_readers);
  g_test_add_data_func ("/dataserver/data-server/window/0", GUINT_TO_POINTER (0), test_window);
  g_test_add_data_func ("/dataserver/data-server/window/100", GUINT_TO_POINTER (100), test_window);
  g_test_add_data_func ("/dataserver/data-server/window/10000", GUINT_TO_POINTER (10000),
                        test_window);
  g_test_add_func ("/dataserver/data-server/lag", test_lag);
  g_test_add_func ("/dataserver/data-server/middle", test_middle);
  for (guint target = 1; target <= 2 * PD_BLOCK_STEPS; target += 21) /* 64 and 127, too */
    {
      g_autofree char *path = g_strdup_printf ("/dataserver/data-server/jump/%u", target);
      g_test_add_data_func (path, GUINT_TO_POINTER (target), test_jump);
    }
  g_test_add_func ("/dataserver/data-server/error", test_error);
  g_test_add_func ("/dataserver/data-server/empty", test_empty);
  g_test_add_func ("/dataserver/data-server/objects", test_objects);
  return g_test_run ();
}
