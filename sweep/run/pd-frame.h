/* Frames on a stream of bytes: 4 bytes size, 4 bytes kind, little-endian, then so many
 * bytes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FRAME_H
#define PD_FRAME_H

#include "sweep/run/pd-transport.h"

#define PD_FRAME_HEAD 8

/**
 * pd_frame_append:
 * @out: gets the frame
 * @data: (array length=size): its bytes
 */
void pd_frame_append (GByteArray *out, PdFrameKind kind, gconstpointer data, gsize size);

/**
 * pd_frame_parse:
 * @data: (array length=size): what has come so far
 * @kind: (out): of the frame that it begins with
 * @length: (out): its bytes, which follow %PD_FRAME_HEAD; 0 if @data does not have all
 *   of its head
 * @error: return location for %PD_TRANSPORT_ERROR_BROKEN
 *
 * Returns: whether it can be the beginning of a frame.
 */
gboolean pd_frame_parse (const guint8 *data, gsize size, PdFrameKind *kind, gsize *length,
                         GError **error);

#endif
