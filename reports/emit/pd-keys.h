/* Numbers of the keys of rows in a result file, and the first columns of its tables.
 * SPDX-License-Identifier: MIT */
#ifndef PD_KEYS_H
#define PD_KEYS_H

#include "reports/emit/pd-emit.h"

/* PdEmit.keys. */
enum
{
  PD_KEY_POSITION = PD_EMIT_POSITION,
  PD_KEY_RUN,
  PD_KEY_NODE,
  PD_KEY_NUMBER,
  PD_KEY_REPORT,
};

#define KEY_RUN  PD_FIELD ("run", PD_FIELD_KEY, PD_KEY_RUN, .in = PD_IN_DB)
#define KEY_NODE PD_FIELD ("node", PD_FIELD_KEY, PD_KEY_NODE, .in = PD_IN_DB)

#endif
