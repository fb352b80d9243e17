/* Two runs compared, interval by interval.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_H
#define PD_COMPARE_H

#include "reports/compare/pd-compare-calls.h"

#define PD_COMPARE_NONE G_MAXUINT /* a run lacks the interval */

/* A or B. */
typedef struct
{
  char *name;        /* of the file */
  gint64 id;         /* of the run in it; 0 = it has but one */
  char *machine;     /* that it is predicted for; "" = it was measured */
  PdReportRun *run;  /* folded */
  PdRunCalls *calls; /* (nullable): of a trace */
} PdCompareSide;

/* The options of a comparison. */
typedef struct
{
  gboolean all;                          /* tables of nothing but 0 are left out */
  gint64 level;                          /* intervals up to this depth */
  gboolean chosen;                       /* the following were asked for */
  gboolean wanted[PD_N_CHARACTERISTICS]; /* Execution_time if nothing was asked for */
  gdouble tolerance;                     /* per cent; < 0: none */
} PdCompareOptions;

/* An interval of A, of B or of both. */
typedef struct
{
  guint at[2];       /* index in the results of A, of B; %PD_COMPARE_NONE */
  guint parent;      /* index of the interval around it; that of the whole program is 0 */
  PdIntervalKey key; /* of A's, if it has the interval */
  guint depth;
} PdComparePair;

typedef struct
{
  char *command_line;
  PdCompareSide sides[2];
  PdCompareOptions options;
  GArray *pairs;        /* PdComparePair, in preorder, in the order of A */
  GArray *calls;        /* (nullable): PdCallsPair, if both are of traces */
  GPtrArray *sentences; /* (element-type char*): what explains the difference */
  GPtrArray *notes;     /* (element-type char*): why figures may not be comparable */
  guint n_compared;     /* values with a tolerance, */
  guint n_beyond;       /* and those beyond it */
} PdCompare;

/* One value of both. */
typedef struct
{
  PdTimeSum values[2];
  PdWide difference; /* of B from A, picoseconds */
  gdouble relative;  /* per cent of A's; NAN if only that is 0 */
} PdCompareValue;

/**
 * pd_compare_new:
 * @a: (transfer full): a run
 * @b: (transfer full): another one
 * @options: the options
 *
 * Structure and order decide which intervals are the same, see docs/models.md; lines are
 * evidence, so that a program can be compared with an edited one. The time grows with the number
 * of intervals; if those directly inside one have changed, with the product of their numbers.
 *
 * Returns: (transfer full): both compared.
 */
PdCompare *pd_compare_new (PdCompareSide *a, PdCompareSide *b, const PdCompareOptions *options);

/**
 * pd_compare_free:
 * @self: (nullable): the comparison, its runs with it
 */
void pd_compare_free (PdCompare *self);

/**
 * pd_compare_side_clear:
 * Frees what @side holds.
 */
void pd_compare_side_clear (PdCompareSide *side);

/**
 * pd_compare_get_value:
 * @pair: an interval that both have
 */
PdCompareValue pd_compare_get_value (const PdCompare *self, const PdComparePair *pair,
                                     PdCharacteristic c);

/**
 * pd_compare_is_of_waiting:
 * Returns: whether one run of a DVM program was measured, and the other one predicted: where
 *   they communicate longer is shown for each interval, too.
 */
gboolean pd_compare_is_of_waiting (const PdCompare *self);

/**
 * pd_compare_applies:
 * Returns: whether programs of both kinds have @c.
 */
gboolean pd_compare_applies (const PdCompare *self, PdCharacteristic c);

/**
 * pd_compare_label:
 * Returns: (transfer full): "PAR heat2d.fdv:19", as the run that has it calls it; of both "PAR
 *   heat2d.fdv:19 (B: 26)" where the lines differ.
 */
char *pd_compare_label (const PdCompare *self, const PdComparePair *pair);

/**
 * pd_compare_side_describe:
 * Returns: (transfer full): "results.sqlite, run 3: predicted for mvs1000, 4 ranks".
 */
char *pd_compare_side_describe (const PdCompareSide *of);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdCompareSide, pd_compare_side_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCompare, pd_compare_free)

#endif
