/* Packets of the data server from arbitrary bytes.
 * SPDX-License-Identifier: MIT */
#include "serve/pd-serve-message.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static guint8 packet[PD_SERVE_MAX_PACKET];
  g_autoptr (GError) error = NULL;
  PdServeMessage message;

  g_assert_cmpint (pd_serve_message_read (data, size, &message, &error), ==, error == NULL);
  if (error != NULL)
    return 0;
  /* what was accepted can be said again, in the same words but for what is not used */
  g_assert_cmpuint (pd_serve_message_write (&message, packet), ==, size);
  if (message.kind == PD_SERVE_GET)
    g_assert_true (memcmp (packet, data, size) == 0);
  return 0;
}
