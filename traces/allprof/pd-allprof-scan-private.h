/* The first pass over a rank's file of liballprof: what must be known of it, and of the
 * other files, before its calls can be told.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_SCAN_PRIVATE_H
#define PD_ALLPROF_SCAN_PRIVATE_H

#include "traces/allprof/pd-allprof-private.h"

gboolean pd_allprof_scan (PdAllprofLines *lines, PdAllprofFacts *facts, GError **error);
void pd_allprof_facts_clear (PdAllprofFacts *self);

#endif
