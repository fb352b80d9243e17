/* SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-kind.h"

#include "base/pd-number.h"
#include "predictor/common/pd-errors.h"
#include "traces/graph/pd-mp-trace.h"
#include "traces/io/pd-trace-source.h"
#include "traces/open/pd-trace-formats.h"

#include <math.h>
#include <string.h>

gboolean
pd_mp_parse_flops (const char *text, gdouble *flops, GError **error)
{
  static const char prefixes[] = "kMGTP";
  const char *end = text;
  gdouble value = 0;
  gboolean is_number = pd_number_parse_real_before (text, &end, &value);
  const char *prefix = *end != '\0' ? strchr (prefixes, *end) : NULL;

  if (is_number && prefix != NULL)
    {
      value *= pow (1000, (gdouble) (prefix - prefixes) + 1);
      end++;
    }
  *flops = value;
  if (is_number && (*end == '\0' || strcmp (end, "f") == 0) && value >= 1 && value <= 1e24)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--flops '%s': expected a rate of at least 1 a second, like 1Gf or 2.5e9", text);
  return FALSE;
}

gboolean
pd_mp_is_trace (const PdTraceSource *source)
{
  const PdTraceFormat *format;

  /* what names begin with may be that of one file of another format, too */
  format = pd_trace_format_detect (source, NULL);
  return format != NULL && format->read != NULL
         && (pd_trace_source_is_file (source) || format == pd_trace_format_find ("allprof"));
}

gboolean
pd_mp_is_dvm_trace (const PdTraceSource *source)
{
  const PdTraceFormat *format = pd_trace_format_detect (source, NULL);

  return format != NULL && format == pd_trace_format_find ("dvm");
}

gboolean
pd_mp_is_statistics (const PdTraceSource *source)
{
  const PdTraceFormat *format = pd_trace_format_detect (source, NULL);

  return format != NULL && format == pd_trace_format_find ("pppa");
}
