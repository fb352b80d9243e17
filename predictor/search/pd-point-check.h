/* The check of a study before points are computed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINT_CHECK_H
#define PD_POINT_CHECK_H

#include "sweep/study/pd-study-db.h"
#include "sweep/run/pd-worker.h"

/* The names that are not paths of the machine description. */
extern const PdStudyNames pd_point_names;

/**
 * pd_point_check_study:
 * @study: complete
 * @error: return location for a #PdMachineError, a #PdTraceError, a #PdDvmError or a
 *   %PD_USAGE_ERROR
 *
 * Looks at what no point can do without: traces, as far as their beginning, machines,
 * paths of their descriptions, names of parameters. Values that make no machine are
 * what single points are about, and not looked at.
 *
 * Returns: %FALSE if the study makes no sense.
 */
gboolean pd_point_check_study (const PdStudy *study, GError **error);

/**
 * pd_point_list_inputs:
 * @study: complete, and checked
 * @error: return location for a #PdTraceError, or the errors of pd_report_add_input()
 *
 * Reads message-passing traces as a whole: a fault of a trace is a fault of
 * all of its points.
 *
 * Returns: (transfer full) (nullable) (element-type PdStudyInput): the files that its
 *   predictions read, with their digests; a machine under the name that it has in the
 *   study.
 */
GArray *pd_point_list_inputs (const PdStudy *study, GError **error);

/**
 * pd_point_check_inputs:
 * @inputs: what pd_point_list_inputs() has said before points were computed
 * @error: return location for %PD_STUDY_ERROR_DIFFERS
 *
 * Returns: whether they are the same still: workers read them when they need them.
 */
gboolean pd_point_check_inputs (const GArray *inputs, GError **error);

/**
 * pd_point_check_host:
 * @study: complete
 * @inputs: what pd_point_list_inputs() has said on another machine
 * @error: return location for %PD_STUDY_ERROR_DIFFERS, which names this machine and the file,
 *   or the errors of pd_report_add_input()
 *
 * Files that are the same ones, unchanged, are not read.
 *
 * Returns: whether a prediction here reads the same.
 */
gboolean pd_point_check_host (const PdStudy *study, const GArray *inputs, GError **error);

#endif
