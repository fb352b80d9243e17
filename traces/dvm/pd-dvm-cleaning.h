/* How clean a recording is, and what of its times is changed before a prediction.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CLEANING_H
#define PD_DVM_CLEANING_H

#include "traces/dvm/pd-dvm-outliers.h"
#include "traces/dvm/pd-dvm-recorder-fit.h"

/* Whose recorder is taken out of recorded times. */
typedef enum
{
  PD_DVM_RECORDER_OF_MACHINE, /* what the predicted machine says */
  PD_DVM_RECORDER_KEEP,       /* nothing is taken out */
  PD_DVM_RECORDER_DROP,       /* as the first, with statistics */
  PD_DVM_RECORDER_GIVEN,      /* PdDvmCleanOptions.recorder_cost */
} PdDvmRecorderRule;

/* All zero: the default. */
typedef struct
{
  gboolean keep_clamped; /* do not decode what the recorder clamped */
  PdDvmOutlierRule outliers;
  PdDvmRecorderRule recorder;
  PdTime recorder_overhead; /* of each event, for %PD_DVM_RECORDER_GIVEN */
  gboolean finds_cost;      /* PdDvmRecorderShare.found */
} PdDvmCleanOptions;

/* The share of recording itself in the times of a trace, of one processor or of several together.
 */
typedef struct
{
  guint n_files;
  guint n_decodable; /* of them: whose clock is known, pd_dvm_clock_is_known() */
  gboolean decodes;  /* … are decoded */
  guint64 n_records; /* of decodable files, likewise the next two */
  guint64 n_clamped;
  PdTimeSum clamped_time;     /* that decoding takes out, or would */
  guint64 n_interval_records; /* of calls that begin and end intervals */
  PdTimeSum interval_time;    /* inside these calls: recording with statistics costs it */
  PdTimeSum recorded_time;    /* of the program, without its start-up */
  PdTimeSum time;             /* the same with all changes */
  guint64 n_events;           /* of the recorder, printed or not */
  PdDvmRecorderFound found;   /* what they seem to cost; no kinds: not known */
} PdDvmRecorderShare;

/* The findings of one pass over the trace of a processor. */
typedef struct
{
  PdDvmCleanOptions options;
  PdDvmReader *reader;     /* borrowed; NULL: finished */
  char *trace;             /* what messages call it, after pd_dvm_cleaning_finish() */
  PdDvmOutliers *outliers; /* owned */
  PdDvmRecorderFit *fit;   /* (nullable), owned */
  PdDvmRecorderShare share;
  PdDvmRecorderShare decoded; /* until it is finished: its times with decoding */
  gboolean is_started;
} PdDvmCleaning;

/**
 * pd_dvm_cleaning_new:
 * @reader: a reader nothing was read from, in use until pd_dvm_cleaning_finish()
 * @options: the changes that are wanted
 *
 * Returns: (transfer full): a cleaning without calls.
 */
PdDvmCleaning *pd_dvm_cleaning_new (PdDvmReader *reader, const PdDvmCleanOptions *options);

/**
 * pd_dvm_cleaning_add:
 * @call: the current call of the reader
 *
 * Takes its times; every call of the trace must be given, in order.
 */
void pd_dvm_cleaning_add (PdDvmCleaning *self, const PdDvmCall *call);

/**
 * pd_dvm_cleaning_finish:
 * Decides the changes. From now on threads may share @self.
 */
void pd_dvm_cleaning_finish (PdDvmCleaning *self);

/**
 * pd_dvm_cleaning_read:
 * @reader: a reader nothing was read from; afterwards it is at its end
 * @options: the changes that are wanted
 * @error: return location for a #PdDvmError, where reading stopped
 *
 * All of the above.
 *
 * Returns: (transfer full) (nullable): the findings, finished.
 */
PdDvmCleaning *pd_dvm_cleaning_read (PdDvmReader *reader, const PdDvmCleanOptions *options,
                                     GError **error);

/**
 * pd_dvm_cleaning_apply:
 * @self: finished; must outlive the reader
 * @reader: another reader of the same trace, nothing was read from
 *
 * The reader gives out the times as they are after the changes.
 */
void pd_dvm_cleaning_apply (const PdDvmCleaning *self, PdDvmReader *reader);

/**
 * pd_dvm_cleaning_report:
 * @self: finished
 * @messages: (nullable): gets a message "outlier" for each place with outliers: a warning if they
 *   are kept, else a note
 */
void pd_dvm_cleaning_report (const PdDvmCleaning *self, PdMessages *messages);

/**
 * pd_dvm_recorder_share_add:
 * @self: (inout): gets what @other has besides
 */
void pd_dvm_recorder_share_add (PdDvmRecorderShare *self, const PdDvmRecorderShare *other);

/**
 * pd_dvm_recorder_share_describe:
 * Returns: (transfer full): how many records, and how much time, belong to intervals.
 */
char *pd_dvm_recorder_share_describe (const PdDvmRecorderShare *self);

/**
 * pd_dvm_recorder_share_describe_clamped:
 * Returns: (transfer full): how many records the recorder clamped, how much time it added so, and
 *   whether that is taken out.
 */
char *pd_dvm_recorder_share_describe_clamped (const PdDvmRecorderShare *self);

/**
 * pd_dvm_recorder_share_describe_cost:
 * Returns: (transfer full) (nullable): what recording seems to have cost; %NULL: not known.
 */
char *pd_dvm_recorder_share_describe_cost (const PdDvmRecorderShare *self);

/**
 * pd_dvm_recorder_share_report:
 * @trace: what messages call the trace, or the run
 * @messages: (nullable): gets notes "recorder" and "clamped", and "recorder-cost" if it is known
 */
void pd_dvm_recorder_share_report (const PdDvmRecorderShare *self, const char *trace,
                                   PdMessages *messages);

/**
 * pd_dvm_cleaning_free:
 * @self: (nullable): the cleaning
 */
void pd_dvm_cleaning_free (PdDvmCleaning *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvmCleaning, pd_dvm_cleaning_free)

#endif
