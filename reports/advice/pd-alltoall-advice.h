/* Which part of a cluster is the best for an All-to-all, and why: the description
 * that the writers of "predictor advise --alltoall" share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLTOALL_ADVICE_H
#define PD_ALLTOALL_ADVICE_H

#include "reports/run/pd-report.h"

#define PD_ALLTOALL_ADVICE_LEVELS 3

/* So many nodes with so many ranks each. */
typedef struct
{
  guint32 nodes;
  guint32 per_node;
  PdTime time;
  guint32 n_steps; /* 0: predicted by messages, and what follows is not known */
  /* by level: of the steps whose slowest message is of it */
  guint32 steps[PD_ALLTOALL_ADVICE_LEVELS];
  PdTimeSum times[PD_ALLTOALL_ADVICE_LEVELS];
  guint32 cf[PD_ALLTOALL_ADVICE_LEVELS];         /* the largest of any step; 0 = no messages */
  guint64 n_messages[PD_ALLTOALL_ADVICE_LEVELS]; /* of all ranks */
} PdAlltoallShape;

/* The order of shapes under another assumption. */
typedef struct
{
  char *assumption; /* owned: "block" */
  char *value;      /* owned: "2" */
  char *order;      /* owned */
  gboolean is_base; /* the assumed algorithm */
  gboolean holds;   /* the order is that of the advice */
} PdAlltoallTrial;

/* Between which factors of a level's times the order holds. */
typedef struct
{
  const char *level;
  gdouble least;   /* tried */
  gdouble most;    /* tried */
  gdouble from;    /* holds, */
  gdouble to;      /* as 1 is between */
  char *order_low; /* (nullable): below @from; owned */
  char *order_high;
} PdAlltoallRange;

typedef struct
{
  PdReport *report; /* borrowed; without runs */
  guint32 n_ranks;
  gint64 bytes;
  guint32 block;
  const char *timing;  /* "step", "message" */
  const char *self;    /* "copy", "none", "message" */
  const char *sockets; /* "fill", "spread" */
  const char *levels[PD_ALLTOALL_ADVICE_LEVELS];
  GArray *shapes;      /* PdAlltoallShape, the quickest first; of equal ones fewer nodes */
  GPtrArray *left_out; /* char*, owned: shapes that do not fit the machine */
  GArray *trials;      /* PdAlltoallTrial; empty without --sensitivity */
  GArray *ranges;      /* PdAlltoallRange; likewise */
} PdAlltoallAdvice;

/**
 * pd_alltoall_advice_new:
 * @report: (transfer none): must outlive the result
 *
 * Returns: (transfer full): an advice without shapes.
 */
PdAlltoallAdvice *pd_alltoall_advice_new (PdReport *report);

/**
 * pd_alltoall_advice_free:
 * @self: (nullable): the advice, without its report
 */
void pd_alltoall_advice_free (PdAlltoallAdvice *self);

/**
 * pd_alltoall_shapes_sort:
 * @shapes: (element-type PdAlltoallShape): become sorted
 *
 * Returns: (transfer full): their order, "4x1 < 1x4 = 2x2", nodes x ranks of each.
 */
char *pd_alltoall_shapes_sort (GArray *shapes);

/**
 * pd_alltoall_advice_explain:
 * @i: which shape
 *
 * Returns: (transfer full): where its time goes, and what it loses against the best
 *   one.
 */
char *pd_alltoall_advice_explain (const PdAlltoallAdvice *self, guint i);

/**
 * pd_alltoall_advice_write_text:
 * @self: the advice
 * @verbose: 1: every number of messages
 * @width: columns of the terminal
 * @out: table, order, reasons, assumptions and messages are appended
 */
void pd_alltoall_advice_write_text (const PdAlltoallAdvice *self, int verbose, guint width,
                                    GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAlltoallAdvice, pd_alltoall_advice_free)

#endif
