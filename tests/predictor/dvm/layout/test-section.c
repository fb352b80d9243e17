/* Sections of arrays: index lists as traces have them, and shortening.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copies.h"
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

static char *
show_section (const PdSection *section)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < pd_layout_get_rank (section->layout); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT,
                            i > 0 ? "," : "", section->ranges[i].first, section->ranges[i].last,
                            section->ranges[i].step);
  return g_string_free (text, FALSE);
}

/* Of an array of 10 by 4; NULL: no list. */
static const struct
{
  const char *name;
  const char *first;
  const char *last;
  const char *step;
  const char *shown; /* NULL: refused */
  gint64 count;
} sections[] = {
  { "whole", NULL, NULL, NULL, "0:9:1,0:3:1", 40 },
  { "whole-despite-lists", NULL, "3,3", "2,2", "0:9:1,0:3:1", 40 },
  { "minus-one", "-1,2", "0,3", "5,1", "0:9:1,2:3:1", 20 },
  { "one-index", "7,0", "7,3", "3,2", "7:7:1,0:2:2", 2 },
  { "last-below-first", "7,1", "2,-1", "2,1", "7:7:1,1:1:1", 1 },
  { "last-beyond", "8,0", "100,9223372036854775807", "1,3", "8:9:1,0:3:3", 4 },
  { "last-not-hit", "1,0", "9,3", "3,2", "1:7:3,0:2:2", 6 },
  { "step-zero", "1,0", "3,3", "0,-7", "1:3:1,0:3:1", 12 },
  { "step-too-long", "1,0", "9,3", "9,9223372036854775807", "1:1:1,0:0:1", 1 },
  { "no-last", "1,2", NULL, "2,2", "1:1:1,2:2:1", 1 },
  { "no-step", "1,2", "3,3", NULL, "1:3:1,2:3:1", 6 },
  { "first-beyond", "10,0", "10,0", "1,1", NULL, 0 },
  { "first-far-beyond", "0,9223372036854775807", "1,1", "1,1", NULL, 0 },
  { "first-below", "-2,0", "5,0", "1,1", NULL, 0 },
};

static void
test_init (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gint64 first[16], last[16], step[16];
  g_autoptr (PdGrid) grid = test_grid ("4");
  g_autoptr (PdLayout) layout = test_template (grid, "10,4", "1");
  g_autoptr (GError) error = NULL;
  PdSection section;

  test_list (sections[i].first, first);
  test_list (sections[i].last, last);
  test_list (sections[i].step, step);
  gboolean ok = pd_section_init (&section, layout, sections[i].first != NULL ? first : NULL,
                                 sections[i].last != NULL ? last : NULL,
                                 sections[i].step != NULL ? step : NULL, &error);
  if (sections[i].shown == NULL)
    {
      g_assert_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE);
      g_assert_false (ok);
      return;
    }
  g_assert_no_error (error);
  g_autofree char *shown = show_section (&section);
  g_assert_cmpstr (shown, ==, sections[i].shown);
  g_assert_cmpint (pd_section_get_count (&section), ==, sections[i].count);
}

static const struct
{
  const char *sizes;
  const char *section;
  gint64 count;
  const char *shown;
  gint64 left;
} cuts[] = {
  { "10", NULL, 7, "0:6:1", 7 },
  { "10", NULL, 10, "0:9:1", 10 },
  { "10", NULL, 1000, "0:9:1", 10 },
  { "10", "1:9:2", 3, "1:5:2", 3 },
  { "10", "1:9:2", 1, "1:1:1", 1 },
  { "10,4", NULL, 13, "0:2:1,0:3:1", 12 },
  { "10,4", "2:8:3,0:3:1", 9, "2:5:3,0:3:1", 8 },
  { "10,4", "2:8:3,0:3:1", 4, "2:2:1,0:3:1", 4 },
  { "10,4", "2:8:3,1:3:2", 1, "2:2:1,1:1:1", 1 },
  { "10,4", NULL, 3, "0:0:1,0:2:1", 3 },
  { "3,3,3", NULL, 8, "0:0:1,0:1:1,0:2:1", 6 },
  { "3,3,3", NULL, 2, "0:0:1,0:0:1,0:1:1", 2 },
  { "5,1,2", NULL, 7, "0:2:1,0:0:1,0:1:1", 6 },
  { "3037000499,3037000499", NULL, 3037000500, "0:0:1,0:3037000498:1", 3037000499 },
};

static void
test_truncate (void)
{
  g_autoptr (PdGrid) grid = test_grid ("1");

  for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autoptr (PdLayout) layout = test_template (grid, cuts[i].sizes, "1");
      PdSection section;

      test_section (&section, layout, cuts[i].section);
      g_assert_cmpint (pd_section_truncate (&section, cuts[i].count), ==, cuts[i].left);
      g_autofree char *shown = show_section (&section);
      g_assert_cmpstr (shown, ==, cuts[i].shown);
      g_assert_cmpint (pd_section_get_count (&section), ==, cuts[i].left);
    }
}

static void
test_local (void)
{
  static const struct
  {
    const char *section;
    gint64 counts[5]; /* of processors 0 to 4 of 4 */
  } rows[] = {
    { NULL, { 10, 10, 10, 10, 0 } },
    { "0:9:2,1:3:1", { 3, 6, 2, 4, 0 } }, /* rows 0 2 4, 6 8; columns 1, 2 3 */
    { "1:8:1,3", { 0, 4, 0, 4, 0 } },
    { "5,0:3:3", { 0, 0, 1, 1, 0 } },
  };
  g_autoptr (PdGrid) grid = test_grid ("2x2");
  g_autoptr (PdLayout) layout = test_template (grid, "10,4", "1,2");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PdSection section;

      test_section (&section, layout, rows[i].section);
      for (guint32 p = 0; p < 5; p++)
        g_assert_cmpint (pd_section_get_local_count (&section, p), ==, rows[i].counts[p]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (sections); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/section/init/%s", sections[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_init);
    }
  g_test_add_func ("/predictor/section/truncate", test_truncate);
  g_test_add_func ("/predictor/section/local", test_local);
  return g_test_run ();
}
