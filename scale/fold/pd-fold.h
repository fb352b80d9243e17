/* The loops of a sequence: repeats of repeats, exactly.
 *
 * Elements are equal if their shapes are; their numbers (partners, sizes, …) are kept beside
 * the structure, one column per number, in the order of the sequence. An element that comes several
 * times in a row is a loop of its own. Found greedily from left to right, as by Noeth, Ratn,
 * Mueller, Schulz, de Supinski: "ScalaTrace: scalable compression and replay of communication
 * traces" (JPDC 2009): where the last w elements repeat the w elements before, both become a loop.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FOLD_H
#define PD_FOLD_H

#include "scale/fold/pd-column.h"

/* The longest body of a loop, in elements and loops. */
#define PD_FOLD_WINDOW 512

#define PD_FOLD_LOOP G_MAXUINT32 /* instead of a shape */

typedef struct _PdFoldNode PdFoldNode;

struct _PdFoldNode
{
  guint32 shape;       /* of an element, or %PD_FOLD_LOOP */
  guint64 hash;        /* of the structure, without counts */
  PdColumn counts;     /* each time that the sequence comes here: how often it is repeated */
  GPtrArray *children; /* (nullable) (element-type PdFoldNode): of a loop */
  guint n_columns;
  PdColumn *columns; /* of an element: its numbers */
};

/* Bodies of loops that sequences have. */
typedef struct _PdFoldLoops PdFoldLoops;

typedef struct
{
  guint n_columns;
  GPtrArray *nodes; /* (element-type PdFoldNode): the sequence */
} PdFold;

/**
 * pd_fold_loops_new:
 * Returns: (transfer full): no loops yet.
 */
PdFoldLoops *pd_fold_loops_new (void);

/**
 * pd_fold_loops_free:
 * @self: (nullable): frees it
 */
void pd_fold_loops_free (PdFoldLoops *self);

/**
 * pd_fold_loops_add:
 * @nodes: (element-type PdFoldNode): a sequence, whose loops @self gets
 *
 * Returns: whether one of them is new to @self.
 */
gboolean pd_fold_loops_add (PdFoldLoops *self, const GPtrArray *nodes);

/**
 * pd_fold_init:
 * @n_columns: how many numbers each element has
 */
void pd_fold_init (PdFold *self, guint n_columns);

/**
 * pd_fold_add:
 * @shape: of the next element
 * @numbers: (array length=n_columns)
 */
void pd_fold_add (PdFold *self, guint32 shape, const gint64 *numbers);

/**
 * pd_fold_finish:
 * Nothing more is added: the last loop is found, too.
 */
void pd_fold_finish (PdFold *self);

/**
 * pd_fold_recognise:
 * @self: finished
 * @known: loops of other sequences: a sequence equal to the body of one of them becomes a loop,
 * even if it comes only once
 */
void pd_fold_recognise (PdFold *self, const PdFoldLoops *known);

/**
 * pd_fold_equal:
 * @a: (element-type PdFoldNode): a sequence
 * @b: (element-type PdFoldNode): another one
 *
 * Returns: whether both have the same structure: shapes and loops, but for counts and numbers.
 */
gboolean pd_fold_equal (const GPtrArray *a, const GPtrArray *b);

/**
 * pd_fold_clear:
 * Frees what @self holds.
 */
void pd_fold_clear (PdFold *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdFoldLoops, pd_fold_loops_free)

#endif
