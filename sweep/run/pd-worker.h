/* A worker of a study: gets points from its coordinator, and sends what came of them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WORKER_H
#define PD_WORKER_H

#include "sweep/study/pd-study.h"
#include "sweep/run/pd-transport.h"

/* How points are computed: those who predict fill this. */
typedef struct
{
  /* (nullable): whether @inputs (element-type PdStudyInput), which the coordinator has seen, are
   * those that points of @study would be computed from here. Called before new(), if the
   * coordinator says what they are. */
  gboolean (*check) (const PdStudy *study, const GArray *inputs, GError **error);

  /* What @study needs once, for all points of a worker. */
  gpointer (*new) (const PdStudy *study, GError **error);

  /* (nullable): these points come next, in this order, until the next call. Only a hint: what
   * they have in common may be computed once. */
  void (*expect) (gpointer self, const gint64 *points, gsize n);

  /* Computes @point, and appends its result, as pd-result-message.h writes it. An error
   * of the point is its result. FALSE: no point of the study can be computed. */
  gboolean (*compute) (gpointer self, gint64 point, GByteArray *out, GError **error);

  void (*free) (gpointer self);
} PdPointClass;

/**
 * pd_worker_run:
 * @link: to the coordinator
 * @class: how points are computed
 * @names: (nullable): what names of parameters mean
 * @error: return location for %PD_TRANSPORT_ERROR_BROKEN or _GONE
 *
 * Works until the coordinator has nothing more, or tells it that the study cannot be
 * computed.
 */
gboolean pd_worker_run (PdWorkerLink *link, const PdPointClass *class, const PdStudyNames *names,
                        GError **error);

#endif
