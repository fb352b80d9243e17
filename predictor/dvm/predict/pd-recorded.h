/* The recorded run: one trace, or one per processor, opened together.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RECORDED_H
#define PD_RECORDED_H

#include "traces/dvm/pd-dvm-cleaning.h"

/* All zero: nothing is open. */
typedef struct
{
  GPtrArray *readers; /* (element-type PdDvmReader): by internal processor number */
} PdRecorded;

/**
 * pd_recorded_open:
 * @self: nothing is open
 * @trace: a trace; or one of the files of a run on several processors, what
 *   their names begin with, or the folder that holds them, see pd_dvm_set_new()
 * @bytes: (nullable): the one trace itself, if it is in memory
 * @messages: (nullable): as for pd_dvm_reader_new()
 * @error: return location for a #PdDvmError, or %PD_DVM_MODEL_ERROR_RECORDED
 *   if the files of other processors are missing
 *
 * Opens every file of the run and reads its header. All stay open: a run on
 * several processors is read in lockstep.
 *
 * Returns: %FALSE on an error; nothing is open then.
 */
gboolean pd_recorded_open (PdRecorded *self, const char *trace, GBytes *bytes, PdMessages *messages,
                           GError **error);

/**
 * pd_recorded_clear:
 * Closes all.
 */
void pd_recorded_clear (PdRecorded *self);

/**
 * pd_recorded_get:
 * @file: less than self->readers->len
 *
 * Returns: (transfer none): the reader of that processor's file.
 */
PdDvmReader *pd_recorded_get (const PdRecorded *self, guint file);

/**
 * pd_recorded_is_grid:
 * @rank: of @sizes
 * @sizes: (array length=rank): a grid
 *
 * Returns: whether the run was recorded on several processors, and on this
 *   grid, sizes of 1 at its end not counted; without a recorded grid, whether
 *   it is a line of as many.
 */
gboolean pd_recorded_is_grid (const PdRecorded *self, guint rank, const gint64 *sizes);

/**
 * pd_recorded_finish:
 * @error: return location for a #PdDvmError
 *
 * Reads the files to their ends, where they say whether they are whole: gzip's sums, the
 * trailer's times, what follows it.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_recorded_finish (const PdRecorded *self, GError **error);

/**
 * pd_recorded_clean:
 * @trace: as for pd_recorded_open()
 * @bytes: (nullable): likewise
 * @options: the changes of the recorded times
 * @error: as for pd_recorded_open()
 *
 * Reads every file of the run to its end.
 *
 * Returns: (transfer full) (nullable) (element-type PdDvmCleaning): the cleaning of each file; may
 *   be shared by threads.
 */
GPtrArray *pd_recorded_clean (const char *trace, GBytes *bytes, const PdDvmCleanOptions *options,
                              GError **error);

/**
 * pd_recorded_apply:
 * @self: open, nothing was read
 * @cleanings: (element-type PdDvmCleaning): of the same run; must outlive @self
 *
 * The readers give out the times as they are after the changes.
 */
void pd_recorded_apply (const PdRecorded *self, const GPtrArray *cleanings);

/**
 * pd_recorded_set_cost:
 * @self: open, nothing was read
 * @cost: of recording, taken out of the times that the readers give out
 */
void pd_recorded_set_cost (const PdRecorded *self, const PdDvmRecorderCost *cost);

/**
 * pd_recorded_report_cost:
 * @self: read to its end
 * @cost: as for pd_recorded_set_cost()
 * @messages: gets a note "recorder-cost", if anything was taken out
 */
void pd_recorded_report_cost (const PdRecorded *self, const PdDvmRecorderCost *cost,
                              PdMessages *messages);

/**
 * pd_recorded_report:
 * @cleanings: (nullable) (element-type PdDvmCleaning): of the files of a run
 * @messages: gets what pd_dvm_cleaning_report() says of each, and what
 *   pd_dvm_recorder_share_report() says of all, with the name of the first file
 */
void pd_recorded_report (const GPtrArray *cleanings, PdMessages *messages);

/**
 * pd_recorded_is_complete:
 * Returns: whether each file was read to its Event_dvm_exit.
 */
gboolean pd_recorded_is_complete (const PdRecorded *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdRecorded, pd_recorded_clear)

#endif
