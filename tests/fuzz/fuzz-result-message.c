/* Results of points from arbitrary bytes.
 * SPDX-License-Identifier: MIT */
#include "sweep/run/pd-frame.h"
#include "sweep/study/pd-result-message.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_auto (PdPointResult) result;
  g_autoptr (GError) error = NULL;
  PdFrameKind kind;
  gsize length, n = 0;

  pd_frame_parse (data, size, &kind, &length, NULL);
  pd_point_result_init (&result);
  g_assert_cmpint (pd_result_message_read (data, size, &result, &error), ==, error == NULL);
  /* what was accepted can be used */
  for (guint i = 0; error == NULL && i < result.intervals->len; i++)
    {
      const PdPointInterval *r = &g_array_index (result.intervals, PdPointInterval, i);
      n += strlen (r->file) + strlen (r->name) + r->parent;
      g_assert_cmpuint (r->parent, <=, i);
    }
  for (guint i = 0; error == NULL && i < result.figures->len; i++)
    n += strlen (g_array_index (result.figures, PdPointFigure, i).name);
  g_assert (n < G_MAXSIZE);
  return 0;
}
