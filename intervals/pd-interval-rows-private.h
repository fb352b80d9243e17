/* One row per characteristic: its names, and how it is computed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INTERVAL_ROWS_PRIVATE_H
#define PD_INTERVAL_ROWS_PRIVATE_H

#include "intervals/pd-interval-private.h"

/**
 * pd_interval_formula:
 * Returns: (transfer none): how @c is computed.
 */
const PdFormula *pd_interval_formula (PdCharacteristic c, PdIntervalModel model);

#endif
