/* A network by itself, driven by a test: a list of events and of deliveries.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_NETWORK_CALLBACKS_H
#define PD_TEST_NETWORK_CALLBACKS_H

#include "comsys/machine/pd-machine.h"

typedef struct
{
  PdNetworkCallbacks parent;
  PdMachine *machine;
  gpointer network;
  GArray *events;
  gint64 *delivered; /* of each transfer, ps; -1 = not yet */
  guint n_events;    /* handled */
  gint64 now;
} TestHost;

/* The outermost network of @machine (transfer full). */
TestHost *test_host_new (PdMachine *machine, guint32 n_endpoints, guint32 n_transfers);
void test_host_free (TestHost *self);
/* Handles the events up to @until. */
void test_host_run (TestHost *self, gint64 until);
/* Requests @transfer, whose id is @id, at @when, before the events of that moment. */
void test_host_ask (TestHost *self, guint32 id, gint64 when, const PdTransfer *transfer);
/* The same, behind them. */
void test_host_request (TestHost *self, guint32 id, gint64 when, const PdTransfer *transfer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestHost, test_host_free)

#endif
