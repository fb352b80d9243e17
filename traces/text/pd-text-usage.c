/* The text form of the recorded run's clock, and of the resources of their hosts that ranks had.
 * SPDX-License-Identifier: MIT */
#include "traces/text/pd-text-actions-private.h"

#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-program-sharing.h"
#include "traces/text/pd-text-values-private.h"

#include <string.h>

gboolean
pd_text_read_clock (PdText *self, PdTextSpan word, GError **error)
{
  for (PdRecordedClock i = PD_CLOCK_WALL; i < PD_N_CLOCKS; i++)
    if (pd_text_is (word, pd_recorded_clock_name (i)))
      {
        pd_program_builder_set_recorded_clock (self->builder, i);
        return TRUE;
      }
  return pd_text_refuse (word, "clock", "wall or cpu", error);
}

static gboolean
read_name (PdText *self, PdTextSpan value, const char *what, guint32 *name, GError **error)
{
  g_autofree char *text = pd_text_string (value, what, error);

  if (text == NULL)
    return FALSE;
  *name = pd_program_builder_add_string (self->builder, text);
  return TRUE;
}

static gboolean
read_field (PdTextSpan value, PdUsageField field, PdRecordedUsage *usage, GError **error)
{
  PdTime time;
  gint64 number;

  if (pd_usage_field_is_time (field))
    {
      if (!pd_text_time (value, &time, error))
        return FALSE;
      number = time.ps;
    }
  else if (!pd_text_int (value, pd_usage_field_name (field), 0, &number, error))
    return FALSE;
  pd_recorded_usage_set (usage, field, number);
  return TRUE;
}

/* KEY=VALUE */
static gboolean
read_pair (PdText *self, PdTextSpan word, PdRecordedUsage *usage, GError **error)
{
  const char *equals = memchr (word.p, '=', (gsize) (word.end - word.p));
  PdTextSpan key = { word.p, equals != NULL ? equals : word.end };
  PdTextSpan value = { equals != NULL ? equals + 1 : word.end, word.end };

  if (pd_text_is (key, "host"))
    return read_name (self, value, "host", &usage->host, error);
  if (pd_text_is (key, "processors"))
    return read_name (self, value, "processors", &usage->processors, error);
  for (PdUsageField i = 0; i < PD_N_USAGES; i++)
    if (pd_text_is (key, pd_usage_field_name (i)))
      return read_field (value, i, usage, error);
  return pd_text_refuse (word, "key", "host=, processors=, or a number, see predictor-trace(5)",
                         error);
}

gboolean
pd_text_read_usage (PdText *self, PdTextSpan *rest, GError **error)
{
  PdRecordedUsage usage;
  PdTextSpan word;

  pd_recorded_usage_init (&usage);
  while (pd_text_next (rest, &word))
    if (!read_pair (self, word, &usage, error))
      return FALSE;
  pd_program_builder_set_recorded_usage (self->builder, self->rank, &usage);
  return TRUE;
}
