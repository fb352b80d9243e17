/* Requests, waits and tests of liballprof traces.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_WAITS_PRIVATE_H
#define PD_ALLPROF_WAITS_PRIVATE_H

#include "traces/allprof/pd-allprof-make-private.h"

/* The call as an action, by its class. */
gboolean pd_allprof_make_request_call (PdAllprofMaker *self, GError **error);

/* The slot of a request that starts at @address. */
guint32 pd_allprof_open_slot (PdAllprofMaker *self, guint64 address, gboolean persistent);

#endif
