/* Data stored with the program of a parsed trace. Messages and parts name files, so a program
 * that has any can only be used for the trace of that name.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-notes.h"
#include "traces/open/pd-trace-formats.h"

#include <string.h>

/* Format, incomplete, where, parts and their marks, messages. */
#define NOTES_TYPE "(sbsa(ays)a(ussst))"

/* Where names of files mean the same. */
static char *
describe_place (const PdTraceSource *source)
{
  g_autofree char *here = g_get_current_dir ();

  return g_strconcat (here, "\n", source->path, NULL);
}

GVariant *
pd_trace_notes_make (const PdTraceSource *source, const PdMpTrace *trace, PdFileMarkFunc mark,
                     const PdMessages *messages)
{
  g_autofree char *place = describe_place (source);
  GVariantBuilder parts, texts;

  g_variant_builder_init (&parts, G_VARIANT_TYPE ("a(ays)"));
  for (guint i = 0; trace->parts != NULL && i < trace->parts->len; i++)
    {
      const char *path = trace->parts->pdata[i];
      g_autofree char *sum = mark (path);
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

/* Whether the further files are as they were; they become those of @trace. */
static gboolean
take_parts (PdMpTrace *trace, GVariant *parts, PdFileMarkFunc mark)
{
  gsize n = g_variant_n_children (parts);

  if (n > 0)
    trace->parts = g_ptr_array_new_with_free_func (g_free);
  for (gsize i = 0; i < n; i++)
    {
      const char *path, *sum;
      g_variant_get_child (parts, i, "(^&ay&s)", &path, &sum);
      g_autofree char *now = mark (path);
      if (now == NULL || strcmp (now, sum) != 0)
        return FALSE;
      g_ptr_array_add (trace->parts, g_strdup (path));
    }
  return TRUE;
}

PdMpTrace *
pd_trace_notes_restore (GVariant *notes, PdMpTrace *given, const PdTraceSource *source,
                        PdFileMarkFunc mark, PdMessages *messages)
{
  g_autoptr (PdMpTrace) trace = given;
  g_autoptr (GVariant) parts = NULL, texts = NULL;
  g_autofree char *place = describe_place (source);
  const char *format, *where;
  gboolean incomplete;

  if (notes == NULL || !g_variant_is_of_type (notes, G_VARIANT_TYPE (NOTES_TYPE)))
    return NULL;
  g_variant_get (notes, "(&sb&s@a(ays)@a(ussst))", &format, &incomplete, &where, &parts, &texts);
  trace->format = pd_trace_format_find (format);
  trace->incomplete = incomplete;
  gboolean names_files = g_variant_n_children (parts) > 0 || g_variant_n_children (texts) > 0;
  if (trace->format == NULL || (names_files && strcmp (where, place) != 0)
      || !take_parts (trace, parts, mark))
    return NULL;
  add_messages (texts, messages);
  return g_steal_pointer (&trace);
}
