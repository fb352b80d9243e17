/* The model of a message-passing program on any number of ranks, from recordings on some numbers
 * of ranks. It explains the recordings exactly, or there is none.
 *
 * Ranks are arranged in a grid and divided into classes, see pd-scale-grid.h. The ranks of a class
 * have the same structure, and each of their numbers follows a rule, see pd-rule.h. The model takes
 * the simplest grid and classes that explain all recorded numbers. If there are none, the program
 * is refused.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_MODEL_H
#define PD_SCALE_MODEL_H

#include "base/pd-messages.h"
#include "scale/near/pd-scale-share.h"
#include "scale/pd-scale-grid.h"
#include "scale/pd-scale-origin.h"
#include "traces/program/pd-program.h"

#include <signal.h>

#define PD_SCALE_ERROR (pd_scale_error_quark ())
GQuark pd_scale_error_quark (void);

typedef enum
{
  PD_SCALE_ERROR_INPUT,   /* the recordings are not of one program on several numbers of ranks */
  PD_SCALE_ERROR_REFUSED, /* no rule explains the recordings */
  PD_SCALE_ERROR_TARGET,  /* the model does not include such a number of ranks */
  PD_SCALE_ERROR_INTERRUPTED,
} PdScaleError;

typedef struct _PdScaleModel PdScaleModel;

/**
 * pd_scale_model_new:
 * @programs: (element-type PdProgram): on at least two numbers of ranks, in any order; needed
 *   for this call only
 * @may_approximate: calls that no rule explains follow the nearest one, see
 *   pd_scale_model_get_share()
 * @error: return location for %PD_SCALE_ERROR_INPUT, %PD_SCALE_ERROR_REFUSED; the message has a
 * rank, its call and recorded values
 *
 * Returns: (transfer full): the model.
 */
PdScaleModel *pd_scale_model_new (GPtrArray *programs, gboolean may_approximate, GError **error);

/**
 * pd_scale_model_free:
 * @self: (nullable): frees it
 */
void pd_scale_model_free (PdScaleModel *self);

/**
 * pd_scale_model_make:
 * @n: ranks, 2 or more
 * @grid: (nullable): how they are arranged; %NULL: as the recorded ones
 * @messages: (nullable): get warnings "scale-single", if ranks are at places that were recorded on
 * one number of ranks only, and "scale-ambiguous", if rules that explain the recordings differ on
 * @n ranks
 * @stop: (nullable): not 0: stop as soon as possible
 * @error: return location for %PD_SCALE_ERROR_TARGET, %PD_SCALE_ERROR_INTERRUPTED
 *
 * Returns: (transfer full): the program on @n ranks.
 */
PdProgram *pd_scale_model_make (const PdScaleModel *self, guint32 n, const PdScaleGrid *grid,
                                PdMessages *messages, const volatile sig_atomic_t *stop,
                                GError **error);

/**
 * pd_scale_model_get_origin:
 * Returns: (transfer none): what @self was found in, as far as the caller has said it.
 */
PdScaleOrigin *pd_scale_model_get_origin (PdScaleModel *self);

/**
 * pd_scale_model_is_settled:
 * Returns: whether the recordings are explained only with settled completions, see
 *   pd-scale-reader.h. Not known of a model of a file.
 */
gboolean pd_scale_model_is_settled (const PdScaleModel *self);

/**
 * pd_scale_model_get_share:
 * Returns: (transfer none): which share of the recordings @self approximates; without a reason
 *   there is none, and no calls are counted.
 */
const PdScaleShare *pd_scale_model_get_share (const PdScaleModel *self);

/**
 * pd_scale_model_get_time_error:
 * Returns: the greatest relative error of a computation's time that was left out when its
 *   model was found, weighted by how long computations take; 0 = all times are as the models say.
 */
gdouble pd_scale_model_get_time_error (const PdScaleModel *self);

/**
 * pd_scale_model_describe:
 * @text: gets the description of the model
 */
void pd_scale_model_describe (const PdScaleModel *self, GString *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScaleModel, pd_scale_model_free)

#endif
