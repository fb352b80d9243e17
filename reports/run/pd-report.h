/* The results of a prediction, and their writers. The writers know nothing of
 * simulators: they read this description and interval trees.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_H
#define PD_REPORT_H

#include "analyse/pd-analysis.h"
#include "analyse/pd-files.h"
#include "analyse/pd-outside.h"
#include "base/pd-messages.h"
#include "base/pd-sha256.h"
#include "intervals/pd-interval.h"
#include "reports/emit/pd-report-view.h"
#include "reports/hints/pd-model-report.h"
#include "reports/hints/pd-scan.h"
#include "reports/hints/pd-time-range.h"
#include "reports/run/pd-sensitivity.h"
#include "timeline/pd-comm-matrix.h"
#include "timeline/pd-timeline-bins.h"

#define PD_REPORT_ERROR (pd_report_error_quark ())
typedef enum
{
  PD_REPORT_ERROR_WRITE,   /* a file cannot be written */
  PD_REPORT_ERROR_FOREIGN, /* a database that is another application's */
  PD_REPORT_ERROR_VERSION, /* a database newer than this program */
  PD_REPORT_ERROR_READ,    /* not a result file, or damaged */
} PdReportError;

/**
 * pd_report_error_quark:
 * Returns: the domain of #PdReportError.
 */
GQuark pd_report_error_quark (void);

/* An input file, named with its digest. */
typedef struct
{
  char *name;
  char *sha256;
} PdReportInput;

/* One prediction: one processor count. */
typedef struct PdReportRun PdReportRun;
struct PdReportRun
{
  guint32 n_processors;
  char *grid;            /* "8x8" */
  PdAnalysis *analysis;  /* (nullable): of a run whose calls have been analysed; owned */
  PdIntervalTree *tree;  /* owned, unless it is the analysis'; NULL after compacting */
  PdIntervalModel model; /* of the tree; set when it is folded */
  GArray *results;       /* PdIntervalResult, from pd_interval_tree_fold() */
  GStringChunk *names;   /* (nullable): of @results, instead of the tree's; owned */
  PdTime *end_times;     /* (array length=n_processors); NULL after compacting */
  PdTime recorded_time;  /* how long the recorded run took on as many ranks; 0 = not known */
  PdTime *recorded_ends; /* (nullable) (array length=n_processors): of the recorded run */
  PdOutside *outside;    /* (nullable): times of the recorded run that are in no total; owned */
  GArray *files;         /* (nullable): PdFileUse: what the recorded run did with them; owned */
  GArray *recorded;      /* (nullable): PdTimeSum, its execution time of each of @results */
  GArray *recorded_communication; /* (nullable): likewise, of a DVM program: its Communication */
  GArray *ideal;          /* (nullable): PdTimeSum, likewise where communication costs nothing,
                           * negative: not known; see pd-efficiency.h */
  GArray *samples;        /* (nullable): PdTime, how long it takes in each of several samples */
  guint64 first_seed;     /* of sample 0; the next one has the next number */
  PdTimeRange *range;     /* (nullable): how sure its execution time is; owned */
  guint64 n_messages;     /* point-to-point data messages, those of collectives included */
  PdTimeSum n_bytes;      /* their payload, bytes (in .ps) */
  PdMessages *messages;   /* warnings and notes of this run; owned */
  gboolean is_recorded;   /* it is the recorded run of a DVM program: what it sent is not known */
  gboolean incomplete;    /* the trace ended early, */
  gdouble recorded_share; /* and has so much of the recorded run; 0 = not known */
  gdouble seconds;        /* our own elapsed time */
  guint64 n_events;       /* what the main loop did */
  PdSensitivity *sensitivity; /* (nullable): owned */
  GArray *what_ifs;           /* (nullable): PdWhatIf, by falling gain; owned */
  PdScan *scan;               /* (nullable): for pages, with other machines; owned */
  PdTimelineBins *bins;       /* (nullable): what its ranks did over time; for pages; owned */
  PdCommMatrix *matrix;       /* (nullable): who sent to whom; likewise */
  GArray *pairs;              /* (nullable): PdCommPair: the same, of each pair; owned */
  gboolean with_collectives;  /* their bytes are in @pairs */
  const PdReportRun *single;  /* (nullable): the same program on one rank; for the diagnosis */
  gboolean measured;          /* waits are wanted, although ranks shared processors */
  PdReportRun *calls;         /* (nullable): of a prediction, the analysis of its calls; owned */
  PdProgram *replayed;        /* (nullable): what the analysis of @calls borrows; owned */
};

/* A network, a kind of nodes or a memory of the machine, in document order. */
typedef struct
{
  guint depth;  /* what it hangs on is the one before with a smaller depth */
  char *title;  /* "64 nodes of 16 processors" */
  char *detail; /* its parameters */
} PdReportMachinePart;

typedef struct
{
  char *command_line;
  char *machine;          /* name */
  char *machine_text;     /* one line for people */
  GArray *machine_parts;  /* (nullable): PdReportMachinePart, which it frees */
  char *date;             /* ISO 8601; NULL when SOURCE_DATE_EPOCH is set */
  GArray *inputs;         /* PdReportInput */
  GPtrArray *runs;        /* PdReportRun*, owned */
  PdMessages *messages;   /* of reading the inputs; owned */
  PdModelReport *model;   /* (nullable): of 'predictor scale', which made the runs; owned */
  gboolean per_processor; /* values of each processor are wanted too */
  const char *full;       /* (nullable): the option for texts of everything; NULL: -v */
  PdReportView view;      /* what texts show */
  PdSha256File *ahead;    /* (nullable): of pd_report_begin_input(); owned */
  char *ahead_path;       /* its name; owned */
} PdReport;

/**
 * pd_report_new:
 * Returns: (transfer full): an empty report; the caller fills its fields.
 */
PdReport *pd_report_new (void);

/**
 * pd_report_new_machine_parts:
 * Returns: (transfer full) (element-type PdReportMachinePart): no parts yet.
 */
GArray *pd_report_new_machine_parts (void);

/**
 * pd_report_free:
 * @self: (nullable): the report, its runs and their trees
 */
void pd_report_free (PdReport *self);

/**
 * pd_report_begin_input:
 * @self: a report for which no input has been begun
 * @path: a file that will be read, and perhaps added
 *
 * Begins to sum @path beside its reading. pd_report_add_input() takes the sum, and reports what is
 * wrong with the file.
 */
void pd_report_begin_input (PdReport *self, const char *path);

/**
 * pd_report_add_input:
 * @self: the report
 * @path: a file that was read
 * @error: return location for %PD_REPORT_ERROR_READ
 *
 * Records @path with its SHA-256.
 *
 * Returns: %FALSE if it cannot be read.
 */
gboolean pd_report_add_input (PdReport *self, const char *path, GError **error);

/**
 * pd_report_run_fold:
 * @run: a run with its tree; gets its results and its model, instead of those of before
 */
void pd_report_run_fold (PdReportRun *run);

/**
 * pd_report_run_compact:
 * @run: a run whose tree is filled
 *
 * Folds the tree into the results and releases the values of processors and an
 * analysis, for callers that keep many runs. Such a run cannot be part of a report with
 * per_processor.
 */
void pd_report_run_compact (PdReportRun *run);

/**
 * pd_report_run_take_calls:
 * @run: a prediction without an analysis of its calls
 * @calls: (transfer full): the analysis of the same run, from pd_mp_analyse(); not folded
 * @replayed: (transfer full): the program that @calls borrows
 *
 * Reports then have the call sites of @run, except CSV; text and page also its wait states.
 */
void pd_report_run_take_calls (PdReportRun *run, PdReportRun *calls, PdProgram *replayed);

/**
 * pd_report_run_set_share:
 * @share: how much of the recorded run its trace has: 1 = all; 0 = it ends early, and how
 *   much it has is not known
 */
void pd_report_run_set_share (PdReportRun *run, gdouble share);

/**
 * pd_report_run_get_share:
 * Returns: likewise.
 */
gdouble pd_report_run_get_share (const PdReportRun *run);

/**
 * pd_report_run_free:
 * @run: (nullable): a run that is in no report
 */
void pd_report_run_free (PdReportRun *run);

/**
 * pd_report_add_run:
 * @self: the report
 * @run: (transfer full): a run whose tree and end times are filled; this
 *   folds the tree into its results. Or a compacted run
 */
void pd_report_add_run (PdReport *self, PdReportRun *run);

/**
 * pd_report_save:
 * @path: where; "-" is stdout
 * @text: the contents
 * @error: return location for %PD_REPORT_ERROR_WRITE; then @path is as before
 *
 * Writes to a temporary name beside @path and renames it.
 */
gboolean pd_report_save (const char *path, const GString *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdReport, pd_report_free)

#endif
