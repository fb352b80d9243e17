/* SPDX-License-Identifier: MIT */
#include "serve/pd-serve-message.h"

#include <string.h>

#define MAGIC "PDserve\1"

G_DEFINE_QUARK (pd - serve - error - quark, pd_serve_error)

/* The beginning of a packet; then the folder and the path, each with its 0. */
typedef struct
{
  char magic[8];
  guint32 kind;
  guint32 form;
  guint32 recorded;
  guint32 again;
  guint64 id;
  guint64 size;
  PdFileStamp stamp;
  guint32 folder_size;
  guint32 path_size;
} Head;

G_STATIC_ASSERT (sizeof (Head) + 2 * PD_SERVE_MAX_PATH <= PD_SERVE_MAX_PACKET);

gsize
pd_serve_message_write (const PdServeMessage *message, guint8 *packet)
{
  const PdSharedQuery *query = &message->query;
  gboolean has_query = message->kind == PD_SERVE_GET;
  Head head = { MAGIC,
                message->kind,
                has_query ? (guint32) query->form : 0,
                has_query && query->recorded,
                has_query && query->again,
                message->id,
                message->size,
                { 0 },
                0,
                0 };

  if (has_query)
    {
      gsize folder = strlen (message->folder) + 1, path = strlen (query->path) + 1;
      if (MAX (folder, path) > PD_SERVE_MAX_PATH)
        return 0;
      head.stamp = query->stamp;
      head.folder_size = (guint32) folder;
      head.path_size = (guint32) path;
      memcpy (packet + sizeof head, message->folder, folder);
      memcpy (packet + sizeof head + folder, query->path, path);
    }
  memcpy (packet, &head, sizeof head);
  return sizeof head + head.folder_size + head.path_size;
}

/* ---- reading */

static gboolean
refuse (const char *why, GError **error)
{
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_MESSAGE, "the data server: %s", why);
  return FALSE;
}

/* A text of @size bytes with its 0, and none before. */
static gboolean
is_text (const guint8 *data, gsize size)
{
  return size >= 2 && size <= PD_SERVE_MAX_PATH && memchr (data, 0, size) == data + size - 1;
}

static gboolean
read_query (const Head *head, const guint8 *texts, PdServeMessage *message, GError **error)
{
  const guint8 *path = texts + head->folder_size;

  if (!is_text (texts, head->folder_size) || texts[0] != '/' || !is_text (path, head->path_size))
    return refuse ("a path that is none", error);
  if (head->form >= PD_N_SHARED_FORMS || head->recorded > 1 || head->again > 1)
    return refuse ("a question of an unknown kind", error);
  message->folder = (const char *) texts;
  message->query = (PdSharedQuery){ (const char *) path, head->stamp, (PdSharedForm) head->form,
                                    (gboolean) head->recorded, (gboolean) head->again };
  return TRUE;
}

gboolean
pd_serve_message_read (const guint8 *data, gsize size, PdServeMessage *message, GError **error)
{
  Head head;

  *message = (PdServeMessage){ .kind = PD_N_SERVE_KINDS };
  if (size < sizeof head)
    return refuse ("a message that is cut", error);
  memcpy (&head, data, sizeof head);
  if (memcmp (head.magic, MAGIC, sizeof head.magic) != 0)
    return refuse ("a message of another program or version", error);
  gboolean has_query = head.kind == PD_SERVE_GET;
  if (head.folder_size > PD_SERVE_MAX_PATH || head.path_size > PD_SERVE_MAX_PATH
      || size != sizeof head + head.folder_size + head.path_size
      || (!has_query && size != sizeof head))
    return refuse ("a message of another length than it says", error);
  if (head.kind >= PD_N_SERVE_KINDS)
    return refuse ("a message of an unknown kind", error);
  if (has_query && !read_query (&head, data + sizeof head, message, error))
    return FALSE;
  message->kind = (PdServeKind) head.kind;
  message->id = head.id;
  message->size = head.size;
  return TRUE;
}
