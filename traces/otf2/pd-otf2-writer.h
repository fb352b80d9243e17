/* Writer of OTF2 archives.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_WRITER_H
#define PD_OTF2_WRITER_H

#include "base/pd-messages.h"
#include "traces/graph/pd-mp-trace.h"

/**
 * pd_otf2_write:
 * @program: what the archive is to tell; its unit is %PD_AMOUNT_TIME, or
 *   the rate of operations is given
 * @path: the anchor file, NAME.otf2; NAME.def and the folder NAME lie beside it
 * @options: the rate of operations, 0 = none given; when to stop
 * @messages: (nullable): where to report what the format cannot tell
 * @error: return location for a #PdTraceError: FORMAT if @path is not
 *   NAME.otf2 or computation has no time, OPEN if it cannot be written, or
 *   exists
 *
 * Calls take as long as they were recorded to take, or no time. Nothing is left
 * behind if it fails.
 *
 * Returns: whether the archive is complete.
 */
gboolean pd_otf2_write (const PdProgram *program, const char *path,
                        const PdTraceWriteOptions *options, PdMessages *messages, GError **error);

#endif
