/* SHA-256 against GLib's, of all lengths around a block, in one piece and in
 * several.
 * SPDX-License-Identifier: MIT */
#include "base/pd-sha256.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void
compare (const guint8 *data, gsize n, gsize step)
{
  g_autoptr (GChecksum) theirs = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 expected[PD_SHA256_SIZE], digest[PD_SHA256_SIZE];
  gsize size = sizeof expected;
  PdSha256 sum;

  g_checksum_update (theirs, data, (gssize) n);
  g_checksum_get_digest (theirs, expected, &size);
  pd_sha256_init (&sum);
  for (gsize pos = 0; pos < n; pos += step)
    pd_sha256_update (&sum, data + pos, MIN (step, n - pos));
  pd_sha256_finish (&sum, digest);
  g_assert_true (memcmp (digest, expected, sizeof digest) == 0);
}

static void
test_lengths (void)
{
  static const gsize steps[] = { 1, 7, 63, 64, 65, 1000 };
  guint8 data[1000];

  for (gsize i = 0; i < sizeof data; i++)
    data[i] = (guint8) (i * i >> 3);
  for (gsize n = 0; n < 300; n++)
    for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
      compare (data, n, steps[i]);
  compare (data, sizeof data, sizeof data);
}

/* As text, at once and in parts. */
static void
test_text (void)
{
  static const char data[] = "abc";
  g_autofree char *theirs = g_compute_checksum_for_string (G_CHECKSUM_SHA256, data, -1);
  g_autofree char *once = pd_sha256_of (data, 3), *parts = NULL;
  PdSha256 sum;

  pd_sha256_init (&sum);
  pd_sha256_update (&sum, data, 1);
  pd_sha256_update (&sum, data + 1, 2);
  parts = pd_sha256_finish_text (&sum);
  g_assert_cmpstr (once, ==, theirs);
  g_assert_cmpstr (parts, ==, theirs);
}

/* A file: empty, small, and so large that a thread sums it; and one that is none. */
static void
test_file (void)
{
  static const gsize sizes[] = { 0, 1000, 3 << 20 };
  g_autofree char *path = g_strdup_printf ("%s/test-sha256.%d", g_get_tmp_dir (), (int) getpid ());

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *data = g_malloc (sizes[i] + 1), *expected = NULL, *sum = NULL;
      for (gsize k = 0; k < sizes[i]; k++)
        data[k] = (char) (k * k >> 5);
      g_assert_true (g_file_set_contents (path, data, (gssize) sizes[i], NULL));
      pd_sha256_file_stop (pd_sha256_file_begin (path));
      sum = pd_sha256_file_end (pd_sha256_file_begin (path));
      expected = pd_sha256_of (data, sizes[i]);
      g_assert_cmpstr (sum, ==, expected);
    }
  g_assert_cmpint (unlink (path), ==, 0);
  g_assert_null (pd_sha256_file_end (pd_sha256_file_begin (path)));
  g_assert_cmpint (errno, ==, ENOENT);
  g_assert_null (pd_sha256_file_end (pd_sha256_file_begin (g_get_tmp_dir ())));
  pd_sha256_file_stop (NULL);
  g_assert_cmpint (errno, ==, EISDIR);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/sha256/lengths", test_lengths);
  g_test_add_func ("/base/sha256/text", test_text);
  g_test_add_func ("/base/sha256/file", test_file);
  return g_test_run ();
}
