/* Requests of time-independent traces: waits, and pending requests.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_REQUESTS_PRIVATE_H
#define PD_TI_REQUESTS_PRIVATE_H

#include "traces/ti/pd-ti-private.h"

/* A key of a pending request of @rank: where it goes or comes from. */
guint64 pd_ti_key (guint32 rank, gint32 peer, gint32 tag, gboolean is_send);
guint64 pd_ti_collective_key (void);
/* Waits for all pending requests; none is pending afterwards. */
gboolean pd_ti_add_waitall (PdTi *self, GError **error);
gboolean pd_ti_read_wait (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_waitall (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_some (PdTi *self, PdTiFields *fields, GError **error);

#endif
