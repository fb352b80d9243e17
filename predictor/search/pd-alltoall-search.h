/* The order of the shapes of a cluster, nodes x ranks of each, by the predicted time
 * of an All-to-all, and what it depends on.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLTOALL_SEARCH_H
#define PD_ALLTOALL_SEARCH_H

#include "comsys/tools/pd-alltoall.h"
#include "reports/advice/pd-alltoall-advice.h"

#define PD_ALLTOALL_MAX_RANKS 4096

typedef enum
{
  PD_ALLTOALL_BY_STEP, /* if the machine has steps, else by messages */
  PD_ALLTOALL_BY_MESSAGE,
} PdAlltoallTiming;

typedef struct
{
  const char *machine;
  const char *const *settings; /* (nullable): as of pd_machine_load() */
  PdAlltoall what;             /* without its placement */
  PdAlltoallTiming timing;
  gboolean spread; /* see pd_alltoall_place() */
} PdAlltoallQuestion;

/**
 * pd_alltoall_search:
 * @question: the parameters of the search
 * @advice: (inout): gets the shapes, those that do not fit, the words of the question,
 *   and in its report the warnings of the machine
 * @error: return location for a #PdMachineError
 *
 * Returns: %FALSE if no shape fits, or the machine is wrong.
 */
gboolean pd_alltoall_search (const PdAlltoallQuestion *question, PdAlltoallAdvice *advice,
                             GError **error);

/**
 * pd_alltoall_load:
 * @question: the parameters of the search
 * @error: return location for a #PdMachineError
 *
 * Returns: (transfer full) (nullable): the machine; an inline one has a node for each
 *   rank.
 */
PdMachine *pd_alltoall_load (const PdAlltoallQuestion *question, GError **error);

/**
 * pd_alltoall_timing_name:
 * Returns: "step" or "message".
 */
const char *pd_alltoall_timing_name (PdAlltoallTiming timing);

/**
 * pd_alltoall_self_name:
 * Returns: "copy", "none" or "message".
 */
const char *pd_alltoall_self_name (PdAlltoallSelf self);

#endif
