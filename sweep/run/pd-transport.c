/* SPDX-License-Identifier: MIT */
#include "sweep/run/pd-transport.h"

G_DEFINE_QUARK (pd_transport_error_quark, pd_transport_error)

void
pd_transport_free (PdTransport *self)
{
  if (self != NULL)
    self->class->free (self);
}
