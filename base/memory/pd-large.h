/* Memory for arrays that grow with a trace and are read in order. Arrays beyond a part of the
 * machine's memory are in unnamed files in the folder for temporary files; the system writes and
 * reads their pages as its memory allows. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LARGE_H
#define PD_LARGE_H

#include <glib.h>

G_BEGIN_DECLS

/* Less than that is no such memory. */
#define PD_LARGE_MIN ((gsize) 256 << 10)

/**
 * pd_large_new:
 * @size: bytes, %PD_LARGE_MIN at least
 * @in_file: (out): whether it is in a file
 *
 * In a file if there would be more than $PREDICTOR_MEMORY (half of the process's limit, which
 * --max-memory sets, or of the machine's memory) in memory, and there is room on the disk. May be
 * called by several threads.
 *
 * Returns: (transfer full): memory, to be freed with pd_large_free(). As in GLib, the program ends
 *   if there is none.
 */
gpointer pd_large_new (gsize size, gboolean *in_file);

/**
 * pd_large_grow:
 * @memory: (transfer full): of pd_large_new()
 * @size: as there
 * @larger: bytes wanted
 * @in_file: (inout): likewise
 *
 * Returns: (transfer full): @larger bytes that begin with those of @memory.
 */
gpointer pd_large_grow (gpointer memory, gsize size, gsize larger, gboolean *in_file);

/**
 * pd_large_free:
 * @memory: (transfer full): of pd_large_new()
 * @size: as there
 * @in_file: likewise
 */
void pd_large_free (gpointer memory, gsize size, gboolean in_file);

/**
 * pd_large_set_limit:
 * @limit: bytes that may be in memory; 0: as the environment says
 */
void pd_large_set_limit (gsize limit);

G_END_DECLS

#endif
