/* Rewrites the definitions of an archive of ours with lines for addresses. They
 * are read and written in their order; strings are numbered anew.
 * SPDX-License-Identifier: MIT */
#include "predictor/symbols/pd-resolve-private.h"

#include "base/pd-digest.h"
#include "base/pd-number.h"
#include "base/pd-target.h"
#include "traces/io/pd-trace-error.h"
#include "traces/otf2/pd-otf2-archive.h"
#include "predictor/symbols/pd-resolve-copy-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK (1024 * 1024) /* of the recorder's archives: the anchor names it */

/* ---- reading: once to look, once to write */

static OTF2_ErrorCode
stay_silent (void *data G_GNUC_UNUSED, const char *file G_GNUC_UNUSED, uint64_t line G_GNUC_UNUSED,
             const char *function G_GNUC_UNUSED, OTF2_ErrorCode code,
             const char *format G_GNUC_UNUSED, va_list arguments G_GNUC_UNUSED)
{
  return code;
}

static gboolean
refuse (const PdRewriter *self, gint code, const char *what, GError **error)
{
  g_set_error (error, PD_TRACE_ERROR, code, "%s: %s", self->path, what);
  return FALSE;
}

static void
parse_costs (PdRecordedInfo *info)
{
  g_auto (GStrv) words = g_strsplit (info->call_costs != NULL ? info->call_costs : "", " ", -1);

  info->n_calls = 0;
  for (guint i = 0; i < PD_N_RECORDED_COSTS && words[i] != NULL; i++)
    {
      PdRecordedCost *cost = &info->costs[i];
      char *colon = strchr (words[i], ':');
      if (colon == NULL)
        return;
      *colon = '\0';
      if (!g_ascii_string_to_unsigned (words[i], 10, 0, G_MAXUINT32, &cost->n_calls, NULL)
          || !pd_number_parse_real (colon + 1, &cost->each))
        return;
      info->n_calls += cost->n_calls;
    }
}

static void
read_properties (OTF2_Reader *reader, PdRecordedInfo *info)
{
  static const char *const names[] = { "PREDICTOR::CALL_COSTS", "PREDICTOR::TRUNCATED",
                                       "PREDICTOR::COMMON_PART", PD_OTF2_DIGESTS,
                                       "PREDICTOR::CLOCK" };
  char **const texts[] = { &info->call_costs, &info->truncated, &info->common_part, &info->digests,
                           &info->clock };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      char *value = NULL;
      if (OTF2_Reader_GetProperty (reader, names[i], &value) != OTF2_SUCCESS || value == NULL)
        continue;
      g_free (*texts[i]);
      *texts[i] = g_strdup (value);
      free (value);
    }
  parse_costs (info);
}

static gboolean
read_definitions (PdRewriter *self, GError **error)
{
  OTF2_Reader *reader = OTF2_Reader_Open (self->path);
  OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New ();
  OTF2_GlobalDefReader *definitions = NULL;
  uint64_t n_expected = 0, n_read = 0;
  OTF2_ErrorCode status = OTF2_ERROR_INVALID;

  if (reader != NULL && OTF2_Reader_SetSerialCollectiveCallbacks (reader) == OTF2_SUCCESS)
    definitions = OTF2_Reader_GetGlobalDefReader (reader);
  if (definitions != NULL)
    {
      pd_rewriter_set_callbacks (callbacks);
      OTF2_Reader_RegisterGlobalDefCallbacks (reader, definitions, callbacks, self);
      OTF2_Reader_GetNumberOfGlobalDefinitions (reader, &n_expected);
      status = OTF2_Reader_ReadAllGlobalDefinitions (reader, definitions, &n_read);
      OTF2_Reader_CloseGlobalDefReader (reader, definitions);
      read_properties (reader, self->info);
    }
  OTF2_GlobalDefReaderCallbacks_Delete (callbacks);
  if (reader != NULL)
    OTF2_Reader_Close (reader);
  return (status == OTF2_SUCCESS && n_read == n_expected)
         || refuse (self, PD_TRACE_ERROR_OPEN, "the definitions cannot be read", error);
}

/* ---- writing: an archive of definitions alone, which take the place of the old ones */

static OTF2_FlushType
before_flush (void *data G_GNUC_UNUSED, OTF2_FileType type G_GNUC_UNUSED,
              OTF2_LocationRef location G_GNUC_UNUSED, void *caller G_GNUC_UNUSED,
              bool final G_GNUC_UNUSED)
{
  return OTF2_FLUSH;
}

static gboolean
write_local_definitions (const PdRewriter *self, OTF2_Archive *archive)
{
  gboolean ok = OTF2_Archive_OpenDefFiles (archive) == OTF2_SUCCESS;

  for (guint i = 0; i < self->locations->len && ok; i++)
    {
      OTF2_LocationRef ref = g_array_index (self->locations, OTF2_LocationRef, i);
      OTF2_DefWriter *out = OTF2_Archive_GetDefWriter (archive, ref);
      ok = out != NULL && OTF2_Archive_CloseDefWriter (archive, out) == OTF2_SUCCESS;
    }
  return ok && OTF2_Archive_CloseDefFiles (archive) == OTF2_SUCCESS;
}

static void
write_properties (const PdRecordedInfo *info, OTF2_Archive *archive)
{
  if (info->call_costs != NULL)
    OTF2_Archive_SetProperty (archive, "PREDICTOR::CALL_COSTS", info->call_costs, true);
  if (info->truncated != NULL)
    OTF2_Archive_SetProperty (archive, "PREDICTOR::TRUNCATED", info->truncated, true);
  if (info->common_part != NULL)
    OTF2_Archive_SetProperty (archive, "PREDICTOR::COMMON_PART", info->common_part, true);
  if (info->clock != NULL)
    OTF2_Archive_SetProperty (archive, "PREDICTOR::CLOCK", info->clock, true);
}

/* The events stay as they are, and so do their digests. */
static gboolean
write_digests (PdRewriter *self, OTF2_Archive *archive, const char *folder, const char *name)
{
  const char *events = self->info->digests != NULL ? strchr (self->info->digests, ' ') : NULL;
  g_autofree char *file = g_strconcat (name, ".def", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  uint64_t digest;

  if (self->info->digests == NULL)
    return TRUE;
  if (OTF2_Archive_CloseGlobalDefWriter (archive, self->out) != OTF2_SUCCESS
      || pd_digest_file (path, &digest) != 0)
    return FALSE;
  g_autofree char *text =
      g_strdup_printf ("%" G_GINT64_MODIFIER "x%s", (guint64) digest, events != NULL ? events : "");
  return OTF2_Archive_SetProperty (archive, PD_OTF2_DIGESTS, text, true) == OTF2_SUCCESS;
}

static gboolean
write_definitions (PdRewriter *self, const char *folder, const char *name)
{
  static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = before_flush };
  OTF2_Archive *archive = OTF2_Archive_Open (folder, name, OTF2_FILEMODE_WRITE, CHUNK, 4 * CHUNK,
                                             OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  gboolean ok;

  if (archive == NULL)
    return FALSE;
  ok = OTF2_Archive_SetFlushCallbacks (archive, &flush, NULL) == OTF2_SUCCESS
       && OTF2_Archive_SetSerialCollectiveCallbacks (archive) == OTF2_SUCCESS
       && OTF2_Archive_SetCreator (archive, "predictor record") == OTF2_SUCCESS
       && write_local_definitions (self, archive);
  self->out = ok ? OTF2_Archive_GetGlobalDefWriter (archive) : NULL;
  ok = self->out != NULL && read_definitions (self, NULL) && !self->failed;
  if (ok)
    {
      write_properties (self->info, archive);
      ok = write_digests (self, archive, folder, name);
    }
  return OTF2_Archive_Close (archive) == OTF2_SUCCESS && ok;
}

/* The anchor says how many definitions there are, so both change. */
static gboolean
rewrite (PdRewriter *self, GError **error)
{
  static const char *const suffixes[] = { ".def", ".otf2" };
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autofree char *name = g_path_get_basename (self->path);
  g_autofree char *beginning = g_build_filename (folder, ".lines-", NULL);
  g_autoptr (PdTarget) made = pd_target_new_folder (beginning);

  if (made == NULL)
    return refuse (self, PD_TRACE_ERROR_OPEN, g_strerror (errno), error);
  const char *scratch = pd_target_get_name (made);
  if (g_str_has_suffix (name, ".otf2"))
    name[strlen (name) - strlen (".otf2")] = '\0';
  gboolean ok = write_definitions (self, scratch, name);
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes) && ok; i++)
    {
      g_autofree char *file = g_strconcat (name, suffixes[i], NULL);
      g_autofree char *from = g_build_filename (scratch, file, NULL);
      g_autofree char *to = g_build_filename (folder, file, NULL);
      ok = g_rename (from, to) == 0;
    }
  return ok || refuse (self, PD_TRACE_ERROR_OPEN, "the definitions cannot be rewritten", error);
}

static void
free_place (gpointer data)
{
  PdPlaceInSource *place = data;

  g_free (place->function);
  g_free (place->file);
  g_free (place);
}

static void
rewriter_clear (PdRewriter *self)
{
  g_hash_table_unref (self->texts);
  g_hash_table_unref (self->places);
  g_hash_table_unref (self->source_locations);
  g_hash_table_unref (self->written);
  g_hash_table_unref (self->numbers);
  g_array_unref (self->locations);
  pd_source_lines_free (self->lines);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdRewriter, rewriter_clear)

gboolean
pd_resolve_archive (const char *path, PdRecordedInfo *info, GError **error)
{
  g_auto (PdRewriter) self = {
    .path = path,
    .info = info,
    .lines = pd_source_lines_new (error),
    .texts = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .places = g_hash_table_new_full (NULL, NULL, NULL, free_place),
    .source_locations = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .written = g_hash_table_new (NULL, NULL),
    .numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .locations = g_array_new (FALSE, FALSE, sizeof (OTF2_LocationRef)),
  };

  memset (info, 0, sizeof *info);
  OTF2_Error_RegisterCallback (stay_silent, NULL);
  if (self.lines == NULL || !read_definitions (&self, error))
    return FALSE;
  return g_hash_table_size (self.places) == 0 || rewrite (&self, error);
}

const char *
pd_recorded_cost_name (PdRecordedCostKind kind)
{
  static const char *const names[PD_N_RECORDED_COSTS] = { "blocking", "non-blocking", "collective",
                                                          "tests", "others" };

  return names[kind];
}

gdouble
pd_recorded_info_get_overhead_of (const PdRecordedInfo *self, PdRecordedCostKind kind)
{
  const PdRecordedCost *cost = &self->costs[kind];

  if (self->length <= 0 || self->n_threads == 0)
    return 0;
  return (gdouble) cost->n_calls / self->n_threads * cost->each * 1e-9 / self->length;
}

gdouble
pd_recorded_info_get_overhead (const PdRecordedInfo *self)
{
  gdouble sum = 0;

  for (guint i = 0; i < PD_N_RECORDED_COSTS; i++)
    sum += pd_recorded_info_get_overhead_of (self, (PdRecordedCostKind) i);
  return sum;
}

void
pd_recorded_info_clear (PdRecordedInfo *info)
{
  g_clear_pointer (&info->call_costs, g_free);
  g_clear_pointer (&info->clock, g_free);
  g_clear_pointer (&info->truncated, g_free);
  g_clear_pointer (&info->common_part, g_free);
  g_clear_pointer (&info->digests, g_free);
}
