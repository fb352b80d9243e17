/* The files of one run: <prefix><I>_<E>.<ext>[.gz|.zst].
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_SET_H
#define PD_DVM_SET_H

#include "traces/dvm/pd-dvm-reader.h"

/* One file, or one file per processor. Holds
 * names and headers; the readers are opened one by one, since 2000 files
 * cannot be open at once. */
typedef struct _PdDvmSet PdDvmSet;

/**
 * pd_dvm_set_new:
 * @path: one trace; one file of a set, "heat0_0.ptr.gz"; what the names of a
 *   set begin with, "heat"; or a folder that holds one trace or one set
 * @messages: (nullable): takes a note where one file stands for several
 *   processors ("merged-trace")
 * @error: return location for a #PdDvmError: %PD_DVM_ERROR_SET if files are
 *   missing, are too many or do not belong together, else that of the file
 *   that cannot be read
 *
 * Finds the files of a run and reads their headers. A trace whose name does
 * not end in numbers is taken alone, as merged traces are.
 *
 * Returns: (transfer full) (nullable): the set.
 */
PdDvmSet *pd_dvm_set_new (const char *path, PdMessages *messages, GError **error);

/**
 * pd_dvm_set_free:
 * @self: (nullable): the set
 */
void pd_dvm_set_free (PdDvmSet *self);

/**
 * pd_dvm_set_get_n:
 * Returns: the number of files, >= 1.
 */
guint pd_dvm_set_get_n (const PdDvmSet *self);

/**
 * pd_dvm_set_get_path:
 * @self: the set
 * @i: internal processor number, less than pd_dvm_set_get_n()
 *
 * Returns: (transfer none): the file of that processor.
 */
const char *pd_dvm_set_get_path (const PdDvmSet *self, guint i);

/**
 * pd_dvm_set_open:
 * @self: the set
 * @i: internal processor number, less than pd_dvm_set_get_n()
 * @messages: (nullable): as for pd_dvm_open()
 * @error: as for pd_dvm_open()
 *
 * Returns: (transfer full) (nullable): a new reader of that processor's file.
 */
PdDvmReader *pd_dvm_set_open (const PdDvmSet *self, guint i, PdMessages *messages, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvmSet, pd_dvm_set_free)

#endif
