/* Options for timelines, and the consumers of the activity of ranks: the one place where
 * consumers are put together.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_OPTIONS_H
#define PD_TIMELINE_OPTIONS_H

#include "predictor/options/pd-output-options.h"
#include "timeline/pd-timeline-format.h"
#include "traces/program/pd-program.h"

#define PD_N_TIMELINE_OPTIONS 5

/* All zero at first. */
typedef struct
{
  /* as they were given */
  char *path;
  char *window;
  char *ranks;
  gint64 limit;
  char *matrix;
  /* what they mean, after pd_timeline_options_check() */
  PdTimelineSelection selection;
  const PdTimelineFormat *format; /* (nullable): of @path */
  gboolean with_collectives;      /* in the matrix */
} PdTimelineOptions;

/**
 * pd_timeline_options_fill:
 * @self: gets the values when the table is used
 * @entries: (array) (out caller-allocated): %PD_N_TIMELINE_OPTIONS options and an end,
 *   for pd_command_parse_tables()
 */
void pd_timeline_options_fill (PdTimelineOptions *self, GOptionEntry *entries);

/**
 * pd_timeline_options_check:
 * @inputs: (array zero-terminated=1): names of inputs; "" for none
 * @output: the other outputs
 * @log: (nullable): another output
 * @error: return location for a %PD_USAGE_ERROR, or a #PdTimelineError
 *
 * Returns: %FALSE if a value is wrong, or a file would be written twice.
 */
gboolean pd_timeline_options_check (PdTimelineOptions *self, const char *const *inputs,
                                    const PdOutputOptions *output, const char *log, GError **error);

/**
 * pd_timeline_options_clear:
 * Releases what @self holds.
 */
void pd_timeline_options_clear (PdTimelineOptions *self);

typedef struct _PdConsumers PdConsumers;

/**
 * pd_consumers_new:
 * @options: checked; borrowed
 * @output: the other outputs; borrowed
 *
 * Returns: (transfer full): the consumers of runs; may be empty.
 */
PdConsumers *pd_consumers_new (const PdTimelineOptions *options, const PdOutputOptions *output);

/**
 * pd_consumers_free:
 * @self: (nullable): the consumers
 */
void pd_consumers_free (PdConsumers *self);

/**
 * pd_consumers_begin:
 * @self: (nullable): the consumers
 *
 * Begins another run; the one before has ended.
 *
 * Returns: (transfer none) (nullable): the feed of the consumers, until pd_consumers_end();
 *   %NULL: there are none.
 */
PdTimelineFeed *pd_consumers_begin (PdConsumers *self);

/**
 * pd_consumers_want_program:
 * @self: (nullable): the consumers
 *
 * Returns: (transfer none) (nullable): where they want the run under way as a program
 *   with recorded times, which becomes theirs; %NULL: not.
 */
PdProgram **pd_consumers_want_program (PdConsumers *self);

/**
 * pd_consumers_add_collectives:
 * @self: (nullable): the consumers
 * @program: (nullable): the run under way; %NULL: what runs has no such operations
 *
 * Gives them what ranks send in collective operations, if they want that.
 */
void pd_consumers_add_collectives (PdConsumers *self, const PdProgram *program);

/**
 * pd_consumers_set_program:
 * @self: (nullable): the consumers
 * @program: the run under way, with recorded times; borrowed, until it is written
 *
 * For those who have it already.
 */
void pd_consumers_set_program (PdConsumers *self, const PdProgram *program);

/**
 * pd_consumers_are_easy:
 * @self: (nullable): the consumers
 *
 * Returns: whether they can be left out if they would need a slower prediction: the user has
 *   not requested them.
 */
gboolean pd_consumers_are_easy (const PdConsumers *self);

/**
 * pd_consumers_end:
 * @self: (nullable): the consumers
 * @run: (nullable): the run, which gets its timeline and matrix; %NULL: there is none
 *
 * Ends the run, if it has begun.
 */
void pd_consumers_end (PdConsumers *self, PdReportRun *run);

/**
 * pd_consumers_write:
 * @self: (nullable): the consumers
 * @command: (nullable): what the file is said to have been made by
 * @error: return location for a #PdTimelineError: more events than are allowed, nothing
 *   that was selected; or for errors of the file
 *
 * Writes the timeline of the run that has ended, if one is wanted.
 *
 * Returns: %FALSE if it cannot be written.
 */
gboolean pd_consumers_write (PdConsumers *self, const char *command, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdConsumers, pd_consumers_free)

#endif
