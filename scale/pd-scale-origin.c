/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-origin.h"

static void
clear_recording (gpointer data)
{
  g_free (((PdScaleRecording *) data)->name);
}

static void
clear_interval (gpointer data)
{
  g_free (((PdScaleInterval *) data)->name);
}

void
pd_scale_origin_init (PdScaleOrigin *self)
{
  *self = (PdScaleOrigin){ .recordings = g_array_new (FALSE, TRUE, sizeof (PdScaleRecording)),
                           .messages = pd_messages_new () };
  self->validation.machine = g_strdup ("ideal");
  self->validation.intervals = g_array_new (FALSE, TRUE, sizeof (PdScaleInterval));
  g_array_set_clear_func (self->recordings, clear_recording);
  g_array_set_clear_func (self->validation.intervals, clear_interval);
}

void
pd_scale_origin_clear (PdScaleOrigin *self)
{
  g_clear_pointer (&self->recordings, g_array_unref);
  g_clear_pointer (&self->messages, pd_messages_free);
  g_clear_pointer (&self->validation.intervals, g_array_unref);
  g_clear_pointer (&self->validation.machine, g_free);
}

gdouble
pd_scale_validation_get_error (const PdScaleValidation *self)
{
  gdouble recorded = pd_time_to_seconds (self->recorded);

  return recorded > 0 ? pd_time_to_seconds (self->synthesized) / recorded - 1 : 0;
}
