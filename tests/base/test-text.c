/* What comes from outside: text shown to people, cells of CSV, numbers, words of command lines.
 * SPDX-License-Identifier: MIT */
#include "base/pd-csv.h"
#include "base/pd-number.h"
#include "base/options/pd-option-words.h"
#include "base/pd-tails.h"
#include "base/pd-text.h"

#include <string.h>

static const struct
{
  const char *name;
  const char *text;
  const char *shown;
  gssize forbidden; /* the byte that XML cannot hold; -1: none */
} text_cases[] = {
  { "none", NULL, "", -1 },
  { "plain", "a b\\c 'd'", "a b\\c 'd'", -1 },
  { "cyrillic", "\xd0\xb3\xd1\x80\xd0\xb0\xd0\xbd\xd0\xb8\xd1\x86\xd0\xb0.f",
    "\xd0\xb3\xd1\x80\xd0\xb0\xd0\xbd\xd0\xb8\xd1\x86\xd0\xb0.f", -1 },
  { "hebrew", "\xd7\xa9\xd7\x9c", "\xd7\xa9\xd7\x9c", -1 },
  { "joined-emoji", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",
    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", -1 },
  { "escape", "a\033[31mb", "a\\x1b[31mb", 1 },
  { "lines", "a\r\n\tb", "a\\r\\n\\tb", -1 },
  { "delete", "a\177", "a\\x7f", -1 },
  { "control-of-two-bytes", "a\xc2\x9b", "a\\u009b", -1 },
  { "override", "a\xe2\x80\xae", "a\\u202e", -1 },
  { "isolate", "\xe2\x81\xa6", "\\u2066", -1 },
  { "end-of-line", "\xe2\x80\xa8", "\\u2028", -1 },
  { "byte-order-mark", "\xef\xbb\xbf", "\\ufeff", -1 },
  { "no-character", "ab\xef\xbf\xbf", "ab\\uffff", 2 },
  { "no-character-above", "\xf0\x9f\xbf\xbe", "\\U0001fffe", -1 },
  { "tag", "\xf3\xa0\x80\x81", "\\U000e0001", -1 },
  { "not-utf8", "a\xff\xfe", "a\\xff\\xfe", 1 },
  { "cut-off", "a\xd0", "a\\xd0", 1 },
  { "surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", 0 },
};

static void
test_text (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *text = text_cases[i].text != NULL ? text_cases[i].text : "";
  g_autofree char *shown = pd_text_show (text_cases[i].text);
  g_autofree char *again = pd_text_show (shown);
  const char *forbidden = pd_text_find_forbidden (text, strlen (text));

  g_assert_cmpstr (shown, ==, text_cases[i].shown);
  g_assert_cmpstr (again, ==, shown);
  g_assert_cmpint (forbidden != NULL ? forbidden - text : -1, ==, text_cases[i].forbidden);
}

static void
test_lines (void)
{
  g_autofree char *shown = pd_text_show_lines ("a\033\nb\r\n");

  g_assert_cmpstr (shown, ==, "a\\x1b\nb\\r\n");
}

/* ---- CSV */

static const struct
{
  const char *name;
  const char *text;
  const char *cell;
  const char *read; /* by the reader of files of ours; NULL: as @text */
} cell_cases[] = {
  { "plain", "a.c", "a.c", NULL },
  { "none", "", "", NULL },
  { "comma", "a,\"b\"", "\"a,\"\"b\"\"\"", NULL },
  { "equals", "=1+1", "'=1+1", NULL },
  { "plus", "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0", NULL },
  { "minus", "-a", "'-a", NULL },
  { "at", "@SUM(1)", "'@SUM(1)", NULL },
  { "equals-quoted", "=A1,\"x\"", "\"'=A1,\"\"x\"\"\"", NULL },
  { "apostrophe", "'a'", "'a'", NULL },
  { "negative", "-1.5e-3", "-1.5e-3", NULL },
  { "positive", "+4", "+4", NULL },
  { "escape", "=\033", "'=\\x1b", "=\\x1b" },
  { "tab", "\t=1", "\\t=1", "\\t=1" },
  { "lines", "a\nb", "a\\nb", "a\\nb" },
  { "not-utf8", "a\xff", "a\\xff", "a\\xff" },
};

static void
test_cell (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GString) out = g_string_new (NULL);
  GQuark domain = g_quark_from_static_string ("test");

  pd_csv_append (out, cell_cases[i].text);
  g_assert_cmpstr (out->str, ==, cell_cases[i].cell);
  g_string_append (out, ",x\n");
  g_autoptr (PdCsv) csv = pd_csv_new (out->str, out->len, "file", FALSE, domain, 0);
  g_assert_true (pd_csv_next_line (csv, NULL));
  g_assert_cmpstr (pd_csv_get_fields (csv)[0], ==,
                   cell_cases[i].read != NULL ? cell_cases[i].read : cell_cases[i].text);
}

/* ---- numbers */

static const struct
{
  const char *text;
  gboolean is_number;
  gdouble value;
  gsize begin; /* bytes of the number that it begins with */
} number_cases[] = {
  { "0", TRUE, 0, 1 },      { "-1.5e3", TRUE, -1500, 6 }, { "+.5", TRUE, .5, 3 },
  { "5.", TRUE, 5, 2 },     { "1e-2", TRUE, .01, 4 },     { "", FALSE, 0, 0 },
  { "0x10", FALSE, 0, 1 },  { "0x1p10", FALSE, 0, 1 },    { "inf", FALSE, 0, 0 },
  { "-inf", FALSE, 0, 0 },  { "nan", FALSE, 0, 0 },       { "infinity", FALSE, 0, 0 },
  { " 1", FALSE, 0, 0 },    { "1 ", FALSE, 1, 1 },        { "\t1", FALSE, 0, 0 },
  { "1kg", FALSE, 1, 1 },   { "1e", FALSE, 1, 1 },        { "1e+", FALSE, 1, 1 },
  { "1e999", FALSE, 0, 0 }, { ".", FALSE, 0, 0 },         { "-", FALSE, 0, 0 },
  { "--1", FALSE, 0, 0 },   { "1,5", FALSE, 1, 1 },
};

static void
test_numbers (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (number_cases); i++)
    {
      const char *text = number_cases[i].text, *end = text;
      gdouble value = -7, first = -7;
      gboolean is_number = pd_number_parse_real (text, &value);
      gboolean begins = pd_number_parse_real_before (text, &end, &first);

      g_test_message ("'%s'", text);
      g_assert_cmpint (is_number, ==, number_cases[i].is_number);
      g_assert_cmpfloat (value, ==, is_number ? number_cases[i].value : -7);
      g_assert_cmpuint ((gsize) (end - text), ==, number_cases[i].begin);
      g_assert_cmpfloat (first, ==, begins ? number_cases[i].value : -7);
    }
}

/* ---- words of the command line */

static gint option_jobs;
static gdouble option_bound;
static gboolean option_quiet;
static char *option_name;

static const GOptionEntry entries[] = {
  { "jobs", 'j', 0, G_OPTION_ARG_INT, &option_jobs, "jobs", "N" },
  { "bound", 'b', 0, G_OPTION_ARG_DOUBLE, &option_bound, "bound", "X" },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &option_quiet, "quiet", NULL },
  { "name", 'n', 0, G_OPTION_ARG_STRING, &option_name, "name", "NAME" },
  { .long_name = NULL },
};

static const struct
{
  const char *words;
  const char *found; /* jobs, bound, whether quiet, name and the arguments; NULL: an error, */
  const char *error; /* … with this in it */
} word_cases[] = {
  { "-j4 a", "4 0 0 - a", NULL },
  { "-j 4 a", "4 0 0 - a", NULL },
  { "--jobs=4 a", "4 0 0 - a", NULL },
  { "--jobs 4 a", "4 0 0 - a", NULL },
  { "-qj4 a", "4 0 1 - a", NULL },
  { "-n4x4 -q", "0 0 1 4x4", NULL },
  { "-n=4", "0 0 0 =4", NULL },
  { "-n-q a", "0 0 0 -q a", NULL },
  { "-n -q a", "0 0 0 -q a", NULL },
  { "-b1.5 -j-2", "-2 1.5 0 -", NULL },
  { "-q -- -j4", "0 0 1 - -j4", NULL },
  { "-- a -j4", "0 0 0 - a -j4", NULL },
  { "a -- -- b", "0 0 0 - a -- b", NULL },
  { "a --", "0 0 0 - a", NULL },
  { "- a", "0 0 0 - - a", NULL },
  { "-j", NULL, "-j" },
  { "-j0x10", NULL, "--jobs: '0x10', expected a whole number" },
  { "--jobs=010", NULL, "--jobs: '010', expected a whole number" },
  { "-j4x", NULL, "--jobs: '4x'" },
  { "-b inf", NULL, "--bound: 'inf', expected a number" },
  { "--bound=0x1p3", NULL, "--bound: '0x1p3'" },
  { "--quiet=yes", NULL, "--quiet takes no value, got 'yes'" },
  { "-x4", NULL, "-x" },
  { "--job 4", NULL, "--job" },
};

static void
test_words (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  const GOptionEntry *const tables[] = { entries, NULL };
  g_autofree char *line = g_strconcat ("program ", word_cases[i].words, NULL);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  char **argv = words;
  int argc = (int) g_strv_length (words);

  option_jobs = 0;
  option_bound = 0;
  option_quiet = FALSE;
  g_clear_pointer (&option_name, g_free);
  if (!pd_option_words_parse (context, tables, &argc, &argv, &error))
    {
      g_assert_null (word_cases[i].found);
      g_assert_nonnull (strstr (error->message, word_cases[i].error));
      return;
    }
  g_string_printf (found, "%d %g %d %s", option_jobs, option_bound, option_quiet,
                   option_name != NULL ? option_name : "-");
  for (int k = 1; k < argc; k++)
    g_string_append_printf (found, " %s", argv[k]);
  g_assert_cmpstr (found->str, ==, word_cases[i].found);
}

/* ---- names of files */

static void
test_tails (void)
{
  static const struct
  {
    const char *path;
    const char *tail;
  } cases[] = {
    { "/home/u/code/solver/halo.c", "solver/halo.c" },
    { "/home/u/code/mesh/halo.c", "mesh/halo.c" },
    { "/home/u/code/main.c", "code/main.c" },
    { "main.c", "main.c" }, /* all of it is the end of another one */
    { "/usr/lib/libm.so.6", "libm.so.6" },
    { "/lib/x.c", "/lib/x.c" },
    { "lib/x.c", "lib/x.c" },
    { "a/1/2/3/4/5/6/7/8/x", "a/1/2/3/4/5/6/7/8/x" }, /* too many parts alike */
    { "b/1/2/3/4/5/6/7/8/x", "b/1/2/3/4/5/6/7/8/x" },
    { "folder/", "folder/" },
    { "", "" },
  };
  g_autoptr (PdTails) tails = pd_tails_new ();

  for (guint round = 0; round < 2; round++) /* a name that is known is not another one */
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
      pd_tails_add (tails, cases[i].path);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (pd_tails_get (tails, cases[i].path), ==, cases[i].tail);
}

/* Lines break at blanks; a word that is too long stands alone; nothing is lost. */
static void
test_wrapped (void)
{
  static const struct
  {
    const char *text;
    const char *lines;
  } cases[] = {
    { "", "a: \n" },
    { "one", "a: one\n" },
    { "one two 10", "a: one two 10\n" }, /* just fits */
    { "one two 100", "a: one two\n   100\n" },
    { "incomprehensible 1", "a: incomprehensible\n   1\n" },
    { "1 incomprehensible", "a: 1\n   incomprehensible\n" },
    { "of it 12 %", "a: of it 12 %\n" },
    { "of all 12 %", "a: of all\n   12 %\n" }, /* a number and its sign stay together */
    { "100 %, yes", "a: 100 %, yes\n" },
    { "\u00e4\u00f6\u00fc\u00e4\u00f6 4444",
      "a: \u00e4\u00f6\u00fc\u00e4\u00f6 4444\n" }, /* characters, not bytes */
    { "x\ny", "a: x\\ny\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      pd_text_append_wrapped (out, "a: ", 3, 10, cases[i].text);
      g_assert_cmpstr (out->str, ==, cases[i].lines);
    }
}

/* Options and their values end where another program's command begins. */
static void
test_count (void)
{
  static const GOptionEntry options[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, NULL, NULL, NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
    { .long_name = NULL },
  };
  static const struct
  {
    const char *line;
    int n;
  } rows[] = {
    { "record mpiexec -n 2 ./a", 1 },
    { "record -q mpiexec -o x", 2 },
    { "record -o x mpiexec", 3 },
    { "record -ox mpiexec", 2 },
    { "record -qo x mpiexec", 3 },
    { "record -qox mpiexec", 2 },
    { "record --output x mpiexec -q", 3 },
    { "record --output=x mpiexec", 2 },
    { "record --quiet -- mpiexec", 2 },
    { "record -- -q", 1 },
    { "record -q", 2 },
    { "record -o", 2 },
    { "record --unknown mpiexec -n 2", 2 },
    { "record", 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (GStrv) words = g_strsplit (rows[i].line, " ", -1);
      g_assert_cmpint (pd_option_words_count (options, (int) g_strv_length (words), words), ==,
                       rows[i].n);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (text_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/base/text/", text_cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_text);
    }
  g_test_add_func ("/base/text/of-lines", test_lines);
  g_test_add_func ("/base/text/wrapped", test_wrapped);
  g_test_add_func ("/base/tails", test_tails);
  g_test_add_func ("/base/option-words/count", test_count);
  for (gsize i = 0; i < G_N_ELEMENTS (cell_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/base/csv/", cell_cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_cell);
    }
  g_test_add_func ("/base/number", test_numbers);
  for (gsize i = 0; i < G_N_ELEMENTS (word_cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/base/option-words/%s", word_cases[i].words);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_words);
    }
  int status = g_test_run ();
  g_clear_pointer (&option_name, g_free);
  return status;
}
