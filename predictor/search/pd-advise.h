/* Searches processor counts and grids for the best predictions of a trace.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVISE_H
#define PD_ADVISE_H

#include "predictor/search/pd-bounds.h"
#include "predictor/dvm/predict/pd-family.h"
#include "predictor/dvm/predict/pd-predict.h"
#include "reports/advice/pd-advice.h"

/* Grids that are predicted at most, unless the caller wants another limit. */
#define PD_ADVISE_LIMIT 1000
/* The largest count tried on a machine that grows with its use. */
#define PD_ADVISE_MAX_PROCESSORS 64

/* Called now and then by the thread that called pd_advise(). */
typedef void (*PdAdviseProgress) (guint done, guint n, gpointer data);

/* Everything is borrowed. */
typedef struct
{
  PdPredictOptions predict;  /* @stop ends the search */
  const PdTraceFacts *facts; /* of the same trace */
  const PdFamily *family;    /* (nullable): which trace a grid is predicted from; @predict has one
                              * of them, one for any grid if there is such */
  PdAdviceCriteria criteria;
  const GArray *counts;      /* (nullable) (element-type PdCount): exactly these grids */
  guint32 max_processors;    /* 0 = as many as the machine has */
  guint limit;               /* grids; >= 1; of no importance for @counts or @exhaustive */
  gboolean exhaustive;       /* every grid is predicted */
  guint n_threads;           /* >= 1; the result does not depend on it */
  PdAdviseProgress progress; /* (nullable) */
  gpointer progress_data;
} PdAdviseOptions;

/**
 * pd_advise:
 * @options: what and how
 * @report: takes the runs, compacted, and notes on the search
 * @error: return location for errors as of pd_predict(); the first one in the
 *   order of the search
 *
 * Predicts the grids and chooses. Candidates are all grids of all counts up to
 * the largest, of as many dimensions as the trace can use. If they are more
 * than the limit, powers of two are tried first, then counts around the best
 * ones. A grid whose bound (pd-bounds.h) shows that it can be best by no
 * wanted criterion is not predicted, unless @exhaustive; one processor, to
 * which others are compared, always is.
 *
 * When interrupted after a prediction was finished, the result is that of what
 * was finished.
 *
 * Returns: (transfer full) (nullable): the advice; @report must outlive it.
 */
PdAdvice *pd_advise (const PdAdviseOptions *options, PdReport *report, GError **error);

#endif
