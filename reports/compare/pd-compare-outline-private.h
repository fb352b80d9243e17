/* The tree of a run's intervals, and how alike two intervals are.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_OUTLINE_PRIVATE_H
#define PD_COMPARE_OUTLINE_PRIVATE_H

#include "reports/compare/pd-compare.h"

/* Of a run; arrays by index of its results. */
typedef struct
{
  const PdReportRun *run; /* borrowed */
  guint *parents;         /* the root's is the root */
  guint *firsts;          /* the first interval inside; PD_COMPARE_NONE */
  guint *nexts;           /* the next one in the same interval; likewise */
  guint *previous;        /* the one before it; likewise */
  guint *sizes;           /* intervals inside and itself */
  guint *shapes;          /* hash of types, names, numbers and nesting */
  guint *exacts;          /* hash of these, files, lines and operations */
  GHashTable *files;      /* (element-type char*): all that it names */
} PdCompareOutline;

PdCompareOutline *pd_compare_outline_new (const PdReportRun *run);
void pd_compare_outline_free (PdCompareOutline *self);

/* Returns: how much says that @x of A and @y of B are the same interval, at least 1; 0: they
 * cannot be. */
gint pd_compare_score (const PdCompareOutline *a, guint x, const PdCompareOutline *b, guint y);

/* Whether both are named alike: by the programmer's number; by name and file; else by file and
 * line. */
gboolean pd_compare_is_named_alike (const PdIntervalResult *x, const PdIntervalResult *y);
guint pd_compare_hash_name (const PdIntervalResult *r);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCompareOutline, pd_compare_outline_free)

#endif
