/* Block files: what is read, what is refused, what is found.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-block-file.h"
#include "predictor/dvm/layout/pd-block-find.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

static PdBlockFile *
read_text (const char *text, gsize size, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, size);

  return pd_block_file_new_from_bytes (bytes, "b", error);
}

static PdBlockFile *
read_good (const char *text)
{
  g_autoptr (GError) error = NULL;
  PdBlockFile *file = read_text (text, strlen (text), &error);

  g_assert_no_error (error);
  return file;
}

/* "12@3 sizes dim 1 on 2x2 = 5 1": place in the program @ line of the file */
static char *
show (const PdBlockFile *file)
{
  static const char *const kinds[] = { "sizes", "weights", "loads" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < pd_block_file_get_n (file); i++)
    {
      const PdBlockList *list = pd_block_file_get (file, i);
      g_string_append_printf (text, "%s:%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT " %s %s %u",
                              list->file, list->line, list->source_line, kinds[list->kind],
                              list->by_axis ? "axis" : "dim", list->number);
      for (guint d = 0; d < list->rank; d++)
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT, d == 0 ? " on " : "x", list->grid[d]);
      g_string_append (text, " =");
      for (guint k = 0; k < list->values->len; k++)
        if (list->kind == PD_BLOCK_SIZES)
          g_string_append_printf (text, " %" G_GINT64_FORMAT,
                                  g_array_index (list->values, gint64, k));
        else
          g_string_append_printf (text, " %g", g_array_index (list->values, gdouble, k));
      g_string_append_c (text, ';');
    }
  return g_string_free (text, FALSE);
}

static const struct
{
  const char *name;
  const char *text;
  const char *expected;
} good[] = {
  { "empty", "", "" },
  { "only-comments", "# one\n\n  \t\n   # two\n", "" },
  { "sizes", "a.fdv:12 sizes axis 1 = 5 1 0 4\n", "a.fdv:12@1 sizes axis 1 = 5 1 0 4;" },
  { "weights", "a.fdv:12 weights dim 4 = 1 2.5 1e-3 .5\n",
    "a.fdv:12@1 weights dim 4 = 1 2.5 0.001 0.5;" },
  { "loads", "a.fdv:12 loads axis 7 = 10 3*1\n", "a.fdv:12@1 loads axis 7 = 10 1 1 1;" },
  { "processors", "a:1 sizes axis 1 on 4 = 1 2 3 4\n", "a:1@1 sizes axis 1 on 4 = 1 2 3 4;" },
  { "grid", "a:1 sizes dim 2 on 4x2x1x9 = 3 4\n", "a:1@1 sizes dim 2 on 4x2x1x9 = 3 4;" },
  { "beyond-grid", "a:1 weights dim 3 on 4x2 = 3\n", "a:1@1 weights dim 3 on 4x2 = 3;" },
  { "blanks", " a:1\tsizes  dim 1=3   4  \r\n", "a:1@1 sizes dim 1 = 3 4;" },
  { "comment-after", "a:1 sizes dim 1 = 3 4 # 5\n", "a:1@1 sizes dim 1 = 3 4;" },
  { "no-comment", "a#b:1 sizes dim 1 = 3 4\n", "a#b:1@1 sizes dim 1 = 3 4;" },
  { "file-with-blank", "my prog.fdv:1 sizes dim 1 = 3 4\n", "my prog.fdv:1@1 sizes dim 1 = 3 4;" },
  { "file-with-signs", "c:/x=y:z:1 sizes dim 1 = 3 4\n", "c:/x=y:z:1@1 sizes dim 1 = 3 4;" },
  { "continued", "a:1 sizes \\\n dim 1 = 3 \\ # three\n\\\n 4\na:2 sizes dim 1 = 9\n",
    "a:1@1 sizes dim 1 = 3 4;a:2@5 sizes dim 1 = 9;" },
  { "by-program-line", "a:9 sizes dim 1 = 1\nb:3 sizes dim 1 = 2\na:3 sizes dim 1 = 3\n",
    "b:3@2 sizes dim 1 = 2;a:3@3 sizes dim 1 = 3;a:9@1 sizes dim 1 = 1;" },
  { "several",
    "a:1 sizes dim 1 = 1\na:1 sizes dim 1 = 1 2\na:1 sizes dim 1 on 2 = 1 2\n"
    "a:1 sizes axis 1 = 1 2\na:1 weights dim 1 = 1 2\n",
    "a:1@1 sizes dim 1 = 1;a:1@2 sizes dim 1 = 1 2;a:1@3 sizes dim 1 on 2 = 1 2;"
    "a:1@4 sizes axis 1 = 1 2;a:1@5 weights dim 1 = 1 2;" },
};

static void
test_good (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdBlockFile) file = read_good (good[i].text);
  g_autofree char *text = show (file);

  g_assert_cmpstr (text, ==, good[i].expected);
  g_assert_cmpstr (pd_block_file_get_name (file), ==, "b");
}

#define LIST "a:1 sizes dim 1 = 3 4\n"

static const struct
{
  const char *name;
  const char *text;
  int code;
  const char *place; /* with which the message begins */
} bad[] = {
  { "no-equals", "a:1 sizes dim 1 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "no-values", "a:1 sizes dim 1 =\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "no-place", "# x\nsizes dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:2: " },
  { "no-line", "a sizes dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "no-file", ":1 sizes dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "line-0", "a:0 sizes dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "line-no-number", "a:1x sizes dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "kind", LIST "a:1 size dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:2: " },
  { "no-kind", "a:1 dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "direction", "a:1 sizes dimension 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "nothing-before", "= 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "zero-byte", "a:1 sizes@dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:1: " },
  { "continued-place", "\n a:1 \\\n size dim 1 = 3 4\n", PD_BLOCK_FILE_ERROR_SYNTAX, "b:2: " },
  { "dim-0", "a:1 sizes dim 0 = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "dim-5", "a:1 sizes dim 5 = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "axis-8", "a:1 sizes axis 8 = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "axis-huge", "a:1 sizes axis 4294967297 = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "grid-0", "a:1 sizes dim 1 on 0 = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "grid-rank-5", "a:1 sizes dim 1 on 1x1x1x1x1 = 3\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "grid-no-number", "a:1 sizes dim 1 on 2x = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "grid-huge", "a:1 sizes dim 1 on 99999999999 = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "number-for-grid", "a:1 sizes dim 2 on 2x3 = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "number-beyond-grid", "a:1 sizes dim 3 on 2x3 = 3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "size-negative", "a:1 sizes dim 1 = 3 -4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "size-fraction", "a:1 sizes dim 1 = 3 4.5\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "size-huge", "a:1 sizes dim 1 = 9223372036854775808\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "weight-negative", "a:1 weights dim 1 = 1 -1\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "weight-infinite", "a:1 weights dim 1 = 1 1e999\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "weight-nan", "a:1 weights dim 1 = 1 nan\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "weight-hex", "a:1 weights dim 1 = 1 0x10\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "weight-two-points", "a:1 weights dim 1 = 1 1.2.3\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "load-negative", "a:1 loads dim 1 = 1 -1\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "all-0", "a:1 weights dim 1 = 0 0.0 0e5\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "all-sizes-0", "a:1 sizes dim 1 = 2*0\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "count-0", "a:1 sizes dim 1 = 0*3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "count-missing", "a:1 sizes dim 1 = *3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "count-twice", "a:1 sizes dim 1 = 2*2*3 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "value-missing", "a:1 sizes dim 1 = 2* 4\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "too-many", "a:1 loads dim 1 = 16777217*1\n", PD_BLOCK_FILE_ERROR_VALUE, "b:1: " },
  { "too-many-in-all", LIST "a:1 loads dim 1 = 16777215*1\n", PD_BLOCK_FILE_ERROR_VALUE, "b:2: " },
  { "twice", LIST "\n" LIST, PD_BLOCK_FILE_ERROR_TWICE, "b:3: " },
  { "twice-same-number", LIST "a:1 sizes dim 1 = 4 3\n", PD_BLOCK_FILE_ERROR_TWICE, "b:2: " },
  { "twice-on", "a:1 sizes dim 1 on 2x1 = 3 4\na:1 sizes dim 1 on 2x1 = 3 4\n",
    PD_BLOCK_FILE_ERROR_TWICE, "b:2: " },
  { "twice-loads", "a:1 loads dim 1 = 3 4\na:1 loads dim 1 = 3\n", PD_BLOCK_FILE_ERROR_TWICE,
    "b:2: " },
  { "no-end", LIST "a:1 sizes dim 2 = 3 4", PD_BLOCK_FILE_ERROR_TRUNCATED, "b:2: " },
  { "no-continuation", LIST "a:1 sizes dim 2 = 3 \\\n", PD_BLOCK_FILE_ERROR_TRUNCATED, "b:2: " },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gsize size = strlen (bad[i].text);
  g_autofree char *text = g_strdup (bad[i].text);
  g_autoptr (GError) error = NULL;

  g_strdelimit (text, "@", '\0');
  g_assert_null (read_text (text, size, &error));
  g_assert_error (error, PD_BLOCK_FILE_ERROR, bad[i].code);
  g_assert_true (g_str_has_prefix (error->message, bad[i].place));
}

/* Only between two lists can a file be cut unnoticed. */
static void
test_truncated (void)
{
  static const char text[] = "# lists\n"
                             "mesh.fdv:12 sizes axis 2 on 4x2 = 40 20 25 15 # four\n"
                             "\n"
                             "mesh.fdv:30 loads axis 1 = 10 \\\n"
                             "  99*1.5\n";

  for (gsize n = 0; n <= strlen (text); n++)
    {
      g_autofree char *part = g_memdup (text, (guint) n);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdBlockFile) file = read_text (part, n, &error);
      gboolean is_between = n == 0 || (text[n - 1] == '\n' && (n < 2 || text[n - 2] != '\\'));
      g_assert_true ((file != NULL) == is_between);
      if (!is_between)
        g_assert_error (error, PD_BLOCK_FILE_ERROR, PD_BLOCK_FILE_ERROR_TRUNCATED);
    }
}

static void
test_absent (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pd_block_file_new ("tests/data/absent.blocks", &error));
  g_assert_error (error, PD_BLOCK_FILE_ERROR, PD_BLOCK_FILE_ERROR_OPEN);
}

/* ---- finding */

static const char lists[] = "src/a.fdv:5 sizes dim 1 = 9 9\n"          /* 1 */
                            "a.fdv:5 sizes dim 1 = 1 2 3 4\n"          /* 2 */
                            "a.fdv:5 weights dim 1 = 1 2 3 4\n"        /* 3 */
                            "a.fdv:5 weights dim 2 on 8 = 1 2\n"       /* 4 */
                            "a.fdv:5 sizes axis 3 = 1 2\n"             /* 5 */
                            "a.fdv:5 weights dim 1 on 4x2 = 1 2 3 4\n" /* 6 */
                            "a.fdv:6 loads axis 1 = 5*1\n";            /* 7 */

static const struct
{
  const char *file;
  gint64 line;
  gint64 sizes[3]; /* of the grid */
  guint dim, axis;
  gint64 found; /* line of the list; 0 = none */
  gint64 other; /* 0 = none */
} queries[] = {
  { "a.fdv", 5, { 4, 1, 1 }, 0, 0, 2, 0 },     { "a.fdv", 5, { 4, 3, 1 }, 0, 0, 2, 0 },
  { "a.fdv", 5, { 4, 2, 1 }, 0, 0, 6, 0 },     { "a.fdv", 5, { 4, 2, 2 }, 0, 0, 2, 0 },
  { "a.fdv", 5, { 4, 2, 1 }, 1, 0, 4, 0 },     { "a.fdv", 5, { 2, 2, 2 }, 1, 0, 4, 0 },
  { "a.fdv", 5, { 2, 2, 1 }, 1, 0, 0, 4 },     { "a.fdv", 5, { 2, 2, 1 }, 1, 2, 5, 0 },
  { "a.fdv", 5, { 2, 2, 1 }, 0, 2, 5, 0 },     { "a.fdv", 5, { 4, 1, 1 }, 2, 2, 0, 5 },
  { "a.fdv", 5, { 3, 1, 1 }, 2, 1, 0, 0 },     { "dir/a.fdv", 5, { 4, 1, 1 }, 0, 0, 2, 0 },
  { "src/a.fdv", 5, { 2, 1, 1 }, 0, 0, 1, 0 }, { "top/src/a.fdv", 5, { 2, 1, 1 }, 0, 0, 0, 6 },
  { "b.fdv", 5, { 4, 1, 1 }, 0, 0, 0, 0 },     { "a.fdv", 4, { 4, 1, 1 }, 0, 0, 0, 0 },
  { "a.fdv", 7, { 4, 1, 1 }, 0, 0, 0, 0 },     { "a.fdv", 6, { 4, 1, 1 }, 0, 0, 7, 0 },
  { "a.fdv", 6, { 5, 1, 1 }, 0, 0, 7, 0 },     { "a.fdv", 6, { 6, 1, 1 }, 0, 0, 0, 7 },
  { NULL, 5, { 4, 1, 1 }, 0, 0, 0, 0 },
};

static void
test_find (void)
{
  g_autoptr (PdBlockFile) file = read_good (lists);

  for (gsize i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_autoptr (PdGrid) grid = pd_grid_new (3, queries[i].sizes, NULL);
      guint8 seen[7] = { 0 };
      PdBlockQuery query = { .file = queries[i].file,
                             .line = queries[i].line,
                             .grid = grid,
                             .dim = queries[i].dim,
                             .axis = queries[i].axis,
                             .seen = seen };
      const PdBlockList *other;
      const PdBlockList *list = pd_block_file_find (file, &query, &other);
      g_assert_cmpint (list != NULL ? list->source_line : 0, ==, queries[i].found);
      g_assert_cmpint (other != NULL ? other->source_line : 0, ==, queries[i].other);
      /* the lists are in the order of the file here */
      if (list != NULL || other != NULL)
        g_assert_cmpuint (seen[(list != NULL ? list : other)->source_line - 1], ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/block-file/good/", good[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_good);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/block-file/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/predictor/block-file/truncated", test_truncated);
  g_test_add_func ("/predictor/block-file/absent", test_absent);
  g_test_add_func ("/predictor/block-file/find", test_find);
  return g_test_run ();
}
