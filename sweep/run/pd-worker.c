/* SPDX-License-Identifier: MIT */
#include "sweep/run/pd-worker.h"

#include "sweep/run/pd-input-message.h"
#include "sweep/study/pd-result-message.h"
#include "sweep/study/pd-study-xml.h"

#include <string.h>

typedef struct
{
  PdWorkerLink *link;
  const PdPointClass *class;
  const PdStudyNames *names;
  GArray *inputs; /* (nullable): of the study, where the coordinator is */
  PdStudy *study;
  gpointer state;
  GByteArray *result;
  gboolean is_over; /* the study cannot be computed */
} Work;

static void
work_clear (Work *self)
{
  if (self->state != NULL)
    self->class->free (self->state);
  pd_study_free (self->study);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_clear_pointer (&self->result, g_byte_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
report_fatal (Work *self, const GError *cause, GError **error)
{
  self->is_over = TRUE;
  return self->link->class->send (self->link, PD_FRAME_FATAL, cause->message,
                                  strlen (cause->message), error);
}

static gboolean
take_inputs (Work *self, const guint8 *data, gsize size, GError **error)
{
  self->inputs = pd_input_message_read (data, size, error);
  return self->inputs != NULL;
}

static gboolean
check_inputs (Work *self, GError **error)
{
  return self->inputs == NULL || self->class->check == NULL
         || self->class->check (self->study, self->inputs, error);
}

static gboolean
take_study (Work *self, const guint8 *data, gsize size, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);

  g_return_val_if_fail (self->study == NULL, FALSE);

  self->study = pd_study_new (self->names);
  if (!pd_study_read (self->study, bytes, "study", &local)
      || !pd_study_complete (self->study, PD_STUDY_MAX_POINTS, &local)
      || !check_inputs (self, &local)
      || (self->state = self->class->new (self->study, &local)) == NULL)
    return report_fatal (self, local, error);
  return self->link->class->send (self->link, PD_FRAME_READY, NULL, 0, error);
}

static gboolean
compute (Work *self, gint64 point, GError **error)
{
  g_autoptr (GError) local = NULL;

  g_byte_array_set_size (self->result, 0);
  if (!self->class->compute (self->state, point, self->result, &local))
    return report_fatal (self, local, error);
  if (self->result->len > PD_FRAME_MAX_SIZE)
    {
      g_autofree char *text =
          g_strdup_printf ("its result has %u bytes, more than can be sent", self->result->len);
      g_byte_array_set_size (self->result, 0);
      pd_result_message_write_failure (self->result, point, PD_POINT_FAILED, text, 0);
    }
  return self->link->class->send (self->link, PD_FRAME_RESULT, self->result->data,
                                  self->result->len, error);
}

/* The points of a frame; NULL if one of them is none of the study. */
static gint64 *
read_points (const Work *self, const guint8 *data, gsize n, GError **error)
{
  g_autofree gint64 *points = g_new (gint64, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      memcpy (&points[i], data + i * sizeof *points, sizeof *points);
      points[i] = GINT64_FROM_LE (points[i]);
      if (points[i] >= 0 && points[i] < pd_study_get_n_points (self->study))
        continue;
      g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN,
                   "the coordinator: there is no point %" G_GINT64_FORMAT, points[i]);
      return NULL;
    }
  return g_steal_pointer (&points);
}

static gboolean
take_points (Work *self, const guint8 *data, gsize size, GError **error)
{
  gsize n = size / sizeof (gint64);
  g_autofree gint64 *points = read_points (self, data, n, error);

  if (points == NULL)
    return FALSE;
  if (self->class->expect != NULL)
    self->class->expect (self->state, points, n);
  for (gsize i = 0; i < n && !self->is_over; i++)
    if (!compute (self, points[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
take_frame (Work *self, PdFrameKind kind, const guint8 *data, gsize size, GError **error)
{
  if (kind == PD_FRAME_INPUTS && self->study == NULL && self->inputs == NULL)
    return take_inputs (self, data, size, error);
  if (kind == PD_FRAME_STUDY && self->study == NULL)
    return take_study (self, data, size, error);
  if (kind == PD_FRAME_POINTS && self->state != NULL)
    return take_points (self, data, size, error);
  g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN,
               "the coordinator: a frame of kind %d at the wrong time", kind);
  return FALSE;
}

gboolean
pd_worker_run (PdWorkerLink *link, const PdPointClass *class, const PdStudyNames *names,
               GError **error)
{
  g_auto (Work) self = { .link = link, .class = class, .names = names };

  self.result = g_byte_array_new ();
  while (!self.is_over)
    {
      PdFrameKind kind;
      const guint8 *data;
      gsize size;
      if (!link->class->receive (link, &kind, &data, &size, error))
        return FALSE;
      if (data == NULL)
        return TRUE;
      if (!take_frame (&self, kind, data, size, error))
        return FALSE;
    }
  return TRUE;
}
