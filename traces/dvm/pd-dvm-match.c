/* Which traces are DVM traces: those with a header line near the beginning.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-lexer.h"
#include "traces/dvm/pd-dvm-line.h"
#include "traces/dvm/pd-dvm-match.h"

#include <string.h>

gboolean
pd_trace_dvm_matches (const PdTraceProbe *probe)
{
  const char *p = probe->data, *end = p + probe->size;

  while (p < end)
    {
      const char *lf = memchr (p, '\n', (gsize) (end - p));
      PdDvmText text = { p, lf != NULL ? lf : end };
      PdDvmLine line;

      while (text.begin < text.end && (*text.begin == ' ' || *text.begin == '\t'))
        text.begin++;
      while (text.end > text.begin && text.end[-1] == '\r')
        text.end--;
      if (pd_dvm_line_parse (text, &line))
        return TRUE;
      p = lf != NULL ? lf + 1 : end;
    }
  return FALSE;
}
