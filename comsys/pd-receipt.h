/* Who has received what, for timelines. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RECEIPT_H
#define PD_RECEIPT_H

#include "comsys/pd-comsys.h"

G_BEGIN_DECLS

/* A message that its receiver has. Ranks are world ranks. */
typedef struct
{
  PdTime sent;     /* when its send was called; over networks that keep processors busy, when
                    * the processor began with it */
  PdTime received; /* when the receive is complete */
  gint64 bytes;
  guint32 source;
  guint32 target;
  gint32 tag;
  guint32 comm; /* number of the communicator, in the order in which they were made; 0 = world */
  gboolean collective; /* it belongs to a collective operation */
} PdReceipt;

typedef void (*PdReceiptFunc) (gpointer data, const PdReceipt *receipt);

/**
 * pd_comsys_set_receipts:
 * @func: (nullable): is told of every message once both its moments are known, in any
 *   order; not of what one-sided communication sends
 *
 * Nothing else differs.
 */
void pd_comsys_set_receipts (PdComsys *self, PdReceiptFunc func, gpointer data);

G_END_DECLS

#endif
