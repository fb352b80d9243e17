/* The machine that a program would like to have.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-parts.h"
#include "comsys/description/pd-machine-ideal.h"
#include "comsys/machine/pd-machine-size.h"

#include <string.h>

static const char type[] = "ideal";

/* Protocols stay: who waits for whom is a matter of the program. */
static void
make_ideal (PdMachineNetwork *network)
{
  pd_machine_free_tables (network);
  g_free (network->config);
  network->class = pd_network_class_find (type);
  network->config = g_malloc0 (MAX (network->class->config_size, 1));
  network->protocol.envelope = 0;
  network->protocol.free_control = TRUE;
  for (guint i = 0; i < network->children->len; i++)
    {
      PdMachineNode *node = g_ptr_array_index (network->children, i);
      g_clear_pointer (&node->memory, pd_machine_network_free);
      if (node->network != NULL)
        make_ideal (node->network);
    }
}

void
pd_machine_make_ideal (PdMachine *self)
{
  g_return_if_fail (self != NULL && self->network != NULL);

  make_ideal (self->network);
  memset (&self->software, 0, sizeof self->software);
  memset (&self->fan_in, 0, sizeof self->fan_in);
  memset (&self->fan_out, 0, sizeof self->fan_out);
  memset (&self->fan_network, 0, sizeof self->fan_network);
  memset (&self->fan_memory, 0, sizeof self->fan_memory);
  self->collective_time = PD_TIME_ZERO;
  g_array_set_size (self->functions, 0);
  g_array_set_size (self->costs, 0);
}
