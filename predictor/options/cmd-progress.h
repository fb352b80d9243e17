/* Progress on a terminal.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CMD_PROGRESS_H
#define PD_CMD_PROGRESS_H

#include "base/pd-progress.h"

typedef struct _PdProgressLine PdProgressLine;

/**
 * pd_progress_line_new:
 *
 * Shows a line on standard error, if that is a terminal, while work takes longer than a second:
 * four times a second, by a thread of its own.
 *
 * Returns: (transfer full): the line.
 */
PdProgressLine *pd_progress_line_new (void);

/**
 * pd_progress_line_get:
 * Returns: (transfer none): what to add progress to, until pd_progress_line_free().
 */
PdProgress *pd_progress_line_get (PdProgressLine *self);

/**
 * pd_progress_line_free:
 * @self: (nullable): the line, which is taken back
 */
void pd_progress_line_free (PdProgressLine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdProgressLine, pd_progress_line_free)

#endif
