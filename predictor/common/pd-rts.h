/* Parameters of the run-time system that is modelled, as --rts gives them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RTS_H
#define PD_RTS_H

#include "predictor/common/pd-dvm-options.h"

#define PD_RTS_ERROR (pd_rts_error_quark ())
typedef enum
{
  PD_RTS_ERROR_SYNTAX, /* not KEY=VALUE */
  PD_RTS_ERROR_KEY,    /* no such parameter */
  PD_RTS_ERROR_VALUE,  /* not one of its values */
} PdRtsError;

/**
 * pd_rts_error_quark:
 * Returns: the domain of #PdRtsError.
 */
GQuark pd_rts_error_quark (void);

/**
 * pd_rts_parse:
 * @texts: (nullable) (array zero-terminated=1): "KEY=VALUE" each; of several
 *   with the same key the last one holds
 * @options: (inout): gets the fields that are parameters of the run-time
 *   system; those without a text get their default
 * @error: return location for a #PdRtsError
 *
 * Returns: %FALSE if a text is wrong; @options is then undefined.
 */
gboolean pd_rts_parse (const char *const *texts, PdDvmOptions *options, GError **error);

#endif
