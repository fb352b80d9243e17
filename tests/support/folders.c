/* SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"

#include <glib/gstdio.h>

void
test_remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);
      test_remove_all (child);
    }
  g_remove (path);
}

guint
test_count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}
