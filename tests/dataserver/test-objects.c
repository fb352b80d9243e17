/* Versioned objects.
 * SPDX-License-Identifier: MIT */
#include "dataserver/pd-objects.h"

/* Objects are numbers on the heap; what was released is counted. */
static guint released[2];

static void
release_first (gpointer object)
{
  released[0]++;
  g_free (object);
}

static void
release_second (gpointer object)
{
  released[1]++;
  g_free (object);
}

static PdObjects *
new_store (void)
{
  static const GDestroyNotify unref[] = { release_first, release_second };

  released[0] = released[1] = 0;
  return pd_objects_new (unref, G_N_ELEMENTS (unref));
}

static gpointer
number (guint value)
{
  guint *object = g_new (guint, 1);

  *object = value;
  return object;
}

/* The number seen at @position; 0: none. */
static guint
see (const PdObjects *objects, guint kind, gint64 id, guint64 position)
{
  const guint *object = pd_objects_get (objects, kind, id, position);

  return object == NULL ? 0 : *object;
}

/* object 22, created by record 123, modified by 145. */
static void
test_versions (void)
{
  g_autoptr (PdObjects) objects = new_store ();

  pd_objects_put (objects, 0, 22, 123, number (123));
  pd_objects_put (objects, 0, 22, 145, number (145));
  g_assert_cmpuint (see (objects, 0, 22, 130), ==, 123);
  g_assert_cmpuint (see (objects, 0, 22, 144), ==, 123);
  g_assert_cmpuint (see (objects, 0, 22, 145), ==, 145);
  g_assert_cmpuint (see (objects, 0, 22, 150), ==, 145);
  g_assert_cmpuint (see (objects, 0, 22, 122), ==, 0);
  g_assert_true (pd_objects_close (objects, 0, 22, 160));
  g_assert_false (pd_objects_close (objects, 0, 22, 160));
  pd_objects_put (objects, 0, 22, 161, number (161));
  g_assert_cmpuint (see (objects, 0, 22, 159), ==, 145);
  g_assert_cmpuint (see (objects, 0, 22, 160), ==, 0);
  g_assert_cmpuint (see (objects, 0, 22, 170), ==, 161);
  /* processors at 150 and 130: the first version stays … */
  pd_objects_reclaim (objects, 130);
  g_assert_cmpuint (see (objects, 0, 22, 130), ==, 123);
  g_assert_cmpuint (pd_objects_get_n_versions (objects), ==, 3);
  /* … until the second passes 145 */
  pd_objects_reclaim (objects, 145);
  g_assert_cmpuint (released[0], ==, 1);
  g_assert_cmpuint (see (objects, 0, 22, 150), ==, 145);
  pd_objects_reclaim (objects, 160);
  g_assert_cmpuint (released[0], ==, 2);
  g_assert_cmpuint (pd_objects_get_n_versions (objects), ==, 1);
  g_assert_cmpuint (see (objects, 0, 22, 200), ==, 161);
}

/* Identifiers are re-used: a creation ends what lived under it. */
static void
test_reuse (void)
{
  g_autoptr (PdObjects) objects = new_store ();

  pd_objects_put (objects, 0, 7, 10, number (1));
  pd_objects_put (objects, 1, 7, 10, number (2));  /* another kind */
  pd_objects_put (objects, 0, -7, 10, number (3)); /* identifiers have 64 bits */
  pd_objects_put (objects, 0, 7, 20, number (4));
  g_assert_cmpuint (see (objects, 0, 7, 19), ==, 1);
  g_assert_cmpuint (see (objects, 0, 7, 20), ==, 4);
  g_assert_cmpuint (see (objects, 1, 7, 20), ==, 2);
  g_assert_cmpuint (see (objects, 0, -7, 20), ==, 3);
  g_assert_cmpuint (see (objects, 1, -7, 20), ==, 0);
  pd_objects_reclaim (objects, 20);
  g_assert_cmpuint (released[0], ==, 1);
  g_assert_cmpuint (released[1], ==, 0);
}

/* Two creations at one position: the later one holds, and the earlier one,
 * which no position sees, is not kept. */
static void
test_same_position (void)
{
  g_autoptr (PdObjects) objects = new_store ();

  pd_objects_put (objects, 0, 7, 5, number (1));
  pd_objects_put (objects, 0, 7, 10, number (2));
  pd_objects_put (objects, 0, 7, 10, number (3));
  g_assert_cmpuint (see (objects, 0, 7, 9), ==, 1);
  g_assert_cmpuint (see (objects, 0, 7, 10), ==, 3);
  g_assert_cmpuint (released[0], ==, 1);
  g_assert_cmpuint (pd_objects_get_n_versions (objects), ==, 2);
}

/* Made and deleted at one position: it was never there. */
static void
test_made_and_deleted (void)
{
  g_autoptr (PdObjects) objects = new_store ();

  pd_objects_put (objects, 0, 7, 5, number (1));
  pd_objects_close (objects, 0, 7, 8);
  for (guint i = 0; i < 1000; i++)
    {
      pd_objects_put (objects, 0, 7, 10, number (2 + i));
      g_assert_cmpuint (see (objects, 0, 7, 10), ==, 2 + i);
      g_assert_true (pd_objects_close (objects, 0, 7, 10));
      g_assert_cmpuint (see (objects, 0, 7, 10), ==, 0);
      g_assert_cmpuint (pd_objects_get_n_versions (objects), ==, 1);
    }
  g_assert_cmpuint (see (objects, 0, 7, 7), ==, 1);
  g_assert_cmpuint (see (objects, 0, 7, 8), ==, 0);
  g_assert_cmpuint (released[0], ==, 1000);
  pd_objects_reclaim (objects, 8);
  g_assert_cmpuint (pd_objects_get_n_versions (objects), ==, 0);
  pd_objects_put (objects, 0, 7, 11, number (5));
  g_assert_cmpuint (see (objects, 0, 7, 11), ==, 5);
}

static void
test_missing (void)
{
  g_autoptr (PdObjects) objects = new_store ();

  g_assert_null (pd_objects_get (objects, 0, 1, 0));
  g_assert_false (pd_objects_close (objects, 0, 1, 0));
  pd_objects_reclaim (objects, G_MAXUINT64);
}

/* Against a plain list of all versions, through 20,000 random changes. */
typedef struct
{
  guint64 from, to;
  guint value;
} Plain;

#define N_IDS 5

static guint
see_plain (const GArray *versions, guint64 position)
{
  guint value = 0;

  for (guint i = 0; i < versions->len; i++)
    {
      const Plain *version = &g_array_index (versions, Plain, i);
      if (version->from <= position && position < version->to)
        value = version->value; /* the last one holds */
    }
  return value;
}

static void
change (PdObjects *objects, GArray *versions, gint64 id, guint64 position, guint value)
{
  Plain *last = versions->len == 0 ? NULL : &g_array_index (versions, Plain, versions->len - 1);

  if (last != NULL && last->to == G_MAXUINT64)
    last->to = position;
  if (value == 0)
    {
      pd_objects_close (objects, 0, id, position);
      return;
    }
  Plain version = { position, G_MAXUINT64, value };
  g_array_append_val (versions, version);
  pd_objects_put (objects, 0, id, position, number (value));
}

static void
test_random (void)
{
  g_autoptr (PdObjects) objects = new_store ();
  g_autoptr (GRand) random = g_rand_new_with_seed (29);
  GArray *plain[N_IDS];
  guint64 position = 0, reclaimed = 0;

  for (guint i = 0; i < N_IDS; i++)
    plain[i] = g_array_new (FALSE, FALSE, sizeof (Plain));
  for (guint i = 1; i < 20000; i++)
    {
      guint id = g_rand_int (random) % N_IDS;
      position += g_rand_int (random) % 3 / 2;
      change (objects, plain[id], id, position, g_rand_int (random) % 4 == 0 ? 0 : i);
      if (i % 50 == 0)
        pd_objects_reclaim (objects, reclaimed = position - MIN (position, 20));
      for (guint k = 0; k < N_IDS; k++)
        {
          guint64 at = position - g_rand_int (random) % (position - reclaimed + 1);
          g_assert_cmpuint (see (objects, 0, k, at), ==, see_plain (plain[k], at));
        }
    }
  pd_objects_reclaim (objects, position);
  g_assert_cmpuint (pd_objects_get_n_versions (objects), <=, N_IDS);
  for (guint i = 0; i < N_IDS; i++)
    g_array_unref (plain[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dataserver/objects/versions", test_versions);
  g_test_add_func ("/dataserver/objects/reuse", test_reuse);
  g_test_add_func ("/dataserver/objects/same-position", test_same_position);
  g_test_add_func ("/dataserver/objects/made-and-deleted", test_made_and_deleted);
  g_test_add_func ("/dataserver/objects/missing", test_missing);
  g_test_add_func ("/dataserver/objects/random", test_random);
  return g_test_run ();
}
