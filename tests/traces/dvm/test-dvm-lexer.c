/* Header lines, parameters and tables of DVM traces.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-lexer.h"
#include "traces/dvm/pd-dvm-line.h"
#include "traces/dvm/pd-dvm-values.h"

#include <string.h>

static PdDvmText
text_of (const char *s)
{
  return (PdDvmText){ s, s + strlen (s) };
}

static gboolean
text_equals (PdDvmText text, const char *s)
{
  return pd_dvm_text_length (text) == strlen (s) && memcmp (text.begin, s, strlen (s)) == 0;
}

/* ---- tables */

static void
test_tables (void)
{
  g_assert_cmpint (PD_DVM_N_FUNCTIONS - 1, ==, 288);
  for (guint f = 1; f < PD_DVM_N_FUNCTIONS; f++)
    {
      const char *name = pd_dvm_function_get_name (f);
      g_assert_cmpint (pd_dvm_function_lookup (name, strlen (name)), ==, f);
      g_assert_cmpint (pd_dvm_function_lookup (name, strlen (name) - 1), !=, f);
      g_assert_nonnull (pd_dvm_class_get_name (pd_dvm_function_get_class (f)));
    }
  for (guint k = 1; k < PD_DVM_N_KEYS; k++)
    {
      const char *name = pd_dvm_key_get_name (k);
      g_assert_cmpint (pd_dvm_key_lookup (name, strlen (name)), ==, k);
    }
  g_assert_cmpint (pd_dvm_function_lookup ("", 0), ==, PD_DVM_UNKNOWN);
  g_assert_cmpint (pd_dvm_function_lookup ("crtda", 5), ==, PD_DVM_UNKNOWN);
  g_assert_cmpint (pd_dvm_function_get_class (PD_DVM_UNKNOWN), ==, PD_DVM_CLASS_REG);
  g_assert_cmpint (pd_dvm_function_get_class (PD_DVM_srmem_), ==, PD_DVM_CLASS_XFER);
  g_assert_cmpint (pd_dvm_function_get_class (PD_DVM_delps_), ==, PD_DVM_CLASS_OBJ);
}

static const struct
{
  const char *name;
  PdDvmKey key;
  PdDvmFunction function;
  gboolean is_ret;
  PdDvmKind kind;
} kinds[] = {
  { "res-of-fopen", PD_DVM_KEY_Res, PD_DVM_dvm_fopen, TRUE, PD_DVM_KIND_HEX },
  { "res-of-putc", PD_DVM_KEY_Res, PD_DVM_dvm_putc, TRUE, PD_DVM_KIND_CHAR },
  { "res-of-fread", PD_DVM_KEY_Res, PD_DVM_dvm_fread, TRUE, PD_DVM_KIND_DEC },
  { "type-of-fopen", PD_DVM_KEY_Type, PD_DVM_dvm_fopen, FALSE, PD_DVM_KIND_STRING },
  { "type-of-setvbuf", PD_DVM_KEY_Type, PD_DVM_dvm_setvbuf, FALSE, PD_DVM_KIND_DEC },
  { "newsign-of-realn", PD_DVM_KEY_NewSign, PD_DVM_realn_, FALSE, PD_DVM_KIND_HEX },
  { "newsign-of-redis", PD_DVM_KEY_NewSign, PD_DVM_redis_, FALSE, PD_DVM_KIND_DEC },
  { "locindtypeptr", PD_DVM_KEY_LocIndTypePtr, PD_DVM_dinsrd_, FALSE, PD_DVM_KIND_DEC },
  { "lengtharray", PD_DVM_KEY_LengthArray, PD_DVM_srmem_, FALSE, PD_DVM_KIND_HEX },
};

static void
test_kind (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_assert_cmpint (pd_dvm_key_get_kind_in (kinds[i].key, kinds[i].function, kinds[i].is_ret), ==,
                   kinds[i].kind);
}

/* ---- TIME */

static const struct
{
  const char *text;
  gboolean ok;
  gint64 ps;
} times[] = {
  { "0.00000095", TRUE, 950000 },
  { "0", TRUE, 0 },
  { "1", TRUE, 1000000000000 },
  { "12.000001", TRUE, 12000001000000 },
  { "0.123456789012", TRUE, 123456789012 },
  { "0.1234567890124", TRUE, 123456789012 },
  { "0.1234567890125", TRUE, 123456789013 },
  { "0.9999999999999", TRUE, 1000000000000 },
  { "9223372.036854775807", TRUE, G_MAXINT64 },
  { "9223372.036854775808", FALSE, 0 },
  { "99999999999999999999999", FALSE, 0 },
  { "-0.5", FALSE, 0 },
  { "nan", FALSE, 0 },
  { "inf", FALSE, 0 },
  { "1.", FALSE, 0 },
  { ".5", FALSE, 0 },
  { "1e5", FALSE, 0 },
  { "0.5x", FALSE, 0 },
  { "", FALSE, 0 },
};

static void
test_times (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      gint64 ps = -7;
      g_test_message ("%s", times[i].text);
      g_assert_cmpint (pd_dvm_time_parse (text_of (times[i].text), &ps), ==, times[i].ok);
      g_assert_cmpint (ps, ==, times[i].ok ? times[i].ps : -7);
    }
}

/* ---- header lines */

static const struct
{
  const char *name;
  const char *text;
  int kind; /* -1: no header line */
  const char *function;
  gint64 ps; /* -1: bad */
  gint64 line;
  const char *file;
} lines[] = {
  { "plain", "call_crtda_                TIME=0.00000133 LINE=20     FILE=a.cdv", PD_DVM_LINE_CALL,
    "crtda_", 1330000, 20, "a.cdv" },
  { "ret", "ret_dvm_Init               TIME=0.00032288 LINE=20     FILE=a.cdv", PD_DVM_LINE_RET,
    "dvm_Init", 322880000, 20, "a.cdv" },
  { "event", "Event_dvm_exit             TIME=0.1 LINE=46     FILE=jac.fdv", PD_DVM_LINE_SINGLE,
    "Event_dvm_exit", 100000000000, 46, "jac.fdv" },
  { "number", "613                        TIME=0.1 LINE=46     FILE=jac.fdv", PD_DVM_LINE_SINGLE,
    "613", 100000000000, 46, "jac.fdv" },
  { "keyword", "NAME=call_crtda_                TIME=0.000001 LINE=5      FILE=x", PD_DVM_LINE_CALL,
    "crtda_", 1000000, 5, "x" },
  { "two-times", "call_x_   TIME=0.000001 0.027513 LINE=5      FILE=x", PD_DVM_LINE_CALL, "x_",
    1000000, 5, "x" },
  { "no-line", "call_x_                    TIME=0.00000095 LINE=       FILE=x", PD_DVM_LINE_CALL,
    "x_", 950000, 0, "x" },
  { "no-file", "call_x_ TIME=1.0 LINE=3      FILE=", PD_DVM_LINE_CALL, "x_", 1000000000000, 3, "" },
  { "null-file", "call_x_ TIME=1.0 LINE=3      FILE=(null)", PD_DVM_LINE_CALL, "x_", 1000000000000,
    3, "" },
  { "odd-file", "call_x_ TIME=1.0 LINE=3      FILE=C:\\my dir; a=b.fdv  ", PD_DVM_LINE_CALL, "x_",
    1000000000000, 3, "C:\\my dir; a=b.fdv" },
  { "wide-line", "call_x_ TIME=1.0 LINE=12345678 FILE=x", PD_DVM_LINE_CALL, "x_", 1000000000000,
    12345678, "x" },
  { "negative", "call_x_ TIME=-0.5 LINE=3      FILE=x", PD_DVM_LINE_CALL, "x_", -1, 3, "x" },
  { "nan", "call_x_ TIME=nan LINE=3      FILE=x", PD_DVM_LINE_CALL, "x_", -1, 3, "x" },
  { "inner", "Format=call_x_ TIME=1.0 LINE=3      FILE=x", -1, NULL, 0, 0, NULL },
  { "no-time", "call_biinter line=12; nitem=3;", -1, NULL, 0, 0, NULL },
  { "no-number", "call_x_ TIME= LINE=3      FILE=x", -1, NULL, 0, 0, NULL },
  { "cut", "call_x_ TIME=1.0 LINE=3", -1, NULL, 0, 0, NULL },
  { "other-order", "call_x_ LINE=3 TIME=1.0 FILE=x", -1, NULL, 0, 0, NULL },
  { "other-name", "start_x_ TIME=1.0 LINE=3 FILE=x", -1, NULL, 0, 0, NULL },
  { "no-name", "call_ TIME=1.0 LINE=3 FILE=x", -1, NULL, 0, 0, NULL },
  { "bad-name", "call_x-y TIME=1.0 LINE=3 FILE=x", -1, NULL, 0, 0, NULL },
};

static void
test_line (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdDvmLine line;
  gboolean ok = pd_dvm_line_parse (text_of (lines[i].text), &line);

  g_assert_cmpint (ok, ==, lines[i].kind >= 0);
  if (!ok)
    return;
  g_assert_cmpint (line.kind, ==, lines[i].kind);
  g_assert_true (text_equals (line.name, lines[i].function));
  g_assert_cmpint (line.time_bad, ==, lines[i].ps < 0);
  g_assert_cmpint (line.time_ps, ==, MAX (lines[i].ps, 0));
  g_assert_cmpint (line.line, ==, lines[i].line);
  g_assert_true (text_equals (line.file, lines[i].file));
}

/* No prefix of a header line is one before FILE=, and none after is refused. */
static void
test_line_cut (void)
{
  const char *whole = "call_crtda_                TIME=0.00000133 LINE=20     FILE=a.cdv";
  gsize file = (gsize) (strstr (whole, "FILE=") - whole) + 5;
  PdDvmLine line;

  for (gsize n = 0; n <= strlen (whole); n++)
    {
      g_autofree char *cut = g_strndup (whole, n);
      g_assert_cmpint (pd_dvm_line_parse (text_of (cut), &line), ==, n >= file);
    }
}

/* ---- values */

static const struct
{
  const char *text;
  gboolean hex_ok, dec_ok, float_ok;
  gint64 hex, dec;
  gdouble number;
} values[] = {
  { "10", TRUE, TRUE, TRUE, 16, 10, 10 },
  { "525e34", TRUE, FALSE, TRUE, 0x525e34, 0, 525e34 },
  { "ffffffffffffffff", TRUE, FALSE, FALSE, -1, 0, 0 },
  { "1ffffffffffffffff", FALSE, FALSE, FALSE, 0, 0, 0 },
  { "NULL", TRUE, FALSE, FALSE, 0, 0, 0 },
  { "-12", FALSE, TRUE, TRUE, 0, -12, -12 },
  { "-0.000000", FALSE, FALSE, TRUE, 0, 0, -0.0 },
  { "99999999999999999999", FALSE, TRUE, TRUE, 0, G_MAXINT64, 1e20 },
  { "-99999999999999999999", FALSE, TRUE, TRUE, 0, G_MININT64, -1e20 },
  { "140724603453440", TRUE, TRUE, TRUE, 0x140724603453440, 140724603453440, 140724603453440.0 },
  { "nan", FALSE, FALSE, FALSE, 0, 0, 0 },
  { "1e999", TRUE, FALSE, FALSE, 0x1e999, 0, 0 },
  { "", FALSE, FALSE, FALSE, 0, 0, 0 },
  { "-", FALSE, FALSE, FALSE, 0, 0, 0 },
};

static void
test_values (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      gint64 n = 0;
      gdouble d = 0;

      g_test_message ("%s", values[i].text);
      g_assert_cmpint (pd_dvm_parse_hex (text_of (values[i].text), &n), ==, values[i].hex_ok);
      g_assert_cmpint (n, ==, values[i].hex);
      n = 0;
      g_assert_cmpint (pd_dvm_parse_dec (text_of (values[i].text), &n), ==, values[i].dec_ok);
      g_assert_cmpint (n, ==, values[i].dec);
      g_assert_cmpint (pd_dvm_parse_float (text_of (values[i].text), &d), ==, values[i].float_ok);
      g_assert_cmpfloat (d, ==, values[i].number);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traces/dvm-lexer/tables", test_tables);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/dvm-lexer/kind/", kinds[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_kind);
    }
  g_test_add_func ("/traces/dvm-lexer/time", test_times);
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/dvm-lexer/line/", lines[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_line);
    }
  g_test_add_func ("/traces/dvm-lexer/line-cut", test_line_cut);
  g_test_add_func ("/traces/dvm-lexer/values", test_values);
  return g_test_run ();
}
