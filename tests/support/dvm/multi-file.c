/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/multi-file.h"

#include <glib/gstdio.h>
#include <string.h>

static void
replace (GString *text, const char *from, const char *to)
{
  char *at = strstr (text->str, from);

  g_assert_nonnull (at);
  gssize position = at - text->str;
  g_string_erase (text, position, (gssize) strlen (from));
  g_string_insert (text, position, to);
}

/* The header block of one processor becomes that of @ps. */
static void
change_header (GString *text, const char *ps)
{
  g_auto (GStrv) sizes = g_strsplit (ps, " ", -1);
  guint n = 1, rank = g_strv_length (sizes);

  for (guint d = 0; d < rank; d++)
    n *= (guint) g_ascii_strtoull (sizes[d], NULL, 10);
  g_autofree char *created = g_strdup_printf ("ProcCount=%u  ", n);
  g_autofree char *line =
      g_strdup_printf ("ProcCount=%u;      PSRank=%u;      PSSize= %s;", n, rank, ps);
  char *begin = strstr (text->str, "ProcCount=1;");
  g_assert_nonnull (begin);
  g_autofree char *old = g_strndup (begin, strcspn (begin, "\n"));
  replace (text, old, line);
  replace (text, "ProcCount=1  ", created);
}

char *
test_set_path (const TestSet *self, guint i)
{
  return g_build_filename (self->folder, g_ptr_array_index (self->names, i), NULL);
}

char *
test_set_read (const TestSet *self, guint i)
{
  g_autofree char *path = test_set_path (self, i);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

void
test_set_write (const TestSet *self, guint i, const char *text)
{
  g_autofree char *path = test_set_path (self, i);
  g_autoptr (GError) error = NULL;

  g_unlink (path);
  g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

TestSet *
test_set_new (const char *ps, const char *const *texts)
{
  TestSet *self = g_new0 (TestSet, 1);
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("pd-set-XXXXXX", &error);
  g_assert_no_error (error);
  self->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_autoptr (GString) text = g_string_new (texts[i]);
      change_header (text, ps);
      g_ptr_array_add (self->names, g_strdup_printf ("p%u_%u.ptr", i, i));
      test_set_write (self, i, text->str);
    }
  return self;
}

TestSet *
test_set_record (const char *ps, guint n, TestProgram program)
{
  g_auto (GStrv) texts = g_new0 (char *, n + 1);

  for (guint rank = 0; rank < n; rank++)
    {
      g_autoptr (TestTrace) trace = test_trace_new ("1");
      /* references are those of the processor */
      trace->next_id += 0x1000 * rank;
      program (trace, rank);
      if (strstr (trace->text->str, "Event_dvm_exit") == NULL)
        test_trace_exit (trace, 0);
      texts[rank] = g_strdup (trace->text->str);
    }
  return test_set_new (ps, (const char *const *) texts);
}

void
test_set_free (TestSet *self)
{
  for (guint i = 0; i < self->names->len; i++)
    {
      g_autofree char *path = test_set_path (self, i);
      g_unlink (path);
    }
  g_rmdir (self->folder);
  g_ptr_array_unref (self->names);
  g_free (self->folder);
  g_free (self);
}

PdReportRun *
test_set_predict (const TestSet *self, const char *grid, const PdPredictOptions *options,
                  GError **error)
{
  return test_predict_file (self->folder, grid, options, error);
}

PdReportRun *
test_set_run (const TestSet *self, const char *grid, const PdPredictOptions *options)
{
  return test_run_file (self->folder, grid, options);
}

/* ---- small programs */

gint64
test_set_array (TestTrace *trace)
{
  return test_trace_array (trace, "12", test_trace_template (trace, "12", "1"), "1*1+0");
}

void
test_set_unequal (TestTrace *trace, guint rank)
{
  static const gint64 before[] = { 3, 1, 2 }, inside[] = { 6, 2, 10 };
  gint64 array = test_set_array (trace);

  test_trace_ordinary (trace, before[rank], 0);
  test_trace_run (trace, test_trace_loop (trace, array, "0:11", "1*1+0"), inside[rank]);
}

PdReportRun *
test_set_try (const char *ps, guint n, TestProgram program, const char *grid)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = test_set_record (ps, n, program);

  return test_set_run (set, grid, &options);
}

void
test_set_assert (const PdReportRun *run, guint32 node, PdCharacteristic c, const char *expected)
{
  g_autofree char *values = test_values (run, node, c);

  g_assert_cmpstr (values, ==, expected);
}
