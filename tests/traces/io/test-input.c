/* Plain, gzip and zstd input: what is decoded, and what is told about the end.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-input.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define SIZE 3000

typedef enum
{
  PLAIN,
  GZIP,
  ZSTD
} Coding;

static const char *const names[] = { "plain", "gzip", "zstd" };

static GBytes *
make_text (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; text->len < SIZE; i++)
    g_string_append_printf (text, "%u line\n", i * i);
  return g_string_free_to_bytes (text);
}

static void
append_coded (GByteArray *to, Coding coding, GBytes *bytes)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);
  guint8 buffer[2 * SIZE];
  z_stream stream = { 0 };

  if (coding == PLAIN)
    g_byte_array_append (to, data, (guint) size);
  else if (coding == ZSTD)
    {
      /* with a checksum, as the program zstd does it */
      ZSTD_CCtx *context = ZSTD_createCCtx ();
      ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
      gsize n = ZSTD_compress2 (context, buffer, sizeof buffer, data, size);
      g_assert_false (ZSTD_isError (n));
      g_byte_array_append (to, buffer, (guint) n);
      ZSTD_freeCCtx (context);
    }
  else
    {
      g_assert_cmpint (deflateInit2 (&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), ==,
                       Z_OK);
      stream.next_in = (Bytef *) data;
      stream.avail_in = (uInt) size;
      stream.next_out = buffer;
      stream.avail_out = sizeof buffer;
      g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
      g_byte_array_append (to, buffer, sizeof buffer - stream.avail_out);
      deflateEnd (&stream);
    }
}

/* Whether @n bytes are the beginning of @text. */
static gboolean
is_text (const guint8 *data, gsize n, GBytes *text)
{
  return n <= g_bytes_get_size (text)
         && (n == 0 || memcmp (data, g_bytes_get_data (text, NULL), n) == 0);
}

static PdInputProblem
read_all (const GByteArray *coded, gsize size, gsize chunk, GByteArray *to)
{
  g_autoptr (GBytes) bytes = g_bytes_new (coded->data, size);
  g_autoptr (PdInput) input = pd_input_new_from_bytes (bytes);
  const PdWindow *window = pd_input_get_window (input);

  pd_input_set_chunk (input, chunk);
  g_byte_array_set_size (to, 0);
  while (pd_input_fill (input, window->size))
    g_byte_array_append (to, (const guint8 *) window->data, (guint) window->size);
  return pd_input_get_problem (input);
}

static void
test_members (gconstpointer data)
{
  Coding coding = (Coding) GPOINTER_TO_INT (data);
  static const gsize chunks[] = { 1, 7, 100, G_MAXSIZE };
  g_autoptr (GBytes) text = make_text ();
  g_autoptr (GByteArray) coded = g_byte_array_new ();
  g_autoptr (GByteArray) got = g_byte_array_new ();
  gsize size = g_bytes_get_size (text);

  append_coded (coded, coding, text);
  append_coded (coded, coding, text);
  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_assert_cmpint (read_all (coded, coded->len, chunks[i], got), ==, PD_INPUT_FINE);
      g_assert_cmpuint (got->len, ==, 2 * size);
      g_assert_true (is_text (got->data, size, text));
      g_assert_true (is_text (got->data + size, size, text));
    }
  if (coding == PLAIN)
    return;
  g_byte_array_append (coded, (const guint8 *) "\0\0", 2);
  g_assert_cmpint (read_all (coded, coded->len, 100, got), ==, PD_INPUT_FINE);
  g_byte_array_append (coded, (const guint8 *) "x", 1);
  g_assert_cmpint (read_all (coded, coded->len, 100, got), ==, PD_INPUT_GARBAGE);
  g_assert_cmpuint (got->len, ==, 2 * size);
}

/* A file that is cut gives a beginning of the text, and says so. */
static void
test_truncated (gconstpointer data)
{
  Coding coding = (Coding) GPOINTER_TO_INT (data);
  g_autoptr (GBytes) text = make_text ();
  g_autoptr (GByteArray) coded = g_byte_array_new ();
  g_autoptr (GByteArray) got = g_byte_array_new ();

  append_coded (coded, coding, text);
  for (gsize size = 4; size < coded->len; size++)
    {
      PdInputProblem problem = read_all (coded, size, 64, got);
      g_assert_cmpint (problem, ==, coding == PLAIN ? PD_INPUT_FINE : PD_INPUT_TRUNCATED);
      g_assert_cmpuint (got->len, <=, g_bytes_get_size (text));
      g_assert_true (is_text (got->data, got->len, text));
    }
}

static void
test_damaged (gconstpointer data)
{
  Coding coding = (Coding) GPOINTER_TO_INT (data);
  g_autoptr (GBytes) text = make_text ();
  g_autoptr (GByteArray) coded = g_byte_array_new ();
  g_autoptr (GByteArray) got = g_byte_array_new ();
  g_autoptr (PdMessages) messages = pd_messages_new ();

  append_coded (coded, coding, text);
  memset (coded->data + coded->len / 2, 0xff, 8);
  g_assert_cmpint (read_all (coded, coded->len, 64, got), ==, PD_INPUT_DAMAGED);

  g_autoptr (GBytes) bytes = g_bytes_new (coded->data, coded->len);
  g_autoptr (PdInput) input = pd_input_new_from_bytes (bytes);
  while (pd_input_fill (input, pd_input_get_window (input)->size))
    ;
  pd_input_report (input, messages, &PD_PLACE_NONE);
  g_assert_cmpuint (pd_messages_count (messages, coding == GZIP ? "gzip-damaged" : "zstd-damaged"),
                    ==, 1);
}

/* A frame that other programs skip is skipped, also as the first. */
static void
test_skippable (void)
{
  static const guint8 frame[] = { 0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c' };
  g_autoptr (GBytes) text = make_text ();
  g_autoptr (GByteArray) coded = g_byte_array_new ();
  g_autoptr (GByteArray) got = g_byte_array_new ();

  g_byte_array_append (coded, frame, sizeof frame);
  append_coded (coded, ZSTD, text);
  g_byte_array_append (coded, frame, sizeof frame);
  g_assert_cmpint (read_all (coded, coded->len, 64, got), ==, PD_INPUT_FINE);
  g_assert_cmpuint (got->len, ==, g_bytes_get_size (text));
}

/* So long that a thread decompresses it: many members, with each end a file can have. */
static void
test_long (gconstpointer data)
{
  Coding coding = (Coding) GPOINTER_TO_INT (data);
  static const gsize chunks[] = { 1000, G_MAXSIZE };
  g_autoptr (GBytes) text = make_text ();
  g_autoptr (GByteArray) coded = g_byte_array_new ();
  g_autoptr (GByteArray) got = g_byte_array_new ();
  gsize size = g_bytes_get_size (text), n = 4 * 1024 * 1024 / size;

  for (gsize i = 0; i < n; i++)
    append_coded (coded, coding, text);
  g_byte_array_append (coded, (const guint8 *) "x", 1);
  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_assert_cmpint (read_all (coded, coded->len - 3, chunks[i], got), ==, PD_INPUT_TRUNCATED);
      g_assert_cmpuint (got->len / size, >=, n - 1);
      g_assert_cmpint (read_all (coded, coded->len - 1, chunks[i], got), ==, PD_INPUT_FINE);
      g_assert_cmpint (read_all (coded, coded->len, chunks[i], got), ==, PD_INPUT_GARBAGE);
      g_assert_cmpuint (got->len, ==, n * size);
      for (gsize k = 0; k < n; k++)
        g_assert_true (is_text (got->data + k * size, size, text));
    }
  memset (coded->data + coded->len - 100, 0xff, 20);
  g_assert_cmpint (read_all (coded, coded->len, G_MAXSIZE, got), ==, PD_INPUT_DAMAGED);
}

/* A reader that stops early ends the thread. */
static void
test_stop (void)
{
  g_autoptr (GBytes) text = make_text (), bytes = NULL;
  GByteArray *coded = g_byte_array_new ();

  for (guint i = 0; i < 3000; i++)
    append_coded (coded, GZIP, text);
  bytes = g_byte_array_free_to_bytes (coded);
  for (gsize limit = 1; limit < 4 * 1024 * 1024; limit *= 2)
    {
      g_autoptr (PdInput) input = pd_input_new_from_bytes (bytes);
      while (pd_input_get_window (input)->size < limit)
        g_assert_true (pd_input_fill (input, 0));
      g_assert_cmpint (pd_input_get_problem (input), ==, PD_INPUT_FINE);
    }
}

static void
test_open (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pd_input_new_from_file ("tests/data/no-such-file", &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_null (pd_input_new_from_file ("tests", &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (int coding = PLAIN; coding <= ZSTD; coding++)
    {
      g_autofree char *members = g_strconcat ("/traces/input/members/", names[coding], NULL);
      g_autofree char *cut = g_strconcat ("/traces/input/truncated/", names[coding], NULL);
      g_autofree char *damaged = g_strconcat ("/traces/input/damaged/", names[coding], NULL);
      g_test_add_data_func (members, GINT_TO_POINTER (coding), test_members);
      g_test_add_data_func (cut, GINT_TO_POINTER (coding), test_truncated);
      g_autofree char *longer = g_strconcat ("/traces/input/long/", names[coding], NULL);
      if (coding != PLAIN)
        {
          g_test_add_data_func (damaged, GINT_TO_POINTER (coding), test_damaged);
          g_test_add_data_func (longer, GINT_TO_POINTER (coding), test_long);
        }
    }
  g_test_add_func ("/traces/input/skippable", test_skippable);
  g_test_add_func ("/traces/input/stop", test_stop);
  g_test_add_func ("/traces/input/open", test_open);
  return g_test_run ();
}
