/* Which known word was meant.
 * SPDX-License-Identifier: MIT */
#include "base/pd-nearest.h"

#include <string.h>

static const char *const commands[] = { "run",     "advise", "sweep",  "serve",   "record",
                                        "analyse", "check",  "report", "convert", NULL };

static const struct
{
  const char *name;
  const char *word;
  const char *expected; /* NULL: nothing is near */
} rows[] = {
  { "swapped", "rnu", "run" },
  { "left-out", "anlyse", "analyse" },
  { "too-much", "recordd", "record" },
  { "replaced", "analyze", "analyse" },
  { "same", "check", "check" },
  { "one-letter", "seree", "serve" },
  { "begun", "conv", "convert" },
  { "begun-by-two", "re", NULL },
  { "far", "letter", NULL },
  { "two-of-three", "rab", NULL },
  { "nothing", "", NULL },
  { "no-text", "\xff\xfe\x80", NULL },
};

static void
test_row (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *hint = pd_nearest_format (rows[i].word, commands);

  g_assert_cmpstr (pd_nearest_find (rows[i].word, commands), ==, rows[i].expected);
  g_assert_cmpint (hint[0] == '\0', ==, rows[i].expected == NULL);
  if (rows[i].expected != NULL)
    g_assert_nonnull (strstr (hint, rows[i].expected));
}

static void
test_joined (void)
{
  g_autofree char *found = pd_nearest_format_joined ("topolgy", "latency, topology, nodes");
  g_autofree char *none = pd_nearest_format_joined ("topolgy", "latency");
  g_autofree char *empty = pd_nearest_format_joined ("topolgy", "");

  g_assert_nonnull (strstr (found, "'topology'"));
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (empty, ==, "");
}

static void
test_long (void)
{
  g_autofree char *word = g_strnfill (100, 'x');
  const char *const known[] = { word, "xx", NULL };

  g_assert_null (pd_nearest_find (word, known));
  g_assert_cmpstr (pd_nearest_find ("xxx", known), ==, "xx");
  g_assert_null (pd_nearest_find ("xxx", known + 2));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/base/nearest/", rows[i].name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_row);
    }
  g_test_add_func ("/base/nearest/long", test_long);
  g_test_add_func ("/base/nearest/joined", test_joined);
  return g_test_run ();
}
