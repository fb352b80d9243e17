/* Runs a fuzz target over the files named on the command line, or, for
 * "--tap", over every file of tests/fuzz/corpus/NAME as one TAP test.
 * SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static gboolean
replay (const char *path)
{
  g_autofree char *data = NULL;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, NULL))
    return FALSE;
  LLVMFuzzerTestOneInput ((const guint8 *) data, size);
  return TRUE;
}

int
main (int argc, char **argv)
{
  gboolean ok = TRUE;

  if (argc == 2 && strcmp (argv[1], "--tap") == 0)
    {
      g_autofree char *name = g_path_get_basename (argv[0]);
      g_autofree char *folder = g_build_filename ("tests", "fuzz", "corpus", name, NULL);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *file;
      guint n = 0;

      while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (folder, file, NULL);
          ok = replay (path) && ok;
          n++;
        }
      g_print ("1..1\n%sok 1 /fuzz/%s/corpus (%u files)\n", ok && n > 0 ? "" : "not ", name, n);
      return ok && n > 0 ? 0 : 1;
    }
  for (int i = 1; i < argc; i++)
    ok = replay (argv[i]) && ok;
  return ok ? 0 : 1;
}
