/* Points that are computed together with one that is wanted, and kept until they are.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINT_LOOKAHEAD_PRIVATE_H
#define PD_POINT_LOOKAHEAD_PRIVATE_H

#include "predictor/mp/pd-mp.h"
#include "predictor/search/pd-point-private.h"

typedef struct _PdPointsAhead PdPointsAhead;

PdPointsAhead *pd_points_ahead_new (void);
void pd_points_ahead_free (PdPointsAhead *self);

/* These come next, instead of those that were expected before. */
void pd_points_ahead_expect (PdPointsAhead *self, const gint64 *points, gsize n);

/* Whether it is worth while: not where it was impossible a few times. */
gboolean pd_points_ahead_may_try (const PdPointsAhead *self);

/* The @i-th of the points from @number on. Returns FALSE if there is none. */
gboolean pd_points_ahead_peek (const PdPointsAhead *self, gint64 number, guint i, gint64 *next);

/* Predicts @numbers (array length=n), and keeps what comes of them. */
void pd_points_ahead_predict (PdPointsAhead *self, const PdMpOptions *const *options,
                              const gint64 *numbers, guint n, const PdPointTrace *trace);

/* The result of @number, if it was predicted: the run, or NULL and @error. */
gboolean pd_points_ahead_take (PdPointsAhead *self, gint64 number, PdReportRun **run,
                               GError **error);

#endif
