/* One row per characteristic: its names, and how it is computed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INTERVAL_ROWS_H
#define PD_INTERVAL_ROWS_H

#include "intervals/pd-interval.h"

/**
 * pd_characteristic_row:
 * Returns: (transfer none): the description of @c.
 */
const PdCharacteristicRow *pd_characteristic_row (PdCharacteristic c);

/**
 * pd_counter_row:
 * @quantity: from %PD_Q_N_IO up to %PD_Q_EXE_COUNT
 *
 * Returns: (transfer none): the description of that counter.
 */
const PdCharacteristicRow *pd_counter_row (PdQuantity quantity);

/**
 * pd_characteristic_applies:
 * Returns: whether reports of such programs have @c.
 */
gboolean pd_characteristic_applies (PdCharacteristic c, PdIntervalModel model);

/**
 * pd_counter_applies:
 * @quantity: as for pd_counter_row()
 *
 * Returns: whether reports of such programs have it.
 */
gboolean pd_counter_applies (PdQuantity quantity, PdIntervalModel model);

/* A row of the table of operations. */
typedef struct
{
  const char *id;      /* "io": XML, SQLite, JSON, part of names of columns in CSV */
  const char *name;    /* "I/O" */
  const char *meaning; /* the quantity that it counts */
} PdOperationRow;

/**
 * pd_operation_row:
 * Returns: (transfer none): the description of operations of @kind.
 */
const PdOperationRow *pd_operation_row (PdOperationKind kind);

/**
 * pd_operation_characteristic:
 * Returns: the characteristic that the column @time adds up to, whose names are those of the
 *   column.
 */
PdCharacteristic pd_operation_characteristic (PdOperationTime time);

/**
 * pd_interval_type_name:
 * Returns: "MAIN", "SEQ", "PAR" or "USER".
 */
const char *pd_interval_type_name (PdIntervalType type);

#endif
