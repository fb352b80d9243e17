/* Actions packed: some ten bytes each. A program does the same at the same places again and again:
 * what does not change there is a shape, written where it first occurs in the actions of a rank;
 * each action is the number of its shape and what changes, in as few bytes as it needs.
 *
 * An action is a number (7 bits a byte, the lowest first): 1 + its shape, or 0 before a shape:
 * its number, its %PD_HAS bits, its cells with their number before them; that shape replaces the
 * one of its number. Then the values that it has, in the order of their bits: the bytes of each,
 * 4 bits, two of them in a byte, and these bytes, the lowest first. Then both lists, each a number
 * and so many. Internal to traces/program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PACKED_PRIVATE_H
#define PD_PACKED_PRIVATE_H

#include "traces/program/pd-program-private.h"

#include <stddef.h>

/* Shapes that are known at a time. */
#define PD_MAX_SHAPES 4096

/* The part of a #PdAction that is a shape: there is no gap in it. */
#define PD_SHAPE_SIZE offsetof (PdAction, request)

G_STATIC_ASSERT (PD_SHAPE_SIZE == 4 * sizeof (gint64) + 21 * sizeof (guint32));

/* The variable parts of an action; all but the lists are values. */
enum
{
  PD_HAS_AMOUNT = 1 << 0,
  PD_HAS_RECORDED = 1 << 1,
  PD_HAS_PROCESSOR = 1 << 2, /* its difference from the amount, the sign in the lowest bit */
  PD_HAS_REQUEST = 1 << 3,
  PD_HAS_FILE_BYTES = 1 << 4,
  PD_HAS_VALUES = (1 << 5) - 1,
  PD_HAS_LISTS = 1 << 5,
};

/* Bytes that hold the sizes of its values. */
static inline guint
pd_packed_n_sizes (guint has)
{
  return ((guint) __builtin_popcount (has & PD_HAS_VALUES) + 1) / 2;
}

/* Behind packed actions there are so many bytes more, which values are read with. */
#define PD_PACKED_SPARE 8

/* Bytes of an action, lists aside, at most. */
#define PD_PACKED_MAX (80 + PD_ACTION_MAX_CELLS * sizeof (PdProgramCell))

/* Of an element of a list. */
#define PD_PACKED_MAX_NUMBER 5

/* The shapes of one rank at a time, while its actions are written. */
typedef struct _PdPacker PdPacker;

PdPacker *pd_packer_new (void);
void pd_packer_free (PdPacker *self); /* (nullable) */
/* Whether the shape of an action of @rank is known; it becomes the present one. The first action of
 * another rank finds none. */
gboolean pd_packer_find (PdPacker *self, guint32 rank, const PdAction *action);
/* Likewise of computation alone, whose amount is not 0; %FALSE: it is to be looked for as others
 * are. */
gboolean pd_packer_find_compute (PdPacker *self, guint32 rank, gboolean with_processor);
/* The action that was written last is such. */
void pd_packer_note_compute (PdPacker *self, gboolean with_processor);
/* The action that was looked up is not written: forgets the result. */
void pd_packer_forget (PdPacker *self);
/* Writes @action, the one that was looked for; returns its bytes. */
gsize pd_packer_write (PdPacker *self, const PdAction *action, guint8 *to);
/* Likewise computation. @processor: -1 = unknown */
gsize pd_packer_write_compute (const PdPacker *self, PdTime amount, gint64 processor, guint8 *to);
/* Changes the shape that is defined at @at, by @change; if not @really, it only looks. FALSE: the
 * shape would need other bytes. */
gboolean pd_packed_change_shape (guint8 *at, void (*change) (PdAction *action, gconstpointer data),
                                 gconstpointer data, gboolean really);

#endif
