/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-recorder-fit.h"

#include "traces/dvm/pd-dvm-reader-private.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_TIMES 1000 /* of a kind: the mean of so many readings of the clock is 2 ns wrong */

/* Sums of times, in each form. */
typedef struct
{
  guint64 n;
  gdouble ps[PD_DVM_N_FORMS];
} Sum;

/* One trace. */
typedef struct
{
  GHashTable *kinds; /* Sum* by function before, function, and line */
  Sum inside[PD_DVM_N_FUNCTIONS];
  Sum all; /* but the start-up */
  PdDvmFunction before;
  gboolean has_statistics;
} Counts;

/* Without and with statistics. */
struct _PdDvmRecorderFit
{
  Counts *counts;                        /* (nullable): of the trace whose calls come */
  GArray *events[2];                     /* gdouble: picoseconds, by kind of calls */
  gdouble inside[2][PD_DVM_N_FUNCTIONS]; /* mean inside calls; 0 = not known */
};

/* A tick of the recorder's clock between its reading before and its reading for a record makes
 * this one longer and the next one shorter, where the decoder finds it missing in whatever time
 * comes first. So a time of mean g in a trace whose mean is m is decoded to
 *
 *   v = (g + c) m / (m + c),   c = the time between these readings
 *
 * and between calls that follow each other at once, where g is c: c = v m / (2 m - v). */
static gdouble
find_event (gdouble decoded, gdouble mean)
{
  return decoded < 2 * mean ? decoded * mean / (2 * mean - decoded) : -1;
}

static gdouble
undo_ticks (gdouble decoded, gdouble mean, gdouble event)
{
  return decoded * (mean + event) / mean - event;
}

static gint64
make_key (PdDvmFunction before, const PdDvmCall *call)
{
  return (gint64) (((guint64) call->line & G_MAXUINT32) << 24 | (guint64) before << 12
                   | (guint64) call->function);
}

static void
add_to (Sum *sum, PdTime recorded, PdTime decoded)
{
  sum->n++;
  sum->ps[PD_DVM_RECORDED] += (gdouble) recorded.ps;
  sum->ps[PD_DVM_DECODED] += (gdouble) decoded.ps;
}

static Sum *
get_kind (Counts *counts, gint64 key)
{
  Sum *sum = g_hash_table_lookup (counts->kinds, &key);

  if (sum != NULL)
    return sum;
  gint64 *own = g_new (gint64, 1);
  *own = key;
  sum = g_new0 (Sum, 1);
  g_hash_table_insert (counts->kinds, own, sum);
  return sum;
}

/* The iterations of a loop run behind dopl_. */
static void
count (Counts *counts, const PdDvmCall *call, const PdDvmCallTimes *of)
{
  PdDvmFunction before = counts->before;
  const PdDvmCallTimes *recorded = &of[PD_DVM_RECORDED], *decoded = &of[PD_DVM_DECODED];

  counts->has_statistics |= pd_dvm_function_get_class (call->function) == PD_DVM_CLASS_INT;
  if (call->is_single)
    return;
  add_to (&counts->inside[call->function], recorded->ret, decoded->ret);
  add_to (&counts->all, recorded->ret, decoded->ret);
  if (before != PD_DVM_UNKNOWN)
    add_to (&counts->all, recorded->call, decoded->call);
  if (before != PD_DVM_UNKNOWN && before != PD_DVM_dopl_)
    add_to (get_kind (counts, make_key (before, call)), recorded->call, decoded->call);
}

static gboolean
check_trace (const PdDvmReader *reader, GError **error)
{
  const PdDvmTrailer *trailer = pd_dvm_reader_get_trailer (reader);
  const char *name = pd_dvm_reader_get_place (reader).file;

  if (pd_dvm_reader_get_header (reader)->proc_count > 1)
    g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET,
                 "%s: recorded on several processors, which wait for each other; expected one",
                 name);
  else if (!pd_dvm_clock_is_known (&trailer->clock)
           && trailer->clock.n_clamped > trailer->n_records / 2)
    g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_FORMAT,
                 "%s: most times are clamped to 1 us, and the clock is not known; expected a trace "
                 "whose times can be decoded",
                 name);
  else
    return TRUE;
  return FALSE;
}

/* ---- sums */

static gdouble
get_mean (const Sum *sum, PdDvmTimesForm form)
{
  return sum->ps[form] / (gdouble) sum->n;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

/* Sorts @numbers. Of two in the middle the lower one; of none 0. */
static gdouble
find_median (GArray *numbers)
{
  g_array_sort (numbers, compare_numbers);
  return numbers->len > 0 ? g_array_index (numbers, gdouble, (numbers->len - 1) / 2) : 0;
}

static void
take (PdDvmRecorderFit *self, const Counts *counts, PdDvmTimesForm form)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gdouble mean = get_mean (&counts->all, form);
  GHashTableIter iter;
  gpointer sum;

  g_hash_table_iter_init (&iter, counts->kinds);
  while (g_hash_table_iter_next (&iter, NULL, &sum))
    if (((const Sum *) sum)->n >= LEAST_TIMES)
      {
        gdouble event = get_mean (sum, form);
        if (form == PD_DVM_DECODED)
          event = find_event (event, mean);
        if (event >= 0)
          g_array_append_val (events, event);
      }
  gdouble event = find_median (events);
  g_array_append_vals (self->events[counts->has_statistics], events->data, events->len);
  for (guint f = 0; f < PD_DVM_N_FUNCTIONS; f++)
    if (counts->inside[f].n >= LEAST_TIMES)
      {
        gdouble inside = get_mean (&counts->inside[f], form);
        self->inside[counts->has_statistics][f] =
            form == PD_DVM_DECODED ? undo_ticks (inside, mean, event) : inside;
      }
}

static void
counts_free (Counts *counts)
{
  if (counts == NULL)
    return;
  g_hash_table_unref (counts->kinds);
  g_free (counts);
}

void
pd_dvm_recorder_fit_add_call (PdDvmRecorderFit *self, const PdDvmReader *reader,
                              const PdDvmCall *call)
{
  g_return_if_fail (self != NULL && reader != NULL && call != NULL);

  if (self->counts == NULL)
    {
      self->counts = g_new0 (Counts, 1);
      self->counts->kinds = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
    }
  count (self->counts, call, pd_dvm_reader_get_times (reader));
  self->counts->before = call->function;
}

gboolean
pd_dvm_recorder_fit_end (PdDvmRecorderFit *self, const PdDvmReader *reader, GError **error)
{
  g_return_val_if_fail (self != NULL && reader != NULL, FALSE);
  gboolean ok = check_trace (reader, error);

  if (ok && self->counts != NULL)
    take (self, self->counts,
          pd_dvm_clock_is_known (&pd_dvm_reader_get_trailer (reader)->clock) ? PD_DVM_DECODED
                                                                             : PD_DVM_RECORDED);
  g_clear_pointer (&self->counts, counts_free);
  return ok;
}

gboolean
pd_dvm_recorder_fit_add (PdDvmRecorderFit *self, PdDvmReader *reader, GError **error)
{
  g_return_val_if_fail (self != NULL && reader != NULL, FALSE);
  g_autoptr (GError) local = NULL;
  const PdDvmCall *call;

  while (pd_dvm_reader_next (reader, &call, &local))
    pd_dvm_recorder_fit_add_call (self, reader, call);
  if (local == NULL)
    return pd_dvm_recorder_fit_end (self, reader, error);
  g_clear_pointer (&self->counts, counts_free);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static PdTime
round_time (gdouble ps)
{
  return PD_TIME ((gint64) round (ps));
}

PdDvmRecorderFound
pd_dvm_recorder_fit_find (const PdDvmRecorderFit *self)
{
  PdDvmRecorderFound found = { .n_kinds = 0 };
  g_return_val_if_fail (self != NULL, found);
  g_autoptr (GArray) longer = g_array_new (FALSE, FALSE, sizeof (gdouble));
  GArray *events = self->events[self->events[FALSE]->len == 0];

  found.n_kinds = events->len;
  if (found.n_kinds == 0)
    return found;
  found.cost.event = round_time (find_median (events));
  found.least = round_time (g_array_index (events, gdouble, 0));
  found.most = round_time (g_array_index (events, gdouble, found.n_kinds - 1));
  for (guint f = 0; f < PD_DVM_N_FUNCTIONS; f++)
    if (self->inside[FALSE][f] > 0 && self->inside[TRUE][f] > 0)
      {
        gdouble by = self->inside[TRUE][f] - self->inside[FALSE][f];
        g_array_append_val (longer, by);
      }
  found.n_functions = longer->len;
  found.cost.statistics = round_time (MAX (find_median (longer), 0));
  return found;
}

PdDvmRecorderFit *
pd_dvm_recorder_fit_new (void)
{
  PdDvmRecorderFit *self = g_new0 (PdDvmRecorderFit, 1);

  for (guint i = 0; i < G_N_ELEMENTS (self->events); i++)
    self->events[i] = g_array_new (FALSE, FALSE, sizeof (gdouble));
  return self;
}

void
pd_dvm_recorder_fit_free (PdDvmRecorderFit *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->events); i++)
    g_array_unref (self->events[i]);
  counts_free (self->counts);
  g_free (self);
}
