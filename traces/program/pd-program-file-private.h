/* The form of files of programs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_FILE_PRIVATE_H
#define PD_PROGRAM_FILE_PRIVATE_H

#include "traces/program/pd-program-private.h"

/* Makes the sum right of what was a file and has been changed, so that tests get
 * at the checks behind it. */
void pd_program_file_seal (guint8 *data, gsize size);

#endif
