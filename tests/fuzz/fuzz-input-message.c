/* Inputs of studies from arbitrary bytes.
 * SPDX-License-Identifier: MIT */
#include "sweep/run/pd-input-message.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) inputs = pd_input_message_read (data, size, &error);
  g_autoptr (GByteArray) again = g_byte_array_new ();

  g_assert_cmpint (inputs == NULL, ==, error != NULL);
  if (inputs == NULL)
    return 0;
  /* what was accepted is what would be written */
  pd_input_message_write (inputs, again);
  g_assert_cmpuint (again->len, ==, size);
  g_assert (size == 0 || memcmp (again->data, data, size) == 0);
  return 0;
}
