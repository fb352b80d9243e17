/* Call sites.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SITES_PRIVATE_H
#define PD_SITES_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-replay-private.h"
#include "analyse/pd-waits-private.h"

/* The key of a call site: calls with equal keys belong together. Files are compared by address. */
typedef struct
{
  guint32 node;
  guint32 site;
  const char *function;
  const char *file;
  gint64 line;
} PdSiteKey;

/* Calls that come again soon, by numbers that make them the same without looking up texts. */
#define PD_N_RECENT_SITES 512
typedef struct
{
  guint32 node;
  guint32 site;
  guint32 what;     /* kind and operation */
  guint32 function; /* string; %PD_PROGRAM_NONE: as the kind */
  const char *file; /* of the last location */
  gint64 line;
  guint32 known; /* 1 + index; 0 = none */
} PdRecentSite;

typedef struct
{
  GArray *sites;     /* PdCallSite */
  GHashTable *index; /* PdSiteKey -> 1 + index */
  PdRecentSite recent[PD_N_RECENT_SITES];
} PdSites;

void pd_sites_init (PdSites *self);
void pd_sites_clear (PdSites *self);
/* As pd_sites_find(), which remembers it with the shape of the call. */
guint32 pd_sites_look_up (PdSites *self, const PdReplay *replay, guint32 node, PdQuantity part);
/* The site of the present call in @node; its index. @part: of Communication, if it
 * is new. */
static inline guint32
pd_sites_find (PdSites *self, const PdReplay *replay, guint32 node, PdQuantity part)
{
  PdActionShape *shape = replay->reader.shape;
  guint64 where = (guint64) node << 32 | replay->location;

  if (G_UNLIKELY (shape->notes[1] != where))
    {
      shape->notes[0] = pd_sites_look_up (self, replay, node, part);
      shape->notes[1] = where;
    }
  return (guint32) shape->notes[0];
}
/* Adds the present call to its site. Ranks ascend. */
void pd_sites_add (PdSites *self, guint32 site, const PdReplay *replay, const PdCharge *charge);
/* Likewise, behind %PD_STEP_BEGUN. */
void pd_sites_add_beginning (PdSites *self, guint32 site, const PdReplay *replay);
/* Behind the last call: the costs of each site are the sum of its ranks', and sites are in the
 * order of interval, place and function. */
void pd_sites_end (GArray *sites, const PdProgram *program);
/* Sums over the intervals inside each, and where its call sites are; at the end. */
void pd_analysis_index (PdAnalysis *self);
void pd_call_costs_add (PdCallCosts *costs, const PdCallCosts *more);
GArray *pd_sites_array_new (void);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdSites, pd_sites_clear)

/* Returns: (transfer full): the files of all call sites. */
PdTails *pd_sites_get_tails (const PdProgram *program);

#endif
