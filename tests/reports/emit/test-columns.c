/* Tables for people: the same description as text and in pages.
 * SPDX-License-Identifier: MIT */
#include "reports/emit/pd-columns.h"

#include <math.h>
#include <string.h>

#define HEAD(attributes) "<div class=\"scroll\" tabindex=\"0\"><table" attributes ">\n<thead><tr>"
#define TAIL             "</tbody></table></div>\n"

static void
add_row (PdColumns *to, const char *label, guint depth, guint part)
{
  static const PdColumn columns[] = { { "<Name", "<Name" },     { "N", "Number" },
                                      { NULL, "Page only" },    { "Text only", NULL },
                                      { "Share%", "Share, %" }, { "<", "<Bar" } };

  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_label (to, label, depth);
  pd_columns_add_count (to, part);
  pd_columns_add_markup (to, NULL, "<td><b>x</b></td>");
  pd_columns_add_text (to, "t<\x01>");
  pd_columns_add_share (to, (PdTimeSum){ part }, (PdTimeSum){ 2 * part });
  pd_columns_add_bar (to, part, 20);
}

static char *
write_rows (guint width, gboolean tree)
{
  PdColumns to = { .out = g_string_new (NULL), .width = width, .tree = tree, .open = tree ? 1 : 0 };

  add_row (&to, "a & b", 0, 10);
  add_row (&to, "c", 1, 0);
  g_assert_cmpuint (to.n_rows, ==, 2);
  pd_columns_end (&to);
  return g_string_free (to.out, FALSE);
}

static void
test_text (void)
{
  g_autofree char *text = write_rows (80, FALSE);

  g_assert_cmpstr (text, ==,
                   "Name    N  Text only  Share%\n"
                   "a & b  10    t<\\x01>    50.0  ####################\n"
                   "  c     0    t<\\x01>       -\n");
}

static void
test_page (void)
{
  g_autofree char *table = write_rows (0, FALSE), *tree = write_rows (0, TRUE);

  g_assert_cmpstr (
      table, ==,
      HEAD ("") "<th scope=\"col\" class=\"l\">Name</th><th scope=\"col\">Number</th>"
                "<th scope=\"col\">Page only</th><th scope=\"col\">Share, %</th>"
                "<th scope=\"col\" class=\"l\">Bar</th></tr></thead>\n<tbody>\n"
                "<tr><td class=\"l\">a &#38; b</td><td>10</td><td><b>x</b></td><td>50.0</td>"
                "<td class=\"b\"><div class=\"bar\"><span class=\"c\" style=\"width:50.0%\">"
                "</span></div></td></tr>\n"
                "<tr><td class=\"l\" style=\"--deep:1\">c</td><td>0</td><td><b>x</b></td>"
                "<td>0.0</td><td class=\"b\"><div class=\"bar\"><span class=\"c\" "
                "style=\"width:0.0%\"></span></div></td></tr>\n" TAIL);
  g_assert_true (g_str_has_prefix (
      tree, HEAD (" class=\"tree\" role=\"treegrid\" data-open=\"1\"") "<th scope"));
  g_assert_nonnull (strstr (tree, "<tr aria-level=\"1\"><td class=\"l\">a &#38; b</td>"));
  g_assert_nonnull (
      strstr (tree, "<tr aria-level=\"2\"><td class=\"l\" style=\"--deep:1\">c</td>"));
}

/* A table without rows is there only if it was begun; the next one has its own columns. */
static void
test_begin (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_auto (PdColumns) to = { .out = out };

  pd_columns_end (&to);
  g_assert_cmpstr (out->str, ==, "");
  g_assert_true (pd_columns_begin (&to, &(PdColumn){ "A", "A" }, 1));
  g_assert_false (pd_columns_begin (&to, &(PdColumn){ "B", "B" }, 1));
  pd_columns_end (&to);
  g_assert_cmpstr (out->str, ==, HEAD ("") "<th scope=\"col\">A</th></tr></thead>\n<tbody>\n" TAIL);
  g_string_truncate (out, 0);
  g_assert_true (pd_columns_begin (&to, &(PdColumn){ "C", "C" }, 1));
  pd_columns_add_column (&to, "D", "<D");
  pd_columns_add_fixed (&to, NAN, 3);
  pd_columns_add_fixed (&to, 1.25, 3);
  pd_columns_end (&to);
  g_assert_cmpstr (
      out->str, ==,
      HEAD ("") "<th scope=\"col\">C</th><th scope=\"col\" class=\"l\">D</th></tr>"
                "</thead>\n<tbody>\n<tr><td>-</td><td class=\"l\">1.250</td></tr>\n" TAIL);
  pd_columns_begin (&to, &(PdColumn){ "E", "E" }, 1); /* cleared without an end */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/columns/text", test_text);
  g_test_add_func ("/columns/page", test_page);
  g_test_add_func ("/columns/begin", test_begin);
  return g_test_run ();
}
