/* Copies: the run-time system's messages, row by row.
 * SPDX-License-Identifier: MIT */
#include "tests/support/layouts.h"
#include "predictor/pd-dvm-copy.h"

#include <string.h>

/* A section of an array aligned with a template. */
typedef struct
{
  const char *template_sizes;
  const char *axes;
  const char *sizes;
  const char *rules;
  const char *section; /* "first:last:step" of each axis; NULL = whole */
} Part;

static PdLayout *
make_layout (PdGrid *grid, const Part *part)
{
  g_autoptr (PdLayout) pattern = test_template (grid, part->template_sizes, part->axes);
  g_autoptr (GError) error = NULL;
  PdLayout *layout = test_align (pattern, part->sizes, part->rules, &error);

  g_assert_no_error (error);
  return layout;
}

static void
read_section (PdSection *self, PdLayout *layout, const char *text)
{
  gint64 first[PD_MAX_RANK], last[PD_MAX_RANK], step[PD_MAX_RANK];
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    {
      char *end = NULL;

      first[i] = g_ascii_strtoll (words[i], &end, 10);
      last[i] = *end == ':' ? g_ascii_strtoll (end + 1, &end, 10) : first[i];
      step[i] = *end == ':' ? g_ascii_strtoll (end + 1, &end, 10) : 1;
    }
  g_assert_true (pd_section_init (self, layout, text != NULL ? first : NULL, last, step, &error));
  g_assert_no_error (error);
}

/* All messages sent, "p>q:bytes", by sender in its posting order. Checks what
 * holds of every plan. */
static char *
show_plan (const PdPlan *plan, guint32 n_processors)
{
  GString *text = g_string_new (NULL);
  guint n_sent = 0, n_received = 0;

  for (guint32 p = 0; p < n_processors; p++)
    {
      guint max = pd_plan_get_max (plan, p);
      g_autofree PdPlanMessage *messages = g_new (PdPlanMessage, max + 1);
      guint n = pd_plan_get_messages (plan, p, messages);

      g_assert_cmpuint (n, ==, max);
      for (guint i = 0; i < n; i++)
        {
          n_received += messages[i].send ? 0 : 1;
          n_sent += messages[i].send ? 1 : 0;
          if (messages[i].send)
            g_string_append_printf (text, "%s%u>%u:%" G_GINT64_FORMAT, text->len > 0 ? " " : "", p,
                                    messages[i].peer, messages[i].bytes);
        }
    }
  g_assert_cmpuint (n_sent, ==, n_received);
  g_assert_cmpuint (pd_plan_get_total (plan), >=, n_sent);
  return g_string_free (text, FALSE);
}

#define LINE     "10", "1", "10", "1*1+0"
#define ROWS     "10,4", "1", "10,4", "1*1+0,2*1+0"
#define SQUARE   "9,9", "1,2", "9,9", "1*1+0,2*1+0"
#define ON_ROWS  "9,9", "1,2", "9", "1*1+0,-1*0+0"
#define ON_COLS  "9,9", "1,2", "9", "-1*0+0,1*1+0"
#define EIGHT    "8,8", "1,2", "8,8", "1*1+0,2*1+0"
#define BUFFER_I "8,8", "1,2", "8", "1*1+0,-1*0+0"
#define EVERY    "8,8", "1,2", "8", "-1*0+0,-1*0+0"

static const struct
{
  const char *name;
  const char *grid;
  Part from;
  Part to;
  const char *messages;
} copies[] = {
  { "shifted", "4", { LINE, "0:8" }, { LINE, "1:9" }, "0>1:8 1>2:8 2>3:8" },
  { "strided", "4", { LINE, "0:8:2" }, { LINE, "0:4" }, "1>0:8 2>1:8 3>1:8" },
  { "to-replicated",
    "4",
    { LINE, NULL },
    { "10", "1", "10", "-1*0+0", NULL },
    "0>1:16 0>2:16 0>3:16 1>0:24 1>2:24 1>3:24 2>0:16 2>1:16 2>3:16 3>0:24 3>1:24 3>2:24" },
  { "from-replicated", "4", { "10", "1", "10", "-1*0+0", NULL }, { LINE, NULL }, "" },
  { "row-to-line", "4", { ROWS, "2,-1" }, { LINE, "0:3" }, "1>0:16" },
  { "column-to-row-of-3x3",
    "3x3",
    { SQUARE, "-1,4" },
    { ON_ROWS, NULL },
    "1>0:24 1>2:24 4>3:24 4>5:24 7>6:24 7>8:24" },
  { "redistribution",
    "4",
    { "8,8", "1", "8,8", "1*1+0,2*1+0", NULL },
    { "8,8", "2", "8,8", "1*1+0,2*1+0", NULL },
    "0>1:32 0>2:32 0>3:32 1>0:32 1>2:32 1>3:32 2>0:32 2>1:32 2>3:32 3>0:32 3>1:32 3>2:32" },
  { "realignment",
    "4",
    { "10", "1", "8", "1*1+0", NULL },
    { "10", "1", "8", "1*1+2", NULL },
    "0>1:16 1>2:16 2>3:16" },
  { "buffer-B(i,3)", "2x2", { EIGHT, "-1,3" }, { BUFFER_I, NULL }, "0>1:32 2>3:32" },
  { "buffer-B(*,3)",
    "2x2",
    { EIGHT, "-1,3" },
    { EVERY, NULL },
    "0>1:32 0>2:32 0>3:32 2>0:32 2>1:32 2>3:32" },
  { "buffer-B(5,3)",
    "2x2",
    { EIGHT, "5,3" },
    { "8,8", "1,2", "1", "-1*0+0,-1*0+0", NULL },
    "2>0:8 2>1:8 2>3:8" },
  { "buffer-B(j,i)",
    "2x2",
    { EIGHT, NULL },
    { "8,8", "1,2", "8,8", "2*1+0,1*1+0", NULL },
    "1>2:128 2>1:128" },
};

static void
test_copy (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid (copies[i].grid);
  g_autoptr (PdLayout) from_layout = make_layout (grid, &copies[i].from);
  g_autoptr (PdLayout) to_layout = make_layout (grid, &copies[i].to);
  PdSection from, to;

  read_section (&from, from_layout, copies[i].from.section);
  read_section (&to, to_layout, copies[i].to.section);
  g_assert_cmpint (pd_section_get_count (&from), ==, pd_section_get_count (&to));
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  g_autofree char *shown = show_plan (plan, pd_grid_get_n (grid) + 1);
  g_assert_cmpstr (shown, ==, copies[i].messages);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/copy/%s", copies[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_copy);
    }
  return g_test_run ();
}
