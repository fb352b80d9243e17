/* The inputs of a study between its processes: what a worker elsewhere must find, too.
 *
 * Four texts of each, every one with a NUL behind it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INPUT_MESSAGE_H
#define PD_INPUT_MESSAGE_H

#include "sweep/study/pd-study-db.h"

/**
 * pd_study_inputs_new:
 * Returns: (transfer full) (element-type PdStudyInput): none yet; it frees their texts.
 */
GArray *pd_study_inputs_new (void);

/**
 * pd_input_message_write:
 * @inputs: (element-type PdStudyInput): the inputs
 * @out: they are appended
 */
void pd_input_message_write (const GArray *inputs, GByteArray *out);

/**
 * pd_input_message_read:
 * @data: (array length=size): what pd_input_message_write() has written
 * @error: return location for %PD_TRANSPORT_ERROR_BROKEN
 *
 * Returns: (transfer full) (nullable) (element-type PdStudyInput): the inputs; texts that
 *   were not known are empty.
 */
GArray *pd_input_message_read (const guint8 *data, gsize size, GError **error);

#endif
