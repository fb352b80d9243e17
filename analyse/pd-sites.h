/* Call sites.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SITES_H
#define PD_SITES_H

#include "analyse/pd-analysis.h"

/* How evenly the time of a call site is spread over the ranks that call there. */
typedef struct
{
  gdouble imbalance; /* the greatest time of a rank by the mean; NaN if they took no time */
  guint32 rank;      /* the first with the greatest */
} PdSpread;

/**
 * pd_analysis_get_sites:
 * @self: an analysis
 * @node: an interval
 *
 * Returns: (transfer full) (element-type PdCallSite): the call sites of @node and
 *   the intervals inside it, those of equal stack and function as one, with
 *   @node as their node; by place.
 */
GArray *pd_analysis_get_sites (const PdAnalysis *self, guint32 node);

/**
 * pd_analysis_append_place:
 * @file: of one of its call sites; "" if unknown
 * @line: 0 = unknown
 *
 * Appends "halo.c:12", for people: as much of the name of the file as tells it from others.
 */
void pd_analysis_append_place (const PdAnalysis *self, GString *text, const char *file,
                               gint64 line);

/**
 * pd_analysis_describe_stack:
 * @site: of one of its call sites
 *
 * Returns: (transfer full): "halo.c:12 (exchange) < main.c:80 (main)", the
 *   innermost place first; "" if nothing is known.
 */
char *pd_analysis_describe_stack (const PdAnalysis *self, guint32 site);

/**
 * pd_call_site_get_spread:
 * @site: a call site, with its ranks
 */
PdSpread pd_call_site_get_spread (const PdCallSite *site);

/**
 * pd_analysis_get_waits:
 * @node: an interval
 * @waits: (array length=PD_N_WAIT_STATES) (out caller-allocated): of it and the
 *   intervals inside it
 */
void pd_analysis_get_waits (const PdAnalysis *self, guint32 node, PdTimeSum *waits);

/**
 * pd_analysis_find_late:
 * @node: an interval
 * @state: a wait state
 * @late: (out caller-allocated): the rank, and its call site, for which others
 *   waited most there, the intervals inside it included
 *
 * Returns: whether any rank waited in this state.
 */
gboolean pd_analysis_find_late (const PdAnalysis *self, guint32 node, PdWaitState state,
                                PdLate *late);

/**
 * pd_analysis_get_path:
 * @node: an interval
 *
 * Returns: its share of the critical path, with the intervals inside it.
 */
PdPathShare pd_analysis_get_path (const PdAnalysis *self, guint32 node);

#endif
