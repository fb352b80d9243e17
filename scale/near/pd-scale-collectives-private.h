/* Collective operations of a program that is executed without times: the members that take part.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_COLLECTIVES_PRIVATE_H
#define PD_SCALE_COLLECTIVES_PRIVATE_H

#include "traces/program/pd-program.h"

/* A rank that takes part in an operation. */
typedef struct
{
  guint32 rank; /* of the world */
  guint64 call;
  gboolean has_request; /* it does not wait there */
  guint32 request;
} PdScaleArrival;

typedef struct _PdScaleCollectives PdScaleCollectives;

/**
 * pd_scale_collectives_new:
 * @program: borrowed
 *
 * Returns: (transfer full): no operations yet.
 */
PdScaleCollectives *pd_scale_collectives_new (const PdProgram *program);

/**
 * pd_scale_collectives_free:
 * @self: (nullable): frees them
 */
void pd_scale_collectives_free (PdScaleCollectives *self);

/**
 * pd_scale_collectives_arrive:
 * @action: (inout): the next operation of a rank over its communicator; gets the root of those who
 *   came before
 * @index: (out): which one that is, from 0
 *
 * Returns: %FALSE if the others do another operation there: this one is not counted.
 */
gboolean pd_scale_collectives_arrive (PdScaleCollectives *self, PdAction *action,
                                      const PdScaleArrival *arrival, guint64 *index);

/**
 * pd_scale_collectives_count:
 * Returns: how many operations over @comm all members have come to.
 */
guint64 pd_scale_collectives_count (const PdScaleCollectives *self, guint32 comm);

/**
 * pd_scale_collectives_take_complete:
 * Returns: (transfer none) (element-type guint32): who took part in the operation that the last
 *   arrival completed, if it did; valid until the next call.
 */
const GArray *pd_scale_collectives_take_complete (PdScaleCollectives *self);

/**
 * pd_scale_collectives_cancel:
 * Returns: (transfer none) (element-type PdScaleArrival): the arrivals at operations over @comm
 * that are not complete, which are no longer counted; valid until the next call.
 */
const GArray *pd_scale_collectives_cancel (PdScaleCollectives *self, guint32 comm);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScaleCollectives, pd_scale_collectives_free)

#endif
