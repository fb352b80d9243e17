/* OTF2 archives: what they say of the recording itself. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_RECORDING_PRIVATE_H
#define PD_OTF2_RECORDING_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"
#include "traces/program/pd-program-sharing.h"

/* Properties of an archive, and of location groups. */
#define PD_OTF2_CALL_COSTS "PREDICTOR::CALL_COSTS"
#define PD_OTF2_CLOCK      "PREDICTOR::CLOCK"
#define PD_OTF2_PROCESSORS "PREDICTOR::PROCESSORS"

/* ---- pd-otf2-extent.c: how much of a run an archive has */

/* Reads the property in which the recorder says until when all ranks were recorded; a
 * value that makes no sense is ignored, with a note. */
void pd_otf2_read_extent (PdOtf2Archive *archive);
/* Reads the cost of recording, once there is a builder. */
void pd_otf2_read_costs (PdOtf2Archive *archive);

/* Reads the clock of computation, likewise. */
void pd_otf2_read_clock (PdOtf2Archive *archive);

/* Says what of the run is there, if it is not all. @first: when the first rank began, since
 * the archive's origin. Returns: whether something is missing. */
gboolean pd_otf2_report_extent (PdOtf2Archive *archive, PdTime first);

/* ---- pd-otf2-usage.c: what ranks had, and used, of their hosts */

/* The property of a location group that has a number of a #PdRecordedUsage, in units of @unit (ps,
 * if it is a time). */
typedef struct
{
  const char *name;
  gint64 unit;
} PdOtf2Usage;

extern const PdOtf2Usage pd_otf2_usages[PD_N_USAGES];

/* Definitions of hosts, of properties of processes, and of the metric of processor time. */
void pd_otf2_usage_set_callbacks (OTF2_GlobalDefReaderCallbacks *callbacks);
/* When all ranks have been read: tells the builder. */
void pd_otf2_set_usages (PdOtf2Archive *archive);
/* The cost of reading the processor time of a thread. Returns: (transfer full): of each rank. */
PdTime *pd_otf2_find_reading_costs (const PdOtf2Archive *archive);
/* Says which ranks shared processors, or lost them often. */
void pd_otf2_report_usages (PdOtf2Archive *archive, const PdProgram *program);

#endif
