/* SPDX-License-Identifier: MIT */
#include "base/pd-messages.h"
#include "base/pd-progress.h"

struct _PdMessages
{
  GPtrArray *list;      /* PdMessage*, owned, in order of first occurrence */
  GHashTable *index;    /* "id\nsubject", owned -> PdMessage* */
  PdProgress *progress; /* (nullable): borrowed */
};

void
pd_messages_set_progress (PdMessages *self, PdProgress *progress)
{
  self->progress = progress;
}

PdProgress *
pd_messages_get_progress (const PdMessages *self)
{
  return self != NULL ? self->progress : NULL;
}

static void
message_free (gpointer data)
{
  PdMessage *message = data;

  g_free (message->id);
  g_free (message->subject);
  g_free (message->text);
  g_free (message->place);
  g_free (message);
}

PdMessages *
pd_messages_new (void)
{
  PdMessages *self = g_new0 (PdMessages, 1);

  self->list = g_ptr_array_new_with_free_func (message_free);
  self->index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
pd_messages_free (PdMessages *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->list);
  g_free (self);
}

/* "rank 3, action 17, MPI_Recv", behind what @text says of the file. */
static char *
describe_action (const PdPlace *place, GString *text)
{
  const char *separator = text->len > 0 ? ": " : "";

  if (place->rank >= 0)
    {
      g_string_append_printf (text, "%srank %" G_GINT64_FORMAT, separator, place->rank);
      separator = ", ";
    }
  if (place->number >= 0)
    {
      g_string_append_printf (text, "%saction %" G_GINT64_FORMAT, separator, place->number);
      separator = ", ";
    }
  if (place->record != NULL)
    g_string_append_printf (text, "%s%s", separator, place->record);
  return g_string_free (text, FALSE);
}

static char *
describe_place (const PdPlace *place)
{
  GString *text = g_string_new (NULL);

  if (place == NULL)
    return g_string_free (text, FALSE);
  if (place->file != NULL)
    g_string_append (text, place->file);
  if (place->line > 0)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, text->len > 0 ? ":" : "line ",
                            place->line);
  if (place->is_mp)
    return describe_action (place, text);
  if (place->record != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ": " : "", place->record);
  if (place->number >= 0)
    g_string_append_printf (text, "%srecord %" G_GINT64_FORMAT, text->len > 0 ? ", " : "",
                            place->number);
  if (place->rank >= 0)
    g_string_append_printf (text, "%sprocessor %" G_GINT64_FORMAT, text->len > 0 ? ", " : "",
                            place->rank);
  return g_string_free (text, FALSE);
}

void
pd_messages_add (PdMessages *self, PdSeverity severity, const char *id, const char *subject,
                 const PdPlace *place, const char *format, ...)
{
  if (self == NULL)
    return;

  g_autofree char *key = g_strconcat (id, "\n", subject, NULL);
  PdMessage *message = g_hash_table_lookup (self->index, key);
  if (message != NULL)
    {
      message->count++;
      return;
    }

  va_list args;
  message = g_new0 (PdMessage, 1);
  message->severity = severity;
  message->id = g_strdup (id);
  message->subject = g_strdup (subject != NULL ? subject : "");
  va_start (args, format);
  message->text = g_strdup_vprintf (format, args);
  va_end (args);
  message->place = describe_place (place);
  message->count = 1;
  g_ptr_array_add (self->list, message);
  g_hash_table_insert (self->index, g_steal_pointer (&key), message);
}

void
pd_messages_add_message (PdMessages *self, const PdMessage *message)
{
  if (self == NULL)
    return;

  g_autofree char *key = g_strconcat (message->id, "\n", message->subject, NULL);
  PdMessage *known = g_hash_table_lookup (self->index, key);
  if (known != NULL)
    {
      known->count += message->count;
      return;
    }
  PdMessage *copy = g_new0 (PdMessage, 1);
  *copy =
      (PdMessage){ message->severity,        g_strdup (message->id),    g_strdup (message->subject),
                   g_strdup (message->text), g_strdup (message->place), message->count };
  g_ptr_array_add (self->list, copy);
  g_hash_table_insert (self->index, g_steal_pointer (&key), copy);
}

void
pd_messages_add_all (PdMessages *self, const PdMessages *others)
{
  for (guint i = 0; others != NULL && i < others->list->len; i++)
    pd_messages_add_message (self, g_ptr_array_index (others->list, i));
}

guint
pd_messages_get_n (const PdMessages *self)
{
  return self->list->len;
}

const PdMessage *
pd_messages_get (const PdMessages *self, guint i)
{
  g_return_val_if_fail (i < self->list->len, NULL);

  return g_ptr_array_index (self->list, i);
}

guint64
pd_messages_count (const PdMessages *self, const char *id)
{
  guint64 count = 0;

  for (guint i = 0; i < self->list->len; i++)
    {
      const PdMessage *message = g_ptr_array_index (self->list, i);
      if (g_str_equal (message->id, id))
        count += message->count;
    }
  return count;
}
