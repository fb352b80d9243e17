/* Any bytes as a time-independent trace, all of whose lines are of rank 0 or
 * of whatever they say, by one thread and by several.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/read-threads.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  test_read_by_threads ("ti", &(PdTraceSource){ "fuzz", bytes });
  return 0;
}
