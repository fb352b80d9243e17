/* The common part of the sources of a timeline: the current interval of each rank, and the
 * moment up to which its activity has been notified.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_SOURCE_H
#define PD_TIMELINE_SOURCE_H

#include "intervals/pd-interval.h"
#include "timeline/pd-timeline.h"
#include "traces/program/pd-program.h"

typedef struct _PdTimelineSource PdTimelineSource;

/* A name in a timeline. */
typedef struct
{
  guint32 region;
  PdTimelineState state;
} PdTimelineWhat;

/**
 * pd_timeline_source_new:
 * @feed: begins with @head; borrowed
 * @tree: (nullable): intervals that ranks will be in; borrowed
 *
 * Returns: (transfer full): a source; no rank has begun.
 */
PdTimelineSource *pd_timeline_source_new (PdTimelineFeed *feed, const PdTimelineHead *head,
                                          const PdIntervalTree *tree);

/**
 * pd_timeline_source_free:
 * @self: (nullable): the source; its feed stays
 */
void pd_timeline_source_free (PdTimelineSource *self);

/**
 * pd_timeline_source_begin:
 * @rank: enters the program at @at; without this call, at 0 with its first notification
 */
void pd_timeline_source_begin (PdTimelineSource *self, guint32 rank, PdTime at);

/**
 * pd_timeline_source_move:
 * @node: of the tree, the rank's innermost interval from @at on
 *
 * Leaves what does not hold @node, enters what does; nothing if it is there.
 */
void pd_timeline_source_move (PdTimelineSource *self, guint32 rank, guint32 node, PdTime at);

/**
 * pd_timeline_source_notify:
 * @rank: does @what until @until, since its last notification
 *
 * Returns: whether that took any time; else nothing is notified.
 */
gboolean pd_timeline_source_notify (PdTimelineSource *self, guint32 rank, PdTimelineWhat what,
                                    PdTime until);

/**
 * pd_timeline_source_call:
 * @rank: has called @what at the end of its last notification
 * @until: when it returned; perhaps at once
 *
 * As pd_timeline_source_notify(), but a call is notified even if it takes no time.
 */
void pd_timeline_source_call (PdTimelineSource *self, guint32 rank, PdTimelineWhat what,
                              PdTime until);

/**
 * pd_timeline_source_skip:
 * @until: the activity of @rank until then is unknown, and the feed is not notified of it
 */
void pd_timeline_source_skip (PdTimelineSource *self, guint32 rank, PdTime until);

/**
 * pd_timeline_source_slice:
 * @slice: its interval is filled in
 *
 * For ranks whose CPUs work at once: nothing is remembered of it.
 */
void pd_timeline_source_slice (PdTimelineSource *self, const PdTimelineSlice *slice);

/**
 * pd_timeline_source_end:
 * @rank: leaves all intervals, and the program, at @at
 */
void pd_timeline_source_end (PdTimelineSource *self, guint32 rank, PdTime at);

/**
 * pd_timeline_source_get_time:
 * Returns: the moment up to which the feed knows the activities of @rank.
 */
PdTime pd_timeline_source_get_time (const PdTimelineSource *self, guint32 rank);

/**
 * pd_timeline_source_get_feed:
 * Returns: (transfer none): the feed that it notifies.
 */
PdTimelineFeed *pd_timeline_source_get_feed (const PdTimelineSource *self);

/**
 * pd_timeline_source_name:
 * @name: of a function
 *
 * Returns: what a timeline calls it, if it is in @state.
 */
PdTimelineWhat pd_timeline_source_name (PdTimelineSource *self, const char *name,
                                        PdTimelineState state);

/**
 * pd_timeline_source_fill:
 * @rank: is in @name, and @state, until @until, since its last notification
 *
 * Does nothing if that took no time, or if the CPUs of the rank work concurrently.
 */
void pd_timeline_source_fill (PdTimelineSource *self, guint32 rank, const char *name,
                              PdTimelineState state, PdTime until);

/**
 * pd_timeline_source_name_action:
 * @program: the one that @action is of
 *
 * Returns: what a timeline calls a call, or computation.
 */
PdTimelineWhat pd_timeline_source_name_action (PdTimelineSource *self, const PdProgram *program,
                                               const PdAction *action);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTimelineSource, pd_timeline_source_free)

#endif
