/* Versioned objects of a trace: the simulated processors are at different
 * places of the trace at one moment, so each place has its own view of them.
 * A version is valid on a half-open range of positions [from, to).
 * SPDX-License-Identifier: MIT */
#ifndef PD_OBJECTS_H
#define PD_OBJECTS_H

#include <glib.h>

typedef struct _PdObjects PdObjects;

/**
 * pd_objects_new:
 * @unref: (array length=n_kinds): releases an object of each kind
 * @n_kinds: kinds are numbered from 0
 *
 * Returns: (transfer full): an empty store.
 */
PdObjects *pd_objects_new (const GDestroyNotify *unref, guint n_kinds);

/**
 * pd_objects_free:
 * @self: (nullable): the store; it releases what it holds
 */
void pd_objects_free (PdObjects *self);

/**
 * pd_objects_put:
 * @kind: kind of the object
 * @id: its identifier in the trace
 * @from: the first position that sees it; not before any earlier change
 * @object: (transfer full): the new version; immutable from now on
 *
 * Creates an object, or a new version of it. A version that is still open ends
 * silently at @from: identifiers are re-used. Of two versions from one position
 * only the later one is kept.
 */
void pd_objects_put (PdObjects *self, guint kind, gint64 id, guint64 from, gpointer object);

/**
 * pd_objects_close:
 * @to: the first position that no longer sees it
 *
 * Deletes the object.
 *
 * Returns: whether there was an open version.
 */
gboolean pd_objects_close (PdObjects *self, guint kind, gint64 id, guint64 to);

/**
 * pd_objects_get:
 * @position: a position not older than the last pd_objects_reclaim()
 *
 * Returns: (transfer none) (nullable): the version that @position sees.
 */
gpointer pd_objects_get (const PdObjects *self, guint kind, gint64 id, guint64 position);

/**
 * pd_objects_reclaim:
 * @position: no processor looks at earlier positions any more
 *
 * Releases the versions that ended at @position or before; O(their number).
 */
void pd_objects_reclaim (PdObjects *self, guint64 position);

/**
 * pd_objects_get_n_versions:
 * Returns: the number of versions held.
 */
guint pd_objects_get_n_versions (const PdObjects *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdObjects, pd_objects_free)

#endif
