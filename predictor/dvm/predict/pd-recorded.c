/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/predict/pd-recorded.h"

#include "predictor/dvm/handlers/pd-dvm.h"
#include "traces/open/pd-dvm-set.h"
#include "traces/open/pd-dvm-open.h"

#include <string.h>

PdDvmReader *
pd_recorded_get (const PdRecorded *self, guint file)
{
  g_return_val_if_fail (file < self->readers->len, NULL);
  return g_ptr_array_index (self->readers, file);
}

void
pd_recorded_clear (PdRecorded *self)
{
  g_clear_pointer (&self->readers, g_ptr_array_unref);
}

static gboolean
open_set (PdRecorded *self, const char *trace, PdMessages *messages, GError **error)
{
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (trace, messages, error);

  for (guint i = 0; set != NULL && i < pd_dvm_set_get_n (set); i++)
    {
      PdDvmReader *reader = pd_dvm_set_open (set, i, messages, error);
      if (reader == NULL)
        return FALSE;
      g_ptr_array_add (self->readers, reader);
    }
  return set != NULL;
}

/* Folders and what names begin with stand for sets. */
static gboolean
names_a_file (const char *trace, GBytes *bytes)
{
  return bytes != NULL || strcmp (trace, "-") == 0
         || (g_file_test (trace, G_FILE_TEST_EXISTS) && !g_file_test (trace, G_FILE_TEST_IS_DIR));
}

/* The one trace that a name usually means; no reader where it means more. */
static gboolean
open_one (PdRecorded *self, const char *trace, GBytes *bytes, PdMessages *messages, GError **error)
{
  PdDvmReader *reader;

  if (!names_a_file (trace, bytes))
    return TRUE;
  reader = bytes != NULL ? pd_dvm_reader_new_from_bytes (bytes, trace, messages, error)
                         : pd_dvm_open (trace, messages, error);
  if (reader == NULL)
    return FALSE;
  if (bytes == NULL && strcmp (trace, "-") != 0
      && pd_dvm_reader_get_header (reader)->proc_count > 1)
    pd_dvm_reader_free (reader);
  else
    g_ptr_array_add (self->readers, reader);
  return TRUE;
}

/* A part of a run cannot stand for it, and a merged trace not for its parts. */
static gboolean
check_number (const PdRecorded *self, const char *trace, GError **error)
{
  gint64 n = MAX (pd_dvm_reader_get_header (pd_recorded_get (self, 0))->proc_count, 1);

  if (n == self->readers->len)
    return TRUE;
  g_set_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_RECORDED,
               "%s: one file of a run on %" G_GINT64_FORMAT " processors; prediction needs the "
               "files of all, named as they were recorded, or a run recorded on one processor",
               trace, n);
  return FALSE;
}

gboolean
pd_recorded_open (PdRecorded *self, const char *trace, GBytes *bytes, PdMessages *messages,
                  GError **error)
{
  g_return_val_if_fail (self->readers == NULL && trace != NULL, FALSE);

  self->readers = g_ptr_array_new_with_free_func ((GDestroyNotify) pd_dvm_reader_free);
  if (open_one (self, trace, bytes, messages, error)
      && (self->readers->len > 0 || open_set (self, trace, messages, error))
      && check_number (self, trace, error))
    return TRUE;
  pd_recorded_clear (self);
  return FALSE;
}

gboolean
pd_recorded_is_grid (const PdRecorded *self, guint rank, const gint64 *sizes)
{
  const PdDvmHeader *header = pd_dvm_reader_get_header (pd_recorded_get (self, 0));
  gint64 line = self->readers->len;
  const gint64 *recorded = header->ps_rank > 0 ? header->ps_size : &line;
  guint recorded_rank = MAX (header->ps_rank, 1);
  gboolean same = self->readers->len > 1;

  for (guint d = 0; d < MAX (rank, recorded_rank) && same; d++)
    same = (d < rank ? sizes[d] : 1) == (d < recorded_rank ? recorded[d] : 1);
  return same;
}

gboolean
pd_recorded_finish (const PdRecorded *self, GError **error)
{
  for (guint i = 0; i < self->readers->len; i++)
    {
      g_autoptr (GError) local = NULL;
      const PdDvmCall *call;
      while (pd_dvm_reader_next (pd_recorded_get (self, i), &call, &local))
        ;
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
    }
  return TRUE;
}

GPtrArray *
pd_recorded_clean (const char *trace, GBytes *bytes, const PdDvmCleanOptions *options,
                   GError **error)
{
  g_auto (PdRecorded) self = { NULL };
  g_autoptr (GPtrArray) cleanings =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_dvm_cleaning_free);

  if (!pd_recorded_open (&self, trace, bytes, NULL, error))
    return NULL;
  for (guint i = 0; i < self.readers->len; i++)
    {
      PdDvmCleaning *cleaning = pd_dvm_cleaning_read (pd_recorded_get (&self, i), options, error);
      if (cleaning == NULL)
        return NULL;
      g_ptr_array_add (cleanings, cleaning);
    }
  return g_steal_pointer (&cleanings);
}

void
pd_recorded_apply (const PdRecorded *self, const GPtrArray *cleanings)
{
  g_return_if_fail (self->readers->len == cleanings->len);

  for (guint i = 0; i < cleanings->len; i++)
    pd_dvm_cleaning_apply (g_ptr_array_index (cleanings, i), pd_recorded_get (self, i));
}

void
pd_recorded_set_cost (const PdRecorded *self, const PdDvmRecorderCost *cost)
{
  for (guint i = 0; i < self->readers->len; i++)
    pd_dvm_reader_set_recorder_cost (pd_recorded_get (self, i), cost);
}

void
pd_recorded_report_cost (const PdRecorded *self, const PdDvmRecorderCost *cost,
                         PdMessages *messages)
{
  PdTimeSum sum = { 0 };

  for (guint i = 0; i < self->readers->len; i++)
    sum.ps += pd_dvm_reader_get_taken_out (pd_recorded_get (self, i)).ps;
  if (sum.ps == 0)
    return;
  pd_messages_add (messages, PD_SEVERITY_NOTE, "recorder-cost", NULL, NULL,
                   "what recording cost is taken out of the recorded times: %.6f s, at %.1f ns an "
                   "event%s",
                   pd_time_sum_to_seconds (sum), (gdouble) cost->event.ps / PD_PS_PER_NS,
                   cost->drops_intervals ? ", and what statistics cost" : "");
}

void
pd_recorded_report (const GPtrArray *cleanings, PdMessages *messages)
{
  PdDvmRecorderShare share = { 0 };

  if (cleanings == NULL)
    return;
  for (guint i = 0; i < cleanings->len; i++)
    {
      const PdDvmCleaning *cleaning = g_ptr_array_index (cleanings, i);
      pd_dvm_cleaning_report (cleaning, messages);
      pd_dvm_recorder_share_add (&share, &cleaning->share);
    }
  const PdDvmCleaning *first = g_ptr_array_index (cleanings, 0);
  pd_dvm_recorder_share_report (&share, first->trace, messages);
}

gboolean
pd_recorded_is_complete (const PdRecorded *self)
{
  for (guint i = 0; i < self->readers->len; i++)
    if (!pd_dvm_reader_get_trailer (pd_recorded_get (self, i))->complete)
      return FALSE;
  return TRUE;
}
