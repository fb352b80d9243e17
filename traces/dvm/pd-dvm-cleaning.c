/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-cleaning.h"

PdDvmCleaning *
pd_dvm_cleaning_new (PdDvmReader *reader, const PdDvmCleanOptions *options)
{
  g_return_val_if_fail (reader != NULL && options != NULL, NULL);
  PdDvmCleaning *self = g_new0 (PdDvmCleaning, 1);

  self->reader = reader;
  self->options = *options;
  self->outliers = pd_dvm_outliers_new (reader);
  return self;
}

void
pd_dvm_cleaning_free (PdDvmCleaning *self)
{
  if (self == NULL)
    return;
  pd_dvm_outliers_free (self->outliers);
  g_free (self->trace);
  g_free (self);
}

void
pd_dvm_cleaning_add (PdDvmCleaning *self, const PdDvmCall *call)
{
  g_return_if_fail (self != NULL && self->reader != NULL && call != NULL);

  if (self->is_started)
    pd_time_sum_add (&self->share.time, call->call_time);
  pd_time_sum_add (&self->share.time, call->ret_time);
  self->is_started = TRUE;
  if (pd_dvm_function_get_class (call->function) == PD_DVM_CLASS_INT)
    {
      self->share.n_interval_records += call->is_single ? 1 : 2;
      pd_time_sum_add (&self->share.interval_time, call->ret_time);
    }
  pd_dvm_outliers_add (self->outliers, call);
}

void
pd_dvm_cleaning_finish (PdDvmCleaning *self)
{
  g_return_if_fail (self != NULL && self->reader != NULL);

  pd_dvm_outliers_finish (self->outliers, self->options.outliers);
  self->share.time.ps += pd_dvm_outliers_get_change (self->outliers);
  self->trace = g_strdup (pd_dvm_reader_get_place (self->reader).file);
  self->reader = NULL;
}

PdDvmCleaning *
pd_dvm_cleaning_read (PdDvmReader *reader, const PdDvmCleanOptions *options, GError **error)
{
  g_autoptr (PdDvmCleaning) self = pd_dvm_cleaning_new (reader, options);
  g_autoptr (GError) local = NULL;
  const PdDvmCall *call;

  while (pd_dvm_reader_next (reader, &call, &local))
    pd_dvm_cleaning_add (self, call);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  pd_dvm_cleaning_finish (self);
  return g_steal_pointer (&self);
}

void
pd_dvm_cleaning_apply (const PdDvmCleaning *self, PdDvmReader *reader)
{
  g_return_if_fail (self != NULL && self->reader == NULL && reader != NULL);
  pd_dvm_reader_set_corrections (reader, pd_dvm_outliers_get_corrections (self->outliers));
}

/* ---- what is said about it */

static gdouble
percent_of (PdTimeSum part, PdTimeSum whole)
{
  return whole.ps > 0 ? 100 * (gdouble) part.ps / (gdouble) whole.ps : 0;
}

void
pd_dvm_cleaning_report (const PdDvmCleaning *self, PdMessages *messages)
{
  g_return_if_fail (self != NULL && self->trace != NULL);
  pd_dvm_outliers_report (self->outliers, self->trace, messages);
}

void
pd_dvm_recorder_share_add (PdDvmRecorderShare *self, const PdDvmRecorderShare *other)
{
  g_return_if_fail (self != NULL && other != NULL);

  self->n_interval_records += other->n_interval_records;
  self->interval_time.ps += other->interval_time.ps;
  self->time.ps += other->time.ps;
}

char *
pd_dvm_recorder_share_describe (const PdDvmRecorderShare *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " records of intervals, inside which it spent "
                          "%.6f s, %.1f %% of the program time",
                          self->n_interval_records, pd_time_sum_to_seconds (self->interval_time),
                          percent_of (self->interval_time, self->time));
}

void
pd_dvm_recorder_share_report (const PdDvmRecorderShare *self, const char *trace,
                              PdMessages *messages)
{
  g_return_if_fail (self != NULL && trace != NULL);
  g_autofree char *text = pd_dvm_recorder_share_describe (self);
  const PdPlace place = { trace, 0, NULL, -1, -1, FALSE };

  pd_messages_add (messages, PD_SEVERITY_NOTE, "recorder", NULL, &place,
                   "the recorder's own share: %s", text);
}
