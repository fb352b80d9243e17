/* Parts of the diagnosis.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIAGNOSIS_PRIVATE_H
#define PD_DIAGNOSIS_PRIVATE_H

#include "analyse/pd-analysis.h"

/* What ranks waited for in an interval, where, and for whom, in sentences. @sites: its
 * call sites. Returns: (transfer full) (nullable): the text; nobody waited. */
char *pd_diagnosis_describe_waits (const PdAnalysis *analysis, guint32 node, const GArray *sites);
/* "halo.c:12", or what of it is known; "" if nothing is. */
void pd_diagnosis_append_place (GString *text, const char *file, gint64 line);

#endif
