/* Archives read as the program does, and by the OTF2 library alone.
 * SPDX-License-Identifier: MIT */
#ifndef OTF2_BOTH_H
#define OTF2_BOTH_H

#include "base/pd-messages.h"
#include "traces/program/pd-program.h"

/* As pd_otf2_read(), after it has been compared with pd_otf2_read_by_library(): program,
 * messages and errors are the same. */
PdProgram *test_otf2_read (const char *path, gboolean recorded, gboolean *incomplete,
                           PdMessages *messages, GError **error);

#endif
