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

const char *
pd_trace_source_get_name (const PdTraceSource *source)
{
  return strcmp (source->path, "-") == 0 ? "stdin" : source->path;
}
