/* Which events are decoded without the library: those of archives that this program writes, and
 * nothing that the library could understand in another way. What they are decoded to is compared
 * wherever tests read archives (tests/support/otf2-both.c).
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "tests/support/otf2-both.h"
#include "traces/open/pd-trace-read.h"
#include "traces/otf2/pd-otf2-decode-private.h"
#include "traces/otf2/pd-otf2-writer.h"

#include <string.h>

#define TIME  "\5\1\0\0\0\0\0\0\0"
#define ENTER "\14\1\7"
#define LEAVE "\15\1\7"
#define SITE  "\6\5\1\1\0\25\0" /* one attribute, 0: a calling context, 0 */
#define END   "\2"

static const struct
{
  const char *name;
  const char *records;
  gsize size;
  gboolean is_plain;
  guint64 n_events;
} rows[] = {
#define ROW(name, records, ...)                                                                    \
  {                                                                                                \
    name, records, sizeof records - 1, __VA_ARGS__                                                 \
  }
  ROW ("nothing", END, TRUE, 0),
  ROW ("regions", TIME ENTER TIME LEAVE END, TRUE, 2),
  ROW ("one-time", TIME ENTER LEAVE END, TRUE, 2),
  ROW ("next-chunk", TIME ENTER "\0", TRUE, 1),
  ROW ("undefined", TIME "\14\377" LEAVE END, TRUE, 2),
  ROW ("send", TIME "\16\7\1\1\0\1\3\1\100" END, TRUE, 1),
  ROW ("longer-than-known", TIME "\16\11\1\1\0\1\3\1\100\1\1" END, TRUE, 1),
  ROW ("site", TIME SITE ENTER END, TRUE, 1),
  ROW ("without-time", ENTER END, FALSE, 0),
  ROW ("two-times", TIME TIME ENTER END, FALSE, 0),
  ROW ("two-sites", TIME SITE SITE ENTER END, FALSE, 0),
  ROW ("site-of-nothing", TIME SITE END, FALSE, 0),
  ROW ("same-attribute-twice", TIME "\6\10\1\2\0\25\0\0\25\0" ENTER END, FALSE, 0),
  ROW ("other-type", TIME "\6\5\1\1\0\3\0" ENTER END, FALSE, 0),
  ROW ("unknown-type-of-attribute", TIME "\6\6\1\1\1\1\77\0" ENTER END, FALSE, 0),
  ROW ("fewer-attributes", TIME "\6\5\1\2\0\25\0" ENTER END, FALSE, 0),
  ROW ("attributes-too-short", TIME "\6\6\1\1\0\25\0\0" ENTER END, FALSE, 0),
  ROW ("metric", TIME "\37\10\0\1\4\4\1\2\3\4" END, TRUE, 1),
  ROW ("metric-of-two", TIME "\37\13\0\2\4\4\4\1\2\3\4\1\5" END, FALSE, 0),
  ROW ("metric-of-double", TIME "\37\10\0\1\12\4\1\2\3\4" END, FALSE, 0),
  ROW ("parameter", TIME "\41\4\1\1\1\7" END, TRUE, 1),
  ROW ("parameter-beyond-record", TIME "\41\3\1\1\1" END, FALSE, 0),
  ROW ("parameter-of-text", TIME "\40\4\1\1\1\1" END, FALSE, 0),
  ROW ("put", TIME "\56\10\1\1\1\2\1\100\1\1" END, TRUE, 1),
  ROW ("put-beyond-record", TIME "\56\7\1\1\1\2\1\100\1\1" END, FALSE, 0),
  ROW ("window-of-wide-reference", TIME "\43\6\5\1\1\1\1\1" END, FALSE, 0),
  ROW ("fork", TIME "\30\2\1\1" END, FALSE, 0),
  ROW ("unknown", TIME "\376\1\1" END, FALSE, 0),
  ROW ("wide-reference", TIME "\14\5\1\1\1\1\1" END, FALSE, 0),
  ROW ("wide-request", TIME "\20\11\1\1\1\1\1\1\1\1\1" END, FALSE, 0),
  ROW ("field-beyond-record", TIME "\16\3\1\1\10" END, FALSE, 0),
  ROW ("record-beyond-chunk", TIME "\16\176\1\1" END, FALSE, 0),
  ROW ("cut-number", TIME "\14\4\1", FALSE, 0),
  ROW ("cut-length", TIME "\16", FALSE, 0),
  ROW ("cut-fields", TIME "\16\7\1\1\0", FALSE, 0),
  ROW ("cut-attributes", TIME "\6\5\1\1\0", FALSE, 0),
  ROW ("cut-time", "\5\1\0\0", FALSE, 0),
  ROW ("no-end", TIME ENTER, FALSE, 0),
};

/* The chunk cut at each byte is not whole, whatever is behind it. */
static void
test_cut (void)
{
  static const char records[] = TIME SITE ENTER "\23\11\1\1\0\1\3\1\100\1\1" LEAVE "\24\1\1" END;
  const PdOtf2Archive archive = { .has_attribute = { [PD_OTF2_CALL_STACK] = TRUE } };

  for (gsize size = 18; size <= 18 + sizeof records - 1; size++)
    for (guint behind = 0; behind < 256; behind++)
      {
        g_autofree guint8 *chunk = g_malloc0 (size + PD_OTF2_PADDING);
        PdOtf2Survey survey = { .archive = &archive, .is_plain = TRUE };
        memcpy (chunk, "\3B", 2);
        memcpy (chunk + 18, records, size - 18);
        memset (chunk + size, (int) behind, PD_OTF2_PADDING);
        pd_otf2_survey_chunk (&survey, chunk, size);
        g_assert_cmpint (survey.is_plain, ==, size == 18 + sizeof records - 1);
      }
}

static void
test_chunks (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data), size = 18 + rows[i].size;
  /* of its very size, so that reading beyond is seen; what is behind the chunk does not matter */
  g_autofree guint8 *chunk = g_malloc0 (size + PD_OTF2_PADDING);
  const PdOtf2Archive archive = { .has_attribute = { [PD_OTF2_CALL_STACK] = TRUE } };
  PdOtf2Survey survey = { .archive = &archive, .is_plain = TRUE };

  memcpy (chunk, "\3B", 2);
  memcpy (chunk + 18, rows[i].records, rows[i].size);
  memset (chunk + size, i % 2 == 0 ? 0 : 2, PD_OTF2_PADDING);
  pd_otf2_survey_chunk (&survey, chunk, size);
  g_assert_cmpint (survey.is_plain, ==, rows[i].is_plain);
  if (rows[i].is_plain)
    g_assert_cmpuint (survey.n_events, ==, rows[i].n_events);
  for (gsize byte = 0; byte < 2; byte++)
    {
      chunk[byte] ^= 'a'; /* no chunk, or of the other order of bytes */
      survey.is_plain = TRUE;
      pd_otf2_survey_chunk (&survey, chunk, size);
      g_assert_false (survey.is_plain);
      chunk[byte] ^= 'a';
    }
}

/* What this program writes is decoded here, with all kinds of records that are. */
static void
test_written (void)
{
  static const char text[] =
      "predictor-trace 1\nranks 2\nsite 0: \"m.c\" 7 \"main\"\ninterval 0: \"\" index=5\n"
      "0 enter \"loop\"\n0 isend 1 8 request=a took=1us site=0\n0 wait a took=1us\n0 leave "
      "\"loop\"\n"
      "1 irecv any 8 tag=any matched=0:0 request=b took=1us\n1 waitall b took=7us\n"
      "0 send 1 8 took=1us\n1 recv 0 8 took=1us\n0 barrier took=1us\n1 barrier took=1us\n"
      "0 ireduce 8 root=1 request=c took=1us\n0 wait c took=1us\n"
      "1 ireduce 8 root=1 request=c took=1us\n1 wait c took=1us\n"
      "0 enter 0\n0 win_create took=1us\n0 win_fence took=1us\n0 put 1 8 took=1us\n"
      "0 rput 1 8 request=d took=1us\n0 wait d took=1us\n"
      "0 accumulate 1 8 took=1us\n0 win_lock 1 mode=shared took=1us\n0 win_flush 1 took=1us\n"
      "0 win_unlock 1 took=1us\n0 win_start targets=[1] took=1us\n0 win_complete took=1us\n"
      "0 win_fence took=1us\n0 leave 0\n"
      "1 enter 0\n1 win_create took=1us\n1 win_fence took=1us\n1 get 0 8 took=1us\n"
      "1 win_post sources=[0] took=1us\n1 win_wait took=1us\n1 win_fence took=1us\n1 leave 0\n"
      "0 local \"MPI_File_open\" 1us took=1us file=\"f\" io=open\n"
      "0 local \"MPI_File_write\" 1us took=1us file=\"f\" io=write bytes=8\n"
      "0 local \"MPI_File_seek\" 1us took=1us file=\"f\" io=seek\n"
      "1 local \"MPI_File_close\" 1us took=1us file=\"f\" io=close\n";
  const PdTraceReadOptions reading = { .recorded = TRUE };
  const PdTraceWriteOptions writing = { 0, NULL };
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  const PdTraceSource source = { "text", bytes };
  g_autofree char *folder = g_dir_make_tmp ("decode-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.otf2", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &reading, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (pd_otf2_write (trace->program, path, &writing, NULL, &error));
  for (guint rank = 0; rank < 2; rank++)
    {
      g_autofree char *events = g_strdup_printf ("%s/t/%u.evt", folder, rank);
      g_autofree char *contents = NULL;
      gsize size;
      const PdOtf2Archive archive = { .path = path };
      PdOtf2Survey survey = { .archive = &archive, .is_plain = TRUE };
      g_assert_true (g_file_get_contents (events, &contents, &size, NULL));
      contents = g_realloc (contents, size + PD_OTF2_PADDING);
      pd_otf2_survey_chunk (&survey, (const guint8 *) contents, size);
      g_assert_true (survey.is_plain);
      g_assert_cmpuint (survey.n_events, >, 12);
    }
  test_remove_all (folder);
}

/* @n receives of rank 1, each of which completes when @ahead more have begun. */
static void
append_receives (GString *text, guint n, guint ahead)
{
  for (guint i = 0; i < n + ahead; i++)
    {
      if (i < n)
        g_string_append_printf (text,
                                "0 compute 1us\n0 send 1 %u took=1us\n"
                                "1 compute 1us\n1 irecv 0 %u request=r%u took=1us\n",
                                i, i, i);
      if (i >= ahead)
        g_string_append_printf (text, "1 compute 1us\n1 wait r%u took=1us\n", i - ahead);
    }
}

/* Completions in the same chunk and some chunks later, by turns: the chunk that is decoded and that
 * in which completions are looked for are the same one, and are not. */
static void
test_ahead (void)
{
  static const guint aheads[] = { 1, 30000, 500, 30000, 1 };
  const PdTraceReadOptions reading = { .recorded = TRUE };
  const PdTraceWriteOptions writing = { 0, NULL };
  g_autofree char *folder = g_dir_make_tmp ("decode-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.otf2", NULL);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new ("predictor-trace 1\nranks 2\n");

  for (gsize i = 0; i < G_N_ELEMENTS (aheads); i++)
    append_receives (text, 30000, aheads[i]);
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (text);
  const PdTraceSource source = { "text", bytes };
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &reading, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (pd_otf2_write (trace->program, path, &writing, NULL, &error));
  g_autoptr (PdProgram) program = test_otf2_read (path, TRUE, NULL, messages, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
  test_remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name = g_strconcat ("/traces/otf2/decode/", rows[i].name, NULL);
      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_chunks);
    }
  g_test_add_func ("/traces/otf2/decode/cut", test_cut);
  g_test_add_func ("/traces/otf2/decode/written", test_written);
  g_test_add_func ("/traces/otf2/decode/ahead", test_ahead);
  return g_test_run ();
}
