/* What cannot fit into memory is refused before it is allocated.
 * SPDX-License-Identifier: MIT */
#include "base/memory/pd-memory.h"

#include <sys/resource.h>

static const struct
{
  const char *name;
  guint64 limit, bytes;
  const char *message; /* (nullable): none */
} cases[] = {
  { "no-limit", RLIM_INFINITY, G_MAXUINT64 - 1, NULL },
  { "equal", 256 << 20, 256 << 20, NULL },
  { "less", 256 << 20, 1, NULL },
  { "more", 256 << 20, (256 << 20) + 1,
    "7 ranks need at least 256 MiB of memory: the limit is 256 MiB, see --max-memory" },
  { "terabytes", 1 << 30, (G_GUINT64_CONSTANT (3) << 40) + 1,
    "7 ranks need at least 3 TiB of memory: the limit is 1 GiB, see --max-memory" },
};

static void
test_limit (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  struct rlimit before, own;

  g_assert_cmpint (getrlimit (RLIMIT_DATA, &before), ==, 0);
  own = before;
  own.rlim_cur = MIN (cases[i].limit, before.rlim_max);
  g_assert_cmpint (setrlimit (RLIMIT_DATA, &own), ==, 0);
  gboolean fits = pd_memory_check (7, "ranks", cases[i].bytes, &error);
  g_assert_cmpint (setrlimit (RLIMIT_DATA, &before), ==, 0);
  if (cases[i].message == NULL)
    {
      g_assert_no_error (error);
      g_assert_true (fits);
      return;
    }
  g_assert_false (fits);
  g_assert_error (error, PD_MEMORY_ERROR, 0);
  g_assert_cmpstr (error->message, ==, cases[i].message);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/base/memory/", cases[i].name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_limit);
    }
  return g_test_run ();
}
