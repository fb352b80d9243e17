/* SPDX-License-Identifier: MIT */
#include "sweep/study/pd-result-message.h"

#include "base/pd-sha256.h"
#include "base/pd-verdict.h"
#include "intervals/pd-interval-fold.h"

#include <math.h>
#include <string.h>

G_DEFINE_QUARK (pd_result_error_quark, pd_result_error)

#define MAGIC 0x31724450u /* "PDr1": counts with the form */

const char *
pd_point_status_name (PdPointStatus status)
{
  static const char *const names[PD_N_POINT_STATUSES] = { "done", "incomplete", "deadlock",
                                                          "failed", "crashed" };

  return names[status];
}

void
pd_point_result_init (PdPointResult *self)
{
  *self = (PdPointResult){ .message = "" };
  self->figures = g_array_new (FALSE, FALSE, sizeof (PdPointFigure));
  self->intervals = g_array_new (FALSE, FALSE, sizeof (PdPointInterval));
  self->processors = g_array_new (FALSE, FALSE, sizeof (PdPointProcessor));
  self->warnings = g_array_new (FALSE, FALSE, sizeof (PdPointWarning));
}

void
pd_point_result_clear (PdPointResult *self)
{
  g_clear_pointer (&self->figures, g_array_unref);
  g_clear_pointer (&self->intervals, g_array_unref);
  g_clear_pointer (&self->processors, g_array_unref);
  g_clear_pointer (&self->warnings, g_array_unref);
}

const PdPointFigure *
pd_point_result_find (const PdPointResult *self, const char *name)
{
  for (guint i = 0; i < self->figures->len; i++)
    {
      const PdPointFigure *figure = &g_array_index (self->figures, PdPointFigure, i);
      if (strcmp (figure->name, name) == 0)
        return figure;
    }
  return NULL;
}

/* ---- writing */

static void
put_u32 (GByteArray *out, guint32 value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (out, (const guint8 *) &value, sizeof value);
}

static void
put_i64 (GByteArray *out, gint64 value)
{
  value = GINT64_TO_LE (value);
  g_byte_array_append (out, (const guint8 *) &value, sizeof value);
}

static void
put_double (GByteArray *out, gdouble value)
{
  gint64 bits;

  memcpy (&bits, &value, sizeof bits);
  put_i64 (out, bits);
}

/* With its NUL, so that the reader can borrow it. */
static void
put_text (GByteArray *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  guint32 size = (guint32) strlen (valid) + 1;

  put_u32 (out, size);
  g_byte_array_append (out, (const guint8 *) valid, size);
}

static void
put_head (GByteArray *out, gint64 point, PdPointStatus status, const char *text, gdouble seconds)
{
  put_u32 (out, MAGIC);
  put_i64 (out, point);
  put_u32 (out, status);
  put_text (out, text);
  put_double (out, seconds);
}

void
pd_result_message_write_failure (GByteArray *out, gint64 point, PdPointStatus status,
                                 const char *text, gdouble seconds)
{
  g_return_if_fail (!pd_point_status_has_result (status));

  put_head (out, point, status, text, seconds);
  for (guint i = 0; i < 4; i++)
    put_u32 (out, 0);
}

static void
put_integer (GByteArray *out, const char *name, gint64 value)
{
  put_text (out, name);
  put_u32 (out, FALSE);
  put_i64 (out, value);
}

static void
put_real (GByteArray *out, const char *name, gdouble value)
{
  put_text (out, name);
  put_u32 (out, TRUE);
  put_double (out, value);
}

static guint32
count_warnings (const PdReportRun *run)
{
  guint32 n = 0;

  for (guint i = 0; i < pd_messages_get_n (run->messages); i++)
    n += pd_messages_get (run->messages, i)->severity == PD_SEVERITY_WARNING;
  return n;
}

static gint64
clamp (PdWide value)
{
  return value > G_MAXINT64 ? G_MAXINT64 : (gint64) value;
}

#define N_FIGURES   7
#define N_OF_RANGES 2 /* more, of a run with a range */

static void
put_figures (GByteArray *out, const PdReportRun *run)
{
  const PdIntervalResult *root = &g_array_index (run->results, PdIntervalResult, 0);

  put_u32 (out, N_FIGURES + (run->range != NULL ? N_OF_RANGES : 0));
  put_integer (out, "processors", run->n_processors);
  put_integer (out, "execution_time_ps", root->values[PD_C_EXECUTION_TIME].max.ps);
  put_real (out, "total_time", pd_time_sum_to_seconds (root->total_time));
  put_real (out, "efficiency", root->efficiency);
  put_integer (out, "messages", (gint64) MIN (run->n_messages, (guint64) G_MAXINT64));
  put_integer (out, "bytes", clamp (run->n_bytes.ps));
  put_integer (out, "warnings", count_warnings (run));
  if (run->range == NULL)
    return;
  PdTimeRangeEnds ends = pd_time_range_get (run->range);
  put_integer (out, "execution_time_low_ps", ends.low.ps);
  put_integer (out, "execution_time_high_ps", ends.high.ps);
}

/* An interval is the same in all points if it and those around it have equal keys: then
 * it has the same number, of 63 bits, in every process. */
static gint64
make_id (const PdIntervalResult *r, gint64 around)
{
  PdSha256 sum;
  guint8 digest[PD_SHA256_SIZE];
  gint64 numbers[4] = { GINT64_TO_LE (around), GINT64_TO_LE (r->type), GINT64_TO_LE (r->line),
                        GINT64_TO_LE (r->index) };
  const char *file = r->file != NULL ? r->file : "", *name = r->name != NULL ? r->name : "";
  guint64 id;

  pd_sha256_init (&sum);
  pd_sha256_update (&sum, numbers, sizeof numbers);
  pd_sha256_update (&sum, file, strlen (file) + 1);
  pd_sha256_update (&sum, name, strlen (name) + 1);
  pd_sha256_finish (&sum, digest);
  memcpy (&id, digest, sizeof id);
  return (gint64) (GUINT64_FROM_LE (id) >> 1);
}

static void
put_interval (GByteArray *out, const PdIntervalResult *r, gint64 id, guint32 parent)
{
  put_i64 (out, id);
  put_u32 (out, parent);
  put_u32 (out, r->depth);
  put_u32 (out, r->type);
  put_text (out, r->file);
  put_i64 (out, r->line);
  put_i64 (out, r->index);
  put_text (out, r->name);
  put_u32 (out, r->n_processors);
  put_i64 (out, r->values[PD_C_EXECUTION_TIME].max.ps);
  put_double (out, pd_time_sum_to_seconds (r->total_time));
  put_double (out, r->efficiency);
  for (guint i = 0; i < PD_POINT_N_COUNTERS; i++)
    put_i64 (out, (gint64) MIN (r->counts[i], (guint64) G_MAXINT64));
  for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
    put_double (out, pd_time_sum_to_seconds (r->values[c].sum));
}

static void
put_intervals (GByteArray *out, const PdReportRun *run)
{
  guint n = run->results->len;
  g_autofree gint64 *ids = g_new (gint64, n);
  g_autofree guint32 *numbers = g_new0 (guint32, pd_interval_tree_get_n_nodes (run->tree));

  put_u32 (out, n);
  for (guint i = 0; i < n; i++)
    {
      const PdIntervalResult *r = &g_array_index (run->results, PdIntervalResult, i);
      guint32 parent = numbers[r->parent];
      numbers[r->node] = i;
      ids[i] = make_id (r, i == 0 ? 0 : ids[parent]);
      put_interval (out, r, ids[i], parent);
    }
}

static void
put_processors (GByteArray *out, const PdReportRun *run)
{
  guint32 n = run->n_processors, count = 0;
  g_autofree PdTime *values = g_new (PdTime, (gsize) n * PD_N_CHARACTERISTICS);
  g_autofree gboolean *present = g_new (gboolean, n);
  guint at = out->len;

  put_u32 (out, 0);
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = &g_array_index (run->results, PdIntervalResult, i);
      pd_interval_tree_get_all_processors (run->tree, r->node, values, present);
      for (guint32 p = 0; p < n; p++)
        {
          if (!present[p])
            continue;
          count++;
          put_u32 (out, i);
          put_u32 (out, p);
          for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
            put_i64 (out, values[(gsize) p * PD_N_CHARACTERISTICS + c].ps);
        }
    }
  count = GUINT32_TO_LE (count);
  memcpy (out->data + at, &count, sizeof count);
}

static void
put_warnings (GByteArray *out, const PdReportRun *run)
{
  put_u32 (out, count_warnings (run));
  for (guint i = 0; i < pd_messages_get_n (run->messages); i++)
    {
      const PdMessage *m = pd_messages_get (run->messages, i);
      if (m->severity != PD_SEVERITY_WARNING)
        continue;
      put_text (out, m->id);
      put_text (out, m->subject);
      put_text (out, m->text);
      put_text (out, m->place);
      put_i64 (out, (gint64) MIN (m->count, (guint64) G_MAXINT64));
    }
}

/* Of a trace that cannot be trusted it is said why. */
static void
put_outcome (GByteArray *out, gint64 point, const PdReportRun *run)
{
  PdVerdict verdict = pd_messages_judge (run->messages, run->incomplete);
  g_autofree char *why = pd_verdict_explain (verdict, pd_report_run_get_share (run), run->messages);

  put_head (out, point, verdict == PD_VERDICT_FINE ? PD_POINT_DONE : PD_POINT_INCOMPLETE,
            verdict > PD_VERDICT_INCOMPLETE ? why : "", run->seconds);
}

void
pd_result_message_write_run (GByteArray *out, gint64 point, PdReportRun *run,
                             gboolean per_processor)
{
  g_return_if_fail (run->tree != NULL);

  if (run->results == NULL)
    pd_report_run_fold (run);
  put_outcome (out, point, run);
  put_figures (out, run);
  put_intervals (out, run);
  if (per_processor)
    put_processors (out, run);
  else
    put_u32 (out, 0);
  put_warnings (out, run);
}

/* ---- reading */

typedef struct
{
  const guint8 *at;
  const guint8 *end;
  gboolean short_of; /* it ends early */
} Input;

static guint32
get_u32 (Input *in)
{
  guint32 value;

  if ((gsize) (in->end - in->at) < sizeof value)
    {
      in->short_of = TRUE;
      in->at = in->end;
      return 0;
    }
  memcpy (&value, in->at, sizeof value);
  in->at += sizeof value;
  return GUINT32_FROM_LE (value);
}

static gint64
get_i64 (Input *in)
{
  gint64 value;

  if ((gsize) (in->end - in->at) < sizeof value)
    {
      in->short_of = TRUE;
      in->at = in->end;
      return 0;
    }
  memcpy (&value, in->at, sizeof value);
  in->at += sizeof value;
  return GINT64_FROM_LE (value);
}

/* NaN is no result of any computation. */
static gdouble
get_double (Input *in)
{
  gint64 bits = get_i64 (in);
  gdouble value;

  memcpy (&value, &bits, sizeof value);
  return isfinite (value) ? value : 0;
}

static const char *
get_text (Input *in)
{
  guint32 size = get_u32 (in);
  const char *text = (const char *) in->at;

  if (in->short_of || size == 0 || size > (gsize) (in->end - in->at) || text[size - 1] != '\0'
      || strlen (text) != size - 1 || !g_utf8_validate (text, -1, NULL))
    {
      in->short_of = TRUE;
      in->at = in->end;
      return "";
    }
  in->at += size;
  return text;
}

/* How many elements of at least @least bytes follow; never more than there is room for. */
static guint32
get_count (Input *in, gsize least)
{
  guint32 n = get_u32 (in);

  if (n <= (gsize) (in->end - in->at) / least)
    return n;
  in->short_of = TRUE;
  in->at = in->end;
  return 0;
}

static void
get_figures (Input *in, GArray *figures)
{
  guint32 n = get_count (in, 17);

  g_array_set_size (figures, n);
  for (guint32 i = 0; i < n; i++)
    {
      PdPointFigure *figure = &g_array_index (figures, PdPointFigure, i);
      *figure = (PdPointFigure){ .name = get_text (in) };
      figure->is_real = get_u32 (in) != 0;
      if (figure->is_real)
        figure->real = get_double (in);
      else
        figure->integer = get_i64 (in);
    }
}

#define INTERVAL_SIZE (64 + 8 * (PD_POINT_N_COUNTERS + PD_N_CHARACTERISTICS))

static gboolean
get_intervals (Input *in, GArray *intervals)
{
  guint32 n = get_count (in, INTERVAL_SIZE);
  gboolean ok = TRUE;

  g_array_set_size (intervals, n);
  for (guint32 i = 0; i < n; i++)
    {
      PdPointInterval *r = &g_array_index (intervals, PdPointInterval, i);
      r->id = get_i64 (in);
      r->parent = get_u32 (in);
      r->depth = get_u32 (in);
      r->type = get_u32 (in);
      r->file = get_text (in);
      r->line = get_i64 (in);
      r->index = get_i64 (in);
      r->name = get_text (in);
      r->n_processors = get_u32 (in);
      r->execution_time_ps = get_i64 (in);
      r->total_time = get_double (in);
      r->efficiency = get_double (in);
      for (guint k = 0; k < PD_POINT_N_COUNTERS; k++)
        r->counts[k] = (guint64) get_i64 (in);
      for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
        r->values[c] = get_double (in);
      ok = ok && (i == 0 ? r->parent == 0 : r->parent < i) && r->type <= PD_INTERVAL_USER
           && r->id >= 0;
    }
  return ok;
}

static gboolean
get_processors (Input *in, GArray *processors, guint32 n_intervals)
{
  guint32 n = get_count (in, 8 + 8 * PD_N_CHARACTERISTICS);
  gboolean ok = TRUE;

  g_array_set_size (processors, n);
  for (guint32 i = 0; i < n; i++)
    {
      PdPointProcessor *p = &g_array_index (processors, PdPointProcessor, i);
      p->interval = get_u32 (in);
      p->processor = get_u32 (in);
      for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
        p->values[c] = get_i64 (in);
      ok = ok && p->interval < n_intervals;
    }
  return ok;
}

static void
get_warnings (Input *in, GArray *warnings)
{
  guint32 n = get_count (in, 28);

  g_array_set_size (warnings, n);
  for (guint32 i = 0; i < n; i++)
    {
      PdPointWarning *w = &g_array_index (warnings, PdPointWarning, i);
      w->id = get_text (in);
      w->subject = get_text (in);
      w->text = get_text (in);
      w->place = get_text (in);
      w->count = (guint64) get_i64 (in);
    }
}

gboolean
pd_result_message_read (const guint8 *data, gsize size, PdPointResult *result, GError **error)
{
  Input in = { data, data + size, FALSE };
  guint32 magic = get_u32 (&in);

  result->point = get_i64 (&in);
  guint32 status = get_u32 (&in);
  result->message = get_text (&in);
  result->seconds = get_double (&in);
  result->status = status < PD_N_POINT_STATUSES ? (PdPointStatus) status : PD_POINT_FAILED;
  get_figures (&in, result->figures);
  gboolean ok = get_intervals (&in, result->intervals)
                && get_processors (&in, result->processors, result->intervals->len);
  get_warnings (&in, result->warnings);
  if (in.short_of)
    {
      g_set_error (error, PD_RESULT_ERROR, PD_RESULT_ERROR_TRUNCATED,
                   "a result of %" G_GSIZE_FORMAT " bytes ends early", size);
      return FALSE;
    }
  ok = ok && magic == MAGIC && in.at == in.end && result->point >= 0 && status < PD_N_POINT_STATUSES
       && pd_point_status_has_result (result->status) == (result->intervals->len > 0);
  if (!ok)
    g_set_error (error, PD_RESULT_ERROR, PD_RESULT_ERROR_VALUE,
                 "a result with values that no point has");
  return ok;
}
