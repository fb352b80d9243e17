/* Warnings and errors with the place of the current call.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-fail.h"

void
pd_dvm_warn (PdDvm *self, const char *id, const char *subject, const char *format, ...)
{
  PdPlace place = pd_dvm_reader_get_place (self->reader);
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  pd_messages_add (self->messages, PD_SEVERITY_WARNING, id, subject, &place, "%s", text);
}

gboolean
pd_dvm_fail (PdDvm *self, GError **error, int code, const char *format, ...)
{
  PdPlace place = pd_dvm_reader_get_place (self->reader);
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, PD_DVM_MODEL_ERROR, code,
               "%s:%" G_GINT64_FORMAT ": call_%s (%s:%" G_GINT64_FORMAT "): %s",
               place.file != NULL ? place.file : "trace", place.line, self->call->name,
               self->call->file, self->call->line, text);
  return FALSE;
}
