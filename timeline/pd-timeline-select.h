/* Which ranks and which part of the time, from text.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_SELECT_H
#define PD_TIMELINE_SELECT_H

#include "timeline/pd-timeline.h"

/**
 * pd_timeline_parse_window:
 * @text: "1ms:2ms": two moments with units, one of which may lack
 * @selection: gets them
 * @error: return location for %PD_TIMELINE_ERROR_SELECTION
 *
 * Returns: whether it is a window, which ends behind its beginning.
 */
gboolean pd_timeline_parse_window (const char *text, PdTimelineSelection *selection,
                                   GError **error);

#endif
