/* OTF2 archives: what ranks had, and used, of their hosts.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_USAGE_PRIVATE_H
#define PD_OTF2_USAGE_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* Definitions of hosts, of properties of processes, and of the metric of processor time. */
void pd_otf2_usage_set_callbacks (OTF2_GlobalDefReaderCallbacks *callbacks);
/* When all ranks have been read: tells the builder. */
void pd_otf2_set_usages (PdOtf2Archive *archive);
/* Says which ranks shared processors, or lost them often. */
void pd_otf2_report_usages (PdOtf2Archive *archive, const PdProgram *program);

#endif
