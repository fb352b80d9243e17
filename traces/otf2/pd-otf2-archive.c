/* OTF2 archives appear as a whole: they are written in a folder of their own, whose
 * parts are moved when all is complete.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "traces/otf2/pd-otf2-archive.h"

#include "base/pd-digest.h"
#include "base/pd-target.h"
#include "traces/otf2/pd-otf2-location-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define CHUNK (1024 * 1024)

gboolean
pd_otf2_archive_skip_definitions (OTF2_Archive *archive, guint64 n)
{
  gboolean ok = OTF2_Archive_OpenDefFiles (archive) == OTF2_SUCCESS;

  for (guint64 location = 0; location < n && ok; location++)
    {
      OTF2_DefWriter *out = OTF2_Archive_GetDefWriter (archive, location);
      ok = out != NULL && OTF2_Archive_CloseDefWriter (archive, out) == OTF2_SUCCESS;
    }
  return ok && OTF2_Archive_CloseDefFiles (archive) == OTF2_SUCCESS;
}

/* The library asks before and after it writes a buffer to its file. */
static OTF2_FlushType
before_flush (void *data G_GNUC_UNUSED, OTF2_FileType type G_GNUC_UNUSED,
              OTF2_LocationRef location G_GNUC_UNUSED, void *caller G_GNUC_UNUSED,
              bool final G_GNUC_UNUSED)
{
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush };

/* All files but the anchor are complete. */
static gboolean
note_digests (OTF2_Archive *archive, const char *folder, const char *name)
{
  OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter (archive);
  g_autofree char *path = g_strdup_printf ("%s/%s.def", folder, name);
  g_autoptr (GString) text = g_string_new (NULL);
  uint64_t n, digest;

  if (definitions == NULL || OTF2_Archive_GetNumberOfLocations (archive, &n) != OTF2_SUCCESS
      || OTF2_Archive_CloseGlobalDefWriter (archive, definitions) != OTF2_SUCCESS
      || pd_digest_file (path, &digest) != 0)
    return FALSE;
  g_string_printf (text, "%" G_GINT64_MODIFIER "x", (guint64) digest);
  for (guint64 location = 0; location < n; location++)
    {
      g_autofree char *events =
          g_strdup_printf ("%s/%s/%" G_GUINT64_FORMAT ".evt", folder, name, location);
      /* a location without events has no file */
      if (pd_digest_file (events, &digest) == 0)
        g_string_append_printf (text, " %" G_GUINT64_FORMAT ":%" G_GINT64_MODIFIER "x", location,
                                (guint64) digest);
      else if (errno != ENOENT)
        return FALSE;
    }
  return OTF2_Archive_SetProperty (archive, PD_OTF2_DIGESTS, text->str, true) == OTF2_SUCCESS;
}

static gboolean
write_archive (const char *folder, const char *name, PdOtf2Fill fill, gpointer data)
{
  gboolean ok;
  OTF2_Archive *archive = OTF2_Archive_Open (folder, name, OTF2_FILEMODE_WRITE, CHUNK, 4 * CHUNK,
                                             OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

  if (archive == NULL)
    return FALSE;
  ok = OTF2_Archive_SetFlushCallbacks (archive, &flush_callbacks, NULL) == OTF2_SUCCESS
       && OTF2_Archive_SetSerialCollectiveCallbacks (archive) == OTF2_SUCCESS
       && OTF2_Archive_SetCreator (archive, "predictor") == OTF2_SUCCESS && fill (archive, data)
       && note_digests (archive, folder, name);
  ok = OTF2_Archive_Close (archive) == OTF2_SUCCESS && ok;
  /* closing a file that lacks what could not be written counts as success */
  return ok && !pd_otf2_has_complaint ();
}

static const char *const suffixes[] = { "", ".def", ".otf2" };

/* Takes back the first @n parts. */
static void
remove_parts (const char *folder, const char *name, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *file = g_strconcat (name, suffixes[i], NULL);
      g_autofree char *path = g_build_filename (folder, file, NULL);
      pd_target_remove_tree (path);
    }
}

/* Moves the files written under a temporary name to their place, the anchor last. */
static gboolean
move_parts (const char *from, const char *folder, const char *name, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *file = g_strconcat (name, suffixes[i], NULL);
      g_autofree char *source = g_build_filename (from, file, NULL);
      g_autofree char *target = g_build_filename (folder, file, NULL);
      if (g_rename (source, target) != 0)
        {
          g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot be written: %s",
                       target, g_strerror (errno));
          remove_parts (folder, name, i);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
pd_otf2_archive_check_name (const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);

  if (g_str_has_suffix (name, ".otf2") && !g_str_equal (name, ".otf2"))
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
               "%s: an OTF2 archive is several files: expected a name that ends with .otf2", path);
  return FALSE;
}

/* A temporary folder beside the place of the archive. */
static PdTarget *
make_folder (const char *path, const char *folder, const char *name, GError **error)
{
  g_autofree char *place = g_build_filename (folder, name, NULL);
  g_autofree char *beginning = g_build_filename (folder, ".otf2-", NULL);

  if (g_file_test (place, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN,
                   "%s: exists, where the events of the archive would go: remove it first", place);
      return NULL;
    }
  PdTarget *made = pd_target_new_folder (beginning);
  if (made != NULL)
    return made;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot be written: %s", path,
               g_strerror (errno));
  return NULL;
}

gboolean
pd_otf2_archive_make (const char *path, PdOtf2Fill fill, gpointer data, GError **error)
{
  g_autofree char *own = g_strdup (path);
  gboolean ok;

  if (!pd_otf2_archive_check_name (path, error))
    return FALSE;
  /* "NAME.otf2/" is no folder that parts go to */
  for (gsize n = strlen (own); own[n - 1] == '/'; n--)
    own[n - 1] = '\0';
  g_autofree char *folder = g_path_get_dirname (own);
  g_autofree char *name = g_path_get_basename (own);
  name[strlen (name) - strlen (".otf2")] = '\0';
  g_autoptr (PdTarget) made = make_folder (path, folder, name, error);
  if (made == NULL)
    return FALSE;
  const char *temporary = pd_target_get_name (made);
  pd_otf2_listen ();
  ok = write_archive (temporary, name, fill, data);
  if (!ok)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot be written: %s", path,
                 pd_otf2_get_complaint ());
  return ok && move_parts (temporary, folder, name, error);
}
