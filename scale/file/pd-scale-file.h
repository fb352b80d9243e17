/* Models in files: the result of pd_scale_model_new(), and its origin.
 *
 * A file is a header (8 bytes that name the format, the version in 4 bytes, SHA-256 of the rest),
 * and a stream of numbers and texts, see pd-scale-stream.h, which is the same on all systems.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_FILE_H
#define PD_SCALE_FILE_H

#include "scale/pd-scale-model.h"

/**
 * pd_scale_model_to_bytes:
 * Returns: (transfer full): the contents of a file with @self.
 */
GBytes *pd_scale_model_to_bytes (PdScaleModel *self);

/**
 * pd_scale_model_new_from_bytes:
 * @bytes: outside data
 * @error: return location for %PD_TRACE_ERROR_FORMAT: the bytes are cut, damaged, or no model
 *
 * Returns: (transfer full) (nullable): the model, which makes the same programs as the one that was
 *   written.
 */
PdScaleModel *pd_scale_model_new_from_bytes (GBytes *bytes, GError **error);

/**
 * pd_scale_file_seal:
 * @data: (array length=size): of a file that was changed
 *
 * Makes its sum right, so that tests get beyond it.
 */
void pd_scale_file_seal (guint8 *data, gsize size);

#endif
