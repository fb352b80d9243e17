/* Any bytes as liballprof traces: a zero byte begins the file of another rank.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof.h"

#include <string.h>

#define MAX_RANKS 4

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  PdTraceSource files[MAX_RANKS];
  PdTraceReadOptions options = { .recorded = size % 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdProgram) program = NULL;
  gboolean incomplete;
  guint32 n = 0;

  while (n < MAX_RANKS)
    {
      const guint8 *end = size > 0 ? memchr (data, 0, size) : NULL;
      gsize length = end != NULL && n + 1 < MAX_RANKS ? (gsize) (end - data) : size;

      files[n++] = (PdTraceSource){ "fuzz", g_bytes_new (data, length) };
      if (length == size)
        break;
      data += length + 1;
      size -= length + 1;
    }
  program = pd_allprof_read (files, n, &options, &incomplete, messages, &error);
  g_assert_true ((program == NULL) == (error != NULL));
  for (guint32 i = 0; i < n; i++)
    g_bytes_unref (files[i].bytes);
  return 0;
}
