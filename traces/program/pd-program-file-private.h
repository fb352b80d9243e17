/* The form of files of programs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_FILE_PRIVATE_H
#define PD_PROGRAM_FILE_PRIVATE_H

#include "traces/program/pd-program-private.h"

/* Corrects the checksum of a file that has been changed, so that tests reach
 * the checks behind it. */
void pd_program_file_seal (guint8 *data, gsize size);

#endif
