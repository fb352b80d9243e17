/* Programs that come from a file: whether they are such as a builder makes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_VERIFY_PRIVATE_H
#define PD_PROGRAM_VERIFY_PRIVATE_H

#include "traces/program/pd-program-private.h"

/* Fills self->intervals, and checks the tables of a program from a file. */
gboolean pd_program_check_tables (PdProgram *self, gconstpointer intervals, guint32 n,
                                  GError **error);
/* Checks its actions, and notes their kinds; the tables are fine. */
gboolean pd_program_check_actions (PdProgram *self, GError **error);

#endif
