/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-cleaning.h"

#include "traces/dvm/pd-dvm-reader-private.h"

PdDvmCleaning *
pd_dvm_cleaning_new (PdDvmReader *reader, const PdDvmCleanOptions *options)
{
  g_return_val_if_fail (reader != NULL && options != NULL, NULL);
  PdDvmCleaning *self = g_new0 (PdDvmCleaning, 1);

  self->reader = reader;
  self->options = *options;
  self->outliers = pd_dvm_outliers_new (reader);
  self->fit = options->finds_cost ? pd_dvm_recorder_fit_new () : NULL;
  return self;
}

void
pd_dvm_cleaning_free (PdDvmCleaning *self)
{
  if (self == NULL)
    return;
  pd_dvm_outliers_free (self->outliers);
  pd_dvm_recorder_fit_free (self->fit);
  g_free (self->trace);
  g_free (self);
}

static void
add_times (PdDvmRecorderShare *share, const PdDvmCall *call, const PdDvmCallTimes *times,
           gboolean is_started)
{
  if (is_started)
    pd_time_sum_add (&share->time, times->call);
  pd_time_sum_add (&share->time, times->ret);
  if (pd_dvm_function_get_class (call->function) == PD_DVM_CLASS_INT)
    pd_time_sum_add (&share->interval_time, times->ret);
}

void
pd_dvm_cleaning_add (PdDvmCleaning *self, const PdDvmCall *call)
{
  g_return_if_fail (self != NULL && self->reader != NULL && call != NULL);
  const PdDvmCallTimes *of = pd_dvm_reader_get_times (self->reader);

  add_times (&self->share, call, &of[PD_DVM_RECORDED], self->is_started);
  add_times (&self->decoded, call, &of[PD_DVM_DECODED], self->is_started);
  self->is_started = TRUE;
  if (pd_dvm_function_get_class (call->function) == PD_DVM_CLASS_INT)
    self->share.n_interval_records += call->is_single ? 1 : 2;
  self->share.n_events += 1 + (call->is_single ? 0 : pd_dvm_function_get_n_events (call->function));
  pd_dvm_outliers_add (self->outliers, call);
  if (self->fit != NULL)
    pd_dvm_recorder_fit_add_call (self->fit, self->reader, call);
}

static void
decide_on_decoding (PdDvmCleaning *self, const PdDvmTrailer *trailer)
{
  PdDvmRecorderShare *share = &self->share;

  share->n_files = 1;
  share->recorded_time = share->time;
  if (!pd_dvm_clock_is_known (&trailer->clock))
    return;
  share->n_decodable = 1;
  share->n_records = trailer->n_records;
  share->n_clamped = trailer->clock.n_clamped;
  share->clamped_time.ps = share->time.ps - self->decoded.time.ps;
  share->decodes = !self->options.keep_clamped;
  if (!share->decodes)
    return;
  share->time = self->decoded.time;
  share->interval_time = self->decoded.interval_time;
}

void
pd_dvm_cleaning_finish (PdDvmCleaning *self)
{
  g_return_if_fail (self != NULL && self->reader != NULL);

  decide_on_decoding (self, pd_dvm_reader_get_trailer (self->reader));
  pd_dvm_outliers_finish (self->outliers, self->options.outliers, self->share.decodes);
  self->share.time.ps += pd_dvm_outliers_get_change (self->outliers);
  if (self->fit != NULL && pd_dvm_recorder_fit_end (self->fit, self->reader, NULL))
    self->share.found = pd_dvm_recorder_fit_find (self->fit);
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
  pd_dvm_reader_set_decoding (reader, self->share.decodes);
  pd_dvm_reader_set_corrections (reader, pd_dvm_outliers_get_corrections (self->outliers));
}

/* ---- messages about it */

static gdouble
percent_of (PdTimeSum part, PdTimeSum whole)
{
  return whole.ps > 0 ? 100 * (gdouble) part.ps / (gdouble) whole.ps : 0;
}

/* The treatment of the outliers of a place, for the end of its message. */
static char *
describe_change (const PdDvmCleaning *self, const PdDvmOutlierPlace *place)
{
  static const char *const words[] = {
    [PD_DVM_OUTLIERS_MEDIAN] = "replaced by the median",
    [PD_DVM_OUTLIERS_CLIP] = "clipped to the nearest time that is no outlier",
  };

  if (self->options.outliers == PD_DVM_OUTLIERS_KEEP)
    return g_strdup ("");
  return g_strdup_printf ("; %s: %.6f s %s", words[self->options.outliers],
                          (gdouble) ABS (place->change) / PD_PS_PER_S,
                          place->change > 0 ? "more" : "less");
}

static void
report_place (const PdDvmCleaning *self, const PdDvmOutlierPlace *p, PdTimeSum time,
              PdMessages *messages)
{
  const PdPlace place = { self->trace, 0, p->name, (gint64) p->number, -1, FALSE };
  gboolean is_kept = self->options.outliers == PD_DVM_OUTLIERS_KEEP;
  gboolean is_long = p->farthest.ps > p->median.ps;
  g_autofree char *change = describe_change (self, p);
  g_autofree char *subject =
      p->is_loop ? g_strdup_printf ("the loop at %s:%" G_GINT64_FORMAT, p->file, p->line)
                 : g_strdup_printf ("%s at %s:%" G_GINT64_FORMAT, p->name, p->file, p->line);

  pd_messages_add (messages, is_kept ? PD_SEVERITY_WARNING : PD_SEVERITY_NOTE, "outlier", subject,
                   &place,
                   "%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " recorded times %s%.2f us "
                   "where the median is %.2f us: %.6f s too %s, %.1f %% of the program time%s",
                   subject, p->n_outliers, p->n,
                   p->n_outliers == 1 ? "is an outlier, "
                   : is_long          ? "are outliers, up to "
                                      : "are outliers, down to ",
                   (gdouble) p->farthest.ps / PD_PS_PER_US, (gdouble) p->median.ps / PD_PS_PER_US,
                   (gdouble) ABS (p->excess) / PD_PS_PER_S, p->excess >= 0 ? "much" : "little",
                   percent_of ((PdTimeSum){ ABS (p->excess) }, time), change);
}

void
pd_dvm_cleaning_report (const PdDvmCleaning *self, PdMessages *messages)
{
  g_return_if_fail (self != NULL && self->trace != NULL);
  const GArray *places = pd_dvm_outliers_get_places (self->outliers);
  PdTimeSum before = { self->share.time.ps - pd_dvm_outliers_get_change (self->outliers) };

  for (guint i = 0; i < places->len; i++)
    report_place (self, &g_array_index (places, PdDvmOutlierPlace, i), before, messages);
}

void
pd_dvm_recorder_share_add (PdDvmRecorderShare *self, const PdDvmRecorderShare *other)
{
  g_return_if_fail (self != NULL && other != NULL);

  self->n_files += other->n_files;
  self->n_decodable += other->n_decodable;
  self->decodes |= other->decodes;
  self->n_records += other->n_records;
  self->n_clamped += other->n_clamped;
  self->clamped_time.ps += other->clamped_time.ps;
  self->recorded_time.ps += other->recorded_time.ps;
  self->n_interval_records += other->n_interval_records;
  self->interval_time.ps += other->interval_time.ps;
  self->time.ps += other->time.ps;
  self->n_events += other->n_events;
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

char *
pd_dvm_recorder_share_describe_clamped (const PdDvmRecorderShare *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (self->n_decodable == 0)
    return g_strdup ("not decoded: the times are not those of the recorder's usual clock");
  GString *text = g_string_new (NULL);
  g_string_append_printf (
      text,
      "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " records, which added %.6f s, %.1f %% of the "
      "recorded time: %s",
      self->n_clamped, self->n_records, pd_time_sum_to_seconds (self->clamped_time),
      percent_of (self->clamped_time, self->recorded_time), self->decodes ? "decoded" : "kept");
  if (self->n_decodable < self->n_files)
    g_string_append_printf (text, " in %u of %u files, as the others have another clock",
                            self->n_decodable, self->n_files);
  else if (self->n_files > 1)
    g_string_append (text, "; what other processors waited for that remains");
  return g_string_free (text, FALSE);
}

char *
pd_dvm_recorder_share_describe_cost (const PdDvmRecorderShare *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  const PdTime event = self->found.cost.event;

  if (self->found.n_kinds == 0)
    return NULL;
  PdTimeSum all = { (PdWide) self->n_events * event.ps };
  return g_strdup_printf ("up to %.1f ns an event, as calls show that follow each other at once; "
                          "%" G_GUINT64_FORMAT " events: %.6f s, %.1f %% of the program time",
                          (gdouble) event.ps / PD_PS_PER_NS, self->n_events,
                          pd_time_sum_to_seconds (all), percent_of (all, self->time));
}

void
pd_dvm_recorder_share_report (const PdDvmRecorderShare *self, const char *trace,
                              PdMessages *messages)
{
  g_return_if_fail (self != NULL && trace != NULL);
  g_autofree char *share = pd_dvm_recorder_share_describe (self);
  g_autofree char *clamped = pd_dvm_recorder_share_describe_clamped (self);
  g_autofree char *cost = pd_dvm_recorder_share_describe_cost (self);
  const PdPlace place = { trace, 0, NULL, -1, -1, FALSE };

  pd_messages_add (messages, PD_SEVERITY_NOTE, "recorder", NULL, &place,
                   "the recorder's own share: %s", share);
  pd_messages_add (messages, PD_SEVERITY_NOTE, "clamped", NULL, &place,
                   "times that the recorder clamped to 1 us: %s", clamped);
  if (cost != NULL)
    pd_messages_add (messages, PD_SEVERITY_NOTE, "recorder-cost", NULL, &place,
                     "what recording cost the run: %s", cost);
}
