/* Memory for arrays of which any place may be next: where the system has
 * huge pages, large arrays lie in them, since looking up the page of a random
 * place costs more than reading it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_HUGE_H
#define PD_HUGE_H

#include <glib.h>

G_BEGIN_DECLS

/**
 * pd_huge_new:
 * @size: bytes, also 0
 *
 * Returns: (transfer full): memory with any content, aligned to 64 bytes at
 *   least; to be freed with pd_huge_free(). As in GLib, the program ends if
 *   there is none.
 */
gpointer pd_huge_new (gsize size);

/**
 * pd_huge_grow:
 * @memory: (nullable) (transfer full): from pd_huge_new()
 * @size: bytes of it that are kept
 * @larger: bytes wanted
 *
 * Returns: (transfer full): @larger bytes that begin with those of @memory.
 */
gpointer pd_huge_grow (gpointer memory, gsize size, gsize larger);

/**
 * pd_huge_free:
 * @memory: (nullable): from pd_huge_new() or pd_huge_grow()
 */
void pd_huge_free (gpointer memory);

G_END_DECLS

#endif
