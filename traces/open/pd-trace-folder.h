/* Folders that stand for the trace in them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_FOLDER_H
#define PD_TRACE_FOLDER_H

/**
 * pd_trace_find_recording:
 * @path: as the user named a trace
 *
 * Returns: (transfer none): its "traces.otf2", if @path is a folder that `predictor record`
 *   made, for ever; else @path.
 */
const char *pd_trace_find_recording (const char *path);

#endif
