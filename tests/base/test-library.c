/* Libraries loaded when something needs them.
 * SPDX-License-Identifier: MIT */
#include "base/pd-library.h"

#include <zlib.h>

#define FUNCTIONS(F) F (zlibVersion) F (crc32)

PD_LIBRARY_DEFINE (zlib, "libz.so.1", FUNCTIONS);

static void
test_loaded (void)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (pd_library_load (&zlib_library, &error));
      g_assert_no_error (error);
    }
  g_assert_cmpstr (zlib.zlibVersion (), ==, zlibVersion ());
  g_assert_cmpuint (zlib.crc32 (0, (const Bytef *) "123456789", 9), ==, 0xcbf43926);
}

static void
test_missing (void)
{
  static const struct
  {
    const char *file, *function, *message;
  } rows[] = { { "libpredictor-missing.so.9", "crc32", "libpredictor-missing.so.9" },
               { "libz.so.1", "pd_no_such_function", "pd_no_such_function" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *names[] = { rows[i].function, NULL };
      gpointer function;
      PdLibrary library = { rows[i].file, names, &function, NULL, FALSE };
      g_autoptr (GError) error = NULL;
      g_assert_false (pd_library_load (&library, &error));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED);
      g_assert_true (g_str_has_prefix (error->message, "a library cannot be loaded: "));
      g_assert_nonnull (strstr (error->message, rows[i].message));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/loaded", test_loaded);
  g_test_add_func ("/library/missing", test_missing);
  return g_test_run ();
}
