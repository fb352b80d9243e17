/* Requests in traces of liballprof: known by their addresses. Not for other
 * folders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_REQUESTS_H
#define PD_ALLPROF_REQUESTS_H

#include "traces/allprof/pd-allprof-private.h"

/**
 * pd_allprof_collect:
 * @known: keys are addresses
 * @call: a call with requests
 * @stride: bytes of a request
 * @addresses: (out caller-allocated): guint64: those of the call that are known,
 *   ascending
 *
 * Costs the fewer of the known and the call's.
 */
void pd_allprof_collect (GHashTable *known, const PdAllprofCall *call, guint stride,
                         GArray *addresses);

/**
 * pd_allprof_count_starts:
 * Returns: how many requests @call starts; not more than a program could.
 */
gint64 pd_allprof_count_starts (const PdAllprofCall *call);

#endif
