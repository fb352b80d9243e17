/* Findings of the check of programs, as messages.
 * SPDX-License-Identifier: MIT */
#include "traces/audit/pd-program-audit-private.h"

/* Findings that also occur if the partner was not recorded. */
static gboolean
is_of_partners (const char *id)
{
  static const char *const ids[] = { "unmatched-send", "unmatched-receive", "message-truncated",
                                     "collective-mismatch", "collective-missing" };

  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    if (g_str_equal (id, ids[i]))
      return TRUE;
  return FALSE;
}

void
pd_audit_find (PdAudit *self, const char *id, guint32 rank, guint64 number, const char *record,
               const char *format, ...)
{
  PdPlace place = { self->file, 0, record, (gint64) number, rank, TRUE };
  va_list arguments;

  if (self->has_pauses && is_of_partners (id))
    return;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->n_findings++;
  pd_messages_add (self->messages, PD_SEVERITY_WARNING, id, NULL, &place, "%s", text);
}
