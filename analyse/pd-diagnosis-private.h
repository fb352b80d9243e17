/* Parts of the diagnosis.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIAGNOSIS_PRIVATE_H
#define PD_DIAGNOSIS_PRIVATE_H

#include "analyse/pd-delays.h"

/* The waiting in an interval in sentences: its kind, its call sites, and the ranks waited for.
 * @sites: its call sites. Returns: (transfer full) (nullable): the text; %NULL: no rank waited. */
char *pd_diagnosis_describe_waits (const PdAnalysis *analysis, guint32 node, const GArray *sites);

/* Ranks that took turns on processors, with each other or with other programs. */
typedef struct
{
  const char *id;        /* of the statement */
  char *text;            /* owned; NULL: they had processors, or it is not known */
  gboolean is_disturbed; /* that may have made half of the waiting: no rank is named as its cause */
  const char *waits_id;  /* of the statement about waiting then, */
  const char *waits;     /* and its end */
} PdProcessorsTold;

/* @waiting: in the whole run. */
PdProcessorsTold pd_diagnosis_tell_processors (const PdAnalysis *analysis, PdTimeSum waiting);

/* How many threads ranks have, and how many processors these keep busy while the ranks compute in
 * an interval. Returns: (transfer full) (nullable): the text; there is one thread, or it is not
 * known. */
char *pd_diagnosis_describe_threads (const PdAnalysis *analysis, guint32 node);
/* The share of parallel regions of threads in @computation, of all ranks in the run, and how busy
 * threads were in them. Returns: (transfer full) (nullable): the text; %NULL: there are none, or it
 * is not known. */
char *pd_diagnosis_describe_regions (const PdAnalysis *analysis, PdTimeSum computation);
/* The @sites of an interval that cost most, in words. @sites: of @analysis, are sorted
 * by that; @communication: of the interval, in picoseconds. Returns: (transfer full) (nullable):
 * the text; none costs anything. */
char *pd_diagnosis_describe_places (const PdAnalysis *analysis, GArray *sites,
                                    gdouble communication);

/* How long calls of a component of communication waited for others. @part: which component */
PdTimeSum pd_diagnosis_sum_waits (const GArray *sites, PdQuantity part);
/* The cost of a component's operations besides waiting, and a remedy, which depends on their sizes.
 * @n: operations, 0: one-sided ones; @fewer: the remedy for many small ones. Returns: (transfer
 * full): the words. */
char *pd_diagnosis_describe_amount (const GArray *sites, PdQuantity part, guint64 n,
                                    const char *fewer);

/* The causes of the waiting in an interval, in sentences. */
typedef struct
{
  char *text;           /* owned */
  gboolean is_named;    /* up to three ranks and places cause most of it; else it is spread */
  gboolean is_computed; /* one of them is the computation of the rank that was asked for */
} PdCausesTold;

/* @waiting: in @node, > 0; @rank: the one that computes most there. */
PdCausesTold pd_diagnosis_tell_causes (const PdAnalysis *analysis, guint32 node, PdTimeSum waiting,
                                       guint32 rank);

#endif
