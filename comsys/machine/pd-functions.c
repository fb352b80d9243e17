/* The costs of functions of MPI themselves, besides those of their sends, receives and
 * waits.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-op-info.h"
#include "comsys/machine/pd-functions.h"

#include <string.h>

static const char *const names[PD_FN_OPS] = {
  [PD_FN_SEND] = "MPI_Send",
  [PD_FN_SSEND] = "MPI_Ssend",
  [PD_FN_BSEND] = "MPI_Bsend",
  [PD_FN_RSEND] = "MPI_Rsend",
  [PD_FN_ISEND] = "MPI_Isend",
  [PD_FN_ISSEND] = "MPI_Issend",
  [PD_FN_IBSEND] = "MPI_Ibsend",
  [PD_FN_IRSEND] = "MPI_Irsend",
  [PD_FN_RECV] = "MPI_Recv",
  [PD_FN_IRECV] = "MPI_Irecv",
  [PD_FN_SENDRECV] = "MPI_Sendrecv",
  [PD_FN_START] = "MPI_Start",
  [PD_FN_STARTALL] = "MPI_Startall",
  [PD_FN_PROBE] = "MPI_Probe",
  [PD_FN_IPROBE] = "MPI_Iprobe",
  [PD_FN_WAIT] = "MPI_Wait",
  [PD_FN_WAITALL] = "MPI_Waitall",
  [PD_FN_WAITANY] = "MPI_Waitany",
  [PD_FN_WAITSOME] = "MPI_Waitsome",
  [PD_FN_TEST] = "MPI_Test",
  [PD_FN_TESTALL] = "MPI_Testall",
  [PD_FN_TESTANY] = "MPI_Testany",
  [PD_FN_TESTSOME] = "MPI_Testsome",
  [PD_FN_PUT] = "MPI_Put",
  [PD_FN_GET] = "MPI_Get",
  [PD_FN_ACCUMULATE] = "MPI_Accumulate",
  [PD_FN_GET_ACCUMULATE] = "MPI_Get_accumulate",
  [PD_FN_WIN_LOCK] = "MPI_Win_lock",
  [PD_FN_WIN_UNLOCK] = "MPI_Win_unlock",
  [PD_FN_WIN_FLUSH] = "MPI_Win_flush",
  [PD_FN_WIN_POST] = "MPI_Win_post",
  [PD_FN_WIN_START] = "MPI_Win_start",
  [PD_FN_WIN_COMPLETE] = "MPI_Win_complete",
  [PD_FN_WIN_WAIT] = "MPI_Win_wait",
};

/* Operations that programs start beside them have the name with an I. */
static gboolean
is_named (guint function, const char *name)
{
  if (function < PD_FN_OPS)
    return strcmp (names[function], name) == 0;
  if (function < PD_FN_IOPS)
    return strcmp (pd_ops[function - PD_FN_OPS].function, name) == 0;
  const char *blocking = pd_ops[function - PD_FN_IOPS].function;
  return strncmp (name, "MPI_I", 5) == 0 && name[5] == g_ascii_tolower (blocking[4])
         && strcmp (name + 6, blocking + 5) == 0;
}

guint
pd_function_find (const char *name)
{
  guint function = 0;

  while (function < PD_N_FUNCTIONS && !is_named (function, name))
    function++;
  return function;
}

PdFunctionBytes *
pd_function_bytes_new (const PdMachine *machine)
{
  PdFunctionBytes *costs = NULL;

  for (guint i = 0; i < machine->functions->len; i++)
    {
      const PdFunctionCost *cost = &g_array_index (machine->functions, PdFunctionCost, i);
      if (cost->per_byte <= 0)
        continue;
      if (costs == NULL)
        costs = g_new0 (PdFunctionBytes, PD_N_FUNCTIONS);
      costs[pd_function_find (cost->name)] = (PdFunctionBytes){ cost->per_byte, cost->from };
    }
  return costs;
}

PdTime *
pd_function_overheads_new (const PdMachine *machine)
{
  PdTime *overheads = machine->functions->len > 0 ? g_new0 (PdTime, PD_N_FUNCTIONS) : NULL;

  for (guint i = 0; i < machine->functions->len; i++)
    {
      const PdFunctionCost *cost = &g_array_index (machine->functions, PdFunctionCost, i);
      overheads[pd_function_find (cost->name)] = cost->overhead;
    }
  return overheads;
}
