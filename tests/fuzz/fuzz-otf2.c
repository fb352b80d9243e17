/* Any bytes as one of the files of an OTF2 archive, the others whole: it is read or
 * refused, as by the library alone; what was read decodes. The first byte says which file. The
 * files are decoded by libotf2, which is a part of what is tried here; but not with the anchor, for
 * which it allocates as many bytes as that asks for, and does not touch them.
 * SPDX-License-Identifier: MIT */
#include "tests/support/otf2-both.h"
#include "traces/otf2/pd-otf2-writer.h"
#include "traces/open/pd-trace-read.h"
#include "traces/program/pd-action-reader.h"

#include <glib/gstdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);
const char *__lsan_default_suppressions (void);

/* What the library does not free of archives that it refuses is no matter of ours. */
const char *
__lsan_default_suppressions (void)
{
  return "leak:libopen-trace-format2";
}

static const char text[] =
    "predictor-trace 1\nranks 2\ncomm 1: 1\nsite 0: \"m.c\" 7 \"main\"\n"
    "0 enter \"loop\"\n0 compute 5us\n0 isend 1 8 request=a took=1us site=0\n0 wait a took=1us\n"
    "0 leave \"loop\"\n1 irecv any 8 tag=any matched=0:0 request=b took=1us\n1 waitall b took=7us\n"
    "0 allgatherv 8 recv=[8,4] took=1us\n1 allgatherv 4 recv=[8,4] took=2us\n1 barrier comm=1 "
    "took=1us\n"
    "0 ireduce 8 root=1 request=c took=1us\n0 wait c took=1us\n"
    "1 ireduce 8 root=1 request=c took=1us\n1 wait c took=1us\n"
    "0 local \"MPI_Wtime\" 1us\n1 other \"MPI_File_open\" 2us\n";

static const char *const names[] = { "t.def", "t/0.evt", "t/1.evt", "t/0.def" };
#define N_NAMES G_N_ELEMENTS (names)

static struct
{
  char *folder;
  char *archive;
  char *paths[N_NAMES];
  char *contents[N_NAMES];
  gsize sizes[N_NAMES];
} whole;

static void
remove_archive (void)
{
  g_autofree char *last = g_build_filename (whole.folder, "t/1.def", NULL);
  g_autofree char *inner = g_build_filename (whole.folder, "t", NULL);

  for (gsize i = 0; i < N_NAMES; i++)
    {
      g_unlink (whole.paths[i]);
      g_free (whole.paths[i]);
      g_free (whole.contents[i]);
    }
  g_unlink (last);
  g_unlink (whole.archive);
  g_rmdir (inner);
  g_rmdir (whole.folder);
  g_free (whole.folder);
  g_free (whole.archive);
}

static void
make_archive (void)
{
  const PdTraceReadOptions reading = { .recorded = TRUE };
  const PdTraceWriteOptions writing = { 0, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  const PdTraceSource source = { "fuzz", bytes };
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &reading, NULL, &error);

  g_assert_no_error (error);
  whole.folder = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  whole.archive = g_build_filename (whole.folder, "t.otf2", NULL);
  pd_otf2_write (trace->program, whole.archive, &writing, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < N_NAMES; i++)
    {
      whole.paths[i] = g_build_filename (whole.folder, names[i], NULL);
      g_file_get_contents (whole.paths[i], &whole.contents[i], &whole.sizes[i], &error);
      g_assert_no_error (error);
    }
  atexit (remove_archive);
}

static void
write_file (const char *path, const void *data, gsize size)
{
  FILE *file = fopen (path, "wb");

  g_assert_nonnull (file);
  g_assert_true (size == 0 || fwrite (data, 1, size, file) == size);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
check (const PdProgram *program)
{
  g_auto (PdActionReader) reader = { 0 };

  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      const PdAction *action;
      guint64 n = 0;

      pd_action_reader_begin (&reader, rank);
      for (; (action = pd_action_reader_next (&reader)) != NULL; n++)
        g_assert_true (action->bytes >= 0 && action->kind < PD_N_ACTS
                       && action->amount.time.ps >= 0);
      g_assert_true (n == pd_program_get_n_actions (program, rank));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();

  if (size == 0)
    return 0;
  if (whole.folder == NULL)
    make_archive ();
  gsize which = data[0] % N_NAMES;
  write_file (whole.paths[which], data + 1, size - 1);
  PdProgram *program = test_otf2_read (whole.archive, TRUE, NULL, messages, &error);
  g_assert_true ((program == NULL) == (error != NULL));
  if (program != NULL)
    check (program);
  pd_program_free (program);
  write_file (whole.paths[which], whole.contents[which], whole.sizes[which]);
  return 0;
}
