/* The data server: reads a trace once, in order, has each record interpreted
 * once, and keeps the result until all simulated processors have passed it.
 * Memory is bounded by the distance between the fastest and the slowest
 * processor, not by the trace.
 *
 * The *steps* of a record are the actions of the processors that follow from it;
 * runs of ordinary records share one. Steps are numbered from 0 and immutable;
 * their size and meaning are the interpreter's.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DATA_SERVER_H
#define PD_DATA_SERVER_H

#include "dataserver/pd-objects.h"

/* Steps are kept and forgotten in blocks of so many. */
#define PD_BLOCK_STEPS 64

typedef struct _PdDataServer PdDataServer;

/* Consecutive steps; a processor holds the block it is in. */
typedef struct _PdBlock PdStepBlock;
struct _PdBlock
{
  guint64 first;   /* number of its first step */
  guint32 n;       /* steps in it so far, up to PD_BLOCK_STEPS */
  guint32 n_users; /* processors in it */
  PdStepBlock *next;
  gint64 steps[]; /* PD_BLOCK_STEPS steps */
};

typedef struct
{
  gsize step_size; /* bytes of a step, a multiple of 8 */
  /* Reads what comes next in the trace and appends at least one step, or
   * returns FALSE at its end, or with @error. */
  gboolean (*interpret) (gpointer interpreter, PdDataServer *server, GError **error);
  void (*clear_step) (gpointer step); /* releases what a step refers to */
} PdInterpreterClass;

/**
 * pd_data_server_new:
 * @class: must outlive the server
 * @interpreter: the first argument of @class->interpret
 * @objects: (nullable): versions that this server reclaims, positions being
 *   step numbers
 * @n_processors: all of them start in front of step 0
 *
 * Returns: (transfer full): the server; nothing is read yet.
 */
PdDataServer *pd_data_server_new (const PdInterpreterClass *class, gpointer interpreter,
                                  PdObjects *objects, guint32 n_processors);

/**
 * pd_data_server_free:
 * @self: (nullable): the server
 */
void pd_data_server_free (PdDataServer *self);

/**
 * pd_data_server_append:
 * For interpreters.
 *
 * Returns: (transfer none): a new step, all zero, to be filled at once.
 */
gpointer pd_data_server_append (PdDataServer *self);

/**
 * pd_data_server_get_n_steps:
 * Returns: the number of steps appended so far: the position that the next
 *   one will have.
 */
guint64 pd_data_server_get_n_steps (const PdDataServer *self);

/**
 * pd_data_server_enter:
 * Returns: (transfer none): the block of step 0, for every processor's start.
 */
PdStepBlock *pd_data_server_enter (PdDataServer *self);

/**
 * pd_data_server_get:
 * @block: (inout): where the processor is; moved on where @number is beyond
 * @number: not before the processor's last step
 * @error: return location for the interpreter's errors
 *
 * A processor asks for step @number; by that it has passed all earlier ones.
 *
 * Returns: (transfer none) (nullable): the step, valid until the processor
 *   asks for one in a later block; %NULL behind the last one, or on an error.
 */
gconstpointer pd_data_server_get (PdDataServer *self, PdStepBlock **block, guint64 number,
                                  GError **error);

/**
 * pd_data_server_get_newest:
 * Returns: (transfer none): the block of the newest step. It stays as long as
 *   some processor is at that step or before it.
 */
PdStepBlock *pd_data_server_get_newest (const PdDataServer *self);

/**
 * pd_data_server_jump:
 * @block: (inout): where the processor is
 * @to: that block or a later one
 *
 * Moves the processor to @to, if it has no use for the steps in between.
 * pd_data_server_get() would find the same block, but block by block. O(1),
 * apart from freeing blocks that no processor needs any more.
 */
void pd_data_server_jump (PdDataServer *self, PdStepBlock **block, PdStepBlock *to);

/**
 * pd_data_server_get_peak:
 * Returns: the largest number of steps that were in memory at once.
 */
guint64 pd_data_server_get_peak (const PdDataServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDataServer, pd_data_server_free)

#endif
