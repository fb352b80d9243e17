/* Files of programs and the folder of parsed traces: the same comes back, and
 * nothing that is damaged does.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "tests/support/mp/programs-random.h"
#include "traces/program/pd-program-file.h"
#include "traces/program/pd-program-file-private.h"
#include "traces/text/pd-text-writer.h"
#include "traces/open/pd-trace-read.h"

#include <glib/gstdio.h>
#include <string.h>

static const guint8 key[PD_PROGRAM_KEY_SIZE] = "a key";

typedef struct
{
  char *folder;
  char *path;
} Files;

static void
set_up (Files *files, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  (void) data;
  files->folder = g_dir_make_tmp ("program-XXXXXX", &error);
  g_assert_no_error (error);
  files->path = g_build_filename (files->folder, "file", NULL);
}

static void
empty_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
tear_down (Files *files, gconstpointer data)
{
  g_autofree char *cache = g_build_filename (files->folder, "cache", NULL);

  (void) data;
  empty_folder (cache);
  empty_folder (files->folder);
  g_free (files->folder);
  g_free (files->path);
}

static GByteArray *
save_to_memory (Files *files, const PdProgram *program)
{
  g_autoptr (GError) error = NULL;
  char *data;
  gsize size;

  pd_program_save (program, key, g_variant_new_string ("noted"), files->path, &error);
  g_assert_no_error (error);
  g_file_get_contents (files->path, &data, &size, &error);
  g_assert_no_error (error);
  return g_byte_array_new_take ((guint8 *) data, size);
}

static PdProgram *
map (const GByteArray *data, gsize size, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data->data, size);

  return pd_program_map_bytes (bytes, NULL, NULL, error);
}

static void
test_random (Files *files, gconstpointer data)
{
  (void) data;
  for (guint32 seed = 0; seed < 60; seed++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) notes = NULL;
      g_autoptr (PdProgram) program = test_random_program (seed);
      g_autoptr (GByteArray) file = save_to_memory (files, program);
      g_autoptr (PdProgram) again = pd_program_map (files->path, key, &notes, &error);
      g_assert_no_error (error);
      g_autoptr (GBytes) first = pd_program_to_text (program);
      g_autoptr (GBytes) second = pd_program_to_text (again);
      g_assert_true (g_bytes_equal (first, second));
      g_assert_cmpstr (g_variant_get_string (notes, NULL), ==, "noted");
      for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
        g_assert_cmpuint (pd_program_get_n_slots (again, rank), ==,
                          pd_program_get_n_slots (program, rank));
    }
}

static void
test_key (Files *files, gconstpointer data)
{
  static const guint8 other[PD_PROGRAM_KEY_SIZE] = "b key";
  g_autoptr (PdProgram) program = test_random_program (1);
  g_autoptr (GByteArray) file = save_to_memory (files, program);
  g_autoptr (GError) error = NULL;

  (void) data;
  g_assert_null (pd_program_map (files->path, other, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
  g_clear_error (&error);
  g_unlink (files->path);
  g_assert_null (pd_program_map (files->path, key, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN);
}

/* Cut anywhere, with a wrong bit anywhere: refused. */
static void
test_damage (Files *files, gconstpointer data)
{
  g_autoptr (PdProgram) program = test_random_program (3);
  g_autoptr (GByteArray) file = save_to_memory (files, program);

  (void) data;
  for (gsize n = 0; n < file->len; n += n < 400 ? 1 : 17)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (map (file, n, &error));
      g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
    }
  for (gsize i = 0; i < file->len; i += i < 400 ? 1 : 13)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdProgram) again = NULL;
      file->data[i] ^= (guint8) (1 << i % 8);
      again = map (file, file->len, &error);
      /* the key is the caller's, and filling is nobody's */
      g_assert_true ((again == NULL) == (error != NULL));
      file->data[i] ^= (guint8) (1 << i % 8);
      if (again != NULL)
        {
          g_autoptr (GBytes) first = pd_program_to_text (program);
          g_autoptr (GBytes) second = pd_program_to_text (again);
          g_assert_true (g_bytes_equal (first, second));
        }
    }
}

/* A file whose sum is right is checked for what is in it; what passes can be
 * read to its end. */
static void
test_sealed (Files *files, gconstpointer data)
{
  g_autoptr (PdProgram) program = test_random_program (5);
  g_autoptr (GByteArray) file = save_to_memory (files, program);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  guint n_refused = 0;

  (void) data;
  for (guint i = 0; i < 20000; i++)
    {
      guint32 place = (guint32) g_rand_int_range (random, 0, (gint32) file->len);
      guint8 old = file->data[place];
      g_autoptr (GError) error = NULL;
      g_autoptr (PdProgram) again = NULL;

      file->data[place] = (guint8) g_rand_int (random);
      pd_program_file_seal (file->data, file->len);
      again = map (file, file->len, &error);
      g_assert_true ((again == NULL) == (error != NULL));
      if (again != NULL)
        {
          g_autoptr (GBytes) text = pd_program_to_text (again);
          g_assert_cmpuint (g_bytes_get_size (text), >, 0);
        }
      n_refused += again == NULL;
      file->data[place] = old;
    }
  g_assert_cmpuint (n_refused, >, 5000);
}

/* ---- the folder */

static char *
read_through (const char *path, const char *cache, char **warnings)
{
  PdTraceSource source = { path, NULL };
  PdTraceReadOptions options = { .recorded = TRUE, .cache = cache };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, messages, &error);
  g_autoptr (GString) all = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      g_string_append_printf (all, "%d %s %s %s %s %u\n", (int) m->severity, m->place, m->id,
                              m->subject, m->text, (guint) m->count);
    }
  g_string_append_printf (all, "%s %d\n", trace->format->name, trace->incomplete);
  for (guint i = 0; trace->parts != NULL && i < trace->parts->len; i++)
    g_string_append_printf (all, "%s\n", (const char *) g_ptr_array_index (trace->parts, i));
  *warnings = g_string_free (g_steal_pointer (&all), FALSE);
  g_autoptr (GBytes) text = pd_program_to_text (trace->program);
  return g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text));
}

/* With and without: the same program, the same messages; a damaged file is made
 * anew; another trace is another file. */
static void
test_folder (Files *files, gconstpointer data)
{
  static const char text[] = "0 init\n1 init\n0 isend 1 0 5 -1\n0 wait 1 0 9\n0 compute 5 6\n";
  g_autofree char *cache = g_build_filename (files->folder, "cache", NULL);
  g_auto (GStrv) names = g_new0 (char *, 5), programs = g_new0 (char *, 5);

  (void) data;
  g_file_set_contents (files->path, text, -1, NULL);
  for (guint i = 0; i < 3; i++)
    {
      programs[i] = read_through (files->path, i == 0 ? "" : cache, &names[i]);
      g_assert_cmpstr (programs[i], ==, programs[0]);
      g_assert_cmpstr (names[i], ==, names[0]);
    }
  g_assert_nonnull (strstr (names[0], "ti-derived-type"));
  g_assert_cmpuint (test_count_entries (cache), ==, 1);

  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  g_autofree char *kept = g_build_filename (cache, g_dir_read_name (dir), NULL);
  g_file_set_contents (kept, "damaged", -1, NULL);
  programs[3] = read_through (files->path, cache, &names[3]);
  g_assert_cmpstr (programs[3], ==, programs[0]);
  g_assert_cmpstr (names[3], ==, names[0]);
  GStatBuf status;
  g_assert_cmpint (g_stat (kept, &status), ==, 0);
  g_assert_cmpint (status.st_size, >, 100);

  g_autofree char *other_names = NULL;
  g_file_set_contents (files->path, "0 compute 7\n", -1, NULL);
  g_autofree char *other = read_through (files->path, cache, &other_names);
  g_assert_cmpstr (other, !=, programs[0]);
  g_assert_cmpuint (test_count_entries (cache), ==, 2);
}

/* The files that a list names count, too. */
static void
test_list (Files *files, gconstpointer data)
{
  g_autofree char *cache = g_build_filename (files->folder, "cache", NULL);
  g_autofree char *r0 = g_build_filename (files->folder, "r0", NULL);
  g_autofree char *r1 = g_build_filename (files->folder, "r1", NULL);
  g_auto (GStrv) w = g_new0 (char *, 5), programs = g_new0 (char *, 5);

  (void) data;
  g_file_set_contents (files->path, "r0\nr1\n", -1, NULL);
  g_file_set_contents (r0, "0 compute 1\n", -1, NULL);
  g_file_set_contents (r1, "1 compute 2\n", -1, NULL);
  programs[0] = read_through (files->path, cache, &w[0]);
  programs[1] = read_through (files->path, cache, &w[1]);
  g_file_set_contents (r1, "1 compute 3\n", -1, NULL);
  programs[2] = read_through (files->path, cache, &w[2]);
  g_assert_cmpstr (programs[0], ==, programs[1]);
  g_assert_cmpstr (programs[0], !=, programs[2]);
  programs[3] = read_through (files->path, cache, &w[3]);
  g_assert_cmpstr (programs[2], ==, programs[3]);
  /* with the names of the files */
  for (guint i = 0; i < 4; i++)
    g_assert_true (strstr (w[i], r0) != NULL && strcmp (w[i], w[0]) == 0);
}

/* A folder that cannot be written is warned of, and the trace is read. */
static void
test_unwritable (Files *files, gconstpointer data)
{
  g_autofree char *cache = g_build_filename (files->path, "cache", NULL);
  g_autofree char *w = NULL;

  (void) data;
  g_file_set_contents (files->path, "0 compute 1\n", -1, NULL);
  g_autofree char *program = read_through (files->path, cache, &w);
  g_assert_nonnull (strstr (program, "compute 1"));
  g_assert_nonnull (strstr (w, "cache-unwritten"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("PREDICTOR_CACHE");
#define ADD(path, func) g_test_add (path, Files, NULL, set_up, func, tear_down)
  ADD ("/traces/program-file/random", test_random);
  ADD ("/traces/program-file/key", test_key);
  ADD ("/traces/program-file/damage", test_damage);
  ADD ("/traces/program-file/sealed", test_sealed);
  ADD ("/traces/cache/folder", test_folder);
  ADD ("/traces/cache/list", test_list);
  ADD ("/traces/cache/unwritable", test_unwritable);
  return g_test_run ();
}
