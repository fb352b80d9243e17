/* OTF2 archives: ranks of which several threads call MPI. The program of a rank is that of
 * its first thread, between whose actions those of the others have their places.
 *
 * If no two calls of a rank's threads overlap, each has its place and its time. If some
 * do, the rank's time is the first thread's alone: calls of others take none, and blocking
 * ones are two actions, a start and a wait. A call that begins while the first thread is in a call
 * comes before that call, and one that ends there comes after it. So an action that others wait for
 * is never later than in the recorded run, and one that waits never earlier: a run that ended when
 * it was recorded also ends in the program. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_THREADS_PRIVATE_H
#define PD_OTF2_THREADS_PRIVATE_H

#include "traces/otf2/pd-otf2-rank-private.h"

/* self->threads: empty, for the rank whose first thread's events are at @location; sets
 * self->begin. */
gboolean pd_otf2_threads_begin (PdOtf2Rank *self, OTF2_LocationRef location, GError **error);
void pd_otf2_threads_free (PdOtf2Threads *self);

/* An action of the call that a further thread is in; its slots are numbers of
 * pd_otf2_threads_add_request(). */
void pd_otf2_threads_add (PdOtf2Threads *self, const PdAction *action);
guint32 pd_otf2_threads_add_request (PdOtf2Threads *self, guint64 request);
/* The call ends, which had the actions since the last one; @takes_time: also without any. */
void pd_otf2_threads_add_call (PdOtf2Threads *self, gint64 begin, gint64 end, gboolean takes_time);
/* All calls are there. */
void pd_otf2_threads_settle (PdOtf2Rank *self);

/* For the first thread of several, which is in no call at @now: what others have done since. */
void pd_otf2_threads_add_until (PdOtf2Rank *self, gint64 now);
/* For it, whose call ends at @now and has become no action yet. */
void pd_otf2_threads_add_begun (PdOtf2Rank *self, gint64 now);

/* Likewise for any thread; most are the only one of their rank. */
static inline void
pd_otf2_threads_catch_up (PdOtf2Rank *self, gint64 now)
{
  if (G_UNLIKELY (self->threads != NULL && !self->is_further))
    pd_otf2_threads_add_until (self, now);
}

static inline void
pd_otf2_threads_begin_during (PdOtf2Rank *self, gint64 now)
{
  if (G_UNLIKELY (self->threads != NULL && !self->is_further))
    pd_otf2_threads_add_begun (self, now);
}

#endif
