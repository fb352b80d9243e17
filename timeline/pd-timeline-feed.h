/* The functions of pd-timeline-feed.c for other sources.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_FEED_H
#define PD_TIMELINE_FEED_H

#include "timeline/pd-timeline.h"

/**
 * pd_timeline_feed_new:
 * Returns: (transfer full): a feed without consumers; region PD_TL_PROGRAM exists.
 */
PdTimelineFeed *pd_timeline_feed_new (void);

/**
 * pd_timeline_feed_free:
 * @self: (nullable): the feed; its consumers stay
 */
void pd_timeline_feed_free (PdTimelineFeed *self);

/**
 * pd_timeline_feed_add:
 * @klass: borrowed, as long as @self
 * @consumer: first argument of its functions; borrowed
 *
 * Adds a consumer behind those that were added before.
 */
void pd_timeline_feed_add (PdTimelineFeed *self, const PdTimelineClass *klass, gpointer consumer);

/**
 * pd_timeline_feed_region:
 * @name: of a function or an interval
 *
 * Returns: its number: they count from 0 in the order in which they are first asked for.
 */
guint32 pd_timeline_feed_region (PdTimelineFeed *self, const char *name);

/**
 * pd_timeline_feed_get_region:
 * Returns: (transfer none): the name of @region.
 */
const char *pd_timeline_feed_get_region (const PdTimelineFeed *self, guint32 region);

/**
 * pd_timeline_feed_get_n_regions:
 * Returns: how many there are so far.
 */
guint32 pd_timeline_feed_get_n_regions (const PdTimelineFeed *self);

/**
 * pd_timeline_feed_begin:
 * @head: borrowed until the call returns
 *
 * The run begins.
 */
void pd_timeline_feed_begin (PdTimelineFeed *self, const PdTimelineHead *head);

/**
 * pd_timeline_feed_slice:
 * Tells all consumers; a slice of no time in which the rank computes is no slice.
 */
void pd_timeline_feed_slice (PdTimelineFeed *self, const PdTimelineSlice *slice);

/**
 * pd_timeline_feed_message:
 * Tells all consumers.
 */
void pd_timeline_feed_message (PdTimelineFeed *self, const PdTimelineMessage *message);

/**
 * pd_timeline_feed_mark:
 * Tells all consumers.
 */
void pd_timeline_feed_mark (PdTimelineFeed *self, const PdTimelineMark *mark);

/**
 * pd_timeline_feed_end:
 * @error: return location for the first error of a consumer
 *
 * The run is over.
 *
 * Returns: %FALSE if a consumer could not take it.
 */
gboolean pd_timeline_feed_end (PdTimelineFeed *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTimelineFeed, pd_timeline_feed_free)

#endif
