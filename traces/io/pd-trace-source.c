/* Where a trace comes from.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-trace-source.h"

#include <string.h>

PdInput *
pd_trace_source_open (const PdTraceSource *source, GError **error)
{
  if (source->bytes != NULL)
    return pd_input_new_from_bytes (source->bytes);
  return pd_input_new_from_file (source->path, error);
}

gboolean
pd_trace_source_is_file (const PdTraceSource *source)
{
  return source->bytes != NULL || strcmp (source->path, "-") == 0
         || (g_file_test (source->path, G_FILE_TEST_EXISTS)
             && !g_file_test (source->path, G_FILE_TEST_IS_DIR));
}

const char *
pd_trace_source_get_name (const PdTraceSource *source)
{
  return strcmp (source->path, "-") == 0 ? "stdin" : source->path;
}
