/* Building programs: what an action must be like.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_CHECK_PRIVATE_H
#define PD_PROGRAM_CHECK_PRIVATE_H

#include "traces/program/pd-program-private.h"

/* FALSE, with %PD_TRACE_ERROR_VALUE set, if @rank cannot do @action. */
gboolean pd_program_builder_check (const PdProgramBuilder *self, guint32 rank,
                                   const PdAction *action, GError **error);

/* Likewise, where another action of its shape was in order. */
gboolean pd_program_builder_check_values (const PdProgramBuilder *self, guint32 rank,
                                          const PdAction *action, GError **error);

#endif
