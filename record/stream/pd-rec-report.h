/* Messages of the recorder to the user of the recorded program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_REPORT_H
#define PD_REC_REPORT_H

#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-format.h"
#include "record/stream/pd-rec.h"

#include <stddef.h>

/**
 * pd_rec_say:
 * One line on stderr: "predictor record: …".
 */
void pd_rec_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/**
 * pd_rec_fail: notes the first error; later ones follow from it. Always returns -1.
 */
int pd_rec_fail (PdRecError *error, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

#endif
