/* The actions of time-independent traces: those that SMPI replays, those that its tracer
 * writes besides, and those that mean nothing for us.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_ACTIONS_PRIVATE_H
#define PD_TI_ACTIONS_PRIVATE_H

#include "traces/ti/pd-ti-private.h"

/* The action called @name (array length=n), in any case. */
const PdTiAction *pd_ti_action_find (const char *name, gsize n);
/* Whether a known one begins with @name. */
gboolean pd_ti_action_may_begin (const char *name, gsize n);
/* Computation or a message of self->action, of self->message. */
gboolean pd_ti_add_message (PdTi *self, GError **error);
/* PEER TAG n [DT]: becomes self->message, and is added. */
gboolean pd_ti_read_message (PdTi *self, PdTiFields *fields, GError **error);
/* AMOUNT: likewise. */
gboolean pd_ti_read_compute (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_add (PdTi *self, const PdAction *action, GError **error);

#endif
