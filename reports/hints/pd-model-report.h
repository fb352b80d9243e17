/* A model of predictor scale, and its checks against recordings. One description of the
 * rows drives text, XML, JSON and pages.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MODEL_REPORT_H
#define PD_MODEL_REPORT_H

#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-emit.h"

typedef struct
{
  char *name; /* owned */
  guint32 n_processors;
  gdouble seconds; /* of the recorded run; NaN: not known */
} PdModelRecording;

/* The parts of the largest recording that the smaller ones give exactly. */
typedef struct
{
  const char *what; /* "calls"; static */
  guint64 recorded;
  guint64 reproduced;
  gdouble share; /* 0 to 1; NaN: there are none */
} PdModelCheck;

/* The run, or an interval; seconds on a machine whose network costs nothing. */
typedef struct
{
  char *name; /* owned */
  guint32 depth;
  gdouble recorded;
  gdouble synthesized; /* NaN: it cannot be predicted */
  gdouble error;       /* relative; NaN: not known */
} PdModelTime;

/* Calls that no rule explains. */
typedef struct
{
  char *call;         /* "MPI_Send at file.c:12"; owned */
  const char *number; /* "bytes"; static */
  const char *how;    /* "nearest" or "drawn"; static */
  guint64 calls;      /* of all recordings */
  guint64 bytes;      /* that they send */
  gdouble share;      /* of all calls, 0 to 1 */
} PdModelApproximation;

typedef struct
{
  const char *number; /* "partner"; static */
  const char *how;    /* static */
  char *words;        /* owned */
} PdModelRule;

/* A loop, or a call with the computation in front of it. */
typedef struct
{
  guint32 class;
  guint32 n_ranks; /* recorded ones of that class */
  guint32 depth;
  char *times;      /* (nullable): how often it is repeated; owned */
  const char *call; /* static */
  char *site;       /* owned */
  char *formula;    /* (nullable): of the computation; %NULL: there is none; owned; then: */
  gdouble c0;       /* c0 + c1 P^power log2(P)^logs, in seconds or operations; else NaN */
  gdouble c1;
  gdouble power;
  gdouble logs;
  gdouble error; /* relative, of the recording that was left out */
  gdouble share; /* of the computation of the largest recording */
  GArray *rules; /* PdModelRule */
} PdModelPlace;

typedef struct
{
  const char *arrangement;    /* of ranks, in words; static */
  const char *classes;        /* the property by which they differ; static */
  const char *unit;           /* of computation: "seconds" or "operations"; static */
  guint32 n_validated;        /* ranks of the recording that was predicted; 0: none was */
  char *validated_machine;    /* where: "ideal", its network costs nothing; owned */
  gdouble time_error;         /* mean relative error of computations */
  gdouble approximated_calls; /* share of the recordings; NaN: none, as the next two */
  gdouble approximated_bytes;
  gdouble drawn_bytes;
  GArray *recordings;     /* PdModelRecording */
  GArray *approximations; /* PdModelApproximation */
  GArray *checks;         /* PdModelCheck */
  GArray *times;          /* PdModelTime; the first one is the run */
  GArray *places;         /* PdModelPlace */
  gboolean with_places;   /* texts and documents have them, too: --model */
} PdModelReport;

/**
 * pd_model_report_new:
 * Returns: (transfer full): a report without rows.
 */
PdModelReport *pd_model_report_new (void);

/**
 * pd_model_report_free:
 * @self: (nullable): frees it
 */
void pd_model_report_free (PdModelReport *self);

/**
 * pd_emit_model:
 * @self: (nullable): the model, for XML or JSON; its places only if it is said so
 */
void pd_emit_model (PdEmit *to, const PdModelReport *self);

/**
 * pd_model_report_describe_validation:
 * Returns: (transfer full): what the tables of checks and times are about.
 */
char *pd_model_report_describe_validation (const PdModelReport *self);

/**
 * pd_model_report_describe_approximations:
 * Returns: (transfer full) (nullable): what share of the recordings is approximated; %NULL: none.
 */
char *pd_model_report_describe_approximations (const PdModelReport *self);

/**
 * pd_model_report_add_approximations:
 * Adds the table of calls that are approximated, if there is one.
 */
void pd_model_report_add_approximations (const PdModelReport *self, PdColumns *to);

/**
 * pd_model_report_add_checks:
 * Adds the table of exactly reproduced parts, if there is one.
 */
void pd_model_report_add_checks (const PdModelReport *self, PdColumns *to);

/**
 * pd_model_report_add_times:
 * @most: rows
 *
 * Adds the table of times, if there is one.
 */
void pd_model_report_add_times (const PdModelReport *self, guint most, PdColumns *to);

/**
 * pd_model_report_add_places:
 * @class: from 1
 *
 * Adds the table of the places of a class, for pages.
 */
void pd_model_report_add_places (const PdModelReport *self, guint32 class, PdColumns *to);

/**
 * pd_model_report_write:
 * @verbose: all intervals, not only the first ones
 * @width: of the terminal
 *
 * Appends approximated calls, and the validation, as text, each with an empty line behind it;
 * nothing if there is none.
 */
void pd_model_report_write (const PdModelReport *self, gboolean verbose, guint width, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdModelReport, pd_model_report_free)

#endif
