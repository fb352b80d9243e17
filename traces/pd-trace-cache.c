/* The folder of parsed programs. A file is named by the SHA-256 of the trace and
 * how it was read; with the program it has the messages, and the names and sums
 * of further files that the trace consists of. Messages and parts name files, so
 * that a program with such is only good for the trace of that name.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-trace-cache.h"

#include "base/pd-sha256.h"
#include "traces/pd-program-file.h"

#include <glib/gstdio.h>
#include <string.h>

/* Changes with whatever readers make of traces. */
#define READERS "readers 5"

/* What is noted: format, incomplete, where, parts and their sums, messages. */
#define NOTES_TYPE "(sbsa(ays)a(ussst))"

/* ---- sums */

static gboolean
add_file (PdSha256 *sum, const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);

  if (file != NULL)
    pd_sha256_update (sum, g_mapped_file_get_contents (file), g_mapped_file_get_length (file));
  return file != NULL;
}

static char *
to_hexadecimal (const guint8 *digest)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < PD_SHA256_SIZE; i++)
    g_string_append_printf (text, "%02x", digest[i]);
  return g_string_free (text, FALSE);
}

static char *
sum_file (const char *path)
{
  guint8 digest[PD_SHA256_SIZE];
  PdSha256 sum;

  pd_sha256_init (&sum);
  if (!add_file (&sum, path))
    return NULL;
  pd_sha256_finish (&sum, digest);
  return to_hexadecimal (digest);
}

static gboolean
make_key (const PdTraceSource *source, const PdTraceReadOptions *options, guint8 *key)
{
  PdSha256 sum;

  G_STATIC_ASSERT (PD_SHA256_SIZE == PD_PROGRAM_KEY_SIZE);
  pd_sha256_init (&sum);
  pd_sha256_update (&sum, READERS, sizeof READERS);
  pd_sha256_update (&sum, options->recorded ? "r" : "n", 1);
  if (source->bytes != NULL)
    pd_sha256_update (&sum, g_bytes_get_data (source->bytes, NULL),
                      g_bytes_get_size (source->bytes));
  else if (!add_file (&sum, source->path))
    return FALSE;
  pd_sha256_finish (&sum, key);
  return TRUE;
}

/* ---- notes */

/* Where names of files mean the same. */
static char *
describe_place (const PdTraceSource *source)
{
  g_autofree char *here = g_get_current_dir ();

  return g_strconcat (here, "\n", source->path, NULL);
}

static GVariant *
make_notes (const PdTraceSource *source, const PdMpTrace *trace, const PdMessages *messages)
{
  g_autofree char *place = describe_place (source);
  GVariantBuilder parts, texts;

  g_variant_builder_init (&parts, G_VARIANT_TYPE ("a(ays)"));
  for (guint i = 0; trace->parts != NULL && i < trace->parts->len; i++)
    {
      const char *path = trace->parts->pdata[i];
      g_autofree char *sum = sum_file (path);
      g_variant_builder_add (&parts, "(^ays)", path, sum != NULL ? sum : "");
    }
  g_variant_builder_init (&texts, G_VARIANT_TYPE ("a(ussst)"));
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      g_autofree char *text = g_utf8_make_valid (m->text, -1);
      g_autofree char *where = g_utf8_make_valid (m->place, -1);
      g_autofree char *subject = g_utf8_make_valid (m->subject, -1);
      g_variant_builder_add (&texts, "(ussst)", (guint32) m->severity, m->id, subject, text,
                             (guint64) m->count);
      g_variant_builder_add (&texts, "(ussst)", 0U, where, "", "", (guint64) 0);
    }
  g_autofree char *valid = g_utf8_make_valid (place, -1);
  return g_variant_new (NOTES_TYPE, trace->format->name, trace->incomplete, valid, &parts, &texts);
}

/* Each message is two rows: itself, and its place. */
static void
add_messages (GVariant *texts, PdMessages *messages)
{
  gsize n = g_variant_n_children (texts);

  for (gsize i = 0; i + 1 < n; i += 2)
    {
      guint32 severity, none;
      const char *id, *subject, *text, *where;
      guint64 count;

      g_variant_get_child (texts, i, "(u&s&s&st)", &severity, &id, &subject, &text, &count);
      g_variant_get_child (texts, i + 1, "(u&s&s&st)", &none, &where, NULL, NULL, NULL);
      PdMessage message = { severity == 0 ? PD_SEVERITY_NOTE : PD_SEVERITY_WARNING,
                            (char *) id,
                            (char *) subject,
                            (char *) text,
                            (char *) where,
                            count };
      pd_messages_add_message (messages, &message);
    }
}

/* Whether the further files are as they were. */
static gboolean
parts_are_same (GVariant *parts)
{
  gsize n = g_variant_n_children (parts);

  for (gsize i = 0; i < n; i++)
    {
      const char *path, *sum;
      g_variant_get_child (parts, i, "(^&ay&s)", &path, &sum);
      g_autofree char *now = sum_file (path);
      if (now == NULL || strcmp (now, sum) != 0)
        return FALSE;
    }
  return TRUE;
}

static PdMpTrace *
restore (GVariant *notes, PdProgram *program, const PdTraceSource *source, PdMessages *messages)
{
  g_autoptr (PdMpTrace) trace = g_new0 (PdMpTrace, 1);
  g_autoptr (GVariant) parts = NULL, texts = NULL;
  g_autofree char *place = describe_place (source);
  const char *format, *where;
  gboolean incomplete;

  trace->program = program;
  if (notes == NULL || !g_variant_is_of_type (notes, G_VARIANT_TYPE (NOTES_TYPE)))
    return NULL;
  g_variant_get (notes, "(&sb&s@a(ays)@a(ussst))", &format, &incomplete, &where, &parts, &texts);
  trace->format = pd_trace_format_find (format);
  trace->incomplete = incomplete;
  gboolean names_files = g_variant_n_children (parts) > 0 || g_variant_n_children (texts) > 0;
  if (trace->format == NULL || (names_files && strcmp (where, place) != 0)
      || !parts_are_same (parts))
    return NULL;
  add_messages (texts, messages);
  return g_steal_pointer (&trace);
}

/* ---- public */

PdMpTrace *
pd_trace_cache_find (const char *folder, const PdTraceSource *source,
                     const PdTraceReadOptions *options, PdMessages *messages, char **path,
                     guint8 *key)
{
  g_autoptr (GVariant) notes = NULL;
  g_autofree char *hex = NULL, *name = NULL;
  PdProgram *program;

  *path = NULL;
  if (!make_key (source, options, key))
    return NULL;
  hex = to_hexadecimal (key);
  name = g_strconcat (hex, ".pdp", NULL);
  *path = g_build_filename (folder, name, NULL);
  program = pd_program_map (*path, key, &notes, NULL);
  return program != NULL ? restore (notes, program, source, messages) : NULL;
}

void
pd_trace_cache_add (const char *path, const guint8 *key, const PdTraceSource *source,
                    const PdMpTrace *trace, PdMessages *messages)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) notes = NULL;
  PdPlace place = { path, 0, NULL, -1, -1, TRUE };

  if (trace->program == NULL)
    return;
  g_mkdir_with_parents (folder, 0777);
  notes = g_variant_ref_sink (make_notes (source, trace, messages));
  if (!pd_program_save (trace->program, key, notes, path, &error))
    pd_messages_add (messages, PD_SEVERITY_WARNING, "cache-unwritten", NULL, &place,
                     "the parsed program is not kept: %s", error->message);
}
