/* SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-folder.h"

#include <glib.h>

const char *
pd_trace_find_recording (const char *path)
{
  g_autofree char *archive = g_build_filename (path, "traces.otf2", NULL);

  return g_file_test (archive, G_FILE_TEST_IS_REGULAR) ? g_intern_string (archive) : path;
}
