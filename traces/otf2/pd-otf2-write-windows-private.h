/* OTF2 archives: actions on windows become events. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_WRITE_WINDOWS_PRIVATE_H
#define PD_OTF2_WRITE_WINDOWS_PRIVATE_H

#include "traces/otf2/pd-otf2-write-private.h"

/* Who posts or starts what: a vector of members of a communicator. */
typedef struct
{
  guint32 comm;
  guint32 members; /* index of a vector of the program */
} PdOtf2WindowGroup;

/* The event of @action, of one with a request by its number @id. */
void pd_otf2_write_window (PdOtf2Writer *writer, OTF2_EvtWriter *out, guint64 now,
                           const PdAction *action, guint64 id);

#endif
