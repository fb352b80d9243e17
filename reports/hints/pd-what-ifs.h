/* Changes that would make a predicted run faster: what-ifs, each of them predicted. One description
 * of the rows drives text, XML, JSON, CSV, SQLite and pages.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WHAT_IFS_H
#define PD_WHAT_IFS_H

#include "reports/emit/pd-emit.h"

/* One change, and the run with it. */
typedef struct
{
  const char *id; /* "shadow-overlap": for programs; static */
  char *value;    /* owned: the tried value of several: the grid, the number of portions; else "" */
  char *change;   /* owned: what to change, a sentence */
  char *how;      /* owned: how it was simulated, a sentence */
  PdTime time;    /* Execution_time with it */
  PdTimeSum gain; /* by how much that is less; negative: more */
  gdouble percent; /* … of the time without it */
} PdWhatIf;

extern const PdRecord pd_report_what_ifs;

/**
 * pd_what_ifs_new:
 * Returns: (transfer full) (element-type PdWhatIf): none; frees them.
 */
GArray *pd_what_ifs_new (void);

/**
 * pd_what_ifs_sort:
 * Sorts them by falling gain; equal ones stay in their order.
 */
void pd_what_ifs_sort (GArray *what_ifs);

/**
 * pd_what_ifs_write:
 * @time: of the run without a change
 * @width: columns
 *
 * Appends them as text: those with a gain by rank, the others in a line.
 */
void pd_what_ifs_write (const GArray *what_ifs, PdTimeSum time, guint width, GString *out);

/**
 * pd_what_ifs_append_csv:
 * @n: number of the run, from 1
 *
 * Appends a line for each, behind headings if @out is empty.
 */
void pd_what_ifs_append_csv (const GArray *what_ifs, guint32 n, GString *out);

#endif
