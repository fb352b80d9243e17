/* The verdict of the messages of an input: whether a result of that input can be trusted.
 * One table gives the severity of each message, so that all commands judge alike. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_VERDICT_H
#define PD_VERDICT_H

#include "base/pd-messages.h"

G_BEGIN_DECLS

/* From good to bad. */
typedef enum
{
  PD_VERDICT_FINE,
  PD_VERDICT_APPROXIMATE, /* the input is good, but what it describes is not modelled in full */
  PD_VERDICT_INCOMPLETE,  /* the input ends early; its readable part is valid */
  PD_VERDICT_DOUBTFUL,    /* the input is damaged, or contradicts itself */
  PD_VERDICT_MISFIT,      /* the calls of the ranks of a program are inconsistent */
} PdVerdict;

/**
 * pd_messages_judge:
 * @self: (nullable): the messages of the input
 * @incomplete: whether it is known to end early
 *
 * Messages that are not in the table do no harm. Ranks whose ends are missing, or
 * whose calls are not in the order in which they were matched, may be inconsistent: for an
 * incomplete or approximate input %PD_VERDICT_MISFIT does not count.
 *
 * Returns: the worst verdict of any message.
 */
PdVerdict pd_messages_judge (const PdMessages *self, gboolean incomplete);

/**
 * pd_verdict_describe_part:
 * @share: how much of a run a trace has, less than all of it; 0: not known
 *
 * Returns: (transfer full): "the first 31 % of the run": the one form in which that is said.
 */
char *pd_verdict_describe_part (gdouble share);

/**
 * pd_verdict_explain:
 * @verdict: the verdict
 * @share: the part of the run that the input has, if it ends early; 0: not known
 * @messages: (nullable): those that gave the verdict
 *
 * Returns: (transfer full): the error of the input, in words, and the messages that report it:
 *   "the trace is damaged or contradicts itself (time-sum, bad-value)".
 */
char *pd_verdict_explain (PdVerdict verdict, gdouble share, const PdMessages *messages);

G_END_DECLS

#endif
