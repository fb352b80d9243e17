/* The data of a nonblocking call are recorded at its completion.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_LOOKAHEAD_PRIVATE_H
#define PD_OTF2_LOOKAHEAD_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-counts-private.h"

/* One-sided operations are numbered apart from requests: this bit tells them. */
#define PD_OTF2_RMA_REQUEST (G_GUINT64_CONSTANT (1) << 63)

typedef struct
{
  guint64 request;
  gboolean is_recv;
  guint32 sender;
  OTF2_CommRef comm;
  guint32 tag;
  guint64 bytes;
  PdOtf2Collective collective;
  guint32 next; /* with the same number of request, if it is not the last of it */
} PdOtf2Completion;

typedef struct _PdOtf2Ahead PdOtf2Ahead;

/* Of a rank: nothing is known yet. */
PdOtf2Ahead *pd_otf2_ahead_new (void);
/* The completions in one of its locations; a thread may complete an operation of another. */
gboolean pd_otf2_ahead_read (PdOtf2Ahead *self, PdOtf2Archive *archive, OTF2_LocationRef location,
                             GError **error);
/* Likewise of the only one, whose events can be decoded here: it is looked through no further than
 * is asked for, so that memory does not grow with the location. */
void pd_otf2_ahead_follow (PdOtf2Ahead *self, PdOtf2Archive *archive, OTF2_LocationRef location);
void pd_otf2_ahead_free (PdOtf2Ahead *self);
/* The next completion of @request, valid until the next call; NULL: the trace has none. */
const PdOtf2Completion *pd_otf2_ahead_take (PdOtf2Ahead *self, guint64 request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdOtf2Ahead, pd_otf2_ahead_free)

#endif
