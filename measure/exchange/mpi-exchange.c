/* Exchanges of one kind: buffers, verification, rounds.
 * SPDX-License-Identifier: MIT */
#include "measure/exchange/mpi-exchange.h"
#include "measure/mpi/mpi-tools.h"

#include <stdlib.h>
#include <string.h>

#define LAYOUT_FACTOR 2 /* of the bytes that count, where not all do */
#define PACK_EXTRA    4096

const PdExchangeKind *const *
pd_exchange_kinds (gsize *n)
{
  static const PdExchangeKind
      *all[G_N_ELEMENTS (pd_exchange_datatypes) + G_N_ELEMENTS (pd_exchange_messages)
           + G_N_ELEMENTS (pd_exchange_onesided) + G_N_ELEMENTS (pd_exchange_memory)];
  gsize found = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (pd_exchange_datatypes); i++)
    all[found++] = &pd_exchange_datatypes[i];
  for (gsize i = 0; i < G_N_ELEMENTS (pd_exchange_messages); i++)
    all[found++] = &pd_exchange_messages[i];
  for (gsize i = 0; i < G_N_ELEMENTS (pd_exchange_onesided); i++)
    all[found++] = &pd_exchange_onesided[i];
  for (gsize i = 0; i < G_N_ELEMENTS (pd_exchange_memory); i++)
    all[found++] = &pd_exchange_memory[i];
  *n = found;
  return all;
}

gboolean
pd_exchange_is_first (const PdExchange *self)
{
  return self->rank < self->pairs;
}

static void
prepare (PdExchange *self)
{
  gsize places = (gsize) MAX (self->window, self->threads);
  gsize room = LAYOUT_FACTOR * self->bytes * places + PACK_EXTRA;
  int size;

  MPI_Comm_rank (self->comm, &self->rank);
  MPI_Comm_size (self->comm, &size);
  self->pairs = size / 2;
  self->peer = pd_exchange_is_first (self) ? self->rank + self->pairs : self->rank - self->pairs;
  self->out = pd_mpi_buffer (room);
  self->in = pd_mpi_buffer (room);
  self->packed = pd_mpi_buffer (room);
  self->requests = g_new (MPI_Request, (gsize) self->window);
  if (self->kind->begin != NULL)
    self->kind->begin (self);
}

static void
finish (PdExchange *self)
{
  if (self->kind->end != NULL)
    self->kind->end (self);
  free (self->out);
  free (self->in);
  free (self->packed);
  g_free (self->requests);
}

/* One repetition that is not timed. */
static gboolean
check (PdExchange *self)
{
  int wrong;

  self->kind->fill (self);
  MPI_Barrier (self->comm);
  self->kind->run (self, 1);
  MPI_Barrier (self->comm);
  wrong = !self->kind->is_right (self);
  MPI_Allreduce (MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, self->comm);
  return !wrong;
}

static void
repeat (gpointer data, gint64 n)
{
  PdExchange *self = data;

  self->kind->run (self, n);
}

gboolean
pd_exchange_measure (PdExchange *self, const PdExchangeRule *rule, PdExchangeTimes *times)
{
  const PdRoundPlan plan = { .comm = self->comm,
                             .timer = self->timer,
                             .run = repeat,
                             .data = self,
                             .repetitions = rule->repetitions,
                             .at_least = rule->at_least,
                             .rounds = rule->rounds,
                             .slowest = TRUE };
  gboolean is_right;

  prepare (self);
  is_right = check (self);
  if (is_right)
    times->repetitions = pd_rounds_measure (&plan, times->rounds, &times->n_rounds);
  for (gsize i = 0; is_right && i < times->n_rounds; i++)
    times->rounds[i].seconds /= (gdouble) self->kind->messages * self->window;
  finish (self);
  return is_right;
}
