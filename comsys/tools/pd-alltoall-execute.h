/* An All-to-all by messages: ComSys plays it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLTOALL_EXECUTE_H
#define PD_ALLTOALL_EXECUTE_H

#include "base/pd-messages.h"
#include "base/pd-time.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/tools/pd-alltoall.h"

G_BEGIN_DECLS

/**
 * pd_alltoall_get_block:
 * Returns: the segment with which the machine uses the algorithm "block" of alltoall;
 *   1 if it does not.
 */
guint32 pd_alltoall_get_block (const PdMachine *machine);

/**
 * pd_alltoall_simulate:
 * @machine: any; from now on it plays alltoall in blocks, and copies for nothing if
 *   @what says so
 * @what: the operation; pd_alltoall_place() has placed it on @machine
 * @time: (out): when the last rank returns
 * @messages: (nullable): gets the warnings of the network
 * @error: return location for the errors of pd_comsys_new()
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_alltoall_simulate (PdMachine *machine, const PdAlltoall *what, PdTime *time,
                               PdMessages *messages, GError **error);

G_END_DECLS

#endif
