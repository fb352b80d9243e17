/* The results of a study, as a page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_PAGE_H
#define PD_STUDY_PAGE_H

#include "sweep/study/pd-study-report.h"

/**
 * pd_study_report_html:
 * @out: a self-contained page is appended, with curves, parts, front and, where there are two
 *   axes, a heat map
 * @error: return location for a #PdStudyError
 */
gboolean pd_study_report_html (const PdStudyTable *table, const PdStudyView *view, GString *out,
                               GError **error);

#endif
