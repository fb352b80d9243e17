/* The protocol of a prediction: what each record made each processor do, and
 * when. Its form is in predictor-run(1).
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOG_H
#define PD_LOG_H

#include "intervals/pd-interval.h"
#include "predictor/common/pd-watcher.h"

#include <stdio.h>

typedef struct _PdLog PdLog;

/* The contents and the destination of a protocol. Everything is borrowed. */
typedef struct
{
  const char *path;       /* (nullable): a file, which is replaced as a whole at the end; of
                           * another kind, such as a pipe: it is written to */
  FILE *streams[2];       /* (nullable): streams as well */
  const char *processors; /* (nullable): "0,4-7"; only these */
  const char *records;    /* (nullable): "120" or "100:200", one end may lack; only these */
} PdLogOptions;

/**
 * pd_log_new:
 * @options: what and where
 * @error: return location for a %PD_USAGE_ERROR (the lists), or a %G_FILE_ERROR
 *
 * Returns: (transfer full) (nullable): a protocol without lines.
 */
PdLog *pd_log_new (const PdLogOptions *options, GError **error);

/**
 * pd_log_free:
 * @self: (nullable): the protocol; what pd_log_close() has not completed
 *   is thrown away
 */
void pd_log_free (PdLog *self);

/**
 * pd_log_watch:
 * @watchers: (inout): get one more, if there is @self
 * @self: (nullable): the protocol
 * @title: of the following lines, "grid 2x2"
 * @n: processors
 * @tree: borrowed until the end
 *
 * The simulation of a DVM program begins, and is observed: deeds are steps (#PdStepDvm). Selected
 * steps are noted, with the processor that was waited for in them.
 */
void pd_log_watch (PdWatcher **watchers, PdLog *self, const char *title, guint32 n,
                   const PdIntervalTree *tree);

/**
 * pd_log_begin_ranks:
 * @title: of the following lines
 * @n: ranks
 *
 * The simulation of a message-passing program begins: its lines come by rank, and
 * of each in the order of its actions.
 */
void pd_log_begin_ranks (PdLog *self, const char *title, guint32 n);

/**
 * pd_log_wants_action:
 * Returns: whether action @number of @rank is to be logged.
 */
gboolean pd_log_wants_action (const PdLog *self, guint32 rank, guint64 number);

/**
 * pd_log_rank_action:
 * @number: of the action within @rank, from 0
 * @times: (array fixed-size=2): the rank's clock before and after it, which is
 *   PD_TIME_PENDING if it never returns
 * @text: the action in words
 *
 * Notes an action of a rank.
 */
void pd_log_rank_action (PdLog *self, guint32 rank, guint64 number, const PdTime *times,
                         const char *text);

/**
 * pd_log_end:
 * @error: return location for a %G_FILE_ERROR
 *
 * The simulation is over: its lines are written, by record and processor.
 *
 * Returns: %FALSE if they cannot be.
 */
gboolean pd_log_end (PdLog *self, GError **error);

/**
 * pd_log_close:
 * @error: return location for a %G_FILE_ERROR
 *
 * The file gets its name.
 *
 * Returns: %FALSE if that is not possible.
 */
gboolean pd_log_close (PdLog *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLog, pd_log_free)

#endif
