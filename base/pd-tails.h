/* Names of files for people: as short as they stay distinct. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TAILS_H
#define PD_TAILS_H

#include <glib.h>

typedef struct _PdTails PdTails;

/**
 * pd_tails_new:
 * Returns: (transfer full): no names.
 */
PdTails *pd_tails_new (void);

/**
 * pd_tails_free:
 * @self: (nullable): the names
 */
void pd_tails_free (PdTails *self);

/**
 * pd_tails_add:
 * @path: the name of a file, which is copied
 *
 * Adds a name that others have to differ from.
 */
void pd_tails_add (PdTails *self, const char *path);

/**
 * pd_tails_get:
 * @path: one of the names
 *
 * Returns: (transfer none): its last part, and as many more in front as no other name ends
 *   with, "solver/halo.c"; the whole name if more than eight were needed. It points into @path.
 */
const char *pd_tails_get (const PdTails *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTails, pd_tails_free)

#endif
