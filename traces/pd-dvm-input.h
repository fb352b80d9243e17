/* The bytes of a trace, plain or gzip, seen through a window that only grows
 * for what must be seen in one piece. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_INPUT_H
#define PD_DVM_INPUT_H

#include <glib.h>

G_BEGIN_DECLS

/* What went wrong at the end of the input; the bytes before it are good. */
typedef enum
{
  PD_DVM_INPUT_FINE,
  PD_DVM_INPUT_TRUNCATED,  /* the last gzip member is cut */
  PD_DVM_INPUT_DAMAGED,    /* a gzip member cannot be decoded, or its sum is wrong */
  PD_DVM_INPUT_GARBAGE,    /* bytes after the last gzip member */
  PD_DVM_INPUT_UNREADABLE, /* the system reported an error */
} PdDvmInputProblem;

typedef struct _PdDvmInput PdDvmInput;

/* The window: @size bytes at @data. More bytes may be at @data + @size, but
 * not trace. Changed by pd_dvm_input_fill() only. */
typedef struct
{
  const char *data;
  gsize size;
} PdDvmWindow;

/**
 * pd_dvm_input_new_from_file:
 * @path: a file; "-" = standard input
 * @error: return location for %PD_DVM_ERROR_OPEN
 *
 * Returns: (transfer full) (nullable): the input; its window is empty.
 */
PdDvmInput *pd_dvm_input_new_from_file (const char *path, GError **error);

/**
 * pd_dvm_input_new_from_bytes:
 * @bytes: the contents of a file
 *
 * Returns: (transfer full): the input; its window is empty.
 */
PdDvmInput *pd_dvm_input_new_from_bytes (GBytes *bytes);

/**
 * pd_dvm_input_free:
 * @self: (nullable): the input
 */
void pd_dvm_input_free (PdDvmInput *self);

/**
 * pd_dvm_input_set_chunk:
 * @self: an input nothing was read from
 * @chunk: >= 1; how many bytes each fill adds at most
 *
 * Changes nothing that is read; for tests.
 */
void pd_dvm_input_set_chunk (PdDvmInput *self, gsize chunk);

/**
 * pd_dvm_input_get_window:
 * Returns: (transfer none): the window.
 */
const PdDvmWindow *pd_dvm_input_get_window (const PdDvmInput *self);

/**
 * pd_dvm_input_fill:
 * @self: the input
 * @keep: offset of the first byte still wanted, at most the window's size;
 *   what is before it is dropped, so that it becomes offset 0
 *
 * Adds bytes at the end of the window.
 *
 * Returns: %FALSE at the end of the input.
 */
gboolean pd_dvm_input_fill (PdDvmInput *self, gsize keep);

/**
 * pd_dvm_input_get_problem:
 * Returns: what the input ended with, once pd_dvm_input_fill() gave %FALSE.
 */
PdDvmInputProblem pd_dvm_input_get_problem (const PdDvmInput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvmInput, pd_dvm_input_free)

G_END_DECLS

#endif
