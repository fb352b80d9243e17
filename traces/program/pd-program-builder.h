/* Building programs: each rank's cells in chunks that grow, put one behind the other at
 * the end.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_BUILDER_H
#define PD_PROGRAM_BUILDER_H

#include "traces/program/pd-loops.h"

/**
 * pd_program_builder_new:
 * @n_ranks: 1 to %PD_PROGRAM_MAX_RANKS
 * @unit: of all computation
 *
 * Returns: (transfer full): a builder; communicator 0, the world, exists.
 */
PdProgramBuilder *pd_program_builder_new (guint32 n_ranks, PdAmountUnit unit);

/**
 * pd_program_builder_free:
 * @self: (nullable): a builder that was not finished
 */
void pd_program_builder_free (PdProgramBuilder *self);

/**
 * pd_program_builder_make_outline:
 * @self: a builder without actions
 *
 * Actions are checked and counted from now on, and not kept: the program will have no cells,
 * but all else.
 */
void pd_program_builder_make_outline (PdProgramBuilder *self);

/**
 * pd_program_builder_pack:
 * @self: a builder without actions
 *
 * Actions are packed from now on: in some ten bytes each if the same places are executed
 * repeatedly. A #PdActionReader reads them directly; they are converted to cells when a caller
 * needs cells.
 */
void pd_program_builder_pack (PdProgramBuilder *self);

/**
 * pd_program_builder_add:
 * @self: the builder
 * @rank: whose action, in the order of its actions; ranks in any order
 * @action: what it does; copied
 * @error: return location for a %PD_TRACE_ERROR_VALUE: a peer, communicator,
 *   size or amount that cannot be; the message names the value, not the place
 *
 * Returns: %FALSE if nothing was added.
 */
gboolean pd_program_builder_add (PdProgramBuilder *self, guint32 rank, const PdAction *action,
                                 GError **error);

/**
 * pd_program_builder_add_plain:
 * @rank: a rank of the program
 * @action: one of which only kind, communicator, peer, tag, bytes, request and amount are set
 *
 * As pd_program_builder_add(); of computation, messages and waits in a third of the time.
 *
 * Returns: likewise.
 */
gboolean pd_program_builder_add_plain (PdProgramBuilder *self, guint32 rank, const PdAction *action,
                                       GError **error);

/**
 * pd_program_builder_add_compute:
 * @amount: time that the rank computes, of a program whose amounts are times
 * @processor: ps of processor time that its threads spent in it; < 0 = unknown
 *
 * As pd_program_builder_add() of such an action, in a third of the time.
 *
 * Returns: likewise.
 */
gboolean pd_program_builder_add_compute (PdProgramBuilder *self, guint32 rank, PdTime amount,
                                         gint64 processor, GError **error);

/**
 * pd_program_builder_fold:
 * @self: a builder without actions
 *
 * Actions that repeat those before them, amounts included, become loops from now on. The body of a
 * loop may have up to half of the cells that are allocated at a time, 131,072 cells at most.
 */
void pd_program_builder_fold (PdProgramBuilder *self);

/**
 * pd_program_builder_sample:
 * @self: a builder without actions that does not pack
 *
 * Amounts of computation and of calls that concern no other rank become samples from now on: those
 * that were measured differ each time, and what repeats but for them can be a loop.
 */
void pd_program_builder_sample (PdProgramBuilder *self);

/**
 * pd_program_builder_begin_loop:
 * @self: a builder that neither packs, folds nor samples
 * @rank: a rank; only it has actions added until the loop ends
 *
 * The actions added from now on, up to pd_program_builder_end_loop(), are the body of a loop. Loops
 * may contain others.
 *
 * Returns: %FALSE if there would be more than %PD_LOOPS_DEPTH loops around each other: no loop has
 *   begun, and the repeated actions have to be added again each time.
 */
gboolean pd_program_builder_begin_loop (PdProgramBuilder *self, guint32 rank);

/**
 * pd_program_builder_end_loop:
 * @count: how often the loop that began last is repeated in all, >= 1
 * @error: return location for a %PD_TRACE_ERROR_LIMIT: the rank would have more than
 *   %PD_PROGRAM_MAX_ACTIONS actions
 */
gboolean pd_program_builder_end_loop (PdProgramBuilder *self, guint32 count, GError **error);

/* How far the actions of a rank have come; see pd_program_builder_get_place(). */
typedef struct
{
  gpointer chunk;
  gsize n; /* its cells */
  guint64 n_actions;
  guint32 n_moves; /* changes of cells that were there already */
} PdProgramPlace;

/**
 * pd_program_builder_get_place:
 * @rank: a rank
 * @place: (out): where its next action will be
 */
void pd_program_builder_get_place (const PdProgramBuilder *self, guint32 rank,
                                   PdProgramPlace *place);

/**
 * pd_program_builder_has_place:
 * @place: a former place of @rank
 *
 * Returns: whether pd_program_builder_repeat() can begin there: no cells have moved since.
 */
gboolean pd_program_builder_has_place (const PdProgramBuilder *self, guint32 rank,
                                       const PdProgramPlace *place);

/**
 * pd_program_builder_repeat:
 * @self: a builder that neither packs nor samples, and has no open loop
 * @rank: a rank
 * @place: a former place of it
 * @times: >= 1
 * @end: (nullable): a place behind @place
 *
 * Adds the actions that were added since @place so many times more, as a loop, and those up to @end
 * once more behind it. They have to be such as can follow themselves.
 *
 * Returns: %FALSE if nothing was added: they are no whole loop or too few, or cells at @place have
 *   moved since.
 */
gboolean pd_program_builder_repeat (PdProgramBuilder *self, guint32 rank,
                                    const PdProgramPlace *place, guint32 times,
                                    const PdProgramPlace *end);

/**
 * pd_program_builder_add_samples:
 * @amounts: (array length=n): amounts of actions of a rank, in their order
 * @first: (out): where they are among all samples
 * @error: return location for a %PD_TRACE_ERROR_VALUE: one that is negative or infinite
 *
 * Ranks may have the same samples.
 *
 * Returns: %FALSE if nothing was added.
 */
gboolean pd_program_builder_add_samples (PdProgramBuilder *self, const PdAmount *amounts, gsize n,
                                         guint64 *first, GError **error);

/**
 * pd_program_builder_set_samples:
 * @rank: a rank
 * @first: where its samples are; there are as many as actions take, repetitions included
 */
void pd_program_builder_set_samples (PdProgramBuilder *self, guint32 rank, guint64 first);

/**
 * pd_program_builder_add_sampled:
 * @self: a builder that neither packs, folds nor samples
 * @action: computation, or a call that concerns no other rank, without an amount
 * @error: as of pd_program_builder_add()
 *
 * Adds an action whose amount is the next sample of @rank, each time that it is repeated.
 *
 * Returns: %FALSE if nothing was added.
 */
gboolean pd_program_builder_add_sampled (PdProgramBuilder *self, guint32 rank,
                                         const PdAction *action, GError **error);

/**
 * pd_program_builder_add_comm:
 * @ranks: (array length=n): world ranks of the members, distinct
 * @n: how many, >= 1
 * @error: return location for a %PD_TRACE_ERROR_VALUE
 *
 * Returns: its index, from 1; 0 with @error set if a rank is out of range or
 *   there twice.
 */
guint32 pd_program_builder_add_comm (PdProgramBuilder *self, const guint32 *ranks, guint32 n,
                                     GError **error);

/**
 * pd_program_builder_add_counts:
 * @values: (array length=n): bytes per member, or ranks of neighbours
 * @n: how many
 *
 * Returns: the index of that vector; equal vectors are kept once.
 */
guint32 pd_program_builder_add_counts (PdProgramBuilder *self, const gint64 *values, guint32 n);

/**
 * pd_program_builder_add_string:
 * Returns: the index of @text; equal ones are kept once.
 */
guint32 pd_program_builder_add_string (PdProgramBuilder *self, const char *text);

/**
 * pd_program_builder_add_interval:
 * @interval: copied
 *
 * Returns: its index; equal ones are kept once.
 */
guint32 pd_program_builder_add_interval (PdProgramBuilder *self, const PdProgramInterval *interval);

/**
 * pd_program_builder_add_site:
 * @site: copied; its parent is a site already
 *
 * Returns: its index; equal ones are kept once.
 */
guint32 pd_program_builder_add_site (PdProgramBuilder *self, const PdProgramSite *site);

/**
 * pd_program_builder_set_recorded_begin:
 * @rank: a rank
 * @begin: when its first action began, on the clock that all ranks have in
 *   common; 0 unless set
 */
void pd_program_builder_set_recorded_begin (PdProgramBuilder *self, guint32 rank, PdTime begin);

/**
 * pd_program_builder_set_recorded_end:
 * @rank: a rank
 * @end: when it ended in the recorded run, from its beginning, without pauses
 */
void pd_program_builder_set_recorded_end (PdProgramBuilder *self, guint32 rank, PdTime end);

/**
 * pd_program_builder_set_recorded_init:
 * @rank: a rank
 * @init: how long it was in MPI_Init in the recorded run, before its beginning; 0 unless set
 */
void pd_program_builder_set_recorded_init (PdProgramBuilder *self, guint32 rank, PdTime init);

/**
 * pd_program_builder_set_recorded_finalize:
 * @rank: a rank
 * @finalize: how long it was in MPI_Finalize, after its end; 0 unless set
 */
void pd_program_builder_set_recorded_finalize (PdProgramBuilder *self, guint32 rank,
                                               PdTime finalize);

/**
 * pd_program_builder_set_recorded_usage:
 * @rank: a rank
 * @usage: what it had of its host; copied; nothing is known unless set
 */
void pd_program_builder_set_recorded_usage (PdProgramBuilder *self, guint32 rank,
                                            const PdRecordedUsage *usage);

/**
 * pd_program_builder_set_call_cost:
 * @cost: of recording a call of @kind, >= 0; 0 unless set
 */
void pd_program_builder_set_call_cost (PdProgramBuilder *self, PdCallCost kind, PdTime cost);

/**
 * pd_program_builder_set_recorded_clock:
 * @clock: what computation was measured in; %PD_CLOCK_UNKNOWN unless set
 */
void pd_program_builder_set_recorded_clock (PdProgramBuilder *self, PdRecordedClock clock);

/**
 * pd_program_builder_set_recorded_share:
 * @share: of the recorded run, 0 to 1; see pd_program_get_recorded_share(); 1 unless set
 */
void pd_program_builder_set_recorded_share (PdProgramBuilder *self, gdouble share);

/**
 * pd_program_builder_get_comm_size:
 * @comm: the index of a communicator
 *
 * Returns: how many members it has.
 */
guint32 pd_program_builder_get_comm_size (const PdProgramBuilder *self, guint32 comm);

/**
 * pd_program_builder_get_n_actions:
 * Returns: how many actions of @rank there are so far.
 */
guint64 pd_program_builder_get_n_actions (const PdProgramBuilder *self, guint32 rank);

/**
 * pd_program_builder_finish:
 * @self: (transfer full): the builder, gone afterwards
 *
 * Returns: (transfer full): the program.
 */
PdProgram *pd_program_builder_finish (PdProgramBuilder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdProgramBuilder, pd_program_builder_free)

#endif
