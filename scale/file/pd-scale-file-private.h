/* A model on its way into a file or out of one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_FILE_PRIVATE_H
#define PD_SCALE_FILE_PRIVATE_H

#include "scale/pd-scale-model-private.h"
#include "scale/file/pd-scale-stream.h"

typedef struct
{
  PdScaleStream stream;
  PdScaleModel *model;
  GHashTable *written;       /* list of words → its number in the file + 1 */
  GArray *lists;             /* gint64: of each number in the file, the list of words */
  const PdScaleClass *class; /* of the nodes */
  guint *n_groups;           /* of times, of that class */
} PdScaleFile;

/* Writes or reads an item of an array. */
typedef void (*PdScaleCarry) (PdScaleFile *self, gpointer item);

static inline gboolean
pd_scale_file_is_reading (const PdScaleFile *self)
{
  return self->stream.out == NULL;
}

static inline GArray *
pd_scale_file_new_array (guint size)
{
  return g_array_new (FALSE, TRUE, size);
}

/**
 * pd_scale_file_carry_number:
 * @item: a gint64, of any value
 */
void pd_scale_file_carry_number (PdScaleFile *self, gpointer item);

/**
 * pd_scale_file_carry_array:
 * @array: empty before it is read
 * @carry: carries an item
 */
void pd_scale_file_carry_array (PdScaleFile *self, GArray *array, PdScaleCarry carry);

/**
 * pd_scale_file_carry_class:
 * @class: all zero before it is read
 *
 * With its nodes; their words have been carried before.
 */
void pd_scale_file_carry_class (PdScaleFile *self, PdScaleClass *class);

#endif
