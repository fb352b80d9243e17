/* The recorder's table of handles against one of GLib.
 * SPDX-License-Identifier: MIT */
#include "record/life/pd-rec-handles.h"

#include <glib.h>
#include <stdlib.h>

static guint32
expected_of (GHashTable *expected, guintptr key)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (expected, (gconstpointer) key));
}

/* Keys as MPI libraries give them: addresses far apart, numbers close together. */
static void
test_random (gconstpointer data)
{
  guintptr step = *(const guintptr *) data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (20 + (guint32) step);
  g_autoptr (GHashTable) expected = g_hash_table_new (NULL, NULL);
  PdRecHandles map = { NULL, 0, 0 };

  for (guint i = 0; i < 200000; i++)
    {
      guintptr key = (guintptr) (g_rand_int_range (rand, 0, 2000) + 1) * step;
      guint32 value = g_rand_boolean (rand) ? i + 1 : 0;

      g_assert_cmpuint (pd_rec_handles_get (&map, key), ==, expected_of (expected, key));
      g_assert_true (pd_rec_handles_set (&map, key, value));
      if (value != 0)
        g_hash_table_insert (expected, (gpointer) key, GUINT_TO_POINTER (value));
      else
        g_hash_table_remove (expected, (gpointer) key);
      g_assert_cmpuint (map.n, ==, g_hash_table_size (expected));
    }
  for (guintptr i = 1; i <= 2000; i++)
    g_assert_cmpuint (pd_rec_handles_get (&map, i * step), ==, expected_of (expected, i * step));
  pd_hash_map_clear (&map);
}

/* What comes and goes does not make the table grow. */
static void
test_size (void)
{
  PdRecHandles map = { NULL, 0, 0 };
  gsize size;

  g_assert_cmpuint (pd_rec_handles_get (&map, 5), ==, 0);
  g_assert_true (pd_rec_handles_set (&map, 5, 0));
  for (guint i = 0; i < 10; i++)
    g_assert_true (pd_rec_handles_set (&map, i, 1));
  size = map.size;
  for (guint i = 10; i < 100000; i++)
    {
      g_assert_true (pd_rec_handles_set (&map, i, 1));
      g_assert_true (pd_rec_handles_set (&map, i - 10, 0));
    }
  g_assert_cmpuint (map.size, ==, size);
  g_assert_cmpuint (map.n, ==, 10);
  pd_hash_map_clear (&map);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    guintptr step;
  } rows[] = {
    { "numbers", 1 },
    { "pages", 4096 },
    { "objects", 0x150 },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strdup_printf ("/record/handles/%s", rows[i].name);
      g_test_add_data_func (path, &rows[i].step, test_random);
    }
  g_test_add_func ("/record/handles/size", test_size);
  return g_test_run ();
}
