/* The files of one run: <prefix><I>_<E>.<ext>[.gz|.zst].
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-dvm-set.h"

#include "traces/open/pd-dvm-open.h"

#include <string.h>

struct _PdDvmSet
{
  GPtrArray *paths; /* char*, owned, by internal processor number */
};

static const char *const extensions[] = {
  ".ptr", ".ptr.gz", ".ptr.zst", ".ftr", ".ftr.gz", ".ftr.zst", ".btr", ".btr.gz", ".btr.zst",
};

/* A file name taken apart. */
typedef struct
{
  char *path;
  char *prefix;          /* before the numbers */
  const char *extension; /* in the table */
  gint64 number;         /* I; -1 = the name has no numbers */
} File;

static void
file_free (gpointer data)
{
  File *file = data;

  g_free (file->path);
  g_free (file->prefix);
  g_free (file);
}

/* ---- names */

static gsize
count_digits_before (const char *text, gsize end)
{
  gsize n = 0;

  while (n < end && g_ascii_isdigit (text[end - n - 1]))
    n++;
  return n;
}

/* Where "I_E" begins in @stem, or its length if it does not end so. The
 * prefix may end in digits: heat20_0 is heat2 of processor 0, for I and E are
 * equal unless the launcher renumbers. */
static gsize
find_numbers (const char *stem, gint64 *number)
{
  gsize end = strlen (stem);
  gsize n_e = count_digits_before (stem, end);
  gsize run, n_i;

  *number = -1;
  if (n_e == 0 || n_e > 9 || n_e == end || strchr ("_&", stem[end - n_e - 1]) == NULL)
    return end;
  end -= n_e + 1;
  run = count_digits_before (stem, end);
  if (run == 0)
    return strlen (stem);
  n_i = run >= n_e && memcmp (stem + end - n_e, stem + end + 1, n_e) == 0 ? n_e : MIN (run, 9);
  *number = g_ascii_strtoll (stem + end - n_i, NULL, 10);
  return end - n_i;
}

/* NULL if the name does not end as traces do. */
static File *
take_apart (const char *folder, const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (extensions); i++)
    if (g_str_has_suffix (name, extensions[i]))
      {
        g_autofree char *stem = g_strndup (name, strlen (name) - strlen (extensions[i]));
        File *file = g_new0 (File, 1);
        gsize n = find_numbers (stem, &file->number);

        file->path =
            strcmp (folder, ".") == 0 ? g_strdup (name) : g_build_filename (folder, name, NULL);
        file->prefix = g_strndup (stem, n);
        file->extension = extensions[i];
        return file;
      }
  return NULL;
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  const File *x = *(File *const *) a, *y = *(File *const *) b;
  int order = strcmp (x->prefix, y->prefix);

  if (order == 0)
    order = strcmp (x->extension, y->extension);
  if (order == 0)
    order = (x->number > y->number) - (x->number < y->number);
  return order != 0 ? order : strcmp (x->path, y->path);
}

/* The traces of @folder, sorted; those of one set only where @prefix and
 * @extension are given. */
static GPtrArray *
list_files (const char *folder, const char *prefix, const char *extension, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  GPtrArray *files;
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN, "%s: %s", folder, local->message);
      return NULL;
    }
  files = g_ptr_array_new_with_free_func (file_free);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      File *file = take_apart (folder, name);
      if (file == NULL)
        continue;
      if ((prefix != NULL && (file->number < 0 || strcmp (file->prefix, prefix) != 0))
          || (extension != NULL && strcmp (file->extension, extension) != 0))
        file_free (file);
      else
        g_ptr_array_add (files, file);
    }
  g_ptr_array_sort (files, compare_files);
  return files;
}

/* ---- checks */

static gboolean
read_header (const char *path, PdDvmHeader *header, GError **error)
{
  g_autoptr (PdDvmReader) reader = pd_dvm_open (path, NULL, error);

  if (reader == NULL)
    return FALSE;
  *header = *pd_dvm_reader_get_header (reader);
  header->host = header->mps = "";
  return TRUE;
}

static gboolean
check_header (const char *path, guint i, guint n, const PdDvmHeader *first, GError **error)
{
  PdDvmHeader header;

  if (!read_header (path, &header, error))
    return FALSE;
  if (header.proc_count != (gint64) n)
    g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET,
                 "%s: recorded on %" G_GINT64_FORMAT " processors, but there are %u files; is it "
                 "left from another run?",
                 path, header.proc_count, n);
  else if (header.ps_rank != first->ps_rank || header.vproc_count != first->vproc_count
           || memcmp (header.ps_size, first->ps_size, sizeof header.ps_size) != 0)
    g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET,
                 "%s: its processor grid differs from that of the other files", path);
  else if (header.own_number >= 0 && header.own_number != (gint64) i)
    g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET,
                 "%s: the trace is of processor %" G_GINT64_FORMAT ", expected that of processor "
                 "%u; is it a copy, or has it been renamed?",
                 path, header.own_number, i);
  else
    return TRUE;
  return FALSE;
}

/* Each processor must be there, once. */
static gboolean
check_numbers (const GPtrArray *files, gint64 n_wanted, GError **error)
{
  for (guint i = 0; i < files->len; i++)
    {
      const File *file = g_ptr_array_index (files, i);
      if (file->number == (gint64) i)
        continue;
      g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET,
                   "%s: expected the file of processor %u here", file->path, i);
      return FALSE;
    }
  if (files->len == n_wanted)
    return TRUE;
  g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET,
               "%s: recorded on %" G_GINT64_FORMAT " processors, but there are %u files",
               ((File *) g_ptr_array_index (files, 0))->path, n_wanted, files->len);
  return FALSE;
}

static gboolean
check_set (const GPtrArray *files, GError **error)
{
  PdDvmHeader first;

  if (!read_header (((File *) g_ptr_array_index (files, 0))->path, &first, error)
      || !check_numbers (files, first.proc_count, error))
    return FALSE;
  for (guint i = 0; i < files->len; i++)
    if (!check_header (((File *) g_ptr_array_index (files, i))->path, i, files->len, &first, error))
      return FALSE;
  return TRUE;
}

/* ---- construction */

/* One file; @header is NULL where it was not read. */
static PdDvmSet *
set_new_single (const char *path, const PdDvmHeader *header, PdMessages *messages)
{
  PdDvmSet *self = g_new0 (PdDvmSet, 1);
  PdPlace place = { path, 0, NULL, -1, -1, FALSE };

  if (header != NULL && header->proc_count > 1)
    pd_messages_add (messages, PD_SEVERITY_NOTE, "merged-trace", NULL, &place,
                     "one file of a run on %" G_GINT64_FORMAT
                     " processors whose name has no numbers: taken for a merged trace",
                     header->proc_count);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->paths, g_strdup (path));
  return self;
}

static PdDvmSet *
set_new_from_files (const GPtrArray *files, GError **error)
{
  PdDvmSet *self;

  if (!check_set (files, error))
    return NULL;
  self = g_new0 (PdDvmSet, 1);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (self->paths, g_strdup (((File *) g_ptr_array_index (files, i))->path));
  return self;
}

/* From all traces of a folder, or all that begin with a prefix. */
static PdDvmSet *
set_new_from_listing (const char *path, const GPtrArray *files, PdMessages *messages,
                      GError **error)
{
  const File *first, *last;

  if (files->len == 0)
    {
      g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN,
                   g_file_test (path, G_FILE_TEST_IS_DIR) ? "%s: no trace is in this folder"
                                                          : "%s: no trace of that name",
                   path);
      return NULL;
    }
  first = g_ptr_array_index (files, 0);
  last = g_ptr_array_index (files, files->len - 1);
  if (files->len == 1 && first->number < 0)
    {
      PdDvmHeader header;
      return read_header (first->path, &header, error)
                 ? set_new_single (first->path, &header, messages)
                 : NULL;
    }
  if (first->number >= 0 && strcmp (first->prefix, last->prefix) == 0
      && strcmp (first->extension, last->extension) == 0)
    return set_new_from_files (files, error);
  g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET,
               "%s: more than one trace ('%s' and '%s'); name one of them", path, first->path,
               last->path);
  return NULL;
}

static PdDvmSet *
set_new_from_file (const char *path, PdMessages *messages, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  PdDvmHeader header;
  File *file;
  PdDvmSet *self = NULL;

  if (!read_header (path, &header, error))
    return NULL;
  file = take_apart (folder, name);
  if (file == NULL || file->number < 0 || header.proc_count <= 1)
    self = set_new_single (path, &header, messages);
  else
    {
      g_autoptr (GPtrArray) files = list_files (folder, file->prefix, file->extension, error);
      if (files != NULL && files->len > 0)
        self = set_new_from_files (files, error);
    }
  g_clear_pointer (&file, file_free);
  return self;
}

PdDvmSet *
pd_dvm_set_new (const char *path, PdMessages *messages, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  if (strcmp (path, "-") == 0)
    return set_new_single (path, NULL, NULL);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_autoptr (GPtrArray) files = list_files (path, NULL, NULL, error);
      return files != NULL ? set_new_from_listing (path, files, messages, error) : NULL;
    }
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autofree char *folder = g_path_get_dirname (path);
      g_autofree char *name = g_path_get_basename (path);
      g_autoptr (GPtrArray) files = g_file_test (folder, G_FILE_TEST_IS_DIR)
                                        ? list_files (folder, name, NULL, error)
                                        : g_ptr_array_new ();
      return files != NULL ? set_new_from_listing (path, files, messages, error) : NULL;
    }
  return set_new_from_file (path, messages, error);
}

void
pd_dvm_set_free (PdDvmSet *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->paths);
  g_free (self);
}

guint
pd_dvm_set_get_n (const PdDvmSet *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->paths->len;
}

const char *
pd_dvm_set_get_path (const PdDvmSet *self, guint i)
{
  g_return_val_if_fail (self != NULL && i < self->paths->len, NULL);
  return g_ptr_array_index (self->paths, i);
}

PdDvmReader *
pd_dvm_set_open (const PdDvmSet *self, guint i, PdMessages *messages, GError **error)
{
  g_return_val_if_fail (self != NULL && i < self->paths->len, NULL);
  return pd_dvm_open (pd_dvm_set_get_path (self, i), messages, error);
}
