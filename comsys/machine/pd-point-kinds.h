/* The kinds of measured points: a transfer of two ranks, or a collective operation.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINT_KINDS_H
#define PD_POINT_KINDS_H

#include "comsys/coll/pd-op.h"

typedef enum
{
  PD_POINT_PING_PONG,
  PD_POINT_SENDRECV,
  PD_POINT_ISEND_IRECV,
  PD_POINT_N_TRANSFERS,
} PdPointTransfer;

/**
 * pd_point_find_transfer:
 * @what: the name of a kind
 *
 * Returns: the #PdPointTransfer; %PD_POINT_N_TRANSFERS if it is none.
 */
guint pd_point_find_transfer (const char *what);

/**
 * pd_point_find_operation:
 * @what: the name of a kind
 *
 * Returns: the operation; %PD_N_OPS if it is none that points can be of.
 */
PdOp pd_point_find_operation (const char *what);

#endif
