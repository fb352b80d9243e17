/* Building programs: parts that were built apart, by several threads, put together.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_BUILDER_TAKE_H
#define PD_PROGRAM_BUILDER_TAKE_H

#include "traces/program/pd-program-builder.h"

/* Ranks of another builder. */
typedef struct
{
  guint32 first;
  guint32 end;          /* behind the last one */
  const guint32 *comms; /* what its communicators, the world included, are in this builder */
  guint32 *intervals;   /* (inout) (nullable): likewise its intervals, set on return; those that are
                         * %PD_PROGRAM_NONE before are looked for by name and place */
} PdTakenRanks;

/**
 * pd_program_builder_get_n_intervals:
 * @self: the builder
 *
 * Returns: how many intervals were added.
 */
guint32 pd_program_builder_get_n_intervals (const PdProgramBuilder *self);

/**
 * pd_program_builder_take:
 * @self: has no actions of @ranks
 * @other: a builder of a program of the same ranks and unit; loses the actions of @ranks
 * @ranks: which
 * @error: return location for a #PdTraceError, that of pd_program_builder_add()
 *
 * Moves actions and recorded times. Strings, counts, intervals and sites that @self does not have
 * yet get their numbers in the order in which they were added to @other. So @self becomes what it
 * would be if all had been added to it, where those of lower ranks come first, however many
 * builders they were added to.
 *
 * Returns: %FALSE with @error set.
 */
gboolean pd_program_builder_take (PdProgramBuilder *self, PdProgramBuilder *other,
                                  const PdTakenRanks *ranks, GError **error);

/**
 * pd_program_builder_new_part:
 * @self: a builder without actions that does not pack; it outlives its parts, and is not changed
 *   until these are joined
 *
 * Each part is used by one thread at a time. It has the communicators of @self, and folds if that
 * does.
 *
 * Returns: (transfer full): a builder of actions of @self; it becomes no program of its own.
 */
PdProgramBuilder *pd_program_builder_new_part (PdProgramBuilder *self);

/**
 * pd_program_builder_claim:
 * @self: a part, or a builder of a whole program
 * @rank: a rank
 *
 * Before the first action of @rank is added to a part.
 *
 * Returns: %FALSE if another part has it: this one must not add actions of @rank.
 */
gboolean pd_program_builder_claim (PdProgramBuilder *self, guint32 rank);

/**
 * pd_program_builder_join:
 * @self: the builder
 * @part: (transfer full): a part of it, to which nothing is added any more
 *
 * The actions of @part are those of @self. Strings, counts, intervals and sites that @self does not
 * have yet get their numbers in the order in which they were added to @part: @self becomes what it
 * would be if all parts had been added to it in the order in which they are joined.
 */
void pd_program_builder_join (PdProgramBuilder *self, PdProgramBuilder *part);

/**
 * pd_program_builder_end_part:
 * @self: a part, to which nothing is added any more
 *
 * The part of pd_program_builder_join() that the thread that has added the actions can do.
 */
void pd_program_builder_end_part (PdProgramBuilder *self);

/**
 * pd_program_builder_copy_tables:
 * @self: a builder whose tables are empty
 * @program: with as many ranks
 *
 * Communicators, vectors, texts, intervals and call sites of @program get the same numbers in
 * @self: its actions can be added.
 */
void pd_program_builder_copy_tables (PdProgramBuilder *self, const PdProgram *program);

#endif
