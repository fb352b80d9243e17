/* Lists that a trace recorded on one processor cannot hold, given beside it:
 * sizes of blocks, weights of processors, loads of elements, by the place in
 * the program that they belong to; predictor-blocks(5).
 * SPDX-License-Identifier: MIT */
#ifndef PD_BLOCK_FILE_H
#define PD_BLOCK_FILE_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

#define PD_BLOCK_FILE_ERROR (pd_block_file_error_quark ())
typedef enum
{
  PD_BLOCK_FILE_ERROR_OPEN,      /* cannot be read */
  PD_BLOCK_FILE_ERROR_SYNTAX,    /* a line is not of the form that is expected */
  PD_BLOCK_FILE_ERROR_VALUE,     /* a number is out of range, or there are too many */
  PD_BLOCK_FILE_ERROR_TWICE,     /* the same list is given twice */
  PD_BLOCK_FILE_ERROR_TRUNCATED, /* the last line has no end */
} PdBlockFileError;

/**
 * pd_block_file_error_quark:
 * Returns: the domain of #PdBlockFileError.
 */
GQuark pd_block_file_error_quark (void);

/* In the order of preference, where several lists serve. */
typedef enum
{
  PD_BLOCK_SIZES,   /* elements of each coordinate's block */
  PD_BLOCK_WEIGHTS, /* of each coordinate */
  PD_BLOCK_LOADS,   /* of each element of the axis */
  PD_N_BLOCK_KINDS,
} PdBlockKind;

/* One list. */
typedef struct
{
  PdBlockKind kind;
  char *file; /* of the program */
  gint64 line;
  gboolean by_axis; /* @number is an axis of the template, else a grid dimension */
  guint number;     /* from 1 */
  guint rank;       /* of @grid; 0 = for any grid, 1 = for so many processors in all */
  gint64 grid[PD_MAX_GRID_RANK];
  GArray *values;     /* gint64 for sizes, else gdouble; not empty, none negative, not all 0 */
  gint64 source_line; /* in the block file, from 1 */
} PdBlockList;

/* Immutable. */
typedef struct _PdBlockFile PdBlockFile;

/**
 * pd_block_file_new:
 * @path: a block file
 * @error: return location for a #PdBlockFileError; the message begins with
 *   FILE:LINE
 *
 * Returns: (transfer full) (nullable): its lists.
 */
PdBlockFile *pd_block_file_new (const char *path, GError **error);

/**
 * pd_block_file_new_from_bytes:
 * @bytes: the text
 * @name: what messages call it
 * @error: as for pd_block_file_new()
 *
 * Returns: (transfer full) (nullable): its lists.
 */
PdBlockFile *pd_block_file_new_from_bytes (GBytes *bytes, const char *name, GError **error);

/**
 * pd_block_file_free:
 * @self: (nullable): the lists
 */
void pd_block_file_free (PdBlockFile *self);

/**
 * pd_block_file_get_name:
 * Returns: (transfer none): its path.
 */
const char *pd_block_file_get_name (const PdBlockFile *self);

/**
 * pd_block_file_get_n:
 * Returns: the number of lists.
 */
guint pd_block_file_get_n (const PdBlockFile *self);

/**
 * pd_block_file_get:
 * @i: less than pd_block_file_get_n()
 *
 * Returns: (transfer none): a list; in order of line in the program, then of
 *   line in the file.
 */
const PdBlockList *pd_block_file_get (const PdBlockFile *self, guint i);

/* The use of a list. */
typedef struct
{
  const char *file; /* place in the program, as the trace has it */
  gint64 line;
  const PdGrid *grid;
  guint dim;    /* grid dimension, from 0 */
  guint axis;   /* axis of the template that is distributed over it, from 0 */
  guint8 *seen; /* (array) (nullable): one per list; 1 where a list is for that
                 * place, and for that dimension or axis */
} PdBlockQuery;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdBlockFile, pd_block_file_free)

#endif
