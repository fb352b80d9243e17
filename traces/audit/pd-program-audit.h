/* The errors of a program, found before it is simulated.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_AUDIT_H
#define PD_PROGRAM_AUDIT_H

#include "base/pd-messages.h"
#include "traces/program/pd-program.h"

/**
 * pd_program_audit:
 * @program: a program
 * @file: what messages call it
 * @simulated: the program is simulated afterwards, which finds `unmatched-send`,
 *   `unmatched-receive` and `message-truncated`: messages are not compared here
 * @messages: gets a warning for each kind of finding, with the first place
 *   (rank, number of the action) and how often it was met
 *
 * Compares what ranks say of each other, without regard to time:
 * `unmatched-send`, `unmatched-receive` (per communicator, ranks and tag; where
 * a rank receives from anyone, per rank), `message-truncated` (a receive smaller
 * than its message), `collective-mismatch` (operations, fences of windows among them, roots or
 * sizes differ), `collective-missing` (a member takes part in fewer), `request-unknown` (waited
 * for, not started), `request-reused` (started while under way), `request-open`
 * (never completed), `not-a-member`, `interval-mismatch`, `interval-open`, `alike-mismatch`
 * (stretches of equal computation that nest or do not end), `counts-mismatch` (vectors of bytes of
 * a collective operation that contradict each other), `rank-idle` (a rank without actions),
 * `after-end` (it computes for longer than until its recorded end). Where recording paused, what
 * depends on partners is left out.
 *
 * Costs time of the number of actions; memory of the number of different collective operations
 * and, where messages are compared, of pairs of ranks that exchange some.
 *
 * Returns: whether there is nothing to warn of.
 */
gboolean pd_program_audit (const PdProgram *program, const char *file, gboolean simulated,
                           PdMessages *messages);

#endif
