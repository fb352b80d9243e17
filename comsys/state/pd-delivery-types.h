/* Receivers and their messages, as observers of deliveries get them. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DELIVERY_TYPES_H
#define PD_DELIVERY_TYPES_H

#include "comsys/state/pd-comsys-types.h"

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
} PdDelivery;

typedef void (*PdDeliveryFunc) (gpointer data, const PdDelivery *delivery);

#endif
