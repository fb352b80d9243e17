/* Places of the program that ranks of several classes come to: they compute alike there.
 *
 * A class that few numbers of ranks have says little of how its times depend on that number. Where
 * another class comes to the same place on more of them, and its times fit those of the first one
 * but for a factor, they are taken.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_SHARED_PRIVATE_H
#define PD_SCALE_SHARED_PRIVATE_H

#include "scale/pd-scale-model-private.h"

typedef struct _PdScaleShared PdScaleShared;

/**
 * pd_scale_shared_new:
 * Returns: (transfer full): no places yet.
 */
PdScaleShared *pd_scale_shared_new (void);

/**
 * pd_scale_shared_free:
 * @self: (nullable): frees it
 */
void pd_scale_shared_free (PdScaleShared *self);

/**
 * pd_scale_shared_begin:
 * Elements of all classes follow anew; places are known as before.
 */
void pd_scale_shared_begin (PdScaleShared *self);

/**
 * pd_scale_shared_begin_class:
 * Elements of another class follow.
 */
void pd_scale_shared_begin_class (PdScaleShared *self);

/**
 * pd_scale_shared_find:
 * @shape: of an element
 * @next: the shape of the element behind it, %PD_FOLD_LOOP if there is none
 *
 * Returns: the number of the place: of equal ones in a class the first, the second ….
 */
guint pd_scale_shared_find (PdScaleShared *self, guint32 shape, guint32 next);

/**
 * pd_scale_shared_get_least:
 * @node: gets how many first repetitions have times of their own in any class at @place, as far as
 *   that is known
 */
void pd_scale_shared_get_least (const PdScaleShared *self, guint place, PdScaleNode *node);

/**
 * pd_scale_shared_add:
 * @node: an element at @place with its times and their points; borrowed until the next beginning
 */
void pd_scale_shared_add (PdScaleShared *self, guint place, PdScaleNode *node);

/**
 * pd_scale_shared_lend:
 * @model: gets the errors of all times
 *
 * Elements get the times of others at their places where those say more; all lose their points.
 */
void pd_scale_shared_lend (PdScaleShared *self, PdScaleModel *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScaleShared, pd_scale_shared_free)

#endif
